import { encodeSegment } from '../links.ts'
import { headingIdOf } from '../markup.ts'

const PUNCTUATION = /[\p{P}\p{S}]/u

/** Escapes text within a line. Entities stay. An underscore between letters and a tilde after a space need no escape. */
export const escapeText = (text: string): string =>
  text
    .replace(/[\\`*[\]]|<(?=[a-z/!?])/gi, (mark) => `\\${mark}`)
    .replace(/~+/g, (marks, at: number, whole: string) => {
      const isAfterSpace = at > 0 && /\s/.test(whole[at - 1]!)
      return marks.length === 1 && isAfterSpace ? marks : '\\~'.repeat(marks.length)
    })
    .replace(/_+/g, (marks, at: number, whole: string) => {
      const inWord = isLetter(whole[at - 1]) && isLetter(whole[at + marks.length])
      return inWord ? marks : '\\_'.repeat(marks.length)
    })

const isLetter = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}]/u.test(char)

export const escapeLineStart = (line: string): string =>
  line.replace(/^(\s*)([#>+|~=-]|:(?=-))/, '$1\\$2').replace(/^(\s*\d{1,9})([.)])(?=\s|$)/, '$1\\$2')

/** The lines of a paragraph. A tag alone on its line is joined with the next line, or it would start HTML without Markdown. */
export const paragraphOf = (lines: readonly string[]): string =>
  lines
    .map((line) => escapeLineStart(line.trim()))
    .filter((line) => line !== '')
    .join('\n')
    .replace(/^((?:<[^<>]{1,300}>)+)\n/gm, '$1 ')

/** Inline code. White space becomes single spaces, and the fence is longer than any run of backticks in the code. */
export const codeSpan = (code: string): string => {
  const text = code.replace(/\s+/g, ' ').trim()
  if (text === '') return ''
  const fence = '`'.repeat(longestBackticks(text) + 1)
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${fence}${space}${text}${space}${fence}`
}

/** A fenced code block. @param language dropped unless it is one word */
export const codeBlock = (code: string, language = ''): string => {
  const fence = '`'.repeat(Math.max(3, longestBackticks(code) + 1))
  const word = /^[\w+#.-]{1,40}$/.test(language) ? language : ''
  return `${fence}${word}\n${code.replace(/^\n+/, '').trimEnd()}\n${fence}`
}

/** The lines of a table. @param rows cells in Markdown, on one line each @param hasHead otherwise the head is empty */
export const tableLines = (rows: readonly (readonly string[])[], hasHead: boolean): string[] => {
  const columns = rows.reduce((max, row) => Math.max(max, row.length), 0)
  const lineOf = (row: readonly string[]) =>
    `| ${Array.from({ length: columns }, (_, i) => row[i] ?? '').join(' | ')} |`
  const [head, body] = hasHead ? [rows[0]!, rows.slice(1)] : [[], rows]
  return columns === 0 ? [] : [lineOf(head), `|${' --- |'.repeat(columns)}`, ...body.map(lineOf)]
}

/** Lines as a text, with at most one blank line between blocks. */
export const textOfLines = (lines: readonly string[]): string =>
  lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .replace(/.$/s, '$&\n')

/** Lines behind a mark, the later ones below the text of the first one. */
export const hanging = (mark: string, lines: readonly string[], indent = mark.length): string[] =>
  (lines.length === 0 ? [''] : lines).map((line, i) =>
    i === 0 ? `${mark}${line}`.trimEnd() : line === '' ? '' : ' '.repeat(indent) + line,
  )

/** A longer term, or one that begins with a tag or a colon, is none in a definition list of Markdown. */
const TERM = /^[^<:].{0,299}$/s

/** A part of a definition list. Terms without a definition, and those that can have none, are a paragraph. */
export const definitionLines = (terms: readonly string[], body: readonly string[]): string[] => {
  const term = escapeLineStart(terms.join('<br>'))
  return body.length > 0 && TERM.test(term)
    ? [term, ...hanging(':   ', body)]
    : withBlanks([[term], body.length > 0 ? hanging('- ', body) : []])
}

/** The lines of blocks, with a blank line between them. */
export const withBlanks = (blocks: readonly (readonly string[])[]): string[] =>
  blocks.filter(({ length }) => length > 0).flatMap((lines, i) => (i > 0 ? ['', ...lines] : lines))

export const quotedLines = (lines: readonly string[]): string[] =>
  lines.map((line) => (line === '' ? '>' : `> ${line}`))

/** Bold Markdown: with asterisks if Markdown surely reads them as bold, otherwise with tags. */
export const strong = (content: string): string => {
  if (content === '') return ''
  const isSafe = isLetter(content[0]) && isLetter(content.at(-1)) && !content.includes('*')
  return isSafe ? `**${content}**` : `<b>${content}</b>`
}

/** Escapes a link destination, for use between `<` and `>` or in parentheses. */
export const escapeDestination = (destination: string): string =>
  destination.replace(
    /[\s\\"<>()`[\]]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )

/** Whether emphasis can begin or end between two characters. @param inside the character of the emphasized text */
export const canFlank = (outside: string | undefined, inside: string | undefined): boolean => {
  if (inside === undefined || /\s/.test(inside)) return false
  return !PUNCTUATION.test(inside) || outside === undefined || /\s/.test(outside) || PUNCTUATION.test(outside)
}

const longestBackticks = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0)

/** Link destination of a page: from the wiki's root and with the language, so that it is unambiguous. */
export const pageDestination = (locale: string, path: string, heading: string): string =>
  `/${locale}/${path.split('/').map(encodeDestination).join('/')}${heading && headingDestination(heading)}`

export const headingDestination = (heading: string): string => `#${encodeDestination(headingIdOf(heading))}`

/** Encodes parentheses, too, because they end a link destination in Markdown. */
export const encodeDestination = (segment: string): string => escapeDestination(encodeSegment(segment))
