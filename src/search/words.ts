import {
  afterCharacter,
  afterEmoji,
  afterSyllable,
  byCodeUnit,
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

export const isStemmedKind = (kind: WordKind): boolean => kind !== 'pair' && kind !== 'code'

/** Longer words are cut: no word of a language is as long. */
const WORD_LENGTH_MAX = 40
/** Commits and checksums are cut, so that one finds its abbreviations, and an abbreviation finds the whole. */
const HASH = /^(?=[a-f]*[0-9])(?=[0-9]*[a-f])([0-9a-f]{10})[0-9a-f]+$/
/** Longer terms of several words are found only by their words. */
const TERM_LENGTH_MAX = 80
/** Words with more hyphens are addresses and names of files rather than one word. */
const JOINED_MAX = { words: 3, length: 30 } as const

/** `v20.6.0` is `20.6.0`. */
const VERSION = /^v[0-9]/

/** Hyphens, the zero-width non-joiner of Persian, and the marks of Hebrew abbreviations. */
const HYPHENS = /[-\u2010\u2011\u200c\u05f3\u05f4]/g
const isHyphen = (code: number): boolean =>
  code === 0x2d || code === 0x2010 || code === 0x2011 || code === 0x200c || code === 0x05f3 || code === 0x05f4

type Emit = (text: string, position: number, start: number, end: number, kind: WordKind) => void

/** Words that follow each other with one kind of separator, such as `node.js` or `wi-fi`. */
type Chain = Record<'words' | 'start' | 'end' | 'position', number>

/**
 * Calls `emit` for each word of a folded text, in time linear in its length.
 * @param camelWords those of the text before it was folded
 * @param wants whether the words at a position are needed. Others are counted, and some of them emitted
 * @returns how many positions the words take
 */
export const eachWord = (
  text: string,
  emit: Emit,
  camelWords?: CamelWords,
  wants: (position: number) => boolean = () => true,
): number => {
  let position = 0
  let i = 0
  // Both are used again for each word: a search reads the words of its hits, thousands of them.
  const term: Chain = { words: 0, start: 0, end: -1, position: 0 }
  const hyphenated: Chain = { ...term }
  while (i < text.length) {
    const start = i
    const kind = classAt(text, i)
    if (kind === NONE) {
      i = afterCharacter(text, i)
    } else if (kind === UNSPACED) {
      do i = afterCharacter(text, i)
      while (i < text.length && isInRun(classAt(text, i)))
      position = emitPairs(text, start, i, position, emit, wants)
    } else if (kind === EMOJI) {
      i = afterEmoji(text, i)
      emit(text.slice(start, i), position++, start, i, 'word')
    } else {
      i = afterWord(text, i)
      if (!continuesTerm(text, term, start)) {
        emitTerm(text, term, emit)
        beginChain(term, start, position)
      }
      if (!continuesHyphenated(text, hyphenated, start)) {
        emitJoined(text, hyphenated, emit)
        beginChain(hyphenated, start, position)
      }
      term.words += 1
      term.end = i
      hyphenated.words += 1
      hyphenated.end = i
      if (wants(position)) {
        const word = wordAt(text, start, i)
        emit(word, position, start, i, 'word')
        for (const part of camelWords?.get(word) ?? NO_PARTS) emit(part, position, start, i, 'part')
        eachSignedTerm(text, word, position, start, i, emit)
      }
      position += 1
    }
  }
  emitTerm(text, term, emit)
  emitJoined(text, hyphenated, emit)
  return position
}

const NO_PARTS: readonly string[] = []

const beginChain = (chain: Chain, start: number, position: number): void => {
  chain.words = 0
  chain.start = start
  chain.position = position
}

/** A word as it is indexed: a long one is cut. */
const wordAt = (text: string, start: number, end: number): string => {
  const word = text.slice(start, Math.min(end, start + WORD_LENGTH_MAX))
  return word.length > 10 ? word.toWellFormed().replace(HASH, '$1') : word
}

const afterWord = (text: string, start: number): number => {
  let i = afterCharacter(text, start)
  while (i < text.length && (classAt(text, i) & 1) === 0) i = afterCharacter(text, i)
  return i
}

/** JOINED: also what folding changes in more than its case, and halves of characters. */
const plainClass = byCodeUnit((code) => {
  const character = String.fromCharCode(code)
  const known =
    character.isWellFormed() && fold(character) === character.toLowerCase() && classAt(character, 0)
  return known === NONE || known === SPACED ? known : JOINED
})

/** Counts the words up to the next space; -1, to the end of the line, if it has more than signs and letters of scripts with spaces. */
export const plainWords = (text: string, start: number): { words: number; end: number } => {
  let [words, before, end] = [0, NONE, start]
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (code === 32 || code === 10) break
    const kind = plainClass(code)
    if (kind === JOINED) return { words: -1, end: (text.indexOf('\n', end) + 1 || text.length + 1) - 1 }
    if (kind === SPACED && before === NONE) words++
    before = kind
  }
  return { words, end }
}

