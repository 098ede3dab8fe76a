import { configurationTag } from '../configurations.ts'
import {
  COMMON,
  inverseFrequency,
  LETTERS,
  mayHaveRelatives,
  type QueryWeights,
  type SearchedLanguage,
  type WeightedWord,
} from './query-weights.ts'
import { anyOf } from './tsquery-builder.ts'

/** What pages with relatives of a word count, in parts of what pages with the word count. (D112) */
const SHARE = 0.4
/** How many words of a query have relatives, the rarest ones, and how many each has. More find nothing better. */
const MOST = { words: 4, relatives: 6 } as const

/** The part of two words that is their common beginning, from 0 to 1. */
const similarity = (one: string, other: string): number => {
  let common = 0
  while (common < one.length && common < other.length && one[common] === other[common]) common++
  return (2 * common) / (one.length + other.length)
}

/**
 * Relatives of a query's words in a language: other words of the wiki with the same beginning, such as `fermentation` for
 * `ferment`, which a stemmer does not recognize. All relatives of a word together are one word with a part of its weight. (D112)
 */
export const relativesIn = (
  language: SearchedLanguage,
  { words: weighted, countOf }: QueryWeights,
): WeightedWord[] => {
  const words = weighted.get(language)!
  const used = new Set(words.flatMap(({ lexemes }) => lexemes))
  const rarest = words
    .filter(mayHaveRelatives)
    .sort((a, b) => b.idf - a.idf)
    .slice(0, MOST.words)
  return words
    .filter((word) => rarest.includes(word))
    .flatMap((word) => relativesWord(word, language, countOf, used) ?? [])
}

/** The most similar relatives of a word that no other word has, as one word. */
const relativesWord = (
  word: WeightedWord,
  { locale, config, pages, counted }: SearchedLanguage,
  countOf: QueryWeights['countOf'],
  used: Set<string>,
): WeightedWord | undefined => {
  const most = word.lexemes
    .flatMap((one) =>
      countOf(locale, one).neighbours.map((other) => ({ ...other, similar: similarity(one, other.word) })),
    )
    .filter((one) => one.similar >= COMMON.part && LETTERS.test(one.word) && !used.has(one.word))
    .sort((a, b) => b.similar - a.similar)
    .slice(0, MOST.relatives)
  if (most.length === 0) return undefined
  const lexemes = most.map((one) => one.word)
  for (const lexeme of lexemes) used.add(lexeme)
  const frequency = most.reduce((sum, one) => sum + one.pages, 0)
  const anywhere = anyOf(lexemes, configurationTag(config))!
  return {
    ...word,
    ...{ lexemes, anywhere, prominent: anywhere, share: SHARE, isAlternative: true, place: null },
    idf: SHARE * Math.min(word.idf, inverseFrequency(Math.min(counted, frequency), counted)),
    pages: Math.min(pages, Math.ceil((frequency * pages) / Math.max(1, counted))),
  }
}
