import type { Database } from '../../db/database.ts'
import { statement } from '../../db/statements.ts'
import { PASSAGE_LIMITS } from '../../limits.ts'
import { HEADING_END } from '../index/index-pages.ts'
import { LAST_POSITION } from '../index/page-words.ts'
import { stripsPrefixes } from '../lexemes.ts'
import { type Lexemes, loadStems } from '../stems.ts'
import { cutExcerpt } from './excerpt.ts'
import type { HitPage, HitPassage } from './hit.ts'
import { findMatches, type Pattern, patternsOf, type TokenizedText, tokenizeText } from './matches.ts'
import type { SearchQuery } from './parse.ts'

const sectionsByNumber = statement('search_sections')
const stems = statement('stems')

/** A section that is shown of a hit. */
interface ShownSection {
  hit: number
  /** From 0. */
  section: number
  heading: string
  text: string
}

/** Passages of each hit: of the sections that speak most of the query, at most three. */
export const loadPassages = async (
  database: Database,
  query: SearchQuery,
  hits: readonly HitPage[],
  lexemes: Lexemes,
): Promise<HitPassage[][]> => {
  const patterns = new Map<string, Pattern[]>()
  for (const { config } of hits)
    if (!patterns.has(config))
      patterns.set(
        config,
        patternsOf(query, (word) => lexemes(config, word)),
      )
  const chosen = hits.flatMap((hit, n) =>
    sectionsOf(hit, patterns.get(hit.config)!).map((section) => ({ hit: n, section })),
  )
  if (chosen.length === 0) return hits.map(() => [])
  const rows = await database.query<{ n: number; section: string }>(sectionsByNumber, [
    chosen.map(({ hit }) => hits[hit]!.id),
    chosen.map(({ section }) => section + 1),
  ])
  const shown = rows
    .sort((a, b) => a.n - b.n)
    .map(({ n, section }): ShownSection => {
      const [heading = '', text = ''] = section.split(HEADING_END)
      return { ...chosen[n - 1]!, heading, text }
    })
  const longest = Math.floor(PASSAGE_LIMITS.read / shown.length)
  const texts = shown.map(({ hit, text }) => {
    const { config } = hits[hit]!
    return tokenizeText(text, patterns.get(config)!, stripsPrefixes(config), longest)
  })
  const known = await loadStemsOfTexts(database, hits, shown, texts)
  const made: HitPassage[][] = hits.map(() => [])
  for (const [i, { hit, heading, text }] of shown.entries()) {
    const { config } = hits[hit]!
    const spans = findMatches(texts[i]!, patterns.get(config)!, (word) => known(config, word.text))
    made[hit]!.push({ heading, ...cutExcerpt(text, spans) })
  }
  return made.map(withHighlights)
}

/** Those that show a match; when it is in the title alone, the page's beginning. */
const withHighlights = (passages: HitPassage[]): HitPassage[] => {
  const matching = passages.filter(({ highlights }) => highlights.length > 0)
  if (matching.length > 0) return matching
  return passages.filter(({ text }) => text !== '').slice(0, 1)
}

/** Numbers of the sections to show: those with the most of the query's words, in the heading before the text. */
const sectionsOf = ({ starts, places }: HitPage, patterns: readonly Pattern[]): number[] => {
  const found = new Map<number, { words: Set<string>; count: number }>()
  const units = patterns.flatMap(({ units, code }) => [
    ...units.map((unit) => unit.lexemes),
    code === null ? [] : [code],
  ])
  for (const { lexeme, positions } of lexemePositions(places)) {
    const unit = units.findIndex((lexemes) => lexemes.includes(lexeme))
    for (const position of positions) {
      const section = sectionAt(starts, position)
      if (section < 0) continue
      const so = found.get(section) ?? { words: new Set(), count: 0 }
      so.words.add(String(unit))
      so.count += 1
      found.set(section, so)
    }
  }
  const best = [...found]
    .sort(([a, x], [b, y]) => y.words.size - x.words.size || y.count - x.count || a - b)
    .slice(0, PASSAGE_LIMITS.max)
    .map(([section]) => section)
  if (best.length > 0) return best
  // Nothing of the query has a place that is known: the beginning, which may have a heading alone.
  return Array.from({ length: Math.min(starts.length - 1, PASSAGE_LIMITS.max) }, (_, i) => i)
}

/** The section that a position is in, from 0; -1: title or path, or nowhere that is known. */
const sectionAt = (starts: readonly number[], position: number): number => {
  if (position >= LAST_POSITION) return -1
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (starts[middle]! <= position) low = middle + 1
    else high = middle
  }
  return Math.min(low - 1, starts.length - 2)
}

/** A tsvector's text, such as `'Bgtea':3A,9A`: lexemes without level and configuration, and their positions. */
const lexemePositions = function* (
  places: string | null,
): Generator<{ lexeme: string; positions: number[] }> {
  for (const [, lexeme, positions] of (places ?? '').matchAll(/'((?:[^']|'')*)':([\dA,]+)/g))
    yield { lexeme: lexeme!.slice(2), positions: positions!.replaceAll('A', '').split(',').map(Number) }
}

/** Learns the stems of words that may match. */
const loadStemsOfTexts = (
  database: Database,
  hits: readonly HitPage[],
  shown: readonly ShownSection[],
  texts: readonly TokenizedText[],
): Promise<Lexemes> => {
  const asked = new Map<string, Set<string>>()
  for (const [i, { hit }] of shown.entries()) {
    const { config } = hits[hit]!
    const words = asked.get(config) ?? new Set()
    for (const { text, kind } of texts[i]!.words) if (kind === 'word') words.add(text)
    asked.set(config, words)
  }
  return loadStems((values) => database.query(stems, values), asked)
}
