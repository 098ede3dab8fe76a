/** A part of a text, and what replaces it. */
export interface Replacement {
  text: string
  /** Offset of the end of the part. */
  end: number
}

/**
 * Looks at a mark in a paragraph.
 * @param at offset of the mark
 * @returns null if the mark stays as it is
 */
export type RewriteMark = (paragraph: string, at: number) => Replacement | null

const FENCE = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}(?=[^`]*$)|~{3,})/
const LIST_ITEM = /^[\s>]*(?:[-*+]|\d{1,9}[.)])[ \t]/
const INDENTED = /^(?: {4}|\t)/

/**
 * Rewrites parts of Markdown, but not code: fences, code spans, indented code and `<pre>`. Takes linear time if
 * `rewrite` takes constant time.
 * @param marks the characters at which `rewrite` is called
 * @param maxLength of the result, in UTF-16 code units
 * @returns the text unchanged if the result would be longer
 */
export const rewriteMarkdown = (
  markdown: string,
  marks: string,
  rewrite: RewriteMark,
  maxLength: number,
): string => {
  const parts: string[] = []
  let length = 0
  for (const { text, isCode } of blocksOf(markdown)) {
    const part = isCode ? text : rewriteParagraph(text, marks, rewrite)
    parts.push(part)
    length += part.length
    if (length > maxLength) return markdown
  }
  return parts.join('')
}

interface Block {
  text: string
  isCode: boolean
}

/** The blocks of a text: code, and paragraphs. A paragraph ends with a blank line, as code spans do. */
function* blocksOf(markdown: string): Generator<Block> {
  let start = 0
  /** The fence or tag that ends the code, or null outside code. */
  let end: string | null = null
  let isIndentedCode = false
  let isAfterBlank = true
  let isInList = false
  const block = (to: number, isCode: boolean): Block[] => {
    const text = markdown.slice(start, to)
    start = to
    return text === '' ? [] : [{ text, isCode }]
  }
  for (let at = 0; at < markdown.length; ) {
    const newline = markdown.indexOf('\n', at)
    const next = newline === -1 ? markdown.length : newline + 1
    const line = markdown.slice(at, next)
    const isBlank = line.trim() === ''
    if (end !== null) {
      if (endsCode(line, end)) {
        end = null
        yield* block(next, true)
      }
    } else if (isIndentedCode && (isBlank || INDENTED.test(line))) {
      // The code goes on.
    } else {
      yield* block(at, isIndentedCode)
      isIndentedCode = !isInList && isAfterBlank && !isBlank && INDENTED.test(line)
      const fence = isIndentedCode ? undefined : FENCE.exec(line.trimEnd())?.[1]
      if (LIST_ITEM.test(line)) isInList = true
      else if (isAfterBlank && !isBlank && !/^\s/.test(line)) isInList = false
      if (fence !== undefined) end = fence
      else if (!isIndentedCode && /^[\s>]*<pre[\s>]/i.test(line) && !endsCode(line, '</pre>')) end = '</pre>'
      else if (!isIndentedCode && !isBlank) {
        // Collect the lines of a paragraph, so that a code span can cover several lines.
        const last = paragraphEnd(markdown, next)
        yield* block(last, false)
        const lines = markdown.slice(at, last).split('\n')
        isInList ||= lines.some((one) => LIST_ITEM.test(one))
        at = last
        isAfterBlank = false
        continue
      }
    }
    isAfterBlank = isBlank
    at = next
  }
  yield* block(markdown.length, end !== null || isIndentedCode)
}

const endsCode = (line: string, end: string): boolean =>
  end === '</pre>'
    ? /<\/pre>/i.test(line)
    : line.includes(end) &&
      line
        .replace(/^[\s>]*/, '')
        .trimEnd()
        .replaceAll(end[0]!, '') === ''

/** Offset of the first line from an offset on that is blank or begins code. */
const paragraphEnd = (markdown: string, from: number): number => {
  for (let at = from; at < markdown.length; ) {
    const newline = markdown.indexOf('\n', at)
    const next = newline === -1 ? markdown.length : newline + 1
    const line = markdown.slice(at, next)
    if (line.trim() === '' || FENCE.test(line.trimEnd()) || /^[\s>]*<pre[\s>]/i.test(line)) return at
    at = next
  }
  return markdown.length
}

const rewriteParagraph = (paragraph: string, marks: string, rewrite: RewriteMark): string => {
  const parts: string[] = []
  const spanEnd = codeSpans(paragraph)
  let from = 0
  for (let at = 0; at < paragraph.length; ) {
    const char = paragraph[at]!
    if (char === '\\') at += 2
    else if (char === '`') at = spanEnd(at)
    else {
      const replacement = marks.includes(char) ? rewrite(paragraph, at) : null
      if (replacement !== null) {
        parts.push(paragraph.slice(from, at), replacement.text)
        from = replacement.end
      }
      at = replacement?.end ?? at + 1
    }
  }
  return parts.join('') + paragraph.slice(from)
}

/**
 * The code spans of a paragraph, in linear time.
 * @returns a function that returns the end of the code span that begins at an offset with backticks, or else of these
 * backticks. Its offsets must increase
 */
export const codeSpans = (paragraph: string): ((at: number) => number) => {
  /** Offsets of the runs of backticks, by their length. */
  const runs = new Map<number, number[]>()
  for (const { 0: run, index } of paragraph.matchAll(/`+/g)) {
    const offsets = runs.get(run.length) ?? []
    offsets.push(index)
    runs.set(run.length, offsets)
  }
  // The last run comes first, so that it is cheap to drop one.
  for (const offsets of runs.values()) offsets.reverse()
  return (at) => {
    let end = at
    while (paragraph[end] === '`') end += 1
    const offsets = runs.get(end - at) ?? []
    while (offsets.length > 0 && offsets.at(-1)! <= at) offsets.pop()
    const closer = offsets.at(-1)
    return closer === undefined ? end : closer + (end - at)
  }
}
