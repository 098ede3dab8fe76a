import { type ArrayChange, diffArrays } from 'diff'
import { DIFF_LIMITS } from '../limits.ts'

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

/** Lines of the first text that others of the second one replace: indexes, the last ones exclusive. */
type Change = { from: number; fromEnd: number; to: number; toEnd: number }

const CONTEXT_LINES = 3

/**
 * Compares two texts line by line. Its result depends on nothing but the texts, and its work is bounded: texts that
 * would need more work get one hunk, which replaces everything between the first and the last change. The limit is one
 * of edits, not of time, because the result must not depend on how busy the machine is.
 * @param listed how much the hunks may contain; beyond it, the result is truncated
 */
export const diffLines = (
  fromText: string,
  toText: string,
  listed: { lines: number; characters: number },
  { highlights }: { highlights: boolean },
): LineDiff => {
  if (fromText === toText) return { added: 0, removed: 0, truncated: false, hunks: [] }
  const [from, to] = [splitLines(fromText), splitLines(toText)]
  const whole = wholeChange(from, to)
  const [removed, added] = [whole.fromEnd - whole.from, whole.toEnd - whole.to]
  const truncated = { added, removed, truncated: true, hunks: [{ ...rangesOf(whole), lines: [] }] }
  const isLong = removed + added > DIFF_LIMITS.lines
  if (isLong && removed + added > listed.lines) return truncated
  const changes = (isLong ? null : changesIn(whole, from, to)) ?? [whole]
  const hunks = hunksOf(changes, from, to, highlights ? makeHighlighter() : () => [])
  const lines = hunks.flatMap((hunk) => hunk.lines)
  const characters = lines.reduce((sum, { text, newline }) => sum + text.length + Number(newline), 0)
  if (lines.length > listed.lines || characters > listed.characters) return truncated
  const count = (kind: HunkLine['kind']) => lines.filter((line) => line.kind === kind).length
  return { added: count('added'), removed: count('removed'), truncated: false, hunks }
}

const rangesOf = ({ from, fromEnd, to, toEnd }: Change) => ({
  from: { line: from + 1, lines: fromEnd - from },
  to: { line: to + 1, lines: toEnd - to },
})

/** From the first line that differs to the last one. */
const wholeChange = (from: readonly string[], to: readonly string[]): Change => {
  const most = Math.min(from.length, to.length)
  let start = 0
  while (start < most && from[start] === to[start]) start += 1
  let equal = 0
  while (equal < most - start && from.at(-1 - equal) === to.at(-1 - equal)) equal += 1
  return { from: start, fromEnd: from.length - equal, to: start, toEnd: to.length - equal }
}

/** Null: finding them takes too much work. jsdiff gets only lines that both texts have, as numbers: others are changes anyway. */
const changesIn = (whole: Change, from: readonly string[], to: readonly string[]): Change[] | null => {
  const [fromLines, toLines] = [from.slice(whole.from, whole.fromEnd), to.slice(whole.to, whole.toEnd)]
  const isInTo = new Set(toLines)
  const numbers = new Map<string, number>()
  for (const line of fromLines) if (isInTo.has(line)) numbers.set(line, numbers.get(line) ?? numbers.size)
  const sharedOf = (lines: readonly string[]) =>
    lines.flatMap((line, index) => (numbers.has(line) ? [{ index, number: numbers.get(line)! }] : []))
  const [inFrom, inTo] = [sharedOf(fromLines), sharedOf(toLines)]
  const most = Math.floor(DIFF_LIMITS.steps / (inFrom.length + inTo.length + 1))
  const numbersOf = (shared: typeof inFrom) => shared.map(({ number }) => number)
  const limit = { maxEditLength: Math.min(DIFF_LIMITS.edits, most) }
  const parts = diffArrays(numbersOf(inFrom), numbersOf(inTo), limit)
  if (parts === undefined) return null
  const changes: Change[] = []
  let { from: fromNext, to: toNext } = whole
  const goTo = (from: number, to: number): void => {
    if (from > fromNext || to > toNext) changes.push({ from: fromNext, fromEnd: from, to: toNext, toEnd: to })
    fromNext = from + 1
    toNext = to + 1
  }
  const at = { from: 0, to: 0 }
  for (const { count, added, removed } of parts) {
    for (let i = 0; i < count && !added && !removed; i += 1)
      goTo(whole.from + inFrom[at.from + i]!.index, whole.to + inTo[at.to + i]!.index)
    if (!added) at.from += count
    if (!removed) at.to += count
  }
  goTo(whole.fromEnd, whole.toEnd)
  return changes
}

/** Changes with no more than their contexts between them share a hunk. */
const hunksOf = (
  changes: readonly Change[],
  from: readonly string[],
  to: readonly string[],
  highlight: ReturnType<typeof makeHighlighter>,
): Hunk[] => {
  const groups: Change[][] = []
  for (const change of changes) {
    const last = groups.at(-1)?.at(-1)
    if (last && change.from - last.fromEnd <= 2 * CONTEXT_LINES) groups.at(-1)!.push(change)
    else groups.push([change])
  }
  return groups.map((group) => {
    const [first, last] = [group[0]!, group.at(-1)!]
    const above = Math.min(CONTEXT_LINES, first.from)
    const below = Math.min(CONTEXT_LINES, from.length - last.fromEnd)
    let next = first.from - above
    const lines = group.flatMap((change) => {
      const equal = from.slice(next, change.from)
      const removed = from.slice(change.from, change.fromEnd)
      const added = to.slice(change.to, change.toEnd)
      const pairs = highlight(removed, added)
      next = change.fromEnd
      return [
        ...linesOf('context', equal),
        ...linesOf('removed', removed, pairs),
        ...linesOf('added', added, pairs),
      ]
    })
    const [end, toEnd] = [last.fromEnd + below, last.toEnd + below]
    const ranges = rangesOf({ from: first.from - above, fromEnd: end, to: first.to - above, toEnd })
    return { ...ranges, lines: [...lines, ...linesOf('context', from.slice(last.fromEnd, end))] }
  })
}

const linesOf = (kind: HunkLine['kind'], lines: readonly string[], pairs: HighlightPair[] = []): HunkLine[] =>
  lines.map((line, i) => {
    const newline = line.endsWith('\n')
    const highlights = (kind !== 'context' && pairs[i]?.[kind]) || []
    return { kind, text: newline ? line.slice(0, -1) : line, highlights, newline }
  })

/** The lines of a text with their line feeds. The last line may have none. A carriage return is part of its line. */
const splitLines = (text: string): string[] => {
  const lines = text.split('\n')
  const last = lines.pop()!
  return [...lines.map((line) => `${line}\n`), ...(last === '' ? [] : [last])]
}

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
    removed: highlightsOf(changes.filter(({ added }) => !added)),
    added: highlightsOf(changes.filter(({ removed }) => !removed)),
  }
}

/** UTF-16 code units of tokens, without spaces. */
const visibleLength = (tokens: readonly string[]): number =>
  tokens.filter((token) => token.trimStart() !== '').join('').length

/** The changed ranges of one line. Ranges with only spaces between them become one. */
const highlightsOf = (parts: readonly ArrayChange<string>[]): Highlights => {
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
