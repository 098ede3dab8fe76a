import type { WeightedWord } from './query-weights.ts'
import { lexemeKey, type TsvectorEntry, tsvectorEntries, tsvectorPosition } from './tsvector-hex.ts'

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

/** A page that may be in the tail, as the statement `search_matches` returns it. */
export type CandidateCells = [
  id: string,
  locale: string,
  score: number,
  length: number,
  hasAll: boolean,
  positions: string,
]

/**
 * Ranks the pages of one language by BM25, titles and neighbouring words. (D112)
 * @param words in the order of the query
 * @param meanLength of the pages of the language, in words
 */
export const makeScorer = (words: readonly WeightedWord[], meanLength: number) => {
  const byKey = new Map(
    words.flatMap((word) => word.lexemes.map((lexeme) => [lexemeKey(lexeme), word] as const)),
  )
  const placed = words.filter(({ place, isAlternative }) => place !== null && !isAlternative)
  const weight = words.reduce((sum, { idf, times }) => sum + idf * times, 0)
  const highest = weight * (1 + TITLE + NEAR + COMPLETE) + PRIOR * 10 || 1
  const score = ([, , prior, length, hasAll, positions]: CandidateCells): number => {
    const norm = lengthNorm(length, meanLength)
    const found = wordMatches(positions, byKey)
    let score = PRIOR * Math.min(10, prior) + (hasAll ? COMPLETE * weight : 0)
    for (const [word, { isInTitle, entry }] of found)
      score += word.idf * word.times * (entry.count / (entry.count + norm) + (isInTitle ? TITLE : 0))
    return Math.min(1, (score + nearness(placed, found, positions)) / highest)
  }
  return { highest, score }
}

/** What neighbouring words count. @param placed those that have a place in the query, in its order */
const nearness = (
  placed: readonly WeightedWord[],
  found: ReturnType<typeof wordMatches>,
  tsvector: string,
): number => {
  let sum = 0
  let before: WeightedWord | undefined
  for (const word of placed) {
    const match = found.get(word)
    if (!match) continue
    // Pairs of characters overlap: that they touch says nothing.
    if (before && word.place! - before.place! <= NEAR_MAX.query && !(before.isPair && word.isPair)) {
      const distance = leastDistance(tsvector, found.get(before)!.entry, match.entry)
      if (distance <= NEAR_MAX.page) sum += (NEAR * Math.min(before.idf, word.idf)) / distance
    }
    before = word
  }
  return sum
}

/** The least distance between the positions of two entries; two words at the same position do not count. */
const leastDistance = (tsvector: string, a: TsvectorEntry, b: TsvectorEntry): number => {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0, j = 0; i < a.count && j < b.count; ) {
    const difference = tsvectorPosition(tsvector, a, i) - tsvectorPosition(tsvector, b, j)
    const distance = Math.abs(difference)
    if (distance > 0 && distance < least) least = distance
    if (difference < 0) i++
    else j++
  }
  return least
}

/** The words of the query in a page. Of several lexemes of a word, the most frequent one counts. */
const wordMatches = (tsvector: string, byKey: ReadonlyMap<string, WeightedWord>) => {
  const found = new Map<WeightedWord, { isInTitle: boolean; entry: TsvectorEntry }>()
  for (const entry of tsvectorEntries(tsvector)) {
    const word = byKey.get(entry.key)
    if (!word) continue
    const known = found.get(word)
    const isInTitle = entry.isInTitle || known?.isInTitle === true
    if (known && entry.count <= known.entry.count) known.isInTitle = isInTitle
    else found.set(word, { isInTitle, entry })
  }
  return found
}
