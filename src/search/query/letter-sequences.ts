import { fold, withoutAccents } from '../folding.ts'
import { lengthNorm } from './bm25.ts'
import { includedTerms, type SearchQuery, unitsOf } from './parse.ts'
import { inverseFrequency } from './query-weights.ts'

/** Letters of a sequence: in scripts with spaces between words, and in others. */
const LENGTH = { spaced: 4, unspaced: 2 } as const
/** What a sequence counts, in parts of what a word counts that is as rare. */
const SHARE = 0.5
/** How much of a page is compared, in UTF-16 code units. */
export const COMPARED_LENGTH = 2048

/** Weights of `stea`, `team`, `eame`, `amed` for `steamed tea`, and between the words of `med `, `ed t`, `d te` and ` tea`. */
export const letterSequences = (query: SearchQuery, areJoined: boolean): Map<string, number> => {
  const weights = new Map<string, number>()
  const terms = includedTerms(query)
  // A sequence with the end of one word and the beginning of the next counts for stop words: less in questions. (D112)
  const shareBetween = Math.min(0.5, 3 / terms.length)
  let before = ''
  for (const term of terms) {
    const found = new Set<string>()
    for (const { text, kind } of unitsOf(term)) {
      const isPair = kind === 'pair'
      const length = LENGTH[isPair ? 'unspaced' : 'spaced']
      const word = isPair ? text : withoutAccents(text)
      const letters = isPair || before === '' ? word : `${before.slice(1 - length)} ${word}`
      for (let i = 0; i + length <= letters.length; i++) found.add(letters.slice(i, i + length))
      before = isPair || !areJoined ? '' : word
    }
    for (const sequence of found) {
      const weight = term.times * (sequence.includes(' ') ? shareBetween : 1)
      weights.set(sequence, (weights.get(sequence) ?? 0) + weight)
    }
  }
  return weights
}

/**
 * How much each of some texts has in common with the spelling of a query, by BM25: its sequences of letters are the terms,
 * and these texts the collection. So what all of them contain counts little. (D112)
 * @param texts as they are written
 * @returns for each text what it counts beside the words' weights
 */
export const spellingScores = (sequences: Map<string, number>, texts: readonly string[]): Float64Array => {
  const folded = texts.map((text) => withoutAccents(fold(text.slice(0, COMPARED_LENGTH))))
  const meanLength = folded.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length)
  const norms = Float64Array.from(folded, ({ length }) => lengthNorm(length, meanLength))
  const counts = folded.map(makeCounter([...sequences.keys()]))
  const scores = new Float64Array(texts.length)
  for (const [n, share] of [...sequences.values()].entries()) {
    let frequency = 0
    for (const of of counts) if (of[n]! > 0) frequency++
    const weight = SHARE * share * inverseFrequency(frequency, texts.length)
    for (let i = 0; i < scores.length; i++)
      scores[i]! += (weight * counts[i]![n]!) / (counts[i]![n]! + norms[i]!)
  }
  return scores
}

/** Counts sequences in a text. A hash of the letters excludes most places, which takes a tenth of the time. */
const makeCounter = (sequences: readonly string[]): ((text: string) => Uint16Array) => {
  const numbers = new Map(sequences.map((sequence, n) => [sequence, n]))
  const lengths = [...new Set(sequences.map(({ length }) => length))].map((length) => {
    const wanted = new Uint8Array(HASHES)
    for (const sequence of sequences) if (sequence.length === length) wanted[hashOf(sequence)] = 1
    return { length, wanted, shift: HASH_BITS / length }
  })
  return (text) => {
    const counts = new Uint16Array(sequences.length)
    for (const { length, wanted, shift } of lengths) {
      let hash = 0
      for (let i = 0; i < text.length; i++) {
        hash = nextHash(hash, text.charCodeAt(i), shift)
        if (wanted[hash] === 0 || i + 1 < length) continue
        const n = numbers.get(text.slice(i + 1 - length, i + 1))
        if (n !== undefined) counts[n]!++
      }
    }
    return counts
  }
}

const HASH_BITS = 16
const HASHES = 1 << HASH_BITS

/** The hash of the last letters, after one more: the letters before them are shifted out. */
const nextHash = (hash: number, code: number, shift: number): number =>
  ((hash << shift) ^ code) & (HASHES - 1)

const hashOf = (sequence: string): number =>
  sequence
    .split('')
    .reduce((hash, unit) => nextHash(hash, unit.charCodeAt(0), HASH_BITS / sequence.length), 0)
