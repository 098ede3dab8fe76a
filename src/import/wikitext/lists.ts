import { strong } from './markdown.ts'

/** One line of a wikitext list: its marks, and its content as Markdown. */
export interface ListLine {
  /** `*#`, `::`, `;`. */
  marks: string
  content: string
}

interface Open {
  marks: string
  /** Columns by which what is inside is indented. */
  width: number
}

/**
 * Consecutive lines of lists as Markdown. Numbers are 1 throughout, which Markdown counts on from. What is
 * indented by colons alone becomes a quotation, as it looks; a line with a colon in a list goes on with its
 * item. A level that was skipped is not made up: four spaces would make it code.
 */
export const listBlock = (lines: ListLine[]): string => {
  const out: string[] = []
  let open: Open[] = []
  let before: 'list' | 'other' | undefined
  for (const { marks, content } of lines) {
    const kind = /[*#]/.test(marks) ? 'list' : 'other'
    if (before !== undefined && (kind === 'other' || before === 'other')) out.push('')
    before = kind
    if (kind === 'other') {
      open = []
      const quoted = '> '.repeat(Math.min(marks.replaceAll(';', '').length, DEEPEST))
      out.push(`${quoted}${marks.endsWith(';') ? strong(content) : content}`.trimEnd())
      continue
    }
    const own = plain(marks)
    open = open.filter((one) => own.length > one.marks.length && own.startsWith(one.marks)).slice(0, DEEPEST)
    const indent = ' '.repeat(open.reduce((sum, one) => sum + one.width, 0))
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

/** Deeper levels are shown at this one. */
const DEEPEST = 12

/** Without the colons and semicolons at the end, which go on with the item that they stand in. */
const plain = (marks: string): string => {
  let end = marks.length
  while (end > 0 && (marks[end - 1] === ':' || marks[end - 1] === ';')) end -= 1
  return end === marks.length ? marks : `${marks.slice(0, end)}:`
}
