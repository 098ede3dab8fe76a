import type { Conversion } from './conversion.ts'
import { codeBlock, codeSpan, escapeText } from './markdown.ts'
import { outermostPairs, replaceRegions } from './pairs.ts'

/**
 * Sets `{{templates}}` and `{{{parameters}}}` aside. What they would give only MediaWiki knows, so they stay
 * as they are written, as code, but for the few words that mean the same on every wiki.
 */
export const extractTemplates = (text: string, conversion: Conversion): string =>
  replaceRegions(text, outermostPairs(text, '{', '}', true), (found) => {
    const source = conversion.filled(found, 'source')
    const known = source.startsWith('{{{') ? undefined : wordOf(source.slice(2, -2), conversion)
    if (known !== undefined) return known
    conversion.count('template')
    return conversion.set({
      source,
      inline: codeSpan(source),
      ...(source.includes('\n') ? { block: codeBlock(source, 'wikitext') } : {}),
      plain: source,
    })
  })

const DEFAULT_SORT = /^(?:DEFAULTSORT|DEFAULTSORTKEY|DEFAULTCATEGORYSORT):/
const DISPLAY_TITLE = /^DISPLAYTITLE:/

/** What a variable gives, or nothing for what is only said to the wiki; undefined: it is a template. */
const wordOf = (content: string, conversion: Conversion): string | undefined => {
  const { page } = conversion
  const word = content.trim()
  const said = (text: string) =>
    conversion.set({ source: `{{${content}}}`, inline: escapeText(text), plain: text })
  switch (word) {
    case '!':
      return '|'
    case '=':
      return '='
    case 'PAGENAME':
      return said(page.name)
    case 'FULLPAGENAME':
      return said(page.fullName)
    case 'SITENAME':
      return said(page.siteName)
  }
  if (DEFAULT_SORT.test(word)) {
    conversion.defaultSort = word.replace(DEFAULT_SORT, '').split('|')[0]!.trim()
    return ''
  }
  if (DISPLAY_TITLE.test(word)) {
    conversion.displayTitle = word.replace(DISPLAY_TITLE, '').split('|')[0]!.trim()
    return ''
  }
  return undefined
}
