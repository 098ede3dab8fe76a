import { boundedHtml } from '@lectern/wiki/html'
import { sectionsOf } from '@lectern/wiki/plain-text/sections'
import type { LinkContext } from '@lectern/wiki/references'
import { sourceAsHtml } from '@lectern/wiki/text'

/** The HTML of a text, however long it is. A text that cannot be parsed is shown as its source. */
export const renderHtml = (markdown: string, context: LinkContext): string => {
  try {
    return boundedHtml(markdown, context, Number.POSITIVE_INFINITY)
  } catch {
    return sourceAsHtml(markdown)
  }
}

/** The sections of a text as plain text, with each heading on a separate line. */
export const plainText = (markdown: string): string =>
  sectionsOf(markdown)
    .flatMap(({ heading, text }) => [heading, text.trim().replaceAll('\v', '\n').replaceAll('\f', ' ')])
    .filter((text) => text !== '')
    .join('\n')
