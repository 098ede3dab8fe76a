import { PASSAGE_LIMITS } from '../../limits/service.ts'
import type { PageOccurrences, PatternPart, Patterns } from './patterns.ts'

/** PageOccurrences near each other in one section: from index `first` to index `last`. */
export interface PassageWindow {
  first: number
  last: number
  score: number
}

/** What a neighbour adds, in parts of the lower weight, divided by the distance. */
const NEAR = 0.2
/** What a word counts again that an earlier passage shows: even several of them come after a new word. */
const REPEATED = 0.1
/** The words of a further passage without a new one must have this share of the first one's score. */
const LEAST_SHARE = 0.25
/** About how many positions a passage shows after its first match. */
const WIDTH = { words: 30, characters: 150 } as const

/** The windows that a page's passages show, best first: rare words near each other; then those with other words. */
export const windowsOf = (occurrences: PageOccurrences, patterns: Patterns): PassageWindow[] => {
  const { parts, hasPairs } = patterns
  const { positions } = occurrences
  const width = hasPairs ? WIDTH.characters : WIDTH.words
  const ends = occurrences.parts.map((part, i) => positions[i]! + parts[part]!.extent)
  const sections = [...occurrences.sections]
  const { weights, bestWindow } = windowFinder(occurrences, patterns, sections, ends, width)
  const shown = new Set<number>()
  const windows: PassageWindow[] = []
  while (windows.length < PASSAGE_LIMITS.max) {
    const window = bestWindow()
    if (!window) break
    const found = occurrences.parts.slice(window.first, window.last + 1).map((part) => parts[part]!)
    const isNew = found.some(({ group, isHighlighted }) => isHighlighted && !shown.has(group))
    const groups = new Map(found.map(({ group, weight }) => [group, weight]))
    const weight = [...groups.values()].reduce((sum, weight) => sum + weight, 0)
    if (windows.length > 0 && !isNew && weight < LEAST_SHARE * windows[0]!.score) break
    for (const group of groups.keys()) {
      if (!shown.has(group)) weights[group]! *= REPEATED
      shown.add(group)
    }
    windows.push(window)
    const [from, to] = [positions[window.first]! - width, ends[window.last]! + width]
    for (let i = 0; i < positions.length; i++)
      if (positions[i]! > from && positions[i]! < to && sections[i] === occurrences.sections[window.first])
        sections[i] = -1
  }
  return windows
}

/** For each occurrence, what all neighbours before it add. */
const nearness = ({ positions, parts: found }: PageOccurrences, parts: readonly PatternPart[]): number[] => {
  const sums = [0]
  for (let i = 1; i < positions.length; i++) {
    const before = parts[found[i - 1]!]!
    const after = parts[found[i]!]!
    const distance = positions[i]! - positions[i - 1]! - before.extent
    const isNear = before.group !== after.group && distance > 0
    sums.push(sums[i - 1]! + (isNear ? (NEAR * Math.min(before.weight, after.weight)) / distance : 0))
  }
  return sums
}

/**
 * Finds windows by their weight.
 * @param sections of the occurrences; -1: no window contains it
 * @param ends positions where the occurrences end
 * @param width of a window in positions, at most
 * @returns the weights of groups, which may be changed between two windows
 */
const windowFinder = (
  occurrences: PageOccurrences,
  { parts }: Patterns,
  sections: readonly number[],
  ends: readonly number[],
  width: number,
) => {
  const { positions } = occurrences
  const weights: number[] = parts.map(() => 0)
  for (const { group, weight } of parts) weights[group] = Math.max(weights[group] ?? 0, weight)
  const near = nearness(occurrences, parts)
  const groupsOf = occurrences.parts.map((part) => parts[part]!.group)

  /** The window with the highest score; the first one of several. */
  const bestWindow = (): PassageWindow | undefined => {
    let best: PassageWindow | undefined
    const counts: number[] = weights.map(() => 0)
    let distinct = 0
    let groups = 0
    let end = 0
    for (let i = 0; i < positions.length; i++) {
      if (end < i) end = i
      if (sections[i]! < 0) continue
      while (sections[end] === sections[i] && (end === i || ends[end]! - positions[i]! < width)) {
        if (counts[groupsOf[end]!]!++ === 0) {
          distinct += weights[groupsOf[end]!]!
          groups++
        }
        end++
      }
      const score = distinct + Math.min(distinct, near[end - 1]! - near[i]!)
      if (!best || score > best.score - EQUAL) {
        const last = groups === 1 ? i : lastNew(i, end - 1, groupsOf)
        const isNarrower =
          best && positions[last]! - positions[i]! < positions[best.last]! - positions[best.first]!
        if (!best || score > best.score + EQUAL || isNarrower) best = { first: i, last, score }
      }
      if (--counts[groupsOf[i]!]! === 0) {
        distinct -= weights[groupsOf[i]!]!
        groups--
      }
    }
    return best
  }
  return { weights, bestWindow }
}

/** Scores that differ by less are equal. */
const EQUAL = 1e-9

/** The last occurrence of a window with a word that does not occur before in it: what follows need not be shown. */
const lastNew = (first: number, last: number, groupsOf: readonly number[]): number => {
  const seen = new Set<number>()
  let result = first
  for (let i = first; i <= last; i++) {
    if (!seen.has(groupsOf[i]!)) result = i
    seen.add(groupsOf[i]!)
  }
  return result
}
