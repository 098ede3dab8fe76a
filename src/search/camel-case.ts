import { classAt, SPACED } from './characters.ts'
import { fold } from './folding.ts'

/** A lower-case letter or a digit before an upper-case one, as in `innerHTML`. Names in programs have letters of ASCII. */
const BOUNDARY = /[a-z0-9][A-Z]/g
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+/gu
/** Names of classes and functions rarely have more. */
const PARTS_MAX = 8
const LENGTH_MAX = 40
/** Parts of random characters, such as keys, are shorter. */
const PART_LENGTH_MEAN = 3

/** The parts of words in camel case, by the folded word. */
export type CamelWords = ReadonlyMap<string, readonly string[]>

const NO_WORDS: CamelWords = new Map()

/**
 * The words of a text in camel case, with their parts: `getElementById` has `get`, `element`, `by` and `id`. Names of two
 * words that both begin with an upper-case letter, such as GitHub and JavaScript, are words of their own.
 * @param text not folded
 */
export const camelWordsOf = (text: string): CamelWords => {
  BOUNDARY.lastIndex = 0
  if (!BOUNDARY.test(text)) return NO_WORDS
  const words = new Map<string, string[]>()
  do {
    const word = wordAround(text, BOUNDARY.lastIndex - 1)
    BOUNDARY.lastIndex = word.end
    if (word.end - word.start > LENGTH_MAX || hasShortParts(text, word)) continue
    const written = text.slice(word.start, word.end)
    const folded = fold(written)
    if (words.has(folded)) continue
    const parts = written.match(PARTS) ?? []
    if (parts.length > PARTS_MAX || parts.length * PART_LENGTH_MEAN > written.length) continue
    if (parts.length > (/^\p{Lu}/u.test(written) ? 2 : 1))
      words.set(folded, [...new Set(parts.filter((part) => part.length > 1).map(fold))])
  } while (BOUNDARY.test(text))
  return words
}

interface Span {
  start: number
  end: number
}

/** Whether upper-case letters of ASCII are so frequent that the parts are too short. Faster than to find the parts. */
const hasShortParts = (text: string, { start, end }: Span): boolean => {
  let parts = 1
  for (let i = start + 1; i < end; i++)
    if (isUpperCase(text.charCodeAt(i)) && !isUpperCase(text.charCodeAt(i - 1))) parts++
  return parts * PART_LENGTH_MEAN > end - start
}

const isUpperCase = (code: number): boolean => code >= 65 && code <= 90

const wordAround = (text: string, at: number): Span => {
  let start = at
  while (start > 0 && classAt(text, start - 1) === SPACED) start--
  let end = at + 1
  while (end < text.length && classAt(text, end) === SPACED) end++
  return { start, end }
}
