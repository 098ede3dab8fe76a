import type { MarkedExtension } from 'marked'
import { TABLE_OF_CONTENTS } from '../markup/lines.ts'
import { textState } from './text-state.ts'

/** A heading in the table of contents. */
export interface ContentsEntry {
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
        const end = source.indexOf('\n')
        if ((end < 0 ? source.length : end) > LINE_MAX) return undefined
        const line = end < 0 ? source : source.slice(0, end)
        if (!/^ {0,3}\S/.test(line) || !TABLE_OF_CONTENTS.test(line.trim())) return undefined
        textState().hasContents = true
        return { type: 'contents', raw: end < 0 ? line : source.slice(0, end + 1) }
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
