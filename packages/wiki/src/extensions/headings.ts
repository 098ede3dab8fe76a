import { decodeHTML, escapeUTF8 } from 'entities'
import type { MarkedExtension, Token, Tokens } from 'marked'
import { HEADING_ID } from '../dialects/attributes.ts'
import type { makeHeadingIds } from '../dialects/slugs.ts'
import { TABLE_OF_CONTENTS } from '../markup.ts'
import { lineEnd } from '../text.ts'
import { isComment } from './blocks.ts'
import { type ContentsEntry, inForm, textState } from './text-state.ts'

/** In no text: `wellFormed` replaces U+0000. */
const PLACE = '\u0000contents\u0000'

/** A marked extension for a line that stands for the contents of the page: `[[toc]]`. Call `withContents` afterwards. */
export const contents: MarkedExtension = {
  extensions: [
    {
      name: 'contents',
      level: 'block',
      tokenizer: (source) => {
        const raw = source.slice(0, lineEnd(source, 0))
        if (raw.length > LINE_MAX || !/^ {0,3}\S/.test(raw) || !TABLE_OF_CONTENTS.test(raw.trim()))
          return undefined
        textState().hasContents = true
        return { type: 'contents', raw }
      },
      renderer: () => PLACE,
    },
  ],
}

const LINE_MAX = 100

/** Replaces the first mark by the table, and removes the others, which could make a short text very long. */
export const withContents = (html: string): string => {
  const [before, ...rest] = html.split(PLACE)
  return rest.length === 0 ? html : before + contentsHtml(textState().entries) + rest.join('')
}

const contentsHtml = (entries: readonly ContentsEntry[]): string => {
  const list = contentsList(entries.filter(({ id }) => id !== ''))
  return list === '' ? '' : `<nav class="table-of-contents">${list}</nav>\n`
}

/** A heading of a higher level is in the list of the one before it. */
const contentsList = (entries: readonly ContentsEntry[]): string => {
  const items: string[] = []
  for (let at = 0; at < entries.length; ) {
    const { id, level, title } = entries[at]!
    let end = at + 1
    while (end < entries.length && entries[end]!.level > level) end += 1
    items.push(`<li><a href="#${id}">${title}</a>${contentsList(entries.slice(at + 1, end))}</li>`)
    at = end
  }
  return items.length === 0 ? '' : `<ul>${items.join('')}</ul>`
}

/** Removes the id that the author chose from the end of a heading of a dialect. */
const takeOwnId = (tokens: Token[]): string | undefined => {
  const last = tokens.at(-1)
  const id = last?.type === 'text' ? HEADING_ID.exec(last.text)?.[1] : undefined
  if (id !== undefined) Object.assign(last!, { text: (last as Tokens.Text).text.replace(HEADING_ID, '') })
  return id
}

const idOf = (html: string, ids: ReturnType<typeof makeHeadingIds>, own?: string): string =>
  escapeUTF8(ids(decodeHTML(html.replace(/<[^>]*>/g, '')), own))

/** The start tag of a term of a definition list, with an id if the dialect makes one. @param html its content */
export const termStart = (html: string): string => {
  const { dialect, ids } = textState()
  return dialect?.constructs.has('term-ids') ? `<dt id="${idOf(html, ids)}">` : '<dt>'
}

/** A marked extension for ids of headings, as GitHub's: `:tea:` is `tea`, and the number of a footnote is not in them. A heading gets them once. */
export const headings: MarkedExtension = {
  renderer: {
    heading(token: Tokens.Heading & { start?: string }) {
      const { depth, text, tokens } = token
      if (text !== '' && tokens.every(isComment)) return ''
      const inline = (form: 'html' | 'alt' | 'id') => inForm(form, () => this.parser.parseInline(tokens))
      token.start ??= headingStart(token, inline)
      return `${token.start}${inline('html')}</h${depth}>\n`
    },
  },
}

const headingStart = ({ depth, tokens }: Tokens.Heading, inline: (form: 'alt' | 'id') => string): string => {
  const { dialect, ids, otherIds, entries, hasContents } = textState()
  const own = otherIds && takeOwnId(tokens)
  const written = inline('id')
  const id = idOf(otherIds ? written : written.replace(/&(?!colon;)\w+;/g, '').trim(), ids, own)
  // A further name that authors see, such as on GitHub, and link.
  const name = otherIds ? ((dialect?.otherSlug ? undefined : own) ?? idOf(written, otherIds)) : id
  const mark = name === id || name === '' ? '' : `<a name="${name}"></a>`
  if (hasContents) entries.push({ id, level: depth, title: inline('alt').replace(/<[^>]*>/g, '') })
  return `<h${depth} id="${id}">${mark}`
}
