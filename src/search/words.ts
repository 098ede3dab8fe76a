/** What a text is searched by. */
export interface TextWord {
  text: string
  /** Its place among the words of the text, from 0; parts of `node.js` have places, and the whole has that of `node`. */
  at: number
  /** Code units of the folded text. */
  start: number
  end: number
  kind: WordKind
}

/**
 * `word`: stemmed. `pair`: two characters of a script without spaces, or the last one of a run. `code`: a
 * term with its signs, such as `node.js`, `c++` or `--help`; its words are there too.
 */
export type WordKind = 'word' | 'pair' | 'code'

/**
 * Scripts that are written without spaces between words: Han, kana, Hangul (whose particles cling to the
 * word), Thai, Lao, Khmer, Myanmar. Runs of them are indexed as overlapping pairs of characters. (D11)
 */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]/u
const LETTER = /[\p{L}\p{N}\p{M}]/u
const MARK = /\p{M}/u

const NONE = 1
const SPACED = 2
const RUN = 3
/** A mark goes on with what stands before it. */
const JOINED = 4

/** What a character is, by its UTF-16 code unit; found out when it is first met. */
const classes = new Uint8Array(0x10000)

const classOf = (character: string): number => {
  if (!LETTER.test(character)) return NONE
  if (UNSPACED.test(character)) return RUN
  return MARK.test(character) ? JOINED : SPACED
}

const classAt = (text: string, at: number): number => {
  const code = text.charCodeAt(at)
  const known = classes[code]!
  if (known !== 0) return known
  if (code >= 0xd800 && code < 0xe000) return classOf(String.fromCodePoint(text.codePointAt(at)!))
  const found = classOf(String.fromCharCode(code))
  classes[code] = found
  return found
}

const isLow = (code: number): boolean => code >= 0xdc00 && code < 0xe000
const isHigh = (code: number): boolean => code >= 0xd800 && code < 0xdc00

/** Longer ones are cut: no word of a language is as long, and PostgreSQL has a limit. */
const LONGEST = 80

/** `v20.6.0` is `20.6.0`. */
const VERSION = /^v[0-9]/

const DOT = 46
const UNDERSCORE = 95
const DASH = 45
const PLUS = 43
const HASH = 35
/** `@types`, `$home`, `.env` */
const isSign = (code: number): boolean => code === 64 || code === 36 || code === DOT

type Emit = (text: string, at: number, start: number, end: number, kind: WordKind) => void

/**
 * Calls `emit` for each word of a folded text, in time linear in its length.
 * @returns how many places the words took
 */
export const eachWord = (text: string, emit: Emit): number => {
  let at = 0
  let i = 0
  /** The term of several words that may be going on. */
  let chainStart = 0
  let chainAt = 0
  let chainWords = 0
  let chainEnd = -1
  const endChain = () => {
    if (chainWords > 1 && chainEnd - chainStart <= LONGEST) {
      const whole = text.slice(chainStart, chainEnd)
      emit(VERSION.test(whole) ? whole.slice(1) : whole, chainAt, chainStart, chainEnd, 'code')
    }
    chainWords = 0
  }
  while (i < text.length) {
    const kind = classAt(text, i)
    if (kind === NONE) {
      i += isHigh(text.charCodeAt(i)) ? 2 : 1
      continue
    }
    const start = i
    if (kind === RUN) {
      do i += isHigh(text.charCodeAt(i)) ? 2 : 1
      while (i < text.length && classAt(text, i) >= RUN)
      at = emitPairs(text, start, i, at, emit)
      continue
    }
    do i += isHigh(text.charCodeAt(i)) ? 2 : 1
    while (i < text.length && (classAt(text, i) & 1) === 0)
    const word =
      i - start > LONGEST ? text.slice(start, start + LONGEST).toWellFormed() : text.slice(start, i)
    const goesOn =
      chainWords > 0 &&
      start === chainEnd + 1 &&
      (text.charCodeAt(chainEnd) === DOT || text.charCodeAt(chainEnd) === UNDERSCORE)
    if (!goesOn) {
      endChain()
      chainStart = start
      chainAt = at
    }
    chainWords += 1
    chainEnd = i
    emit(word, at, start, i, 'word')
    emitSigned(text, word, at, start, i, emit)
    at += 1
  }
  endChain()
  return at
}

/**
 * Calls `emit` for each word of a folded ASCII text that begins so, in no order: a tenth of the time that going
 * through all words takes.
 * @param beginnings of one or two characters
 */
export const eachWordBeginning = (
  text: string,
  beginnings: readonly string[],
  emit: (text: string, start: number, end: number) => void,
): void => {
  for (const beginning of beginnings)
    for (let start = text.indexOf(beginning); start >= 0; start = text.indexOf(beginning, start + 1)) {
      if (start > 0 && classAt(text, start - 1) === SPACED) continue
      let end = start
      while (end < text.length && classAt(text, end) === SPACED) end++
      // A beginning of one character is a word of one.
      if (end - start >= 2 === beginning.length >= 2)
        emit(text.slice(start, Math.min(end, start + LONGEST)), start, end)
    }
}

/** The words of a folded text in a list. */
export const wordsOf = (text: string): TextWord[] => {
  const words: TextWord[] = []
  eachWord(text, (text, at, start, end, kind) => words.push({ text, at, start, end, kind }))
  return words
}

/** `お茶の` gives `お茶 茶の の`: a query of one character finds every place by its beginning. */
const emitPairs = (text: string, start: number, end: number, at: number, emit: Emit): number => {
  let place = at
  for (let i = start; i < end; ) {
    const next = i + (isHigh(text.charCodeAt(i)) ? 2 : 1)
    const after = next < end ? next + (isHigh(text.charCodeAt(next)) ? 2 : 1) : next
    emit(text.slice(i, after), place, i, after, 'pair')
    place += 1
    i = next
  }
  return place
}

const emitSigned = (text: string, word: string, at: number, start: number, end: number, emit: Emit): void => {
  const after = text.charCodeAt(end)
  if (after === PLUS && text.charCodeAt(end + 1) === PLUS) emit(`${word}++`, at, start, end + 2, 'code')
  else if (after === HASH && !(end + 1 < text.length && classAt(text, end + 1) > NONE))
    emit(`${word}#`, at, start, end + 1, 'code')
  if (start === 0) return
  const before = text.charCodeAt(start - 1)
  if (before === DASH) {
    const dashes = text.charCodeAt(start - 2) === DASH ? 2 : 1
    if (isEdge(text, start - dashes - 1))
      emit(`${'-'.repeat(dashes)}${word}`, at, start - dashes, end, 'code')
  } else if (isSign(before) && isEdge(text, start - 2)) {
    emit(text[start - 1] + word, at, start - 1, end, 'code')
  }
}

/** Whether a sign after this place begins a term: nothing that it could belong to stands there. */
const isEdge = (text: string, at: number): boolean => {
  if (at < 0) return true
  const code = text.charCodeAt(at)
  return code !== DASH && !isSign(code) && !isLow(code) && classAt(text, at) === NONE
}
