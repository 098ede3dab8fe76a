import { FIELD_BYTES_MAX } from '../../limits.ts'
import { toSingleLine } from '../single-line.ts'

const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
const ATX = /^ {0,3}#{1,6}(?=[ \t]|$)/
const TITLE = /^ {0,3}#(?=[ \t]|$)/
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/
/** The start of a line that is not a paragraph: a quote, list, table, HTML, or indented code. */
const NO_PARAGRAPH = /^(?: {0,3}(?:>|[-+*][ \t]|\d{1,9}[.)][ \t]|[|<])|\t| {4})/
/** A longer line cannot be a title. The bound keeps the regular expressions fast. */
const MAX_LINE_LENGTH = 2000

/**
 * The text of the first heading of level 1 that is not empty, `# …` or underlined with `=`, without inline markup.
 * Ignores fenced code and comments. Headings of other levels are sections: thousands of pages would be "Contents".
 * @param from offset of the start of a line
 * @returns null if there is no heading
 */
export const firstHeading = (markdown: string, from = 0): string | null => {
  let fence: string | null = null
  let isInComment = false
  let paragraph = ''
  for (const line of linesOf(markdown, from)) {
    if (isInComment) {
      isInComment = !line.includes('-->')
      continue
    }
    const mark = FENCE.exec(line)?.[1]
    if (fence !== null) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = null
      continue
    }
    let heading = ''
    if (mark !== undefined) fence = mark
    else if (/^ {0,3}<!--/.test(line)) isInComment = !line.includes('-->')
    else if (ATX.test(line))
      heading = TITLE.test(line) ? line.replace(ATX, '').replace(/[ \t]#+[ \t]*$/, '') : ''
    else if (paragraph !== '' && UNDERLINE.test(line)) heading = line.includes('=') ? paragraph : ''
    else if (line.trim() !== '' && (paragraph !== '' || !NO_PARAGRAPH.test(line))) {
      if (paragraph.length < MAX_LINE_LENGTH) paragraph = `${paragraph} ${line}`
      continue
    }
    paragraph = ''
    const title = heading === '' ? '' : stripMarkup(heading)
    if (title !== '') return title
  }
  return null
}

function* linesOf(text: string, from: number): Generator<string> {
  for (let start = from; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    yield text.slice(start, Math.min(end, start + MAX_LINE_LENGTH)).replace(/\r$/, '')
    start = end + 1
  }
}

/** A simple conversion of inline Markdown to plain text. Links and images become their text, code its content. */
const stripMarkup = (inline: string): string =>
  toSingleLine(
    inline
      .replace(/[ \t]*\{:?[ \t]*[#.][^{}]*\}[ \t]*$/, '')
      .split(/(`+[^`]+`+)/)
      .map((part) => (part.startsWith('`') ? part.replace(/^`+|`+$/g, '') : stripInlineMarkup(part)))
      .join(''),
    FIELD_BYTES_MAX.title,
  )

const stripInlineMarkup = (text: string): string =>
  text
    .replace(/!?\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])/g, '$1')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(/\*+(?=\S)([^*]+)\*+/g, '$1')
    .replace(/(?<![\p{L}\p{N}_])_+(?=\S)([^_]+)_+(?![\p{L}\p{N}_])/gu, '$1')
    .replace(/~~([^~]+)~~/g, '$1')
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '')
