import { PASSAGE_LIMITS } from '../../limits.ts'
import type { MatchSpan } from './matches.ts'

/** An excerpt of a text. The offsets of highlights are in UTF-16 code units of the excerpt. */
interface Excerpt {
  text: string
  highlights: [number, number][]
}

/**
 * Cuts at most 300 code units from a text, where the most different patterns match, and between words.
 * @param spans in order of their starts
 */
export const cutExcerpt = (body: string, spans: readonly MatchSpan[]): Excerpt => {
  const { start, end } = windowAround(body, bestOffset(spans))
  const highlights = spans
    .filter((span) => span.start >= start && span.end <= end)
    .map((span): [number, number] => [span.start - start, span.end - start])
  return { text: body.slice(start, end), highlights: mergeSpans(highlights) }
}

/** At most a third of the passage is before the first match. */
const BEFORE = Math.floor(PASSAGE_LIMITS.length / 3)

/** Offset of the first match to show. */
const bestOffset = (spans: readonly MatchSpan[]): number => {
  let best = 0
  let most = 0
  /** How often each pattern matches from the current span to `end`. */
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
    const remaining = (within.get(pattern) ?? 0) - 1
    if (remaining > 0) within.set(pattern, remaining)
    else within.delete(pattern)
  }
  return most === 0 ? (spans[0]?.start ?? 0) : best
}

/** Merges highlights that touch or overlap. */
const mergeSpans = (spans: readonly [number, number][]): [number, number][] => {
  const result: [number, number][] = []
  for (const [start, end] of spans) {
    const last = result.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else result.push([start, end])
  }
  return result
}

/** A window with `at` in its first third. It begins and ends between words if there is white space near. */
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

/** Moves an offset out of a surrogate pair. */
const wholeLetter = (body: string, at: number): number =>
  /[\udc00-\udfff]/.test(body[at] ?? '') ? at - 1 : at
