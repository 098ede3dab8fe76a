import { strong } from '../markdown/markdown.ts'

/** One line of a wikitext list. */
export interface ListLine {
  /** Its prefix: `*#`, `::`, `;`. */
  marks: string
  /** Markdown. */
  content: string
}

interface OpenItem {
  marks: string
  /** Indentation of nested content, columns. */
  width: number
}

/**
 * Converts consecutive list lines to Markdown. Every number is 1, because Markdown counts itself. A line that is only
 * indented with colons becomes a block quote; with a colon after list marks, it continues the item. A skipped level
 * is not filled in, because Markdown reads four spaces as code.
 */
export const listBlock = (lines: ListLine[]): string => {
  const out: string[] = []
  let open: OpenItem[] = []
  let before: 'list' | 'other' | undefined
  for (const { marks, content } of lines) {
    const kind = /[*#]/.test(marks) ? 'list' : 'other'
    if (before !== undefined && (kind === 'other' || before === 'other')) out.push('')
    before = kind
    if (kind === 'other') {
      open = []
      const quoted = '> '.repeat(Math.min(marks.replaceAll(';', '').length, MAX_LEVELS))
      out.push(`${quoted}${marks.endsWith(';') ? strong(content) : content}`.trimEnd())
      continue
    }
    const own = itemMarks(marks)
    open = open
      .filter((item) => own.length > item.marks.length && own.startsWith(item.marks))
      .slice(0, MAX_LEVELS)
    const indent = ' '.repeat(open.reduce((sum, item) => sum + item.width, 0))
    if (marks.endsWith(':')) {
      out.push('', `${indent}${content}`)
      continue
    }
    const mark = marks.endsWith('#') ? '1. ' : '- '
    out.push(`${indent}${mark}${marks.endsWith(';') ? strong(content) : content}`.trimEnd())
    open.push({ marks: own, width: mark.length })
  }
  return out.join('\n')
}

/** Deeper levels become this level. */
const MAX_LEVELS = 12

/** Replaces trailing colons and semicolons by one colon: such a line continues the item before it. */
const itemMarks = (marks: string): string => {
  let end = marks.length
  while (end > 0 && (marks[end - 1] === ':' || marks[end - 1] === ';')) end -= 1
  return end === marks.length ? marks : `${marks.slice(0, end)}:`
}
