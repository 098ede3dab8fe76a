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

/** A maximal run of changed lines: indexes into the lines of both texts, the ends exclusive. */
type Change = { fromStart: number; fromEnd: number; toStart: number; toEnd: number }

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
  const region = changedRegion(from, to)
  if (region === null) return { added: 0, removed: 0, truncated: false, hunks: [] }
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
  const fromLines = splitLines(region.from)
  const toLines = splitLines(region.to)
  const shift = before.length
  const whole = { fromStart: shift, fromEnd: shift + removed, toStart: shift, toEnd: shift + added }
  const changes = (isLong ? null : changesBetween(fromLines, toLines, shift)) ?? [whole]
  const texts = { from: [...before, ...fromLines, ...after], to: [...before, ...toLines, ...after] }
  const groups = groupChanges(changes)
  if (!fits(groups, texts, listed)) return truncated
  const highlight = highlights ? makeHighlighter() : () => []
  const hunks = groups.map((group) => hunkOf(group, texts, line - before.length, highlight))
  return {
    added: changes.reduce((sum, { toStart, toEnd }) => sum + toEnd - toStart, 0),
    removed: changes.reduce((sum, { fromStart, fromEnd }) => sum + fromEnd - fromStart, 0),
    truncated: false,
    hunks,
  }
}

/** Null: finding them takes too much work. jsdiff gets only lines that both texts have, as numbers: others are changes anyway. @param shift lines before the region */
const changesBetween = (from: readonly string[], to: readonly string[], shift: number): Change[] | null => {
  const numbers = new Map<string, number>()
  for (const line of from) numbers.set(line, numbers.get(line) ?? numbers.size)
  const isShared = new Uint8Array(numbers.size)
  for (const line of to) {
    const number = numbers.get(line)
    if (number !== undefined) isShared[number] = 1
  }
  const shared = (lines: readonly string[]) => {
    const found = { indexes: [] as number[], numbers: [] as number[] }
    for (const [index, line] of lines.entries()) {
      const number = numbers.get(line)
      if (number === undefined || !isShared[number]) continue
      found.indexes.push(index)
      found.numbers.push(number)
    }
    return found
  }
  const inFrom = shared(from)
  const inTo = shared(to)
  const compared = inFrom.numbers.length + inTo.numbers.length
  const parts = diffArrays(inFrom.numbers, inTo.numbers, {
    maxEditLength: Math.min(DIFF_LIMITS.edits, Math.floor(DIFF_LIMITS.steps / (compared + 1))),
  })
  if (parts === undefined) return null
  const changes: Change[] = []
  let open = { fromStart: shift, toStart: shift }
  /** Closes the change before a pair of equal lines, or before the ends. */
  const close = (fromEnd: number, toEnd: number): void => {
    if (fromEnd > open.fromStart || toEnd > open.toStart) changes.push({ ...open, fromEnd, toEnd })
    open = { fromStart: fromEnd + 1, toStart: toEnd + 1 }
  }
  let fromAt = 0
  let toAt = 0
  for (const { count, added, removed } of parts) {
    for (let i = 0; i < count && !added && !removed; i += 1)
      close(inFrom.indexes[fromAt + i]! + shift, inTo.indexes[toAt + i]! + shift)
    if (!added) fromAt += count
    if (!removed) toAt += count
  }
  close(from.length + shift, to.length + shift)
  return changes
}

/** Changes that share a hunk, because no more than their contexts are between them. */
const groupChanges = (changes: readonly Change[]): Change[][] => {
  const groups: Change[][] = []
  let end = Number.NEGATIVE_INFINITY
  for (const change of changes) {
    if (change.fromStart - end > 2 * CONTEXT_LINES) groups.push([])
    groups.at(-1)!.push(change)
    end = change.fromEnd
  }
  return groups
}

/** The first line of a group's context, and the end of its last line's, in the text `from`. */
const contextOf = (group: readonly Change[], from: readonly string[]) => ({
  start: Math.max(0, group[0]!.fromStart - CONTEXT_LINES),
  end: Math.min(from.length, group.at(-1)!.fromEnd + CONTEXT_LINES),
})

