import type { WeightedWord } from './query-weights.ts'
import { lexemeKey, type TsvectorEntry, tsvectorEntries, tsvectorPositions } from './tsvector-hex.ts'

/** Saturation of a word's frequency, and the weight of a page's length: the usual values of BM25. */
const K1 = 1.2
const B = 0.75
/** What a word counts more in a title, in parts of its weight. */
const TITLE = 0.2
/** What two words that follow each other in the query count more if they do in the page, in parts of the lower weight. */
const NEAR = 0.4
/** The largest distance of such words in the page, in words, and in the query. */
const NEAR_MAX = { page: 8, query: 2 } as const
/** What a page with all words counts more, in parts of the weight of all words. */
const COMPLETE = 0.1
/** What the number of revisions counts, which decides between pages that are equal otherwise. */
const PRIOR = 0.01

/** What the saturation of a word's frequency depends on: longer texts need more occurrences. */
export const lengthNorm = (length: number, meanLength: number): number =>
  K1 * (1 - B + (B * length) / Math.max(1, meanLength))

interface RankedPage {
  /** Lexemes with their letters, and their positions; see `tsvectorEntries`. */
  positions: string
  length: number
  /** The static score of the page. */
  prior: number
  hasAll: boolean
}

interface WordMatch {
  word: WeightedWord
  isInTitle: boolean
  /** Of several lexemes of the word, the most frequent one counts. */
  entry: TsvectorEntry
}

/**
 * Ranks the pages of one language by BM25, titles and neighbouring words. (D112)
 * @param meanLength of the pages of the language, in words
 */
export const makeScorer = (words: readonly WeightedWord[], meanLength: number) => {
  const byKey = new Map(
    words.flatMap((word) => word.lexemes.map((lexeme) => [lexemeKey(lexeme), word] as const)),
  )
  const weight = words.reduce((sum, { idf, times }) => sum + idf * times, 0)
  const highest = weight * (1 + TITLE + NEAR + COMPLETE) + PRIOR * 10 || 1
  const score = ({ positions, length, prior, hasAll }: RankedPage): number => {
    const norm = lengthNorm(length, meanLength)
    const found = wordMatches(positions, byKey)
    let score = PRIOR * Math.min(10, prior) + (hasAll ? COMPLETE * weight : 0)
    for (const { word, isInTitle, entry } of found)
      score += word.idf * word.times * (entry.count / (entry.count + norm) + (isInTitle ? TITLE : 0))
    return Math.min(1, (score + nearness(found, positions)) / highest)
  }
  return { highest, score }
}

const nearness = (found: readonly WordMatch[], tsvector: string): number => {
  const placed = found
    .filter(({ word }) => word.place !== null && !word.isAlternative)
    .sort((a, b) => a.word.place! - b.word.place!)
  let sum = 0
  for (const [i, one] of placed.entries()) {
    const next = placed[i + 1]
    // Pairs of characters overlap: that they touch says nothing.
    if (!next || next.word.place! - one.word.place! > NEAR_MAX.query || (one.word.isPair && next.word.isPair))
      continue
    const distance = leastDistance(
      tsvectorPositions(tsvector, one.entry),
      tsvectorPositions(tsvector, next.entry),
    )
    if (distance <= NEAR_MAX.page) sum += (NEAR * Math.min(one.word.idf, next.word.idf)) / distance
  }
  return sum
}

/** The least distance between two ascending lists of positions; two words at the same position do not count. */
const leastDistance = (a: readonly number[], b: readonly number[]): number => {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const distance = Math.abs(a[i]! - b[j]!)
    if (distance > 0 && distance < least) least = distance
    if (a[i]! < b[j]!) i++
    else j++
  }
  return least
}

/** The words of the query in a page. A page has as many matches as the query has words, at most. */
const wordMatches = (tsvector: string, byKey: ReadonlyMap<string, WeightedWord>): WordMatch[] => {
  const found = new Map<WeightedWord, WordMatch>()
  for (const entry of tsvectorEntries(tsvector)) {
    const word = byKey.get(entry.key)
    if (!word) continue
    const known = found.get(word)
    const isInTitle = entry.isInTitle || known?.isInTitle === true
    if (known && entry.count <= known.entry.count) known.isInTitle = isInTitle
    else found.set(word, { word, isInTitle, entry })
  }
  return [...found.values()]
}
