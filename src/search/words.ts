import {
  afterCharacter,
  afterEmoji,
  afterSyllable,
  classAt,
  EMOJI,
  isInWord,
  isLow,
  JOINED,
  NONE,
  SPACED,
  UNSPACED,
} from './characters.ts'
import { fold } from './folding.ts'

/** A word of a folded text. */
export interface TextWord {
  text: string
  /** Position among the words of the text, from 0. The parts of `node.js` have positions; the whole has that of `node`. */
  position: number
  /** Offset in the folded text, in code units. */
  start: number
  end: number
  kind: WordKind
}

/**
 * - `word`: is stemmed. An emoji is a word, too.
 * - `pair`: two syllables or characters of a script without spaces, or the last one of a run. (D11)
 * - `code`: a term with its signs, such as `node.js`, `c++` or `--help`; the text has its words, too.
 * - `joined`: words with hyphens between them, without the hyphens: `wifi` for `wi-fi`. It is stemmed.
 * - `part`: a part of a word in camel case. It is stemmed.
 *
 * A `code` or `joined` has the position of its first word, and a `part` that of its word. (D111)
 */
export type WordKind = 'word' | 'pair' | 'code' | 'joined' | 'part'

/** Whether words of a kind take a position, so that others can follow them. */
export const takesPosition = (kind: WordKind): boolean => kind === 'word' || kind === 'pair'

/** Whether words of a kind are stemmed. */
export const isStemmedKind = (kind: WordKind): boolean => kind !== 'pair' && kind !== 'code'

/** Longer words are cut: no word of a language is as long, and most longer ones are checksums. */
const WORD_LENGTH_MAX = 40
/** Longer terms of several words are found only by their words. */
const TERM_LENGTH_MAX = 80
/** Words with more hyphens are addresses and names of files rather than one word. */
const JOINED_MAX = { words: 3, length: 30 } as const

/** `v20.6.0` is `20.6.0`. */
const VERSION = /^v[0-9]/

const DOT = 46
const UNDERSCORE = 95
const COLON = 58
const DASH = 45

/** Hyphens, the zero-width non-joiner of Persian, and the marks of Hebrew abbreviations. */
const isHyphen = (code: number): boolean =>
  code === DASH || code === 0x2010 || code === 0x2011 || code === 0x200c || code === 0x05f3 || code === 0x05f4

type Emit = (text: string, position: number, start: number, end: number, kind: WordKind) => void

/** Whether the words at a position are needed. */
type WantsPosition = (position: number) => boolean

const wantsAll: WantsPosition = () => true

/** Words that follow each other with one kind of separator, such as `node.js` or `wi-fi`. */
interface Chain {
  words: number
  start: number
  end: number
  position: number
}

/**
 * Calls `emit` for each word of a folded text, in time linear in its length.
 * @param camelWords those of the text before it was folded
 * @param wants the positions of the words that `emit` needs. Others are counted, but not cut out, which takes most of the time
 * @returns how many positions the words take
 */
export const eachWord = (
  text: string,
  emit: Emit,
  camelWords?: CamelWords,
  wants: WantsPosition = wantsAll,
): number => {
  let position = 0
  let i = 0
  const term: Chain = { words: 0, start: 0, end: -1, position: 0 }
  const hyphenated: Chain = { words: 0, start: 0, end: -1, position: 0 }
  while (i < text.length) {
    const start = i
    const kind = classAt(text, i)
    if (kind === NONE) {
      i = afterCharacter(text, i)
      continue
    }
    if (kind === UNSPACED) {
      do i = afterCharacter(text, i)
      while (i < text.length && isInRun(classAt(text, i)))
      position = emitPairs(text, start, i, position, emit, wants)
      continue
    }
    if (kind === EMOJI) {
      i = afterEmoji(text, i)
      if (wants(position)) emit(text.slice(start, i), position, start, i, 'word')
      position += 1
      continue
    }
    i = afterWord(text, i)
    if (!continuesTerm(text, term, start)) {
      emitTerm(text, term, emit, wants)
      begin(term, start, position)
    }
    if (!continuesHyphenated(text, hyphenated, start)) {
      emitJoined(text, hyphenated, emit, wants)
      begin(hyphenated, start, position)
    }
    extend(term, i)
    extend(hyphenated, i)
    if (wants(position)) {
      const word = wordAt(text, start, i)
      emit(word, position, start, i, 'word')
      if (camelWords !== undefined && camelWords.size > 0)
        for (const part of camelWords.get(word) ?? []) emit(part, position, start, i, 'part')
      eachSignedTerm(text, word, position, start, i, emit)
    }
    position += 1
  }
  emitTerm(text, term, emit, wants)
  emitJoined(text, hyphenated, emit, wants)
  return position
}

/** A word as it is indexed: a long one is cut. */
const wordAt = (text: string, start: number, end: number): string =>
  end - start > WORD_LENGTH_MAX
    ? text.slice(start, start + WORD_LENGTH_MAX).toWellFormed()
    : text.slice(start, end)

const afterWord = (text: string, start: number): number => {
  let i = afterCharacter(text, start)
  while (i < text.length && (classAt(text, i) & 1) === 0) i = afterCharacter(text, i)
  return i
}

const isInRun = (characterClass: number): boolean => characterClass === UNSPACED || characterClass === JOINED

const begin = (chain: Chain, start: number, position: number): void => {
  chain.words = 0
  chain.start = start
  chain.position = position
}

