import { FIELD_BYTES_MAX } from '../../limits.ts'
import { toSingleLine } from '../single-line.ts'

const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
const ATX = /^ {0,3}#{1,6}(?=[ \t]|$)/
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/
/** What a paragraph cannot begin with: a quote, list, table, HTML, or indented code. */
const NO_PARAGRAPH = /^(?: {0,3}(?:>|[-+*][ \t]|\d{1,9}[.)][ \t]|[|<])|\t| {4})/
/** Nothing longer can be a title, and what cleans it need not be quick with long lines. */
const LINE_MAX = 2000

/**
 * The text of a Markdown text's first heading that has any, `# …` or underlined, without inline marks; null
 * where there is none. What stands in fenced code or comments is no heading.
 * @param from offset to start at: the beginning of a line
 */
export const firstHeading = (markdown: string, from = 0): string | null => {
  let fence: string | null = null
  let comment = false
  let paragraph = ''
  for (const line of linesOf(markdown, from)) {
    if (comment) {
      comment = !line.includes('-->')
      continue
    }
    const mark = FENCE.exec(line)?.[1]
    if (fence !== null) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = null
      continue
    }
    let heading = ''
    if (mark !== undefined) fence = mark
    else if (/^ {0,3}<!--/.test(line)) comment = !line.includes('-->')
    else if (ATX.test(line)) heading = line.replace(ATX, '').replace(/[ \t]#+[ \t]*$/, '')
    else if (paragraph !== '' && UNDERLINE.test(line)) heading = paragraph
    else if (line.trim() !== '' && (paragraph !== '' || !NO_PARAGRAPH.test(line))) {
      paragraph = `${paragraph} ${line}`.slice(0, LINE_MAX)
      continue
    }
    paragraph = ''
    const title = withoutMarks(heading)
    if (title !== '') return title
  }
  return null
}

function* linesOf(text: string, from: number): Generator<string> {
  for (let start = from; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    yield text.slice(start, Math.min(end, start + LINE_MAX)).replace(/\r$/, '')
    start = end + 1
  }
}

/** Inline Markdown as plain text, simply: links and images give their text, code its content. */
const withoutMarks = (inline: string): string =>
  toSingleLine(
    inline
      .replace(/[ \t]*\{#[^{}]*\}[ \t]*$/, '')
      .split(/(`+[^`]+`+)/)
      .map((part) => (part.startsWith('`') ? part.replace(/^`+|`+$/g, '') : withoutInlineMarks(part)))
      .join(''),
    FIELD_BYTES_MAX.title,
  )

const withoutInlineMarks = (text: string): string =>
  text
    .replace(/!?\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])/g, '$1')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(/\*+(?=\S)([^*]+)\*+/g, '$1')
    .replace(/(?<![\p{L}\p{N}_])_+(?=\S)([^_]+)_+(?![\p{L}\p{N}_])/gu, '$1')
    .replace(/~~([^~]+)~~/g, '$1')
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '')
