import { LAST_POSITION } from '../index/page-words.ts'
import { writtenForm } from '../lexemes.ts'
import type { Pattern, Patterns } from './patterns.ts'
import { tsvectorEntries, tsvectorPositions } from './tsvector-text.ts'

/** Where a page contains the parts of a query's terms, in the order of the positions. */
export interface PageOccurrences {
  /** Position of the first word of each occurrence. */
  positions: number[]
  /** What occurs there: an index of `parts`. */
  parts: number[]
  /** The section of each; -1: title or path. */
  sections: number[]
}

/** Positions of a page that are read. The rarest words come first, because what they are near decides. */
const POSITIONS_READ = 500

/** More than the parts of any query. */
const PARTS = 4_096

/**
 * @param tsvector the query's lexemes in the page: `'Bgtea':3A,9A`
 * @param starts positions of the page's sections, and of its end
 */
export const occurrencesOf = (
  tsvector: string | null,
  starts: readonly number[],
  { terms, parts: { length } }: Patterns,
): PageOccurrences => {
  const result: PageOccurrences = { positions: [], parts: [], sections: [] }
  if (tsvector === null || length > PARTS) return result
  const positions = positionsByLexeme(tsvector, terms)
  const found: number[] = []
  for (const term of terms) addTerm(term, positions, found)
  let section = -1
  let last = -1
  for (const code of Int32Array.from(found).sort()) {
    if (code === last) continue
    last = code
    const position = Math.floor(code / PARTS)
    while (section < starts.length - 2 && starts[section + 1]! <= position) section++
    result.positions.push(position)
    result.parts.push(code % PARTS)
    result.sections.push(section)
  }
  return result
}

/** Adds where a term occurs: as a whole, otherwise its words. Of a phrase, only the whole counts. */
const addTerm = (
  { units, whole, codes, isQuoted }: Pattern,
  positions: ReadonlyMap<string, readonly number[]>,
  found: number[],
): void => {
  const before = found.length
  for (const { lexemes, part } of codes)
    for (const lexeme of lexemes) for (const at of positions.get(lexeme) ?? []) found.push(at * PARTS + part)
  const lists = units.map(({ lexemes }) => {
    // Where a page has the word with its accents, another word without them is not shown.
    const written = positions.get(writtenForm(lexemes) ?? '')
    return written ?? lexemes.flatMap((lexeme) => positions.get(lexeme) ?? [])
  })
  const [first, ...others] = lists
  if (!first) return
  if (others.length === 0) {
    for (const at of first) found.push(at * PARTS + whole)
    return
  }
  let together: readonly number[] = first
  for (const [i, list] of others.entries()) {
    if (together.length === 0) break
    const distance = units[i + 1]!.position - units[0]!.position
    const set = new Set(list)
    together = together.filter((at) => set.has(at + distance))
  }
  for (const at of together) found.push(at * PARTS + whole)
  if (found.length > before || isQuoted) return
  for (const [i, list] of lists.entries()) for (const at of list) found.push(at * PARTS + units[i]!.part)
}

/** The positions of the lexemes of a query, without their letters of weight and configuration. */
const positionsByLexeme = (tsvector: string, terms: readonly Pattern[]): Map<string, number[]> => {
  const wanted = new Set(
    terms.flatMap(({ units, codes }) => [...units, ...codes].flatMap(({ lexemes }) => lexemes)),
  )
  const entries = tsvectorEntries(tsvector)
    .filter(({ lexeme, start, end }) => start < end && wanted.has(lexeme))
    .sort((a, b) => a.end - a.start - (b.end - b.start))
  const result = new Map<string, number[]>()
  let remaining = POSITIONS_READ
  for (const entry of entries) {
    const read = tsvectorPositions(tsvector, entry, remaining)
    remaining -= read.length
    // Positions that PostgreSQL does not tell apart are left out.
    const positions = read.filter((position) => position < LAST_POSITION)
    result.set(entry.lexeme, [...(result.get(entry.lexeme) ?? []), ...positions])
  }
  return result
}
