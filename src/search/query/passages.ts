import { setImmediate } from 'node:timers/promises'
import type { Database } from '../../db/database.ts'
import { statement } from '../../db/statements.ts'
import { PASSAGE_LIMITS } from '../../limits/service.ts'
import { stripsPrefixes } from '../configurations.ts'
import { HEADING_END, SECTION_END } from '../index/parsed-pages.ts'
import type { Lexemes } from '../stems.ts'
import { cutExcerpt, excerptAround, type TextRange } from './excerpt.ts'
import { findMatches, type MatchSpan } from './matches.ts'
import type { SearchQuery } from './parse.ts'
import { occurrencesOf, type Patterns, patternsOf, type WordWeight } from './patterns.ts'
import type { FoundPageRow, HitPassage } from './results.ts'
import { type PassageWindow, windowsOf } from './windows.ts'

const sectionsByNumber = statement('search_sections')

type PassagePlan = ReturnType<typeof planOf>

/**
 * Cuts at most three passages of each hit. The positions of the index decide which parts of a page to show before any text
 * is read, and only the sections of these parts are read. (D114)
 */
export const loadPassages = async (
  database: Database,
  query: SearchQuery,
  hits: readonly FoundPageRow[],
  lexemes: Lexemes,
  weight: WordWeight = () => 1,
): Promise<HitPassage[][]> => {
  const languageOf = ({ config, locale }: FoundPageRow) => `${config} ${locale}`
  const makePatterns = ({ config, locale }: FoundPageRow) =>
    patternsOf(
      query,
      (word) => lexemes(config, word),
      (of) => weight(locale, of),
    )
  const examples = new Map(hits.map((hit) => [languageOf(hit), hit]))
  const patterns = new Map([...examples].map(([language, hit]) => [language, makePatterns(hit)]))
  const plans = await inSlices(hits, (hit) => planOf(hit, patterns.get(languageOf(hit))!))
  const texts = new Map(plans.map((plan) => [plan, knownSections(plan)]))
  const read = plans.filter((plan) => !texts.get(plan))
  if (read.length > 0) {
    const numbers = read.map(({ sections }) => `{${sections.map((section) => section + 1).join()}}`)
    const rows = await database.query(sectionsByNumber, [read.map(({ hit }) => hit.id), numbers])
    for (const { n, sections } of rows) texts.set(read[n - 1]!, sections.split(SECTION_END))
  }
  return inSlices(plans, (plan) => passagesOf(plan, texts.get(plan) ?? []))
}

/** The wanted sections; undefined if the text that came with the page lacks one. */
const knownSections = ({ hit: { body, isWhole }, sections }: PassagePlan): string[] | undefined => {
  const stored = body.split(SECTION_END)
  const known = isWhole ? stored.length : stored.length - 1
  return sections.every((section) => section < known)
    ? sections.map((section) => stored[section]!)
    : undefined
}

/** Maps items, and lets the process handle other events every few milliseconds. */
const inSlices = async <Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Promise<Result[]> => {
  const results: Result[] = []
  let began = performance.now()
  for (const item of items) {
    if (performance.now() - began > PASSAGE_LIMITS.sliceMs) {
      await setImmediate()
      began = performance.now()
    }
    results.push(map(item))
  }
  return results
}

/** What to show of a page: the windows, best first, and the sections to read, from 0, each once. */
const planOf = (hit: FoundPageRow, patterns: Patterns) => {
  const occurrences = occurrencesOf(hit.positions, hit.starts, patterns)
  const windows = windowsOf(occurrences, patterns)
  const count = hit.starts.length - 1
  const shown = windows.map(({ first }) => occurrences.sections[first]!)
  // A heading without text: the section after it says what it is about. If no window is known: the beginning of the page.
  const more =
    windows.length === 0
      ? [0, 1, 2]
      : shown.map((n) => n + 1).filter((n) => hit.starts[n]! - hit.starts[n - 1]! <= SHORT)
  const sections = [...new Set([...shown, ...more])].filter((section) => section < count)
  return { hit, patterns, occurrences, windows, sections }
}

