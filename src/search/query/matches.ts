import { classAt, hasSyllables, JOINED, NONE, SPACED, UNSPACED } from '../characters.ts'
import { fold, foldWithOffsets, withoutAccents } from '../folding.ts'
import { camelWordsOf, eachWord } from '../words.ts'
import type { PageOccurrences, Patterns } from './patterns.ts'

/** A match: offsets in the original text, in code units. */
export interface MatchSpan {
  start: number
  end: number
  isHighlighted: boolean
}

/**
 * The matches that a section's text contains, by the positions of the index: no word needs a stem, and only words that match
 * are cut out of the text. If the text has other words at most of these positions, another version indexed the page: then
 * there are none. (D114)
 * @param range indices of the section's occurrences, the last one excluded
 * @param first position of the section's first word; the section has `size` positions
 * @param stripsPrefixes whether a stem can begin with other letters than its word
 * @returns a span for each occurrence, undefined for those in the heading; then those of single characters
 */
export const findMatches = (
  { heading, text }: { heading: string; text: string },
  occurrences: PageOccurrences,
  range: readonly [low: number, high: number],
  patterns: Patterns,
  { first, size }: { first: number; size: number },
  stripsPrefixes: boolean,
): { spans: (MatchSpan | undefined)[]; characters: MatchSpan[] } => {
  const words = range[0] < range[1] ? heading : ''
  const base = first + (words === '' ? 0 : 1 + eachWord(fold(words), () => {}, undefined, none))
  const needed = neededPositions(base, occurrences, range, patterns)
  const read = readWords(text, needed, size - base + first, patterns.characters.length > 0)
  const { at, originalOffset, originalEnd } = read
  const original = (start: number, end: number, isHighlighted: boolean): MatchSpan => ({
    start: originalOffset(start),
    end: originalEnd(end),
    isHighlighted,
  })
  let others = 0
  const spans: (MatchSpan | undefined)[] = []
  for (let i = range[0]; i < range[1]; i++) {
    const part = patterns.parts[occurrences.parts[i]!]!
    const position = occurrences.positions[i]! - base
    const begin = bestWord(read, at.get(position), part.first)
    const end = part.extent === 0 ? begin : bestWord(read, at.get(position + part.extent), part.last)
    if (position >= 0 && !(begin?.common && end?.common)) others++
    spans.push(
      begin && end
        ? original(begin.word.start, Math.max(begin.word.end, end.word.end), part.isHighlighted)
        : undefined,
    )
  }
  const isOther = !stripsPrefixes && others * 2 > spans.length
  return {
    spans: isOther ? spans.map(() => undefined) : spans,
    characters: patterns.characters.flatMap((character) =>
      offsetsOf(read.folded ?? text, character).map((start) =>
        original(start, start + character.length, true),
      ),
    ),
  }
}

const none = (): boolean => false

/** Positions in a section's text of the first and last words of occurrences. */
const neededPositions = (
  base: number,
  { positions, parts }: PageOccurrences,
  [low, high]: readonly [low: number, high: number],
  patterns: Patterns,
): number[] => {
  const needed: number[] = []
  for (let i = low; i < high; i++) {
    const position = positions[i]! - base
    if (position < 0) continue
    needed.push(position)
    const { extent } = patterns.parts[parts[i]!]!
    if (extent > 0) needed.push(position + extent)
  }
  return needed
}

/**
 * Of the words at a position, such as `node` and `node.js`, the one of a lexeme: it has the longest beginning in common.
 * If the word alone has less in common, the terms that begin with it are looked at.
 */
const bestWord = (read: ReadWords, words: readonly WordSpan[] | undefined, lexemes: readonly string[]) => {
  if (!words) return undefined
  const best = longestCommon(words, lexemes)
  if (best.common >= Math.min(ENOUGH, best.lexeme.length) && best.common < best.word.text.length) return best
  if (best.common === best.lexeme.length || words.length > 1) return best
  return longestCommon([...words, ...termsAt(read, words[0]!)], lexemes)
}

/** A stem differs from its word in the last letters. */
const ENOUGH = 3

const longestCommon = (words: readonly WordSpan[], lexemes: readonly string[]) => {
  let best = { word: words[0]!, lexeme: lexemes[0]!, common: 0 }
  for (const word of words) {
    const plain = withoutAccents(word.text)
    for (const lexeme of lexemes) {
      let common = 0
      while (common < lexeme.length && plain.charCodeAt(common) === lexeme.charCodeAt(common)) common++
      if (common > best.common) best = { word, lexeme, common }
    }
  }
  return best
}

const offsetsOf = (text: string, character: string): number[] => {
  const offsets: number[] = []
  for (let i = text.indexOf(character); i >= 0; i = text.indexOf(character, i + character.length))
    offsets.push(i)
  return offsets
}

/** A word, and its offsets in the folded text. */
interface WordSpan {
  text: string
  start: number
  end: number
}

/** The words of a text at some positions. */
interface ReadWords {
  text: string
  /** By position. */
  at: Map<number, WordSpan[]>
  /** Undefined if no offset differs between the text and its folded form, up to the last of the words. */
  folded: string | undefined
  /** The offset in the text of an offset in the folded text: of the beginning of a word, and of the end. */
  originalOffset(offset: number): number
  originalEnd(end: number): number
}

/** Which positions of a section are needed. It is cleared after each use: a section has fewer positions than a page. */
const wanted = new Uint8Array(1 << 16)

/** A term such as `node.js` has at most so many words. It has the position of its first word. */
const TERM_WORDS = 40

/**
 * The words at some positions of a text. Mostly, the text up to the last one is sufficient, or as much of its beginning as its words
 * are of all words, and half as much again.
 * @param count about how many positions the text has
 * @param isWhole whether all of the text must be folded
 */
