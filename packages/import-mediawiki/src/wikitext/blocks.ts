import { codeBlock, paragraphOf, strong } from '@lectern/wiki/import/markdown'
import type { Conversion } from './conversion.ts'
import { convertInline } from './inline.ts'
import { readTable, tableBlock } from './tables.ts'

/** One line of a wikitext list. */
interface ListLine {
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
const listBlock = (lines: ListLine[]): string => {
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

/** A strip marker at the start of a line. */
const LEADING_MARKER = /^\s*\u0001(\d+)\u0002/
const LIST = /^[*#:;]+/
const TABLE = /^[\s:]*\{\|/

/** Converts lines of wikitext with strip markers to blocks of Markdown. */
export const convertBlocks = (text: string, conversion: Conversion): string => {
  const lines = text.split('\n')
  const out: string[] = []
  let paragraph: string[] = []
  let list: ListLine[] = []
  let code: string[] = []
  const flush = () => {
    if (paragraph.length > 0) out.push(paragraphBlock(paragraph, conversion))
    if (list.length > 0) out.push(listBlock(list))
    if (code.some((line) => line.trim() !== ''))
      out.push(codeBlock(conversion.unstrip(code.join('\n'), 'plain')))
    paragraph = []
    list = []
    code = []
  }
  const pushBlock = (block: string) => {
    flush()
    out.push(block)
  }
  for (let i = 0; i < lines.length; i += 1) {
    let line = lines[i]!
    for (let block = blockAt(line, conversion); block !== null; block = blockAt(line, conversion)) {
      pushBlock(block)
      line = line.replace(LEADING_MARKER, '').trimStart()
    }
    const heading = headingOf(line)
    if (TABLE.test(line)) {
      const end = tableEnd(lines, i)
      pushBlock(convertTable(lines.slice(i + 1, end), lines[i]!, conversion))
      i = end
    } else if (line.trim() === '') {
      flush()
    } else if (heading !== null) {
      const content = convertInline(heading.content, conversion)
      pushBlock(content === '' ? '' : `${'#'.repeat(heading.level)} ${content}`)
    } else if (/^-{4,}/.test(line)) {
      pushBlock('---')
      const rest = line.replace(/^-+/, '').trim()
      if (rest !== '') paragraph.push(rest)
    } else if (LIST.test(line)) {
      if (paragraph.length > 0 || code.length > 0) flush()
      list.push(...listLines(line, conversion))
    } else if (
      /^ [^ ]|^ {2,}\S/.test(line) &&
      paragraph.length === 0 &&
      !/^ *\u0001\d+\u0002 *$/.test(line)
    ) {
      if (list.length > 0) flush()
      code.push(removeFormatting(line.slice(1)))
    } else {
      if (list.length > 0 || code.length > 0) flush()
      paragraph.push(line.trim())
    }
  }
  flush()
  return out.filter((block) => block !== '').join('\n\n')
}

/** Markdown of the block fragment at the start of the line, or null. */
const blockAt = (line: string, conversion: Conversion): string | null => {
  const number = LEADING_MARKER.exec(line)?.[1]
  return number === undefined ? null : (conversion.fragment(number).block ?? null)
}

const paragraphBlock = (lines: string[], conversion: Conversion): string =>
  paragraphOf(lines.map((line) => convertInline(line, conversion)))

const headingOf = (line: string): { level: number; content: string } | null => {
  const text = line.trimEnd()
  if (!text.startsWith('=') || text.length < 3) return null
  let level = 0
  while (
    level < 6 &&
    text[level] === '=' &&
    text[text.length - 1 - level] === '=' &&
    text.length > 2 * level + 2
  ) {
    level += 1
  }
  return level === 0 ? null : { level, content: text.slice(level, -level).trim() }
}

/** Splits `; term : meaning` into two lines. */
const listLines = (line: string, conversion: Conversion): ListLine[] => {
  const marks = LIST.exec(line)![0]
  const content = line.slice(marks.length).trim()
  const toMarkdown = (text: string) => convertInline(text, conversion).trim()
  const colon = marks.endsWith(';') ? content.search(/ ?: |:$/) : -1
  if (colon < 0) return [{ marks, content: toMarkdown(content) }]
  return [
    { marks, content: toMarkdown(content.slice(0, colon)) },
    { marks: `${marks.slice(0, -1)}:`, content: toMarkdown(content.slice(colon).replace(/^ ?:/, '')) },
  ]
}

const removeFormatting = (line: string): string =>
  line.replace(/'{2,}/g, '').replace(/<\/?(?:b|i|u|s|small|big|span|tt|code)(?:\s[^<>]{0,300})?>/gi, '')

/** Index of the line `|}` that ends a table, or the number of lines. */
const tableEnd = (lines: string[], start: number): number => {
  let depth = 0
  for (let i = start; i < lines.length; i += 1) {
    const text = lines[i]!.trimStart()
    if (TABLE.test(text)) depth += 1
    else if (text.startsWith('|}') && --depth === 0) return i
  }
  return lines.length
}

const convertTable = (lines: string[], first: string, conversion: Conversion): string => {
  const table = readTable(lines)
  const stray = convertBlocks(table.stray.filter((line) => !TABLE.test(line)).join('\n'), conversion)
  const before = stray === '' ? '' : `${stray}\n\n`
  const block = tableBlock(table, (cell) => cellText(cell, conversion))
  if (block === null) {
    if (table.rows.length === 0) return stray
    conversion.count('table')
    return codeBlock(conversion.unstrip([first, ...lines, '|}'].join('\n'), 'source'), 'wikitext')
  }
  const caption = convertInline(table.caption.trim(), conversion)
  return `${before}${caption === '' ? '' : `${strong(caption)}\n\n`}${block}`
}

/** A cell is one line of Markdown: `<br>` separates its lines, and list items get a bullet. */
const cellText = (lines: string[], conversion: Conversion): string =>
  lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => convertInline(line.replace(/^[*#]+\s*/, '• ').replace(/^[:;]+\s*/, ''), conversion).trim())
    .join('<br>')
