/** What two texts do not have in common at their beginnings and ends, as whole lines. */
export interface ChangedRegion {
  /** The lines between, of each text. */
  from: string
  to: string
  /** Number of its first line, from 1. */
  line: number
  /** Lines before and after it, which both texts have. */
  before: string[]
  after: string[]
}

const LINE_FEED = 10

/**
 * Leaves out the lines with which both texts begin and end. A comparison of characters is many times as fast as one
 * of lines, and most edits change a small part of a long text.
 * @param contextLines the maximum of lines of `before` and `after`
 * @returns null if the texts are equal
 */
export const changedRegion = (from: string, to: string, contextLines: number): ChangedRegion | null => {
  if (from === to) return null
  const start = startOf(from, to)
  const fromEnd = endOf(from, to, start)
  const toEnd = fromEnd + to.length - from.length
  return {
    from: from.slice(start, fromEnd),
    to: to.slice(start, toEnd),
    line: countLines(from.slice(0, start)) + 1,
    before: lastLines(from, start, contextLines),
    after: firstLines(from, fromEnd, contextLines),
  }
}

/** The lines of a text with their line feeds. The last line may have none. A carriage return is part of its line. */
export const splitLines = (text: string): string[] => {
  const lines: string[] = []
  for (let at = 0; at < text.length; ) {
    const end = endOfLine(text, at)
    lines.push(text.slice(at, end))
    at = end
  }
  return lines
}

/** How many lines `splitLines` would return. */
export const countLines = (text: string): number => {
  let count = 0
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) === LINE_FEED) count += 1
  return text === '' || text.endsWith('\n') ? count : count + 1
}

/** The beginning of the first line that differs. */
const startOf = (from: string, to: string): number => {
  const most = Math.min(from.length, to.length)
  let equal = 0
  while (equal < most && from.charCodeAt(equal) === to.charCodeAt(equal)) equal += 1
  return equal === 0 ? 0 : from.lastIndexOf('\n', equal - 1) + 1
}

/** The end, in `from`, of the last line that differs. */
const endOf = (from: string, to: string, start: number): number => {
  const most = Math.min(from.length, to.length) - start
  let equal = 0
  while (equal < most && from.charCodeAt(from.length - 1 - equal) === to.charCodeAt(to.length - 1 - equal))
    equal += 1
  const end = from.length - equal
  const toEnd = to.length - equal
  const isLineStart = (text: string, at: number) => at === start || text.charCodeAt(at - 1) === LINE_FEED
  return isLineStart(from, end) && isLineStart(to, toEnd) ? end : endOfLine(from, end)
}

/** The end of the line at an offset, after its line feed. */
const endOfLine = (text: string, at: number): number => {
  const lineFeed = text.indexOf('\n', at)
  return lineFeed < 0 ? text.length : lineFeed + 1
}

const lastLines = (text: string, end: number, most: number): string[] => {
  const lines: string[] = []
  for (let at = end; at > 0 && lines.length < most; ) {
    const start = at === 1 ? 0 : text.lastIndexOf('\n', at - 2) + 1
    lines.unshift(text.slice(start, at))
    at = start
  }
  return lines
}

const firstLines = (text: string, start: number, most: number): string[] => {
  const lines: string[] = []
  for (let at = start; at < text.length && lines.length < most; ) {
    const end = endOfLine(text, at)
    lines.push(text.slice(at, end))
    at = end
  }
  return lines
}
