import type { Database } from '../../db/database.ts'
import { statement } from '../../db/statements.ts'
import { PASSAGE_LIMITS } from '../../limits.ts'
import { LAST_POSITION } from '../index/page-words.ts'
import { HEADING_END } from '../index/parsed-pages.ts'
import { stripsPrefixes } from '../lexemes.ts'
import { type Lexemes, loadStems } from '../stems.ts'
import { cutExcerpt } from './excerpt.ts'
import type { HitPassage, MatchRow } from './hit.ts'
import { findMatches, type Pattern, patternsOf, type TokenizedText, tokenizeText } from './matches.ts'
import type { SearchQuery } from './parse.ts'

const sectionsByNumber = statement('search_sections')
const stems = statement('stems')

/** A section of a hit, from which a passage is cut. */
interface ShownSection {
  /** Index of the hit. */
  hit: number
  /** From 0. */
  section: number
  heading: string
  text: string
}

/** Cuts at most three passages of each hit, from the sections with the most words of the query. */
export const loadPassages = async (
  database: Database,
  query: SearchQuery,
  hits: readonly MatchRow[],
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
  const rows = await database.query(sectionsByNumber, [
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
  const lexemesOf = await loadStemsOfTexts(database, hits, shown, texts)
  const passages: HitPassage[][] = hits.map(() => [])
  for (const [i, { hit, heading, text }] of shown.entries()) {
    const { config } = hits[hit]!
    const spans = findMatches(texts[i]!, patterns.get(config)!, (word) => lexemesOf(config, word.text))
    passages[hit]!.push({ heading, ...cutExcerpt(text, spans) })
  }
  return passages.map(withHighlights)
}

/** The passages that show a match. If there is none, for example because only the title matches: the first passage. */
const withHighlights = (passages: HitPassage[]): HitPassage[] => {
  const matching = passages.filter(({ highlights }) => highlights.length > 0)
  if (matching.length > 0) return matching
  return passages.filter(({ text }) => text !== '').slice(0, 1)
}

/**
 * Numbers of the sections to show: those with the most different words of the query, then those with the most matches.
 */
const sectionsOf = ({ starts, positions }: MatchRow, patterns: readonly Pattern[]): number[] => {
  const found = new Map<number, { words: Set<string>; count: number }>()
  const units = patterns.flatMap(({ units, code }) => [
    ...units.map((unit) => unit.lexemes),
    code === null ? [] : [code],
  ])
  for (const { lexeme, at } of lexemePositions(positions)) {
    const unit = units.findIndex((lexemes) => lexemes.includes(lexeme))
    for (const position of at) {
      const section = sectionAt(starts, position)
      if (section < 0) continue
      const matches = found.get(section) ?? { words: new Set(), count: 0 }
      matches.words.add(String(unit))
      matches.count += 1
      found.set(section, matches)
    }
  }
  const best = [...found]
    .sort(([a, x], [b, y]) => y.words.size - x.words.size || y.count - x.count || a - b)
    .slice(0, PASSAGE_LIMITS.max)
    .map(([section]) => section)
  if (best.length > 0) return best
  // No position of a match is known: the beginning of the page, where a section may have a heading alone.
  return Array.from({ length: Math.min(starts.length - 1, PASSAGE_LIMITS.max) }, (_, i) => i)
}

/** The section that a position is in, from 0; -1: title or path, or beyond the positions that PostgreSQL stores. */
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

/** Lexemes, without weight and configuration, and their positions, from a tsvector such as `'Bgtea':3A,9A`. */
const lexemePositions = function* (tsvector: string | null): Generator<{ lexeme: string; at: number[] }> {
  for (const [, lexeme, positions] of (tsvector ?? '').matchAll(/'((?:[^']|'')*)':([\dA,]+)/g))
    yield { lexeme: lexeme!.slice(2), at: positions!.replaceAll('A', '').split(',').map(Number) }
}

/** Loads the stems of words that may match. */
const loadStemsOfTexts = (
  database: Database,
  hits: readonly MatchRow[],
  shown: readonly ShownSection[],
  texts: readonly TokenizedText[],
): Promise<Lexemes> => {
  const wordsOf = new Map<string, Set<string>>()
  for (const [i, { hit }] of shown.entries()) {
    const { config } = hits[hit]!
    const words = wordsOf.get(config) ?? new Set()
    for (const { text, kind } of texts[i]!.words) if (kind === 'word') words.add(text)
    wordsOf.set(config, words)
  }
  return loadStems((values) => database.query(stems, values), wordsOf)
}