export const readWords = (
  text: string,
  needed: readonly number[],
  count: number,
  isWhole: boolean,
): ReadWords => {
  const simple = isWhole ? undefined : simpleWordsAt(text, needed)
  if (simple) return { text, at: simple, folded: undefined, originalOffset: same, originalEnd: same }
  const last = needed.reduce((most, position) => Math.max(most, position), -1) + TERM_WORDS
  const length = isWhole ? text.length : Math.ceil((1.5 * text.length * last) / Math.max(1, count))
  if (length < text.length) {
    const beginning = wordsAt(text.slice(0, length).toWellFormed(), needed)
    if (beginning.count > last) return beginning
  }
  return wordsAt(text, needed)
}

const same = (offset: number): number => offset

const wordsAt = (text: string, needed: readonly number[]): ReadWords & { count: number } => {
  const { text: folded, originalOffset } = foldWithOffsets(text)
  const at = new Map<number, WordSpan[]>()
  for (const position of needed) wanted[position] = 1
  const count = needed.length > 0 ? allWordsAt(text, folded, at) : 0
  for (const position of needed) wanted[position] = 0
  return { text, folded, originalOffset, originalEnd: endsOf(originalOffset), at, count }
}

/** Maps the end of a word: after the last of the letters that were folded to its last code unit. */
const endsOf =
  (originalOffset: (offset: number) => number) =>
  (end: number): number => {
    const last = originalOffset(end - 1)
    return Math.max(last + 1, originalOffset(end))
  }

const allWordsAt = (text: string, folded: string, at: Map<number, WordSpan[]>): number =>
  eachWord(
    folded,
    (text, position, start, end) => {
      const words = at.get(position)
      if (words) words.push({ text, start, end })
      else at.set(position, [{ text, start, end }])
    },
    camelWordsOf(text),
    (position) => wanted[position] === 1,
  )

/** Kinds of characters for `simpleWordsAt`. A mark continues a word. */
const [SEPARATOR, LETTER, MARK, IDEOGRAPH, OTHER] = [1, 2, 3, 4, 5]

/** Longer words, such as thousands of accents on one letter, take too long to fold at once. UTF-16 code units. */
const SIMPLE_WORD_MAX = 200

/** By UTF-16 code unit, when it first occurs; 0 before. */
const kinds = new Uint8Array(0x10000)

/** `OTHER` if folding changes the length, or if more than the character decides where a word begins and ends. */
const characterKind = (code: number): number => {
  const letter = fold(String.fromCharCode(code))
  if (letter.length !== 1 || code >> 11 === 0x1b || hasSyllables(code)) return OTHER
  const characterClass = classAt(letter, 0)
  if (characterClass === NONE) return SEPARATOR
  if (characterClass === SPACED) return LETTER
  if (characterClass === JOINED) return MARK
  return characterClass === UNSPACED ? IDEOGRAPH : OTHER
}

const kindAt = (text: string, at: number): number => {
  if (at >= text.length) return SEPARATOR
  const code = text.charCodeAt(at)
  if (kinds[code] === 0) kinds[code] = characterKind(code)
  return kinds[code]!
}

/**
 * The words at some positions of a text in which each run of letters has a position, or each Chinese character, and folding changes
 * no offset. One look at a table for each character up to the last word finds them. (D114)
 * @returns undefined if the text has other characters before
 */
const simpleWordsAt = (text: string, needed: readonly number[]): Map<number, WordSpan[]> | undefined => {
  const at = new Map<number, WordSpan[]>()
  const sorted = Int32Array.from(needed).sort()
  let next = 0
  let position = 0
  const addWord = (start: number, end: number) => {
    at.set(position, [{ text: fold(text.slice(start, end)), start, end }])
    while (sorted[next] === position) next++
  }
  let before = SEPARATOR
  for (let i = 0, start = 0; i <= text.length && next < sorted.length; i++) {
    let kind = kindAt(text, i)
    if (kind === MARK && before !== IDEOGRAPH) kind = LETTER
    if (kind === OTHER || kind === MARK) return undefined
    if (before === LETTER && kind !== LETTER) {
      if (position === sorted[next]) {
        if (i - start > SIMPLE_WORD_MAX) return undefined
        addWord(start, i)
      }
      position++
    }
    if (kind === LETTER && before !== LETTER) start = i
    if (kind === IDEOGRAPH) {
      const isPair = kindAt(text, i + 1) === IDEOGRAPH
      if (kindAt(text, isPair ? i + 2 : i + 1) === MARK) return undefined
      if (position === sorted[next]) addWord(i, isPair ? i + 2 : i + 1)
      position++
    }
    before = kind
  }
  return at
}

/** Code units around a word that decide which terms with signs begin with it. */
const TERM = { before: 4, after: 100 } as const

/** The terms that begin with a word, and its parts: `node.js`, `--help`, `element` of `getElementById`. */
const termsAt = ({ text, folded }: ReadWords, { start }: WordSpan): WordSpan[] => {
  const from = Math.max(0, start - TERM.before)
  const around = (of: string) => of.slice(from, start + TERM.after)
  const local =
    folded === undefined ? foldWithOffsets(around(text)) : { text: around(folded), originalOffset: same }
  const endOf = endsOf(local.originalOffset)
  const position = eachWord(
    local.text.slice(0, start - from),
    () => {},
    undefined,
    () => false,
  )
  const terms: WordSpan[] = []
  eachWord(
    local.text,
    (text, _, begin, end) =>
      terms.push({ text, start: from + local.originalOffset(begin), end: from + endOf(end) }),
    camelWordsOf(folded === undefined ? around(text) : text),
    (at) => at === position,
  )
  return terms
}
