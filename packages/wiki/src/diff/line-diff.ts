import { type ArrayChange, diffArrays } from 'diff'
import { DIFF_LIMITS } from '../limits.ts'
import { lineEnd } from '../text.ts'

/** Part of a text: its first line, from 1, and its number of lines. */
type LineRange = { line: number; lines: number }

export interface HunkLine {
  kind: 'context' | 'removed' | 'added'
  /** Without the line feed. */
  text: string
  /** What differs from the line that this one replaces, or that replaces it. Empty if no such line is similar. */
  highlights: Highlights
  /** False for a last line without a line feed. */
  newline: boolean
}

/** Changed lines that are near each other, with the lines around them. */
export type Hunk = { from: LineRange; to: LineRange; lines: HunkLine[] }

export interface LineDiff {
  added: number
  removed: number
  /** Whether the lines are too many or too long to list: then the only hunk covers every change, and has no lines. */
  truncated: boolean
  hunks: Hunk[]
}

/** Lines that both texts have, and those that differ after them. */
type Step = { equal: string[]; removed: string[]; added: string[] }

const CONTEXT_LINES = 3

/**
 * Compares two texts line by line. Its result depends on nothing but the texts, and its work is bounded: texts that
 * would need more work get one hunk, which replaces everything between the first and the last change. The limit is one
 * of edits, not of time, because the result must not depend on how busy the machine is.
 * @param listed how much the hunks may contain; beyond it, the result is truncated
 */
export const diffLines = (
  from: string,
  to: string,
  listed: { lines: number; characters: number },
  { highlights }: { highlights: boolean },
): LineDiff => {
  if (from === to) return { added: 0, removed: 0, truncated: false, hunks: [] }
  const region = changedRegion(from, to)
  const { line, before, after } = region
  const removed = countLines(region.from)
  const added = countLines(region.to)
  const truncated = {
    added,
    removed,
    truncated: true,
    hunks: [{ from: { line, lines: removed }, to: { line, lines: added }, lines: [] }],
  }
  const isLong = removed + added > DIFF_LIMITS.lines
  if (isLong && removed + added > listed.lines) return truncated
  const whole = { equal: [], removed: splitLines(region.from), added: splitLines(region.to) }
  const steps = (isLong ? null : stepsBetween(whole.removed, whole.added)) ?? [whole]
  steps[0]!.equal.unshift(...before)
  const highlight = highlights ? makeHighlighter() : () => []
  const hunks = hunksOf(steps, line - before.length, after, highlight)
  const lines = hunks.flatMap((hunk) => hunk.lines)
  const characters = lines.reduce((sum, { text, newline }) => sum + text.length + Number(newline), 0)
  if (lines.length > listed.lines || characters > listed.characters) return truncated
  return {
    added: steps.reduce((sum, step) => sum + step.added.length, 0),
    removed: steps.reduce((sum, step) => sum + step.removed.length, 0),
    truncated: false,
    hunks,
  }
}