const fits = (
  groups: readonly Change[][],
  { from, to }: Record<'from' | 'to', string[]>,
  listed: { lines: number; characters: number },
): boolean => {
  let lines = 0
  let characters = 0
  const count = (text: readonly string[], start: number, end: number): void => {
    lines += end - start
    for (let i = start; i < end; i += 1) characters += text[i]!.length
  }
  for (const group of groups) {
    const { start, end } = contextOf(group, from)
    count(from, start, end)
    for (const { toStart, toEnd } of group) count(to, toStart, toEnd)
  }
  return lines <= listed.lines && characters <= listed.characters
}

const lineOf = (kind: HunkLine['kind'], line: string, highlights: Highlights = []): HunkLine => {
  const newline = line.endsWith('\n')
  return { kind, text: newline ? line.slice(0, -1) : line, highlights, newline }
}

/** @param base number of the first line of both texts */
const hunkOf = (
  group: readonly Change[],
  { from, to }: Record<'from' | 'to', string[]>,
  base: number,
  highlight: ReturnType<typeof makeHighlighter>,
): Hunk => {
  const { start, end } = contextOf(group, from)
  const lines: HunkLine[] = []
  let at = start
  for (const { fromStart, fromEnd, toStart, toEnd } of group) {
    for (; at < fromStart; at += 1) lines.push(lineOf('context', from[at]!))
    const removed = from.slice(fromStart, fromEnd)
    const added = to.slice(toStart, toEnd)
    const pairs = highlight(removed, added)
    lines.push(...removed.map((line, i) => lineOf('removed', line, pairs[i]?.removed)))
    lines.push(...added.map((line, i) => lineOf('added', line, pairs[i]?.added)))
    at = fromEnd
  }
  for (; at < end; at += 1) lines.push(lineOf('context', from[at]!))
  const { fromStart, toStart } = group[0]!
  const toLine = toStart - (fromStart - start)
  return {
    from: { line: base + start, lines: end - start },
    to: { line: base + toLine, lines: lines.filter(({ kind }) => kind !== 'removed').length },
    lines,
  }
}

/**
 * Leaves out the lines with which both texts begin and end. A comparison of characters is many times as fast as one
 * of lines, and most edits change a small part of a long text.
 * @returns the lines between, the number of the first one, from 1, and the lines around them, which both texts have
 */
const changedRegion = (from: string, to: string) => {
  if (from === to) return null
  const start = startOf(from, to)
  const fromEnd = endOf(from, to, start)
  const toEnd = fromEnd + to.length - from.length
  return {
    from: from.slice(start, fromEnd),
    to: to.slice(start, toEnd),
    line: countLines(from.slice(0, start)) + 1,
    before: lastLines(from, start, CONTEXT_LINES),
    after: splitLines(from, fromEnd, CONTEXT_LINES),
  }
}

/** The lines of a text with their line feeds. The last line may have none. A carriage return is part of its line. */
const splitLines = (text: string, start = 0, most = Number.POSITIVE_INFINITY): string[] => {
  const lines: string[] = []
  for (let at = start; at < text.length && lines.length < most; ) {
    const end = lineEnd(text, at)
    lines.push(text.slice(at, end))
    at = end
  }
  return lines
}

const countLines = (text: string): number =>
  text.split('\n').length - (text === '' || text.endsWith('\n') ? 1 : 0)

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
  const isLineStart = (text: string, at: number) => at === start || text[at - 1] === '\n'
  return isLineStart(from, end) && isLineStart(to, toEnd) ? end : lineEnd(from, end)
}

const lastLines = (text: string, end: number, most: number): string[] => {
  let start = end
  for (let i = 0; i < most && start > 0; i += 1) start = text.slice(0, start - 1).lastIndexOf('\n') + 1
  return splitLines(text.slice(0, end), start)
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
