import { withoutAccents } from '../folding.ts'
import { LAST_POSITION } from '../index/page-words.ts'
import { writtenForm } from '../lexemes.ts'
import { includedTerms, type QueryTerm, type QueryUnit, type SearchQuery } from './parse.ts'
import { unitLexemes } from './tsquery-builder.ts'
import { lexemeKey, tsvectorEntries, tsvectorPosition } from './tsvector-hex.ts'

/** How rare a word is in the pages of a language: its inverse document frequency. @param lexemes of the word */
export type WordWeight = (locale: string, lexemes: readonly string[]) => number

/** A word, or words that must follow each other, as passages show them. */
interface PatternPart {
  weight: number
  /** Parts of the same term in different spellings count once. */
  group: number
  /** From the position of the first word to that of the last. */
  extent: number
  first: readonly string[]
  last: readonly string[]
  /** The weight of its rarest word. */
  rarest: number
  /** Whether it says enough to be highlighted. */
  isHighlighted: boolean
}

interface PatternUnit {
  position: number
  lexemes: readonly string[]
  /** Where a page has the word with its accents, another word without them is not shown. */
  written: string | undefined
  /** Index of the part that is this word alone. */
  part: number
}

/** A term of a query. Where its words follow each other, or its code stands, passages show this alone. */
interface Pattern {
  units: readonly PatternUnit[]
  whole: number
  /** What the index stores as one word: `node.js`, `wifi` for `Wi-Fi`. */
  codes: readonly { lexemes: readonly string[]; part: number }[]
  isQuoted: boolean
}

/** The terms of a query in one language. */
export interface Patterns {
  parts: readonly PatternPart[]
  terms: readonly Pattern[]
  /** The highest weight of each group. */
  weights: Float64Array
  /** Those of all terms by their keys. */
  lexemes: ReadonlyMap<string, string>
  /** Longer words that begin so count as the only word; null if there are none. */
  beginning: string | null
  /** Single syllables or characters of scripts without spaces. A text contains each wherever it stands, and the index only the pairs. */
  characters: readonly string[]
  /** Whether a position is a character of a script without spaces rather than a word. */
  hasPairs: boolean
}

/**
 * Of more than two words, those below this share of the weight of the rarest are not highlighted: in a wiki of 10,000 pages,
 * those that a third of the pages contain, such as the function words of languages for which PostgreSQL has no stop words.
 */
const HIGHLIGHTED_SHARE = 0.2

/**
 * @param lexemes returns those of a folded word; none for a stop word
 * @param weight returns that of a word with these lexemes
 */
export const patternsOf = (
  query: SearchQuery,
  lexemes: (word: string) => readonly string[],
  weight: (lexemes: readonly string[]) => number = () => 1,
): Patterns => {
  const parts: PatternPart[] = []
  const known = new Map<string, number>()
  const add = (part: Omit<PatternPart, 'isHighlighted'>, key: string): number => {
    const same = known.get(key)
    if (same !== undefined) return same
    known.set(key, parts.length)
    return parts.push({ ...part, isHighlighted: true }) - 1
  }
  const lexemesOf = (unit: QueryUnit) => unitLexemes(unit, lexemes)
  const patternOf = ({ units: typed, code, joined, isSigned, isQuoted }: QueryTerm): Pattern => {
    const units = typed
      .map((unit) => ({ position: unit.position, lexemes: lexemesOf(unit) }))
      .filter((unit) => unit.lexemes.length > 0)
      .map((unit) => {
        const [group, one] = [parts.length, weight(unit.lexemes)]
        const ends = { first: unit.lexemes, last: unit.lexemes, extent: 0 }
        const part = add({ ...ends, group, weight: one, rarest: one }, unit.lexemes.join(' '))
        return { ...unit, part, written: writtenForm(unit.lexemes) }
      })
    const [first, last] = [units[0], units.at(-1)]
    const weights = units.map(({ part }) => parts[part]!.weight)
    const sum = weights.reduce((total, one) => total + one, 0)
    const rarest = Math.max(0, ...weights)
    const group = units.length === 1 ? first!.part : parts.length
    let whole = first?.part ?? -1
    if (first && last && first !== last)
      whole = add(
        {
          ...{ weight: sum, rarest, group, first: first.lexemes, last: last.lexemes },
          extent: last.position - first.position,
        },
        JSON.stringify(units.map(({ position, lexemes }) => [position, lexemes])),
      )
    const codes = [
      ...(code === null ? [] : [[withoutAccents(code)]]),
      ...(joined === null ? [] : [lexemesOf(joined)]),
    ].map((of) => {
      const weights = sum > 0 ? { weight: sum, rarest } : { weight: weight(of), rarest: weight(of) }
      return { lexemes: of, part: add({ ...weights, group, extent: 0, first: of, last: of }, of.join(' ')) }
    })
    // `c++` is not `c`.
    return { units: isSigned ? [] : units, whole, codes, isQuoted }
  }
  const included = includedTerms(query)
  const terms = included.map(patternOf)
  const units = included.flatMap((term) => term.units)
  const least = HIGHLIGHTED_SHARE * Math.max(0, ...parts.map(({ rarest }) => rarest))
  for (const part of parts) part.isHighlighted = units.length <= 2 || part.rarest >= least
  return {
    ...{ parts, terms, weights: groupWeights(parts), beginning: query.beginning },
    lexemes: new Map(parts.flatMap(({ first }) => first.map((one) => [lexemeKey(one), one]))),
    characters: units.filter(({ isPrefix }) => isPrefix).map(({ text }) => text),
    hasPairs: units.some(({ kind }) => kind === 'pair'),
  }
}