/** Null: finding them takes too much work. jsdiff gets only lines that both texts have, as numbers: others are changes anyway. */
const stepsBetween = (from: readonly string[], to: readonly string[]): Step[] | null => {
  const isInTo = new Set(to)
  const numbers = new Map<string, number>()
  for (const line of from) if (isInTo.has(line)) numbers.set(line, numbers.get(line) ?? numbers.size)
  const sharedOf = (lines: readonly string[]) =>
    lines.flatMap((line, index) => (numbers.has(line) ? [{ index, number: numbers.get(line)! }] : []))
  const [inFrom, inTo] = [sharedOf(from), sharedOf(to)]
  const most = Math.floor(DIFF_LIMITS.steps / (inFrom.length + inTo.length + 1))
  const numbersOf = (shared: typeof inFrom) => shared.map(({ number }) => number)
  const limit = { maxEditLength: Math.min(DIFF_LIMITS.edits, most) }
  const parts = diffArrays(numbersOf(inFrom), numbersOf(inTo), limit)
  if (parts === undefined) return null
  const pairs: [from: number, to: number][] = []
  const at = { from: 0, to: 0 }
  for (const { count, added, removed } of parts) {
    for (let i = 0; i < count && !added && !removed; i += 1)
      pairs.push([inFrom[at.from + i]!.index, inTo[at.to + i]!.index])
    if (!added) at.from += count
    if (!removed) at.to += count
  }
  const steps: Step[] = []
  let equal: string[] = []
  let [fromNext, toNext] = [0, 0]
  for (const [fromIndex, toIndex] of [...pairs, [from.length, to.length] as const]) {
    const removed = from.slice(fromNext, fromIndex)
    const added = to.slice(toNext, toIndex)
    if (removed.length + added.length > 0) {
      steps.push({ equal, removed, added })
      equal = []
    }
    equal.push(from[fromIndex] ?? '')
    fromNext = fromIndex + 1
    toNext = toIndex + 1
  }
  return steps
}

/** Changes with no more than their contexts between them share a hunk. @param line number of the first line @param after lines after the last step */
const hunksOf = (
  steps: readonly Step[],
  line: number,
  after: readonly string[],
  highlight: ReturnType<typeof makeHighlighter>,
): Hunk[] => {
  const hunks: Hunk[] = []
  const next = { from: line, to: line }
  const add = (kind: HunkLine['kind'], lines: readonly string[], pairs: HighlightPair[] = []): void => {
    const { from, to, lines: all } = hunks.at(-1)!
    for (const [i, text] of lines.entries()) {
      const newline = text.endsWith('\n')
      const highlights = (kind !== 'context' && pairs[i]?.[kind]) || []
      all.push({ kind, text: newline ? text.slice(0, -1) : text, highlights, newline })
    }
    if (kind !== 'added') from.lines += lines.length
    if (kind !== 'removed') to.lines += lines.length
  }
  for (const { equal, removed, added } of steps) {
    const begins = hunks.length === 0 || equal.length > 2 * CONTEXT_LINES
    if (begins) {
      if (hunks.length > 0) add('context', equal.slice(0, CONTEXT_LINES))
      const left = Math.max(0, equal.length - CONTEXT_LINES)
      const begin = (number: number) => ({ line: number + left, lines: 0 })
      hunks.push({ from: begin(next.from), to: begin(next.to), lines: [] })
    }
    add('context', begins ? equal.slice(-CONTEXT_LINES) : equal)
    const pairs = highlight(removed, added)
    add('removed', removed, pairs)
    add('added', added, pairs)
    next.from += equal.length + removed.length
    next.to += equal.length + added.length
  }
  add('context', after)
  return hunks
}

/**
 * Leaves out the lines with which both texts begin and end: characters are compared many times as fast as lines.
 * @returns the lines between, the number of the first one, from 1, and the lines around them, which both texts have
 */
const changedRegion = (from: string, to: string) => {
  const most = Math.min(from.length, to.length)
  let equal = 0
  while (equal < most && from.charCodeAt(equal) === to.charCodeAt(equal)) equal += 1
  const start = lineStart(from, equal)
  equal = 0
  while (
    equal < most - start &&
    from.charCodeAt(from.length - 1 - equal) === to.charCodeAt(to.length - 1 - equal)
  )
    equal += 1
  const isLineStart = (text: string) => text.length - equal === start || text.at(-equal - 1) === '\n'
  const fromEnd =
    isLineStart(from) && isLineStart(to) ? from.length - equal : lineEnd(from, from.length - equal)
  let before = start
  let after = fromEnd
  for (let i = 0; i < CONTEXT_LINES; i += 1) {
    before = lineStart(from, before - 1)
    after = lineEnd(from, after)
  }
  return {
    from: from.slice(start, fromEnd),
    to: to.slice(start, fromEnd + to.length - from.length),
    line: countLines(from.slice(0, start)) + 1,
    before: splitLines(from.slice(before, start)),
    after: splitLines(from.slice(fromEnd, after)),
  }
}

