import { PASSAGE_LIMITS } from '../../limits.ts'
import type { MatchSpan } from './matches.ts'

/** What is shown of a text: offsets of highlights are UTF-16 code units of it. */
interface Excerpt {
  text: string
  highlights: [number, number][]
}

/**
 * At most 300 code units of a text, where the most different patterns match, cut between words.
 * @param spans in order of their starts
 */
export const cutExcerpt = (body: string, spans: readonly MatchSpan[]): Excerpt => {
  const { start, end } = windowAround(body, bestPlace(spans))
  const highlights = spans
    .filter((span) => span.start >= start && span.end <= end)
    .map((span): [number, number] => [span.start - start, span.end - start])
  return { text: body.slice(start, end), highlights: merged(highlights) }
}

/** What stands before the first match is a third of the passage at most. */
const BEFORE = Math.floor(PASSAGE_LIMITS.length / 3)

/** Where the first of the matches stands that are to be shown. */
const bestPlace = (spans: readonly MatchSpan[]): number => {
  let best = 0
  let most = 0
  /** How often each pattern matches between the first span that is looked at and `end`. */
  const within = new Map<number, number>()
  let end = 0
  for (const [i, { start, pattern }] of spans.entries()) {
    for (end = Math.max(end, i); end < spans.length; end++) {
      const last = spans[end]!
      if (last.end > start + PASSAGE_LIMITS.length - BEFORE) break
      within.set(last.pattern, (within.get(last.pattern) ?? 0) + 1)
    }
    if (within.size > most) {
      most = within.size
      best = start
    }
    const left = (within.get(pattern) ?? 0) - 1
    if (left > 0) within.set(pattern, left)
    else within.delete(pattern)
  }
  return most === 0 ? (spans[0]?.start ?? 0) : best
}

/** Those that touch or overlap become one. */
const merged = (spans: readonly [number, number][]): [number, number][] => {
  const result: [number, number][] = []
  for (const [start, end] of spans) {
    const last = result.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else result.push([start, end])
  }
  return result
}

/** A window with the place in its first third, its ends between words if any are near. */
const windowAround = (body: string, at: number): { start: number; end: number } => {
  if (body.length <= PASSAGE_LIMITS.length) return { start: 0, end: body.length }
  let start = Math.max(0, Math.min(at - BEFORE, body.length - PASSAGE_LIMITS.length))
  let end = Math.min(body.length, start + PASSAGE_LIMITS.length)
  if (start > 0) start = afterSpace(body, start, Math.min(at, start + 30))
  if (end < body.length) end = beforeSpace(body, end, end - 30)
  return { start: wholeLetter(body, start), end: wholeLetter(body, end) }
}

const afterSpace = (body: string, from: number, to: number): number => {
  for (let i = from; i < to; i++) if (/\s/.test(body[i]!)) return i + 1
  return from
}

const beforeSpace = (body: string, from: number, to: number): number => {
  for (let i = from; i > to; i--) if (/\s/.test(body[i]!)) return i
  return from
}

/** Not between the halves of a surrogate pair. */
const wholeLetter = (body: string, at: number): number =>
  /[\udc00-\udfff]/.test(body[at] ?? '') ? at - 1 : at