const extend = (chain: Chain, end: number): void => {
  chain.words += 1
  chain.end = end
}

/** Whether a word at `start` belongs to a term such as `node.js`, `foo_bar` or `std::vector`. */
const continuesTerm = (text: string, { words, end }: Chain, start: number): boolean => {
  if (words === 0) return false
  const code = text.charCodeAt(end)
  if (start === end + 1) return code === DOT || code === UNDERSCORE
  return start === end + 2 && code === COLON && text.charCodeAt(end + 1) === COLON
}

const continuesHyphenated = (text: string, { words, end }: Chain, start: number): boolean =>
  words > 0 && start === end + 1 && isHyphen(text.charCodeAt(end))

const emitTerm = (
  text: string,
  { words, start, end, position }: Chain,
  emit: Emit,
  wants: WantsPosition,
): void => {
  if (words < 2 || end - start > TERM_LENGTH_MAX || !wants(position)) return
  const whole = text.slice(start, end)
  emit(VERSION.test(whole) ? whole.slice(1) : whole, position, start, end, 'code')
}

const HYPHENS = /[-\u2010\u2011\u200c\u05f3\u05f4]/g
const ONLY_DIGITS = /^[0-9]+$/

const emitJoined = (
  text: string,
  { words, start, end, position }: Chain,
  emit: Emit,
  wants: WantsPosition,
): void => {
  if (words < 2 || words > JOINED_MAX.words || end - start > JOINED_MAX.length || !wants(position)) return
  const joined = text.slice(start, end).replace(HYPHENS, '')
  if (!ONLY_DIGITS.test(joined)) emit(joined, position, start, end, 'joined')
}

/** The words of a folded text as a list. */
export const wordsOf = (text: string): TextWord[] => {
  const words: TextWord[] = []
  eachWord(text, (text, position, start, end, kind) => words.push({ text, position, start, end, kind }))
  return words
}

/**
 * `お茶の` gives `お茶 茶の の`: a query of one character matches the beginnings of pairs.
 * @returns the next position
 */
const emitPairs = (
  text: string,
  start: number,
  end: number,
  first: number,
  emit: Emit,
  wants: WantsPosition,
): number => {
  let position = first
  let next = afterSyllable(text, start, end)
  for (let i = start; i < end; ) {
    const after = next < end ? afterSyllable(text, next, end) : next
    if (wants(position)) emit(text.slice(i, after), position, i, after, 'pair')
    position += 1
    i = next
    next = after
  }
  return position
}

/** Terms that consist of a word and its signs: `c++`, `c#`, `--help`, `.env`, `@types`, `$home`, `@scope/package`. */

const PLUS = 43
const HASH = 35
const AT = 64
const DOLLAR = 36
const SLASH = 47

const isSign = (code: number): boolean => code === AT || code === DOLLAR || code === DOT

/** The name of a package after its scope, of bounded length. */
const PACKAGE = /\/[a-z0-9](?:[a-z0-9._-]{0,60}[a-z0-9])?/y

/** Signs at the beginning or end of a term, which other forms of it lack. */
export const SIGNS = /^[-@$.]+|[+#]+$/g

/** Calls `emit` for each term that consists of the word from `start` to `end` and of signs next to it. */
const eachSignedTerm = (
  text: string,
  word: string,
  position: number,
  start: number,
  end: number,
  emit: (term: string, position: number, start: number, end: number, kind: 'code') => void,
): void => {
  const after = text.charCodeAt(end)
  if (after === PLUS && text.charCodeAt(end + 1) === PLUS) emit(`${word}++`, position, start, end + 2, 'code')
  else if (after === HASH && !(end + 1 < text.length && classAt(text, end + 1) > NONE))
    emit(`${word}#`, position, start, end + 1, 'code')
  if (start === 0) return
  const before = text.charCodeAt(start - 1)
  if (before === DASH) {
    const dashes = text.charCodeAt(start - 2) === DASH ? 2 : 1
    if (isEdge(text, start - dashes - 1))
      emit(`${'-'.repeat(dashes)}${word}`, position, start - dashes, end, 'code')
  } else if (isSign(before) && isEdge(text, start - 2)) {
    emit(text[start - 1] + word, position, start - 1, end, 'code')
    if (before === AT && after === SLASH) {
      PACKAGE.lastIndex = end
      const name = PACKAGE.exec(text)?.[0]
      if (name !== undefined) emit(`@${word}${name}`, position, start - 1, end + name.length, 'code')
    }
  }
}

/** Whether a sign after this offset begins a term: there is nothing before it that the sign could belong to. */
const isEdge = (text: string, at: number): boolean => {
  if (at < 0) return true
  const code = text.charCodeAt(at)
  return code !== DASH && !isSign(code) && !isLow(code) && !isInWord(classAt(text, at))
}

/** A lower-case letter or a digit before an upper-case one, as in `innerHTML`. Names in programs have letters of ASCII. */
const BOUNDARY = /[a-z0-9][A-Z]/g
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+/gu
/** Names of classes and functions rarely have more. */
const PARTS_MAX = 8
const LENGTH_MAX = 40
/** Parts of random characters, such as keys, are shorter. */
const PART_LENGTH_MEAN = 3

/** The parts of words in camel case, by the folded word. */
type CamelWords = ReadonlyMap<string, readonly string[]>

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
