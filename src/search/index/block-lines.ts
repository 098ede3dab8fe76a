import { readTag } from '../../wiki/inline-html.ts'

/** Beginnings of Markdown lines by kind. Indentation and the marks of containers are removed before. */
export const FENCE = /^(?:`{3,}(?=[^`]*$)|~{3,})/
export const HEADING = /^#{1,6}(?=[ \t]|$)/
export const BULLET = /^[-+*](?=[ \t]|$)/
export const NUMBER = /^(\d{1,9})[.)](?=[ \t]|$)/
export const TASK = /^\[[ xX]\][ \t]+/
export const DELIMITERS = /^[|:\- \t]+$/
export const DEFINITION = /^\[((?:[^[\]\\]|\\.){1,999})\]:(.*)$/
export const DESTINATION = /^[ \t]*(<[^<>]*>|[^\s<]\S*)(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*$/
export const HTML_TAG = /^<\/?([a-z][a-z0-9-]*)(?=[\s/>]|$)/i

/** HTML that continues over blank lines to an end tag. Without an end tag its text is shown, as in HTML. */
export const LONG_HTML = [
  { start: /^<!--/, end: /-->/, isShown: false },
  { start: /^<(?:script)(?=[\s>]|$)/i, end: /<\/script\s*>/i, isShown: false },
  { start: /^<(?:style)(?=[\s>]|$)/i, end: /<\/style\s*>/i, isShown: false },
  { start: /^<(?:textarea)(?=[\s>]|$)/i, end: /<\/textarea\s*>/i, isShown: false },
  { start: /^<(?:pre)(?=[\s>]|$)/i, end: /<\/pre\s*>/i, isShown: true },
]

/** Tags at the beginning of a line that begin a block of HTML. @see CommonMark, HTML blocks, 6 */
export const BLOCK_TAGS = new Set(
  `address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt
  fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link
  main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead
  title tr track ul`.split(/\s+/),
)

/** Whether a line consists of three or more equal marks: `* * *`. */
export const isRule = (text: string): boolean =>
  /^[-_*]/.test(text) && text.replaceAll(text[0]!, '').trim() === '' && text.split(text[0]!, 4).length > 3

/** Whether a line is a single tag. */
export const isOneTag = (text: string): boolean => readTag(text, 0)?.end === text.length

/** The text of a heading, without the marks before and after it. */
export const headingText = (line: string): string => {
  const text = line.replace(HEADING, '').trim()
  let end = text.length
  while (text[end - 1] === '#') end--
  return end === 0 || /\s/.test(text[end - 1]!) ? text.slice(0, end).trimEnd() : text
}

/** Length of the run of `mark` at the beginning of a text. */
export const runOf = (text: string, mark: string): number => {
  let length = 0
  while (text[length] === mark) length++
  return length
}

/** Columns of white space; a tab has four. */
export const widthOf = (space: string): number => space.length + 3 * space.split('\t').length - 3