/** Positions of a section that may have no text but its heading. */
const SHORT = 12

type ShownSection = ReturnType<typeof sectionOf>

const passagesOf = (plan: PassagePlan, stored: readonly string[]): HitPassage[] => {
  const { occurrences, windows, sections } = plan
  const shown = new Map(stored.map((section, i) => [sections[i]!, sectionOf(plan, sections[i]!, section)]))
  const passages: HitPassage[] = []
  const cut = (section: ShownSection, match: TextRange | undefined) => {
    const passage = match && passageOf(section, match)
    if (passage) passages.push(passage)
  }
  for (const window of windows) {
    const section = shown.get(occurrences.sections[window.first]!)
    if (section) cut(section, matchIn(section, window))
  }
  if (passages.length > 0) return passages
  // No match in a text: single characters, otherwise the beginning of a section.
  for (const section of shown.values()) cut(section, section.matches.characters[0])
  if (passages.length > 0) return passages
  for (const section of shown.values()) if (passages.length === 0) cut(section, { start: 0, end: 0 })
  return passages
}

/** About how many positions a passage shows before and after its window. */
const AROUND = { words: 60, characters: 300 } as const

const sectionOf = (
  { hit: { starts, config }, patterns, occurrences, windows }: PassagePlan,
  n: number,
  stored: string,
) => {
  const end = stored.indexOf(HEADING_END)
  const [heading, text] = [stored.slice(0, end), stored.slice(end + 1)]
  const { positions, sections } = occurrences
  const around = AROUND[patterns.hasPairs ? 'characters' : 'words']
  /** Indices of the occurrences that are matched, the last one excluded. */
  let [low, high] = [positions.length, 0]
  for (const { first, last } of windows) {
    if (sections[first] !== n) continue
    let [from, to] = [first, last + 1]
    while (from > 0 && sections[from - 1] === n && positions[from - 1]! >= positions[first]! - around) from--
    while (to < sections.length && sections[to] === n && positions[to]! <= positions[last]! + around) to++
    low = Math.min(low, from)
    high = Math.max(high, to)
  }
  const isStripped = stripsPrefixes(config)
  const matches = findMatches({ heading, text }, occurrences, [low, high], patterns, starts[n]!, isStripped)
  /** What passages show of it. */
  const taken: TextRange[] = []
  return { heading, text, low, matches, taken }
}

/** The offsets of a window's first matches that fit into a passage; undefined if all of them are in the heading. */
const matchIn = (
  { low, matches: { spans } }: ShownSection,
  { first, last }: PassageWindow,
): TextRange | undefined => {
  let match: TextRange | undefined
  for (let i = first - low; i <= last - low; i++) {
    const span = spans[i]
    if (!match) match = span && { start: span.start, end: span.end }
    else if (span && span.end - match.start <= PASSAGE_LIMITS.length) match.end = span.end
  }
  return match
}

/** Undefined if the section has no text, or if another passage shows the match. */
const passageOf = (section: ShownSection, match: TextRange): HitPassage | undefined => {
  const { heading, text, matches, taken } = section
  if (text === '') return undefined
  const room = { start: 0, end: text.length }
  for (const { start, end } of taken) {
    if (match.start < end && match.end > start) return undefined
    if (end <= match.start) room.start = Math.max(room.start, end)
    if (start >= match.end) room.end = Math.min(room.end, start)
  }
  const range = excerptAround(text, match, room)
  if (range.start === range.end) return undefined
  taken.push(range)
  const spans: MatchSpan[] = []
  for (const found of [matches.spans, matches.characters])
    for (const span of found)
      if (span?.isHighlighted && span.start >= range.start && span.end <= range.end) spans.push(span)
  spans.sort((a, b) => a.start - b.start || b.end - a.end)
  return { heading, ...cutExcerpt(text, range, spans) }
}
