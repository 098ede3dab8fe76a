import { codeBlock } from '@lectern/wiki/import/markdown'
import { withoutAntora } from './antora.ts'
import { type ConvertWikitext, codeLanguageOf, type MarkupPage, markupOf } from './markup.ts'
import { orgToMarkdown } from './org.ts'
import { rstToMarkdown } from './rst.ts'
import { convertInThread } from './thread.ts'

const CONVERTED = {
  /** The title that the text sets in its own way; null if there is none. */
  title: null as string | null,
  tags: [] as string[],
  /** Why the text became a code block, or that its site generates parts; null otherwise. */
  note: null as 'no converter' | 'failed' | 'generated' | null,
}

type MarkdownOfMarkup = typeof CONVERTED & { markdown: string }

/** Converts a text in another markup, or makes it a code block. (D99) @param wikitext absent: MediaWiki has no converter */
export const toMarkdown = async (
  text: string,
  file: string,
  page: MarkupPage,
  wikitext?: ConvertWikitext,
): Promise<MarkdownOfMarkup> => {
  const markup = markupOf(file)
  const asCode = (note: 'no converter' | 'failed'): MarkdownOfMarkup => ({
    ...CONVERTED,
    markdown: text.trim() === '' ? '' : `${codeBlock(text.replace(/\r\n?/g, '\n'), codeLanguageOf(file))}\n`,
    note,
  })
  if (markup === 'markdown') return { ...CONVERTED, markdown: text }
  if (markup === 'code') return asCode('no converter')
  if (markup === 'org') return { ...CONVERTED, ...orgToMarkdown(text, page) }
  if (markup === 'rst') return { ...CONVERTED, ...rstToMarkdown(text, page.path, page.references) }
  if (markup === 'mediawiki') {
    if (wikitext === undefined) return asCode('no converter')
    const { markdown, tags, isTooLong } = wikitext(text, page)
    return { ...CONVERTED, markdown, tags, note: isTooLong ? 'failed' : null }
  }
  const [marked, unmark] =
    markup === 'textile' ? [markLinks(text), unmarkLinks] : [text, (same: string) => same]
  const markdown = await convertInThread({ markup, text: withoutAntora(marked, file, page) })
  return markdown === null
    ? asCode('failed')
    : { ...CONVERTED, markdown: markdown === '' ? '' : `${unmark(markdown)}\n` }
}

/** Gollum's links in Textile: the converter must not escape their brackets. */
const markLinks = (text: string): string =>
  text
    .replace(/[\ue000\ue001]/g, '')
    .replaceAll('[[', '\ue000')
    .replaceAll(']]', '\ue001')
const unmarkLinks = (text: string): string =>
  text
    .replace(/\ue000[^\ue000\ue001]*\ue001/g, (link) => link.replace(/\\(?=[!-/:-@[-`{-~])/g, ''))
    .replaceAll('\ue000', '[[')
    .replaceAll('\ue001', ']]')
