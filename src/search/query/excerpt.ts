import { PASSAGE_LIMITS } from '../../limits/service.ts'
import type { HitPassage } from './results.ts'

/** Offsets of a part of a text. */
export interface TextRange {
  start: number
  end: number
}

const { length: MAX } = PASSAGE_LIMITS
/** The excerpt begins at a sentence that begins at most so many code units before the first match. */
const SENTENCE_NEAR = 160
/** If no sentence begins near: code units before the first match. */
const BEFORE = 100
/** An excerpt that ends with a sentence is at least so long. */
const SENTENCE_END = 200

/**
 * The part of a text to show: at most 300 code units around a match. It begins with a sentence if one begins near, with a
 * line if the match is in code, otherwise with a word, and ends in the same way. (D114)
 * @param match the matches to show; empty at 0 if there are none
 * @param room the part of the text that no other excerpt shows
 */
export const excerptAround = (text: string, match: TextRange, room: TextRange): TextRange => {
  const start = match.start - text.slice(startBefore(text, match, room), match.start).trimStart().length
  const end = endAfter(text, { start, end: Math.max(start, Math.min(match.end, start + MAX)) }, room)
  return { start, end: start + text.slice(start, end).trimEnd().length }
}

/** @param spans within the range that are highlighted, in the order of their starts */
export const cutExcerpt = (
  text: string,
  range: TextRange,
  spans: readonly TextRange[],
): Omit<HitPassage, 'heading'> => {
  const cut = text.slice(range.start, range.end)
  const highlights: [number, number][] = []
  for (const { start, end } of spans) {
    const from = characterAround(cut, start - range.start).start
    const to = characterAround(cut, end - range.start).end
    const last = highlights.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else highlights.push([from, to])
  }
  // The marks before lines of code.
  return { text: cut.replace(/[\v\f]/g, '\n'), highlights: wholeWords(cut, highlights) }
}

const startBefore = (text: string, match: TextRange, room: TextRange): number => {
  if (room.start === 0 && room.end === text.length && text.length <= MAX) return 0
  // Near the end: the first sentence or line from which an excerpt shows all that follows.
  for (let i = Math.max(room.start, room.end - MAX); i < match.start; i++)
    if (
      isSentenceStart(text, i) &&
      (isLineEnd(text.charCodeAt(i - 1)) || !isCodeLine(text, lineStart(text, i)))
    )
      return whole(text, i, room)
  const reach = Math.max(room.start, Math.min(match.start, match.end - MAX))
  const line = lineStart(text, match.start)
  if (isCodeLine(text, line) && line >= reach) return whole(text, line, room)
  const near = Math.max(reach, match.start - SENTENCE_NEAR, isCodeLine(text, line) ? match.start + 1 : line)
  for (let i = match.start; i >= near; i--) if (isSentenceStart(text, i)) return whole(text, i, room)
  const from = Math.max(reach, Math.min(match.start - BEFORE, room.end - MAX))
  return whole(text, wordStart(text, from, match.start), room)
}

const endAfter = (text: string, { start, end: least }: TextRange, room: TextRange): number => {
  const end = Math.min(room.end, start + MAX)
  if (end === room.end) return end
  const line = lineStart(text, end)
  const isCode = isCodeLine(text, line)
  if (isCode && line > least) return line
  const shortest = Math.max(least, Math.min(start + SENTENCE_END, end))
  for (let i = end; i > shortest && !isCode; i--) {
    const isStart =
      isLineEnd(text.charCodeAt(i)) || isLineEnd(text.charCodeAt(i - 1)) || isSentenceStart(text, i)
    if (isStart) return i
  }
  const cut = wordEnd(text, end, least)
  // Neither a match nor an end of a word: a word of more than 300 letters.
  return characterAround(text, cut > start ? cut : end).start
}

/** A start that is not within a character. */
const whole = (text: string, at: number, room: TextRange): number =>
  Math.max(room.start, characterAround(text, at).start)

/** Where a text can be cut: between sentences, lines of code, words, and what a reader sees as one character. */

/** Ends of sentences that need no space after them. */
const FULL_STOPS = '。！？．｡।॥។៕။።༎'
/** Ends of sentences before a space. */
const STOPS = '.!?…؟۔։'
const CLOSERS = '"\'”’»)]】」』）〉》›'
/** Signs after which a line can break, in scripts without spaces. */
const PAUSES = `${FULL_STOPS}、，；：）」』】》`

const isSpace = (code: number): boolean =>
  code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x3000 || code === 0x200b

/** Ends of lines in a stored section: of paragraphs, and before lines of code. */
const isLineEnd = (code: number): boolean => code >= 10 && code <= 12

/** How far the start of a line is looked for, code units: a longer line cannot be shown anyway. */
const LINE_MAX = 400

/** Offset of the line that contains an offset, or an offset within a long line. */
const lineStart = (text: string, at: number): number => {
  const least = Math.max(0, at - LINE_MAX)
  let i = at
  while (i > least && !isLineEnd(text.charCodeAt(i - 1))) i--
  return i
}

/** Whether the line that begins at an offset is one of a code block. */
const isCodeLine = (text: string, start: number): boolean => start > 0 && /[\v\f]/.test(text[start - 1]!)