const isInRun = (characterClass: number): boolean => characterClass === UNSPACED || characterClass === JOINED

/** Whether a word at `start` belongs to a term such as `node.js`, `foo_bar` or `std::vector`. */
const continuesTerm = (text: string, { words, end }: Chain, start: number): boolean => {
  if (words === 0) return false
  if (start === end + 1) return text[end] === '.' || text[end] === '_'
  return start === end + 2 && text[end] === ':' && text[end + 1] === ':'
}

const continuesHyphenated = (text: string, { words, end }: Chain, start: number): boolean =>
  words > 0 && start === end + 1 && isHyphen(text.charCodeAt(end))

const emitTerm = (text: string, { words, start, end, position }: Chain, emit: Emit): void => {
  if (words < 2 || end - start > TERM_LENGTH_MAX) return
  const whole = text.slice(start, end)
  emit(VERSION.test(whole) ? whole.slice(1) : whole, position, start, end, 'code')
}

const emitJoined = (text: string, { words, start, end, position }: Chain, emit: Emit): void => {
  if (words < 2 || words > JOINED_MAX.words || end - start > JOINED_MAX.length) return
  const joined = text.slice(start, end).replace(HYPHENS, '')
  if (!/^[0-9]+$/.test(joined)) emit(joined, position, start, end, 'joined')
}

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
  wants: (position: number) => boolean,
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

const isSign = (character: string): boolean => character === '@' || character === '$' || character === '.'

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
  emit: Emit,
): void => {
  if (text[end] === '+' && text[end + 1] === '+') emit(`${word}++`, position, start, end + 2, 'code')
  else if (text[end] === '#' && !(end + 1 < text.length && classAt(text, end + 1) > NONE))
    emit(`${word}#`, position, start, end + 1, 'code')
  if (start === 0) return
  const before = text[start - 1]!
  if (before === '-') {
    const dashes = text[start - 2] === '-' ? 2 : 1
    if (isEdge(text, start - dashes - 1))
      emit(`${'-'.repeat(dashes)}${word}`, position, start - dashes, end, 'code')
  } else if (isSign(before) && isEdge(text, start - 2)) {
    emit(before + word, position, start - 1, end, 'code')
    if (before === '@' && text[end] === '/') {
      PACKAGE.lastIndex = end
      const name = PACKAGE.exec(text)?.[0]
      if (name !== undefined) emit(`@${word}${name}`, position, start - 1, end + name.length, 'code')
    }
  }
}

/** Whether a sign after this offset begins a term: there is nothing before it that the sign could belong to. */
const isEdge = (text: string, at: number): boolean =>
  at < 0 ||
  !(text[at] === '-' || isSign(text[at]!) || isLow(text.charCodeAt(at)) || isInWord(classAt(text, at)))

/** A lower-case letter or a digit before an upper-case one, as in `innerHTML`. Names in programs have letters of ASCII. */
const BOUNDARY = /[a-z0-9][A-Z]/g
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+/gu
/** Names of classes and functions rarely have more. */
const PARTS_MAX = 8
/** Parts of random characters, such as keys, are shorter. */
const PART_LENGTH_MEAN = 3

/** The parts of words in camel case, by the folded word. */
type CamelWords = ReadonlyMap<string, readonly string[]>

/**
 * The words of a text in camel case, with their parts: `getElementById` has `get`, `element`, `by` and `id`. Names of two
 * words that both begin with an upper-case letter, such as GitHub and JavaScript, are words of their own.
 * @param text not folded
 */
export const camelWordsOf = (text: string): CamelWords => {
  const words = new Map<string, string[]>()
  BOUNDARY.lastIndex = 0
  while (BOUNDARY.test(text)) {
    const written = wordAround(text, BOUNDARY.lastIndex - 1)
    BOUNDARY.lastIndex = written.end
    const word = text.slice(written.start, written.end)
    const parts = word.length > WORD_LENGTH_MAX ? [] : (word.match(PARTS) ?? [])
    if (parts.length > PARTS_MAX || parts.length * PART_LENGTH_MEAN > word.length) continue
    const folded = fold(word)
    if (parts.length > (/^\p{Lu}/u.test(word) ? 2 : 1) && !words.has(folded))
      words.set(folded, [...new Set(parts.filter((part) => part.length > 1).map(fold))])
  }
  return words
}

const wordAround = (text: string, at: number): { start: number; end: number } => {
  let start = at
  while (start > 0 && classAt(text, start - 1) === SPACED) start--
  let end = at + 1
  while (end < text.length && classAt(text, end) === SPACED) end++
  return { start, end }
}
