import { decodeHTML, escapeUTF8 } from 'entities'
import type { MarkedExtension, Tokens } from 'marked'
import { HEADING_ID } from '../dialects/attributes.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { makeHeadingIds } from '../dialects/slugs.ts'
import { TABLE_OF_CONTENTS } from '../markup.ts'
import { lineEnd } from '../text.ts'
import { isComment } from './blocks.ts'
import { inForm, textState } from './text-state.ts'

interface ContentsEntry {
  id: string
  level: number
  /** HTML without tags. */
  title: string
}

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
export const withContents = (html: string, entries: () => readonly ContentsEntry[]): string => {
  const [before, ...rest] = html.split(PLACE)
  return rest.length === 0 ? html : before + contentsHtml(entries()) + rest.join('')
}

const contentsHtml = (entries: readonly ContentsEntry[]): string => {
  const linked = entries.filter(({ id }) => id !== '')
  if (linked.length === 0) return ''
  const parts: string[] = []
  const open: number[] = []
  for (const { id, level, title } of linked) {
    while (open.length > 1 && open.at(-2)! >= level) {
      parts.push('</li></ul>')
      open.pop()
    }
    if (open.length === 0 || open.at(-1)! < level) {
      parts.push('<ul>')
      open.push(level)
    } else {
      parts.push('</li>')
      open[open.length - 1] = level
    }
    parts.push(`<li><a href="#${id}">${title}</a>`)
  }
  return `<nav class="table-of-contents">${parts.join('')}${'</li></ul>'.repeat(open.length)}</nav>\n`
}

const emptyState = (dialect?: Dialect) => ({
  dialect,
  ids: makeHeadingIds(dialect?.slug ?? 'plain'),
  /** Of a text in a dialect. */
  otherIds: dialect && makeHeadingIds(dialect.otherSlug ?? 'github'),
  entries: [] as ContentsEntry[],
})

let state = emptyState()

/** Begins to count equal ids, and to collect headings for the table of contents. @param dialect of the text, if it has one */
export const beginHeadings = (dialect?: Dialect): void => {
  state = emptyState(dialect)
}

/** The headings that were rendered since, if the text has a table of contents. */
export const headingEntries = (): readonly ContentsEntry[] => state.entries

/** Removes the id that the author chose from the end of a heading of a dialect. */
const takeOwnId = (token: Tokens.Heading): string | undefined => {
  const last = token.tokens.at(-1)
  const id = last?.type === 'text' ? HEADING_ID.exec(last.text)?.[1] : undefined
  if (id === undefined || last?.type !== 'text') return (token as HeadingWithId).ownId
  last.text = last.raw = last.text.replace(HEADING_ID, '')
  ;(token as HeadingWithId).ownId = id
  return id
}

type HeadingWithId = Tokens.Heading & { ownId?: string }

const idOf = (html: string, ids: typeof state.ids, own?: string): string =>
  escapeUTF8(ids(decodeHTML(html.replace(/<[^>]*>/g, '')), own))

/** The start tag of a term of a definition list, with an id if the dialect makes one. @param html its content */
export const termStart = (html: string): string =>
  state.dialect?.constructs.has('term-ids') ? `<dt id="${idOf(html, state.ids)}">` : '<dt>'

/** A marked extension for ids of headings, as GitHub's: `:tea:` is `tea`, and the number of a footnote is not in them. */
export const headings: MarkedExtension = {
  renderer: {
    heading(token: Tokens.Heading) {
      if (token.text !== '' && token.tokens.every(isComment)) return ''
      const { dialect, ids, otherIds, entries } = state
      const inline = (form: 'html' | 'alt' | 'id') =>
        inForm(form, () => this.parser.parseInline(token.tokens))
      const own = otherIds && takeOwnId(token)
      const written = inline('id')
      const id = idOf(otherIds ? written : written.replace(/&(?!colon;)\w+;/g, '').trim(), ids, own)
      // A further name that authors see, such as on GitHub, and link.
      const name = otherIds ? ((dialect?.otherSlug ? undefined : own) ?? idOf(written, otherIds)) : id
      const mark = name === id || name === '' ? '' : `<a name="${name}"></a>`
      if (textState().hasContents)
        entries.push({ id, level: token.depth, title: inline('alt').replace(/<[^>]*>/g, '') })
      return `<h${token.depth} id="${id}">${mark}${inline('html')}</h${token.depth}>\n`
    },
  },
}
