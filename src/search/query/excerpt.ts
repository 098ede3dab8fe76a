import { PASSAGE_LIMITS } from '../../limits.ts'
import {
  characterAround,
  isCodeLine,
  isLineEnd,
  isSentenceStart,
  lineStart,
  wholeWords,
  wordEnd,
  wordStart,
} from './boundaries.ts'
import type { MatchSpan } from './matches.ts'

/** Offsets of a part of a text. */
export interface TextRange {
  start: number
  end: number
}

/** An excerpt of a text. The offsets of highlights are in UTF-16 code units of the excerpt. */
interface Excerpt {
  text: string
  highlights: [number, number][]
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
  const start = skipSpace(text, startBefore(text, match, room), match.start)
  const end = endAfter(text, { start, end: Math.max(start, Math.min(match.end, start + MAX)) }, room)
  return { start, end: skipSpaceBack(text, end, start) }
}

/** @param spans in the order of their starts */
export const cutExcerpt = (text: string, range: TextRange, spans: readonly MatchSpan[]): Excerpt => {
  const cut = text.slice(range.start, range.end)
  const highlights: [number, number][] = []
  for (const { start, end, isHighlighted } of spans) {
    if (!isHighlighted || start < range.start || end > range.end) continue
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
  const reach = Math.max(room.start, Math.min(match.start, match.end - MAX))
  const line = lineStart(text, match.start)
  if (isCodeLine(text, line) && line >= reach) return withMore(text, line, room)
  const near = Math.max(reach, match.start - SENTENCE_NEAR, isCodeLine(text, line) ? match.start + 1 : line)
  for (let i = match.start; i >= near; i--) if (isSentenceStart(text, i)) return withMore(text, i, room)
  const from = Math.max(reach, match.start - BEFORE)
  return whole(text, wordStart(text, from, match.start), room)
}

/** At the end of a text: an earlier sentence or line, if the excerpt then still shows everything to the end. */
const withMore = (text: string, start: number, room: TextRange): number => {
  let best = start
  for (let i = start; i >= room.start && room.end - i <= MAX; i--) {
    const isStart = i === 0 || isLineEnd(text.charCodeAt(i - 1))
    if (isStart || (isSentenceStart(text, i) && !isCodeLine(text, lineStart(text, i)))) best = i
  }
  return whole(text, best, room)
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

const skipSpace = (text: string, from: number, to: number): number => {
  let i = from
  while (i < to && /\s/.test(text[i]!)) i++
  return i
}

const skipSpaceBack = (text: string, from: number, to: number): number => {
  let i = from
  while (i > to && /\s/.test(text[i - 1]!)) i--
  return i
}
