import { PASSAGE_LIMITS } from '../../limits/service.ts'
import type { PageOccurrences, Patterns } from './patterns.ts'

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
  const width = WIDTH[patterns.hasPairs ? 'characters' : 'words']
  const places = placesOf(occurrences, patterns)
  const { positions, ends, sections } = places
  const weights = patterns.weights.slice()
  const shown = new Set<number>()
  const windows: PassageWindow[] = []
  while (windows.length < PASSAGE_LIMITS.max) {
    const window = bestWindow(places, weights, width)
    if (!window) break
    const groups = new Map<number, number>()
    let isNew = false
    for (let i = window.first; i <= window.last; i++) {
      const { group, weight, isHighlighted } = patterns.parts[occurrences.parts[i]!]!
      groups.set(group, weight)
      isNew ||= isHighlighted && !shown.has(group)
    }
    const weight = [...groups.values()].reduce((sum, one) => sum + one, 0)
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

type Places = ReturnType<typeof placesOf>

/** What the windows need to know of each occurrence. Arrays of one type take less time than objects, also to compile. */
const placesOf = ({ positions, parts, sections }: PageOccurrences, patterns: Patterns) => {
  const places = {
    positions,
    groups: new Int32Array(parts.length),
    ends: new Int32Array(parts.length),
    /** -1: a window that is shown already contains it, or the words near it. */
    sections: Int32Array.from(sections),
    /** The index of the one before of the same group; -1: none. */
    before: new Int32Array(parts.length),
    /** What it adds as a neighbour of the one before it. */
    near: new Float64Array(parts.length),
  }
  const last = new Int32Array(patterns.parts.length).fill(-1)
  for (let i = 0; i < parts.length; i++) {
    const { group, extent, weight } = patterns.parts[parts[i]!]!
    places.groups[i] = group
    places.ends[i] = positions[i]! + extent
    places.before[i] = last[group]!
    last[group] = i
    if (i === 0 || places.groups[i - 1] === group) continue
    const distance = positions[i]! - places.ends[i - 1]!
    const lower = Math.min(patterns.parts[parts[i - 1]!]!.weight, weight)
    if (distance > 0) places.near[i] = (NEAR * lower) / distance
  }
  return places
}

/** Scores that differ by less are equal. */
const EQUAL = 1e-9

/**
 * The window with the highest score; of several the narrowest, and of these the first. It ends with the last word that does not
 * occur before in it: what follows need not be shown.
 */
const bestWindow = (
  { positions, groups, ends, sections, before, near }: Places,
  weights: Float64Array,
  width: number,
): PassageWindow | undefined => {
  let best: PassageWindow | undefined
  /** How often each group occurs from `first` to before `after`. */
  const counts = new Uint16Array(weights.length)
  let [after, distinct, nearby] = [0, 0, 0]
  for (let first = 0; first < positions.length; first++) {
    const section = sections[first]!
    if (section < 0) continue
    if (after <= first) [after, distinct, nearby] = [first, 0, 0]
    const end = positions[first]! + width
    while (after === first || (after < ends.length && sections[after] === section && ends[after]! < end)) {
      if (after > first) nearby += near[after]!
      const group = groups[after++]!
      if (counts[group]!++ === 0) distinct += weights[group]!
    }
    const score = distinct + Math.min(distinct, nearby)
    const more = best ? score - best.score : 1
    if (more > -EQUAL) {
      let last = after - 1
      while (before[last]! >= first) last--
      const extent = positions[last]! - positions[first]!
      if (!best || more > EQUAL || extent < positions[best.last]! - positions[best.first]!)
        best = { first, last, score }
    }
    const group = groups[first]!
    if (--counts[group]! === 0) distinct -= weights[group]!
    if (after > first + 1) nearby -= near[first + 1]!
  }
  return best
}
