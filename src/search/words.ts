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
 * `word`: is stemmed. `pair`: two characters of a script without spaces, or the last character of a run. `code`: a
 * term with its signs, such as `node.js`, `c++` or `--help`; the text has its words, too.
 */
export type WordKind = 'word' | 'pair' | 'code'

/**
 * Scripts without spaces between words: Han, kana, Hangul (which attaches particles to words), Thai, Lao, Khmer,
 * Myanmar. Runs of them are indexed as overlapping pairs of characters. (D11)
 */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]/u
const LETTER = /[\p{L}\p{N}\p{M}]/u
const MARK = /\p{M}/u

/** Classes of characters. SPACED and JOINED are even: a word consists of them. */
const NONE = 1
/** Scripts with spaces between words. */
const SPACED = 2
/** Scripts without. */
const RUN = 3
/** A combining mark belongs to the character before it. */
const JOINED = 4

/** The class of each UTF-16 code unit, computed when it first occurs; 0 before. */
const classes = new Uint8Array(0x10000)

const classOf = (character: string): number => {
  if (!LETTER.test(character)) return NONE
  if (UNSPACED.test(character)) return RUN
  return MARK.test(character) ? JOINED : SPACED
}

const classAt = (text: string, at: number): number => {
  const code = text.charCodeAt(at)
  const cached = classes[code]!
  if (cached !== 0) return cached
  if (code >= 0xd800 && code < 0xe000) return classOf(String.fromCodePoint(text.codePointAt(at)!))
  const computed = classOf(String.fromCharCode(code))
  classes[code] = computed
  return computed
}

const isLow = (code: number): boolean => code >= 0xdc00 && code < 0xe000
const isHigh = (code: number): boolean => code >= 0xd800 && code < 0xdc00

/** Longer words are cut: no word of a language is as long, and PostgreSQL limits the length of a lexeme. */
const WORD_LENGTH_MAX = 80

/** `v20.6.0` is `20.6.0`. */
const VERSION = /^v[0-9]/

const DOT = 46
const UNDERSCORE = 95
const DASH = 45
const PLUS = 43
const HASH = 35
/** `@types`, `$home`, `.env` */
const isSign = (code: number): boolean => code === 64 || code === 36 || code === DOT

type Emit = (text: string, position: number, start: number, end: number, kind: WordKind) => void

/**
 * Calls `emit` for each word of a folded text, in time linear in its length.
 * @returns how many positions the words take
 */
export const eachWord = (text: string, emit: Emit): number => {
  let position = 0
  let i = 0
  /** The current term of several words, such as `node.js`. */
  let chainStart = 0
  let chainPosition = 0
  let chainWords = 0
  let chainEnd = -1
  const endChain = () => {
    if (chainWords > 1 && chainEnd - chainStart <= WORD_LENGTH_MAX) {
      const whole = text.slice(chainStart, chainEnd)
      emit(VERSION.test(whole) ? whole.slice(1) : whole, chainPosition, chainStart, chainEnd, 'code')
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
      position = emitPairs(text, start, i, position, emit)
      continue
    }
    do i += isHigh(text.charCodeAt(i)) ? 2 : 1
    while (i < text.length && (classAt(text, i) & 1) === 0)
    const word =
      i - start > WORD_LENGTH_MAX
        ? text.slice(start, start + WORD_LENGTH_MAX).toWellFormed()
        : text.slice(start, i)
    const continuesChain =
      chainWords > 0 &&
      start === chainEnd + 1 &&
      (text.charCodeAt(chainEnd) === DOT || text.charCodeAt(chainEnd) === UNDERSCORE)
    if (!continuesChain) {
      endChain()
      chainStart = start
      chainPosition = position
    }
    chainWords += 1
    chainEnd = i
    emit(word, position, start, i, 'word')
    emitSigned(text, word, position, start, i, emit)
    position += 1
  }
  endChain()
  return position
}

/**
 * Calls `emit` for each word of a folded ASCII text that begins with one of `beginnings`, in no order. That takes a
 * tenth of the time of reading all words.
 * @param beginnings one or two characters each
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
      // A beginning of one character stands for a word of one character.
      if (end - start >= 2 === beginning.length >= 2)
        emit(text.slice(start, Math.min(end, start + WORD_LENGTH_MAX)), start, end)
    }
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
const emitPairs = (text: string, start: number, end: number, first: number, emit: Emit): number => {
  let position = first
  for (let i = start; i < end; ) {
    const next = i + (isHigh(text.charCodeAt(i)) ? 2 : 1)
    const after = next < end ? next + (isHigh(text.charCodeAt(next)) ? 2 : 1) : next
    emit(text.slice(i, after), position, i, after, 'pair')
    position += 1
    i = next
  }
  return position
}

const emitSigned = (
  text: string,
  word: string,
  position: number,
  start: number,
  end: number,
  emit: Emit,
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
  }
}

/** Whether a sign after this offset begins a term: there is nothing before it that the sign could belong to. */
const isEdge = (text: string, at: number): boolean => {
  if (at < 0) return true
  const code = text.charCodeAt(at)
  return code !== DASH && !isSign(code) && !isLow(code) && classAt(text, at) === NONE
}
