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
export const windowsOf = (occurrences: PageOccurrences, { parts, hasPairs }: Patterns): PassageWindow[] => {
  const { positions } = occurrences
  const width = WIDTH[hasPairs ? 'characters' : 'words']
  const found = occurrences.parts.map((part) => parts[part]!)
  const ends = found.map(({ extent }, i) => positions[i]! + extent)
  /** -1: a window that is shown already contains it, or the words near it. */
  const sections = [...occurrences.sections]
  const weights: number[] = []
  for (const { group, weight } of parts) weights[group] = Math.max(weights[group] ?? 0, weight)
  const near = nearness(positions, found)
  const shown = new Set<number>()
  const windows: PassageWindow[] = []
  while (windows.length < PASSAGE_LIMITS.max) {
    const window = bestWindow({ positions, found, ends, sections, near }, weights, width)
    if (!window) break
    const inWindow = found.slice(window.first, window.last + 1)
    const isNew = inWindow.some(({ group, isHighlighted }) => isHighlighted && !shown.has(group))
    const groups = new Map(inWindow.map(({ group, weight }) => [group, weight]))
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

/** What each occurrence adds as a neighbour of the one before it. */
const nearness = (positions: readonly number[], found: readonly PatternPart[]): number[] =>
  found.map((after, i) => {
    const before = found[i - 1]
    const distance = before ? positions[i]! - positions[i - 1]! - before.extent : 0
    const isNear = distance > 0 && before!.group !== after.group
    return isNear ? (NEAR * Math.min(before!.weight, after.weight)) / distance : 0
  })

/** Scores that differ by less are equal. */
const EQUAL = 1e-9

/**
 * The window with the highest score; of several the narrowest, and of these the first. It ends with the last word that does not
 * occur before in it: what follows need not be shown.
 */
const bestWindow = (
  {
    positions,
    found,
    ends,
    sections,
    near,
  }: Record<'positions' | 'ends' | 'sections' | 'near', number[]> & {
    found: readonly PatternPart[]
  },
  weights: readonly number[],
  width: number,
): PassageWindow | undefined => {
  let best: PassageWindow | undefined
  /** The start of the last window that contains each group. */
  const seenFrom = new Int32Array(weights.length).fill(-1)
  for (let first = 0; first < positions.length; first++) {
    if (sections[first]! < 0) continue
    let [last, distinct, nearby] = [first, 0, 0]
    for (let i = first; sections[i] === sections[first]; i++) {
      if (i > first && ends[i]! - positions[first]! >= width) break
      if (i > first) nearby += near[i]!
      const { group } = found[i]!
      if (seenFrom[group] === first) continue
      seenFrom[group] = first
      distinct += weights[group]!
      last = i
    }
    const score = distinct + Math.min(distinct, nearby)
    const more = best ? score - best.score : 1
    const isNarrower = () =>
      positions[last]! - positions[first]! < positions[best!.last]! - positions[best!.first]!
    if (more > EQUAL || (more > -EQUAL && isNarrower())) best = { first, last, score }
  }
  return best
}
