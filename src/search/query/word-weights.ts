import type { StatementRows } from '../../db/statement-rows.ts'
import type { QueryWord } from './query-words.ts'

/** A language that is searched, and how many pages it has. */
export type SearchedLanguage = StatementRows['search_languages']

/** How much a word of the query says about the pages of one language. */
export interface WeightedWord extends QueryWord {
  /** Its inverse document frequency, or the share of it that counts. */
  idf: number
  /** About how many pages of the language contain it. */
  pages: number
}

/**
 * Weighs the words of a query for one language. The counted pages stand for all; a word that was counted in one of them
 * or in none is not stored. (D112)
 * @param countOf in how many counted pages a lexeme occurs; undefined if it is not stored
 */
export const weighWords = (
  words: readonly QueryWord[],
  { pages, counted }: SearchedLanguage,
  countOf: (lexeme: string) => number | undefined,
): WeightedWord[] => {
  const share = counted > 0 ? pages / counted : pages
  return words.map((word) => {
    const frequency = Math.max(1, ...word.lexemes.map((lexeme) => countOf(lexeme) ?? 1))
    return {
      ...word,
      idf: word.share * inverseFrequency(frequency, counted),
      pages: Math.min(pages, Math.max(1, frequency * share)),
    }
  })
}

/** The inverse document frequency of a word that `frequency` of the `counted` pages contain. */
export const inverseFrequency = (frequency: number, counted: number): number =>
  Math.log(1 + (Math.max(0, counted - frequency) + 0.5) / (frequency + 0.5))