const groupWeights = (parts: readonly PatternPart[]): Float64Array => {
  const weights = new Float64Array(parts.length)
  for (const { group, weight } of parts) weights[group] = Math.max(weights[group]!, weight)
  return weights
}

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
const POSITIONS_READ = 100

/** More than the parts of any query. */
const PARTS = 4_096

/**
 * @param tsvector the query's lexemes in the page; see `tsvectorEntries`
 * @param starts positions of the page's sections, and of its end
 */
export const occurrencesOf = (
  tsvector: string | null,
  starts: readonly number[],
  patterns: Patterns,
): PageOccurrences => {
  const result: PageOccurrences = { positions: [], parts: [], sections: [] }
  if (tsvector === null || patterns.parts.length > PARTS) return result
  const positions = positionsByLexeme(tsvector, patterns)
  const found: number[] = []
  for (const term of patterns.terms) addTerm(term, positions, found)
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
  const lists: (readonly number[])[] = []
  for (const { lexemes, written } of units) {
    const only = lexemes.length === 1 ? lexemes[0] : written
    const list = only === undefined ? undefined : positions.get(only)
    lists.push(list ?? lexemes.flatMap((lexeme) => positions.get(lexeme) ?? []))
  }
  const [first, ...others] = lists
  if (!first) return
  let together: readonly number[] = first
  for (const [i, list] of others.entries()) {
    if (together.length === 0) break
    const distance = units[i + 1]!.position - units[0]!.position
    const set = new Set(list)
    together = together.filter((at) => set.has(at + distance))
  }
  for (const at of together) found.push(at * PARTS + whole)
  if (found.length > before || isQuoted || others.length === 0) return
  for (let i = 0; i < lists.length; i++) for (const at of lists[i]!) found.push(at * PARTS + units[i]!.part)
}

/** The positions of the lexemes of a query, without their letters of weight and configuration. */
const positionsByLexeme = (tsvector: string, { lexemes, terms, beginning }: Patterns) => {
  const ofLonger = beginning === null ? undefined : terms[0]?.units[0]?.lexemes[0]
  const keyOfLonger = lexemeKey(beginning ?? '')
  const lexemeOf = (key: string) => lexemes.get(key) ?? (key.startsWith(keyOfLonger) ? ofLonger : undefined)
  const entries = tsvectorEntries(tsvector)
    .filter(({ key, count }) => count > 0 && lexemeOf(key) !== undefined)
    .sort((a, b) => a.count - b.count)
  const result = new Map<string, number[]>()
  let remaining = POSITIONS_READ
  for (const entry of entries) {
    const lexeme = lexemeOf(entry.key)!
    const positions = result.get(lexeme) ?? []
    result.set(lexeme, positions)
    for (let n = 0; n < entry.count && remaining > 0; n++, remaining--) {
      const position = tsvectorPosition(tsvector, entry, n)
      // Positions that PostgreSQL does not tell apart are left out.
      if (position < LAST_POSITION) positions.push(position)
    }
  }
  return result
}
