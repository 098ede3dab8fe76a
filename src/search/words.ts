import type { CamelWords } from './camel-case.ts'
import { afterCharacter, afterEmoji, classAt, EMOJI, JOINED, NONE, UNSPACED } from './characters.ts'
import { eachSignedTerm } from './signs.ts'
import { afterSyllable } from './syllables.ts'

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
