import { stemmer as arabic } from '@orama/stemmers/arabic'
import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as greek } from '@orama/stemmers/greek'
import { stemmer as hungarian } from '@orama/stemmers/hungarian'
import { stemmer as hindi } from '@orama/stemmers/indian'
import { stemmer as indonesian } from '@orama/stemmers/indonesian'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as romanian } from '@orama/stemmers/romanian'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as tamil } from '@orama/stemmers/tamil'
import { stemmer as turkish } from '@orama/stemmers/turkish'

/** How BM25 splits a text into terms. It shares no code with Lectern's own search, which is measured against it. */
export type Terms = (text: string) => string[]

/** The Snowball stemmer of each language that has one. */
const STEMMERS: Record<string, (word: string) => string> = {
  ar: arabic,
  da: danish,
  de: german,
  el: greek,
  en: english,
  es: spanish,
  fi: finnish,
  fr: french,
  hi: hindi,
  hu: hungarian,
  id: indonesian,
  it: italian,
  nb: norwegian,
  nl: dutch,
  pt: portuguese,
  ro: romanian,
  ru: russian,
  sv: swedish,
  ta: tamil,
  tr: turkish,
}

/** Languages that write no spaces between words. */
const UNSPACED = new Set(['ja', 'km', 'lo', 'my', 'th', 'zh'])

const WORD = /[\p{L}\p{M}\p{N}]+/gu

/** Words in lower case. */
export const spacedWords: Terms = (text) => text.normalize('NFKC').toLowerCase().match(WORD) ?? []

const UNSPACED_RUN =
  /(?:[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]\p{M}*)+/gu

/** Words, and pairs of neighbouring characters in scripts without spaces. A single character is a term, too. */
const pairsOf: Terms = (text) =>
  spacedWords(text).flatMap((word) => {
    const terms: string[] = []
    let end = 0
    for (const { 0: run, index } of word.matchAll(UNSPACED_RUN)) {
      if (index > end) terms.push(word.slice(end, index))
      end = index + run.length
      const characters = [...run]
      if (characters.length === 1) terms.push(run)
      for (let i = 1; i < characters.length; i += 1) terms.push(characters[i - 1]! + characters[i]!)
    }
    if (end < word.length) terms.push(word.slice(end))
    return terms
  })

const segmentedWords = (locale: string): Terms => {
  const segmenter = new Intl.Segmenter(locale, { granularity: 'word' })
  return (text) =>
    [...segmenter.segment(text.normalize('NFKC').toLowerCase())]
      .filter(({ isWordLike }) => isWordLike)
      .map(({ segment }) => segment)
}

const languageOf = (locale: string): string => locale.split(/[-_]/)[0]!

/** Terms without knowledge of a language's grammar: words, or pairs of characters. */
export const plainTerms = (locale: string): Terms =>
  UNSPACED.has(languageOf(locale)) ? pairsOf : spacedWords

/** Terms with knowledge of the language: stems, or the words that a dictionary finds in a text without spaces. */
export const languageTerms = (locale: string): Terms => {
  const language = languageOf(locale)
  if (UNSPACED.has(language)) return segmentedWords(language)
  const stem = STEMMERS[language]
  return stem ? (text) => spacedWords(text).map((word) => stem(word)) : spacedWords
}

/** The words that somebody who speaks the language would type as keywords. */
export const keywordTerms = (locale: string): Terms => {
  const language = languageOf(locale)
  if (!UNSPACED.has(language)) return spacedWords
  const segmented = segmentedWords(language)
  return (text) => segmented(text).filter((word) => word.length > 1)
}
