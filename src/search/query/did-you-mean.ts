import { fold, withoutAccents } from '../folding.ts'
import { typoCandidates } from '../lexemes.ts'
import { wordsOf } from '../words.ts'

/**
 * A query with the words of a title in place of words with a typo.
 * @param title of a page that was found despite a typo
 */
export const correctTypo = (query: string, title: string): string => {
  const ofTitle = wordsIn(title)
  const plain = new Set(ofTitle.map((word) => comparable(word)))
  return wordsIn(query)
    .map((word) => (plain.has(comparable(word)) ? word : (similarWord(word, ofTitle) ?? word)))
    .join(' ')
}

const wordsIn = (text: string): string[] => text.match(/[^\s"“”„«»＂]+/g) ?? []

const comparable = (word: string): string =>
  wordsOf(fold(word))
    .filter(({ kind }) => kind === 'word')
    .map(({ text }) => withoutAccents(text))
    .join(' ')

/** The first of the words that has a typo candidate in common. */
const similarWord = (word: string, others: readonly string[]): string | undefined => {
  const candidates = new Set(typoCandidates(comparable(word)))
  return others.find((other) => typoCandidates(comparable(other)).some((one) => candidates.has(one)))
}