const lineStart = (text: string, position: number): number =>
  position <= 0 ? 0 : text.lastIndexOf('\n', position - 1) + 1

/** The lines of a text with their line feeds. The last line may have none. A carriage return is part of its line. */
const splitLines = (text: string): string[] => {
  const lines = text.split('\n')
  const last = lines.pop()!
  return [...lines.map((line) => `${line}\n`), ...(last === '' ? [] : [last])]
}

const countLines = (text: string): number =>
  text.split('\n').length - (text === '' || text.endsWith('\n') ? 1 : 0)

/** Start and end (exclusive) of each changed part of a line, in UTF-16 code units. */
type Highlights = [start: number, end: number][]

type HighlightPair = { removed: Highlights; added: Highlights }

/** Compares the first removed line of each change with its first added line, and so on, up to a limit of characters. */
const makeHighlighter = () => {
  let remaining: number = DIFF_LIMITS.highlightedCharacters
  /** @param removed lines, also with their line feeds */
  return (removed: readonly string[], added: readonly string[]): HighlightPair[] => {
    const pairs: HighlightPair[] = []
    for (let i = 0; i < Math.min(removed.length, added.length); i += 1) {
      const from = withoutLineEnd(removed[i]!)
      const to = withoutLineEnd(added[i]!)
      remaining -= from.length + to.length
      if (remaining < 0) break
      pairs.push(highlightPair(from, to))
    }
    return pairs
  }
}

const withoutLineEnd = (line: string): string => line.replace(/\r?\n$/, '')

/** Words, runs of spaces, and other characters one by one, also of scripts without spaces. Marks and joined emoji stay. */
const TOKEN =
  /(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{N}\p{M}_])+|\s+|.(?:\p{M}|\u200d.)*/gsu

const NONE: HighlightPair = { removed: [], added: [] }

/** Lines have nothing in common worth showing if less than this part of the shorter one stays. */
const LEAST_COMMON = 0.25

const highlightPair = (from: string, to: string): HighlightPair => {
  const fromTokens = from.match(TOKEN) ?? []
  const toTokens = to.match(TOKEN) ?? []
  const shorter = Math.min(visibleLength(fromTokens), visibleLength(toTokens))
  const known = new Set(fromTokens)
  // Most lines that have little in common have few words in common, which takes a tenth of the time to find out.
  if (visibleLength(toTokens.filter((token) => known.has(token))) <= LEAST_COMMON * shorter) return NONE
  const changes = diffArrays(fromTokens, toTokens, { maxEditLength: DIFF_LIMITS.highlightEdits })
  if (changes === undefined) return NONE
  const common = changes.filter(({ added, removed }) => !added && !removed).flatMap(({ value }) => value)
  if (visibleLength(common) <= LEAST_COMMON * shorter) return NONE
  return {
    removed: rangesOf(changes.filter(({ added }) => !added)),
    added: rangesOf(changes.filter(({ removed }) => !removed)),
  }
}

/** UTF-16 code units of tokens, without spaces. */
const visibleLength = (tokens: readonly string[]): number =>
  tokens.filter((token) => token.trimStart() !== '').join('').length

/** The changed ranges of one line. Ranges with only spaces between them become one. */
const rangesOf = (parts: readonly ArrayChange<string>[]): Highlights => {
  const ranges: Highlights = []
  let at = 0
  let isGap = false
  for (const { value, added, removed } of parts) {
    const text = value.join('')
    const last = ranges.at(-1)
    if (added || removed) {
      if (last && isGap) last[1] = at + text.length
      else ranges.push([at, at + text.length])
      isGap = true
    } else isGap = isGap && /^\s*$/.test(text)
    at += text.length
  }
  return ranges
}
