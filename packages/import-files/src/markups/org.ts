import { dedentAll } from '@lectern/wiki/dialects/lines'
import {
  codeBlock,
  codeSpan,
  escapeDestination,
  escapeLineStart,
  escapeText,
  headingDestination,
  quotedLines,
  tableLines,
  textOfLines,
} from '@lectern/wiki/import/markdown'
import { addToList } from '@lectern/wiki/text'
import type { MarkupPage } from './markup.ts'

/** Lengths are bounded, so that the search for an end takes linear time. */
const LINK = /\[\[([^[\]\n]{1,600})\](?:\[([^[\]]{1,600})\])?\]/
const FOOTNOTE = /\[fn:([^\s:[\]]{1,100})\]/
const URL = /https?:\/\/[^\s<>[\]()"]{1,2000}/
const EMPHASIS =
  /(?<=^|[\s\-({'"])(?<mark>[*/_+=~])(?=\S)([^\0]{0,400}?[^\s])\k<mark>(?=$|[\s\-.,:;!?'")}[\]])/
const MARKS = new RegExp([LINK, FOOTNOTE, URL, EMPHASIS].map(({ source }) => source).join('|'), 'g')

const MAX_DEPTH = 4

const orgInline = (written: string, page: MarkupPage, depth = 0): string => {
  const text = written.replace(COMMENTS, '')
  const parts: string[] = []
  let from = 0
  for (const match of text.matchAll(MARKS)) {
    const [whole, target, label, footnote, mark, content = ''] = match
    parts.push(escapeText(text.slice(from, match.index)))
    from = match.index + whole.length
    if (target !== undefined) parts.push(linkOf(target, label, page, depth))
    else if (footnote !== undefined) parts.push(`\\[${escapeText(footnote)}\\]`)
    else if (mark === undefined)
      parts.push(`<${whole.replace(/[.,:;!?']+$/, '')}>${/[.,:;!?']*$/.exec(whole)![0]}`)
    else if (mark === '=' || mark === '~') parts.push(codeSpan(content))
    else {
      const inner = depth < MAX_DEPTH ? orgInline(content, page, depth + 1) : escapeText(content)
      const sign = EMPHASIS_SIGNS[mark]
      parts.push(sign === undefined ? `<u>${inner}</u>` : sign + inner + sign)
    }
  }
  return [...parts, escapeText(text.slice(from))].join('')
}

/** Takes linear time: after one that has no end, no other can begin. */
const COMMENTS = /@@comment:[\s\S]*?@@/g

const EMPHASIS_SIGNS: Partial<Record<string, string>> = { '*': '**', '/': '*', '+': '~~' }
const IMAGE = /\.(?:png|jpe?g|gif|svg|webp|avif)$/i
const linkOf = (target: string, label: string | undefined, page: MarkupPage, depth: number): string => {
  const text = () =>
    depth < MAX_DEPTH && label !== undefined ? orgInline(label, page, MAX_DEPTH) : escapeText(label ?? target)
  if (/^(?:https?|ftp|mailto):/i.test(target)) {
    if (label === undefined && IMAGE.test(target)) return `![](${escapeDestination(target)})`
    return `[${text()}](${escapeDestination(target)})`
  }
  const isFile = /^(?:file:|attachment:|\.{0,2}\/)/.test(target)
  const name = target.replace(/^(?:file|attachment):/, '')
  if (isFile && !/\.org(?:::|$)/i.test(name)) {
    const path = escapeDestination(name.replace(/::.*$/, ''))
    return label === undefined && IMAGE.test(name) ? `![](${path})` : `[${text()}](${path})`
  }
  if (/^[*#]/.test(target)) {
    const heading = target.slice(1)
    return `[${label === undefined ? escapeText(heading) : text()}](${headingDestination(heading)})`
  }
  const [, file = '', heading = ''] = TARGET.exec(name)!
  const linked = file.replace(/\.org$/i, '')
  if (isFile) return `[${text()}](${escapeDestination(linked.replace(/^~?\//, '/'))})`
  return page.linkByName
    ? page.linkByName(`${linked}${heading === '' ? '' : `#${heading}`}`, label ?? target)
    : `[${text()}](${headingDestination(name)})`
}

const TARGET = /^(.*?)(?:(?:::[*#]?|#)(.*))?$/s

/** Columns of a table. A wider one becomes code, because each row of Markdown has all columns. */
const MAX_COLUMNS = 100

const BLOCK_START = /^\s*#\+begin_(\w+)(?:[ \t]+(.*))?$/i
const BLOCK_END = /^\s*#\+end_(\w+)[ \t]*$/i
const KEYWORD = /^\s*#\+(\w+)(?:\[[^\]]*\])?:[ \t]*(.*)$/
const COMMENT = /^\s*#(?:[ \t]|$)/
const DRAWER = /^\s*:([\w-]+):[ \t]*$/
const HEADING = /^(\*+)[ \t]+(.*)$/
/** A heading that Org does not export, nor what is under it. */
const PRIVATE =
  /^\*+[ \t]+(?:[A-Z]+[ \t]+)?(?:\[#.\][ \t]+)?COMMENT(?:[ \t]|$)|^\*+[ \t].*[ \t]:(?:[^\s:]+:)*noexport:(?:[^\s:]+:)*[ \t]*$/
const ITEM = /^([ \t]*)([-+]|[ \t]\*|\d{1,9}[.)])([ \t]+|$)(?:\[@\d+\][ \t]*)?(.*)$/
const FIXED_WIDTH = /^\s*:(?: (.*))?$/

/** Converts Org to Markdown, line by line, in linear time. What has no equivalent stays text. (D99) */
export const orgToMarkdown = (text: string, page: MarkupPage) => new OrgReader(text, page).read()

class OrgReader {
  readonly #lines: string[]
  readonly #page: MarkupPage
  /** Numbers of the lines that end blocks, by the name of the block, the last one first. */
  readonly #ends = new Map<string, number[]>()
  readonly #output: string[] = []
  #paragraph: string[] = []
  #title: string | null = null
  #tags: string[] = []
  /** In a list: where its items, and the text of the last item, begin. */
  #list: { indent: number; text: number } | null = null

  constructor(text: string, page: MarkupPage) {
    this.#page = page
    this.#lines = text.split(/\r\n?|\n/)
    for (let i = this.#lines.length - 1; i >= 0; i -= 1) {
      const line = this.#lines[i]!
      const name = BLOCK_END.exec(line)?.[1]?.toLowerCase() ?? (/^\s*:end:\s*$/i.test(line) ? ':' : undefined)
      if (name !== undefined) addToList(this.#ends, name, i)
    }
  }

  read() {
    for (let at = 0; at < this.#lines.length; ) at = this.#readFrom(at)
    this.#endParagraph()
    return { markdown: textOfLines(this.#output), title: this.#title, tags: this.#tags }
  }

  /** Reads what begins at a line. @returns the line after it */
  #readFrom(at: number): number {
    const line = this.#lines[at]!
    if (PRIVATE.test(line)) return this.#endOfTree(at)
    const drawer = DRAWER.exec(line)?.[1]?.toLowerCase()
    const block = BLOCK_START.exec(line)
    const end = block ? this.#endOf(block[1]!.toLowerCase(), at) : drawer ? this.#endOf(':', at) : undefined
    if (end !== undefined && block) {
      this.#addBlock(block[1]!.toLowerCase(), block[2] ?? '', this.#lines.slice(at + 1, end))
      return end + 1
    }
    if (end !== undefined) return drawer === 'properties' || drawer === 'logbook' ? end + 1 : at + 1
    if (drawer === 'end' || BLOCK_END.test(line)) return at + 1
    const keyword = KEYWORD.exec(line)
    if (keyword) this.#addKeyword(keyword[1]!.toLowerCase(), keyword[2]!)
    else if (COMMENT.test(line)) return at + 1
    else if (FIXED_WIDTH.test(line))
      return this.#addRun(at, FIXED_WIDTH, (lines) =>
        codeBlock(lines.map((one) => FIXED_WIDTH.exec(one)![1] ?? '').join('\n')),
      )
    else if (/^\s*\|/.test(line)) return this.#addRun(at, /^\s*\|/, (lines) => tableOf(lines, this.#page))
    else this.#addLine(line)
    return at + 1
  }

  #endOfTree(at: number): number {
    const level = HEADING.exec(this.#lines[at]!)![1]!.length
    let end = at + 1
    while (end < this.#lines.length && (HEADING.exec(this.#lines[end]!)?.[1]?.length ?? Infinity) > level)
      end += 1
    return end
  }

  #endOf(name: string, at: number): number | undefined {
    const ends = this.#ends.get(name)
    while (ends !== undefined && ends.length > 0 && ends.at(-1)! <= at) ends.pop()
    return ends?.at(-1)
  }

  #addRun(at: number, pattern: RegExp, write: (lines: string[]) => string): number {
    let end = at + 1
    while (end < this.#lines.length && pattern.test(this.#lines[end]!)) end += 1
    this.#addPart(write(this.#lines.slice(at, end)))
    return end
  }

  #addKeyword(key: string, value: string): void {
    if (key === 'title') this.#title = [this.#title, value.trim()].filter(Boolean).join(' ') || null
    else if (key === 'filetags') this.#tags = value.split(/[:\s]+/).filter((tag) => tag !== '')
  }

  #addBlock(name: string, options: string, lines: string[]): void {
    if (name === 'comment') return
    const content = dedentAll(lines)
    const unescaped = () => content.map((line) => line.replace(/^(\s*),(?=[*#,])/, '$1')).join('\n')
    const language = name === 'src' ? options.split(/\s/)[0] : name === 'export' ? options : ''
    if (/^(?:src|example|export)$/.test(name)) this.#addPart(codeBlock(unescaped(), language))
    else if (name === 'quote' || name === 'verse') {
      const mark = name === 'verse' ? '\\' : ''
      const text = orgInline(content.join('\n'), this.#page)
      this.#addPart(quotedLines(text.split('\n').map((line) => line && line + mark)).join('\n'))
    } else for (const line of content) this.#addLine(line)
  }

  /** Adds a block of lines that are Markdown, in the last item of a list if there is one. */
  #addPart(markdown: string): void {
    if (markdown === '') return
    this.#endParagraph()
    const indent = ' '.repeat(this.#list?.text ?? 0)
    this.#output.push('')
    for (const line of markdown.split('\n')) this.#output.push(indent + line)
    this.#output.push('')
  }

  #addLine(line: string): void {
    const heading = HEADING.exec(line)
    const item = heading ? null : ITEM.exec(line)
    if (line.trim() === '') {
      this.#endParagraph()
      this.#output.push('')
    } else if (heading) {
      this.#endParagraph()
      this.#list = null
      const text = orgInline(heading[2]!.trim(), this.#page)
      this.#output.push('', `${'#'.repeat(Math.min(heading[1]!.length, 6))} ${text}`, '')
    } else if (/^\s*-{5,}\s*$/.test(line)) this.#addPart('---')
    else if (item) this.#addItem(item)
    else {
      if (this.#list !== null && indentOf(line) <= this.#list.indent) {
        this.#endParagraph()
        this.#output.push('')
        this.#list = null
      }
      this.#paragraph.push(line.trim())
    }
  }

  #addItem([, space = '', mark = '', , text = '']: RegExpExecArray): void {
    this.#endParagraph()
    if (this.#list === null) this.#output.push('')
    const base = Math.min(this.#list?.indent ?? 100_000, indentOf(space))
    const indent = Math.min(indentOf(space) - base, this.#list?.text ?? 0)
    const bullet = /\d/.test(mark) ? `${mark} ` : '- '
    this.#list = { indent: base, text: indent + bullet.length }
    const content = text.replace(/^\[X\](?= )/, '[x]').replace(/^\[-\](?= )/, '[ ]')
    const [, box = '', rest = ''] = /^(\[[ x]\] )?(.*)$/s.exec(content)!
    const [, term, definition] = /^(.{1,200}?)[ \t]+::(?:[ \t]+(.*))?$/s.exec(rest) ?? []
    const body = term === undefined ? rest : `*${term}* ${definition ?? ''}`
    this.#paragraph.push(`${' '.repeat(indent)}${bullet}${box}\u0000${body}`)
  }

  /** Converts the lines of a paragraph together, because a link can go on in the next line. */
  #endParagraph(): void {
    if (this.#paragraph.length === 0) return
    const [, start = '', text = ''] = /^(?:([^\u0000]*)\u0000)?(.*)$/s.exec(this.#paragraph.join('\n'))!
    this.#paragraph = []
    const indent = ' '.repeat(this.#list?.text ?? 0)
    const lines = orgInline(text, this.#page)
      .replace(/\\\\\\\\$/gm, '\\')
      .split('\n')
      .map((line, i) => (i === 0 && start !== '' ? `${start}${line}` : `${indent}${escapeLineStart(line)}`))
    for (const line of lines) this.#output.push(line)
  }
}

const indentOf = (line: string): number => line.replaceAll('\t', '        ').search(/\S|$/)

const tableOf = (lines: string[], page: MarkupPage): string => {
  const isRule = (line: string) => /^\s*\|[-+|\s]*$/.test(line) && line.includes('-')
  const rows = lines.filter((line) => !isRule(line)).map((line) => cellsOf(line.trim()))
  if (rows.some((row) => row.length > MAX_COLUMNS)) return codeBlock(lines.join('\n'))
  const cells = rows.map((row) => row.map((cell) => orgInline(cell, page).replaceAll('|', '\\|')))
  return tableLines(cells, lines.findIndex(isRule) === 1).join('\n')
}

const cellsOf = (line: string): string[] =>
  line
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim())
