import { afterCharacter, classAt, JOINED } from './characters.ts'

/**
 * What is written as one piece in Thai, Lao, Khmer and Myanmar: a consonant with its vowel signs and tone marks, in Thai
 * and Lao also with the vowel before or after it, in Khmer with the consonants under it, and in Myanmar with the consonant
 * that ends the syllable. Each repetition is bounded, so that a syllable is, too.
 */
const SYLLABLE =
  /[\u0e40-\u0e44]?[\u0e01-\u0e2e][\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]{0,8}[\u0e30\u0e32\u0e33]?|[\u0ec0-\u0ec4]?[\u0e81-\u0eae\u0edc-\u0edf][\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd]{0,8}[\u0eb0\u0eb2\u0eb3]?|[\u1780-\u17b3](?:\u17d2[\u1780-\u17b3]|[\u17b4-\u17d1\u17d3\u17dd]){0,12}|[\u1000-\u102a\u103f\u104e](?:\u1039[\u1000-\u1021]|[\u102b-\u1038\u103a-\u103e]|[\u1000-\u1021]\u1037?\u103a){0,12}/y

/** Thai to Myanmar, and Khmer. */
export const hasSyllables = (code: number): boolean =>
  (code >= 0x0e00 && code < 0x10a0) || (code >= 0x1780 && code < 0x1800)

/**
 * The offset after a syllable, or in other scripts after a character and the marks that belong to it.
 * @param end of the run of characters without spaces
 */
export const afterSyllable = (text: string, at: number, end: number): number => {
  if (hasSyllables(text.charCodeAt(at))) {
    SYLLABLE.lastIndex = at
    if (SYLLABLE.test(text)) return Math.min(SYLLABLE.lastIndex, end)
  }
  let after = afterCharacter(text, at)
  while (after < end && classAt(text, after) === JOINED) after = afterCharacter(text, after)
  return after
}