/** Whether a sentence or line begins at an offset of a line that is not code. */
const isSentenceStart = (text: string, at: number): boolean => {
  const before = at === 0 ? 10 : text.charCodeAt(at - 1)
  if (isLineEnd(before)) return true
  if (before > 47 && before < 0x300) return false
  // Most places follow a word and a space: no sentence ends with a letter.
  const letter = text.charCodeAt(at - 2)
  if (before === 32 && letter > 96 && letter < 123) return false
  if (isSpace(text.charCodeAt(at))) return false
  let i = at - 1
  while (i > 0 && isSpace(text.charCodeAt(i))) i--
  const hasSpace = i < at - 1
  for (let n = 0; n < 3 && i > 0 && CLOSERS.includes(text[i]!); n++) i--
  const sign = text[i]!
  if (FULL_STOPS.includes(sign)) return !PAUSES.includes(text[at]!) && !CLOSERS.includes(text[at]!)
  return hasSpace && STOPS.includes(sign) && !isAbbreviation(text, i) && !LOWER.test(text.slice(at, at + 2))
}

const LOWER = /^\p{Ll}/u
const LETTER = /\p{L}/u

/** A day of a month before its full stop, and not the end of `2015`, `4.25` or `B12`. */
const DAY = /(?<![\d.,:/\p{L}-])\d{1,2}$/u

/** `e. g.`, `J. Smith`, `12. Oktober` */
const isAbbreviation = (text: string, stop: number): boolean =>
  text[stop] === '.' &&
  (DAY.test(text.slice(Math.max(0, stop - 3), stop)) ||
    (LETTER.test(text[stop - 1] ?? '') && !LETTER.test(text[stop - 2] ?? '')))

/** How far white space is looked for before a dictionary decides, code units. */
const NEAR = 40

const words = new Intl.Segmenter('und', { granularity: 'word' })
const characters = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** Whether a word can begin at an offset because of what stands before it. */
const isAfterPause = (text: string, at: number): boolean =>
  at === 0 ||
  ((isSpace(text.charCodeAt(at - 1)) || PAUSES.includes(text[at - 1]!)) &&
    !isSpace(text.charCodeAt(at)) &&
    !PAUSES.includes(text[at]!))

/** Offset of the first word from `from` on; `to` if none begins before it. */
const wordStart = (text: string, from: number, to: number): number => {
  for (let i = from; i <= Math.min(to, from + NEAR); i++) if (isAfterPause(text, i)) return i
  const { start, end } = wordAround(text, from)
  if (start === from) return from
  return end !== undefined && end <= to ? end : to
}

/** Offset of the last end of a word up to `from`; `to` if none ends after it. */
const wordEnd = (text: string, from: number, to: number): number => {
  for (let i = from; i > Math.max(to, from - NEAR); i--)
    if (isSpace(text.charCodeAt(i)) || isAfterPause(text, i)) return i
  const { start } = wordAround(text, from)
  return start !== undefined && start > to ? start : to
}

/** What the dictionary of a script without spaces, or the signs within an address, make of a text. */
const REACH = { before: 80, after: 60 } as const

/** The word that contains an offset. Undefined: it is longer than what is read. */
const wordAround = (text: string, at: number): { start?: number; end?: number } => {
  const from = wholeCharacter(text, Math.max(0, at - REACH.before))
  const to = Math.min(text.length, at + REACH.after)
  const word = words.segment(text.slice(from, to)).containing(at - from)
  if (!word) return {}
  const [start, end] = [from + word.index, from + word.index + word.segment.length]
  return {
    ...((start > from || from === 0) && { start }),
    ...((end < to || to === text.length) && { end }),
  }
}

const wholeCharacter = (text: string, at: number): number =>
  at > 0 && (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at - 1 : at

/** Two letters that never join each other, of which most texts consist. */
const SEPARATE =
  /^[\0-\u02ff\u0370-\u0482\u048a-\u052f\u05d0-\u05ea\u0620-\u064a\u3001-\u3029\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fff\uac00-\ud7a3]{2}$/

/** A run of marks is cut after so many code units. */
const CHARACTER_MAX = 64

/** Start and end of what a reader sees as one character, around an offset; both are the offset if one begins there. */
const characterAround = (text: string, at: number): { start: number; end: number } => {
  if (at <= 0 || at >= text.length || SEPARATE.test(text.slice(at - 1, at + 1))) return { start: at, end: at }
  const from = wholeCharacter(text, Math.max(0, at - CHARACTER_MAX))
  const { index, segment } = characters.segment(text.slice(from, at + CHARACTER_MAX)).containing(at - from)!
  const start = from + index
  return start === at ? { start, end: at } : { start, end: start + segment.length }
}

/** Scripts without spaces in which a dictionary knows the words, and the index has pairs of syllables. */
const WITHOUT_SPACES = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

/**
 * Highlights of whole words in scripts without spaces: a word is highlighted if matches cover half of it. A pair of syllables can
 * also match at the end of one word and the beginning of the next.
 * @param ranges in the order of the text, without overlap
 * @returns the ranges themselves if they cover half of no word: the query was a part of a word
 */
const wholeWords = (text: string, ranges: readonly [number, number][]): [number, number][] => {
  if (!ranges.some(([start, end]) => WITHOUT_SPACES.test(text.slice(start, end)))) return [...ranges]
  const whole: [number, number][] = []
  let hasWord = false
  for (const { segment, index } of words.segment(text)) {
    const parts = ranges
      .map(([start, end]): [number, number] => [
        Math.max(start, index),
        Math.min(end, index + segment.length),
      ])
      .filter(([start, end]) => start < end)
    const covered = parts.reduce((sum, [start, end]) => sum + end - start, 0)
    const isWord = WITHOUT_SPACES.test(segment)
    if (isWord && covered * 2 < segment.length) continue
    hasWord ||= isWord
    for (const [start, end] of isWord ? [[index, index + segment.length] as const] : parts) {
      const last = whole.at(-1)
      if (last && last[1] === start) last[1] = end
      else whole.push([start, end])
    }
  }
  return hasWord ? whole : [...ranges]
}
