import { type ArrayChange, diffArrays } from 'diff'
import { DIFF_LIMITS } from '../limits.ts'

/** Start and end (exclusive) of each changed part of a line, in UTF-16 code units. */
export type Highlights = [start: number, end: number][]

type HighlightPair = { removed: Highlights; added: Highlights }

/** Compares the first removed line of each change with its first added line, and so on, up to a limit of characters. */
export const makeHighlighter = () => {
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
