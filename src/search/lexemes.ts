import { withoutAccents } from './folding.ts'

/**
 * Lexemes as the index holds them: one letter for how much a page speaks of the word, one for how its
 * language is stemmed, then the word. So a question asks for pages about a word before those that mention
 * it, and a small language does not pay for a large one. (D33)
 */

/** `A` stands in the title, `B` in a heading, in the path or often, `C` twice or at the beginning, `D` once. */
export const WEIGHTS = ['A', 'B', 'C', 'D'] as const
export type Weight = (typeof WEIGHTS)[number]

/** Of a word in a title, what is left when one letter is dropped: two words with one of these in common differ by a slip. */
export const TYPO_MARK = '~'

/** Configurations of PostgreSQL 15 and later, each with its letter. Never change one: indexes hold them. */
const TAGS: Record<string, string> = {
  simple: '0',
  arabic: 'a',
  armenian: 'b',
  basque: 'c',
  catalan: 'd',
  danish: 'e',
  dutch: 'f',
  english: 'g',
  estonian: 'h',
  finnish: 'i',
  french: 'j',
  german: 'k',
  greek: 'l',
  hindi: 'm',
  hungarian: 'n',
  indonesian: 'o',
  irish: 'p',
  italian: 'q',
  lithuanian: 'r',
  nepali: 's',
  norwegian: 't',
  portuguese: 'u',
  romanian: 'v',
  russian: 'w',
  serbian: 'x',
  spanish: 'y',
  swedish: 'z',
  tamil: 'A',
  turkish: 'B',
  yiddish: 'C',
}

/** @param configuration of PostgreSQL's text search */
export const configurationTag = (configuration: string): string => TAGS[configuration] ?? TAGS.simple!

/** Those whose stemmers cut or change the beginnings of words too, such as an article or a mutation. */
const CUT_BEGINNINGS = new Set(['arabic', 'dutch', 'indonesian', 'irish', 'tamil', 'yiddish'])

/** Whether a stem may begin otherwise than its word. @param configuration of PostgreSQL's text search */
export const stripsPrefixes = (configuration: string): boolean => CUT_BEGINNINGS.has(configuration)

/** What a dictionary made of a word as written and of the word without accents: nothing of a stop word. */
interface Stems {
  written: readonly string[] | null
  plain: readonly string[] | null
}

/**
 * Lexemes of a word: its stem without accents, and the stem of the word without accents. The first keeps
 * apart and together what the language does, the second is what a word typed without accents becomes.
 */
export const lexemesOf = ({ written, plain }: Stems): string[] => [
  ...new Set([...(written ?? []).map(withoutAccents), ...(plain ?? [])]),
]

/** Whether a word can have a stem: it holds no digit. */
export const hasNoDigits = (word: string): boolean => !/[0-9]/.test(word)

/** Letters of a word that can hold a slip. */
const SLIP_LETTERS = /^\p{L}{4,24}$/u

/** A word, and it with each of its letters left out; nothing of words that are short or hold digits. */
export const typoCandidates = (word: string): string[] => {
  if (!SLIP_LETTERS.test(word)) return []
  const letters = Array.from(word)
  return [...new Set([word, ...letters.map((_, i) => letters.toSpliced(i, 1).join(''))])]
}
