import type { Namespace } from '@lectern/wiki/locales'
import { LRUCache } from 'lru-cache'
import { columns } from '../../db/bulk.ts'
import type { Database } from '../../db/database.ts'
import { statement } from '../../db/statements.ts'
import type { StatementRows } from '../../generated/statement-rows.ts'
import { QUERY_WORD_CACHE_SIZE } from '../../limits/service.ts'
import { withoutAccents } from '../folding.ts'
import { accentlessLexemes, WEIGHTS, type Weight } from '../lexemes.ts'
import { includedTerms, type QueryTerm, type SearchQuery, unitsOf } from './parse.ts'
import type { WordWeight } from './patterns.ts'
import { PROMINENT, type SearchedConfiguration, type Tsqueries, TsqueryBuilder } from './tsquery-builder.ts'

/** Which pages a search finds. Absent or null: all. */
export interface SearchFilter {
  ns?: Namespace | null
  /** Key of a category. */
  category?: string | null
  prefix?: string | null
}

export interface SearchContext {
  database: Pick<Database, 'query'>
  query: SearchQuery
  locale: string | null
  filter: SearchFilter
  languages: readonly SearchedLanguage[]
  statistics: WordStatistics
  configurations: readonly (SearchedConfiguration & { tsqueries: Tsqueries })[]
  weights(): Promise<QueryWeights>
}

/** What the statistics say about a word of a query. */
interface WordCount {
  /** In how many of the counted pages of its language it occurs; 0 if it is not stored. */
  pages: number
  /** The counted words nearest in the alphabet, and their pages, if it can have relatives. */
  neighbours: Pick<StatementRows['search_words'], 'word' | 'pages'>[]
}

/** What was read of the statistics of words. The keys are locale and word. */
export type WordStatistics = LRUCache<string, WordCount>

/** @returns an empty cache, which is valid until the statistics change */
export const makeWordStatistics = (): WordStatistics => new LRUCache({ max: QUERY_WORD_CACHE_SIZE })

/** The words of a query, and how much they say about the pages of each language. */
export interface QueryWeights {
  words: ReadonlyMap<SearchedLanguage, readonly WeightedWord[]>
  countOf(locale: string, lexeme: string): WordCount
}

const wordsStatement = statement('search_words')

/** Words that are compared with a word, before and after it in the alphabet. */
const COMPARED = 12
/** A search in every language looks for relatives in the largest ones only. */
const LANGUAGES = 4

export const loadQueryWeights = async (context: SearchContext): Promise<QueryWeights> => {
  const { database, query, languages, statistics, configurations } = context
  const wordsOf = new Map(configurations.map((one) => [one.config, queryWords(query, one)]))
  const largest = new Set([...languages].sort((a, b) => b.pages - a.pages).slice(0, LANGUAGES))
  const lexemes = languages.flatMap((language) =>
    wordsOf.get(language.config)!.flatMap((word) =>
      word.lexemes.map((lexeme) => ({
        ...{ locale: language.locale, lexeme },
        beginning: largest.has(language) && mayHaveRelatives(word) ? beginningOf(lexeme) : null,
      })),
    ),
  )
  const countOf = await loadCounts(database, statistics, lexemes)
  const weighed = languages.map(
    (language) => [language, weighWords(wordsOf.get(language.config)!, language, countOf)] as const,
  )
  return { words: new Map(weighed), countOf }
}

/** A lexeme in a language, and how its relatives begin; null if it has none. */
interface CountedLexeme {
  locale: string
  lexeme: string
  beginning: string | null
}

/** What the statistics say about lexemes. Those that are not cached are read at once. */
const loadCounts = async (
  database: SearchContext['database'],
  cache: WordStatistics,
  lexemes: readonly CountedLexeme[],
): Promise<QueryWeights['countOf']> => {
  const counts = new Map<string, WordCount>()
  const missing = new Map<string, CountedLexeme>()
  for (const one of lexemes) {
    const key = `${one.locale} ${one.lexeme}`
    const known = cache.get(key)
    if (!known) missing.set(key, one)
    counts.set(key, known ?? { pages: 0, neighbours: [] })
  }
  if (missing.size > 0) {
    const read = [...missing]
    const values = [...columns([...missing.values()], ['locale', 'lexeme', 'beginning']), COMPARED]
    for (const { n, word, pages } of await database.query(wordsStatement, values)) {
      const [key, { lexeme }] = read[n - 1]!
      const count = counts.get(key)!
      if (word === lexeme) count.pages = pages
      else count.neighbours.push({ word, pages })
    }
    for (const [key] of read) cache.set(key, counts.get(key)!)
  }
  return (locale, lexeme) => counts.get(`${locale} ${lexeme}`)!
}

/** What relatives have in common with a word: its first letters, at least so many, and so large a part of both words. */
export const COMMON = { letters: 4, part: 0.6 } as const

/** Letters with their marks. Numbers and terms with signs have no relatives. */
export const LETTERS = /^[\p{L}\p{M}]+$/u

/** The first letters that relatives have in common with a word; null if it is too short. */
const beginningOf = (lexeme: string): string | null => {
  const letters = Array.from(lexeme)
  const length = Math.max(COMMON.letters, Math.ceil(COMMON.part * letters.length))
  return letters.length >= length && LETTERS.test(lexeme) ? letters.slice(0, length).join('') : null
}

export const mayHaveRelatives = ({ place, isPair, isAlternative }: QueryWord): boolean =>
  place !== null && !isPair && !isAlternative

/** The weights of words for passages. A word that was not weighed, such as a part of a code, weighs nothing by itself. */
export const passageWeights = ({ words: weighted }: QueryWeights): WordWeight => {
  const idfs = new Map<string, number>()
  for (const [{ locale }, words] of weighted)
    for (const { lexemes, idf } of words)
      for (const lexeme of lexemes) {
        const key = `${locale} ${lexeme}`
        idfs.set(key, Math.max(idf, idfs.get(key) ?? 0))
      }
  return (locale, lexemes) => Math.max(0, ...lexemes.map((lexeme) => idfs.get(`${locale} ${lexeme}`) ?? 0))
}

/** A language that is searched, and how many pages it has. */
export type SearchedLanguage = StatementRows['search_languages']

/** How much a word of the query says about the pages of one language. */
export type WeightedWord = ReturnType<typeof weighWords>[number]

/**
 * Weighs the words of a query for one language. The counted pages stand for all; a word that was counted in one of them
 * or in none is not stored. (D112)
 */
export const weighWords = (
  words: readonly QueryWord[],
  { locale, pages, counted }: SearchedLanguage,
  countOf: (locale: string, lexeme: string) => Pick<WordCount, 'pages'>,
) => {
  const share = counted > 0 ? pages / counted : pages
  return words.map((word) => {
    const frequency = Math.max(1, ...word.lexemes.map((lexeme) => countOf(locale, lexeme).pages))
    return {
      ...word,
      /** Its inverse document frequency, or the share of it that counts. */
      idf: word.share * inverseFrequency(frequency, counted),
      /** About how many pages of the language contain it. */
      pages: Math.min(pages, Math.max(1, frequency * share)),
    }
  })
}

/** The inverse document frequency of a word that `frequency` of the `counted` pages contain. */
export const inverseFrequency = (frequency: number, counted: number): number =>
  Math.log(1 + (Math.max(0, counted - frequency) + 0.5) / (frequency + 0.5))

/** A word of a query in one configuration, or a code such as `node.js`. */
interface QueryWord {
  /** Without the letters of weight and configuration. */
  lexemes: readonly string[]
  /** Matches pages that contain it. */
  anywhere: string
  /** Matches pages that contain it in the title, a heading or the path, or often. */
  prominent: string
  /** The part of its weight that counts. */
  share: number
  /** Whether it is the form without accents of another word: pages with that one are enough. */
  isAlternative: boolean
  /** Its place among the words of the query, with stop words; null for a code, which its words represent. */
  place: number | null
  /** Number of its term in the query. */
  term: number
  isPair: boolean
  /** How often the query contains it. */
  times: number
}

/** The words and codes of a query that are not excluded, each once. Stop words have no entry. */
const queryWords = (query: SearchQuery, configuration: SearchedConfiguration): QueryWord[] => {
  const builder = new TsqueryBuilder(configuration)
  const words = new Map<string, QueryWord>()
  const add = (
    word: Omit<QueryWord, 'anywhere' | 'prominent'>,
    operand: (weights: readonly Weight[]) => string | null,
  ) => {
    const anywhere = operand(WEIGHTS)
    if (anywhere === null) return
    const known = words.get(anywhere)
    if (known) known.times += word.times
    else words.set(anywhere, { ...word, anywhere, prominent: operand(PROMINENT)! })
  }
  let place = 0
  for (const [n, term] of includedTerms(query).entries()) {
    const { code, joined, times } = term
    const ofWhole = joined === null ? [] : builder.lexemesOf(joined)
    if (code !== null || joined !== null)
      add(
        {
          lexemes: code === null ? ofWhole : [withoutAccents(code), ...ofWhole],
          ...{ share: 1, isAlternative: false, place: null, term: n, isPair: false, times },
        },
        (weights) => builder.whole(term, weights),
      )
    for (const unit of unitsOf(term)) {
      const all = builder.lexemesOf(unit)
      const accentless = accentlessLexemes(all)
      const written = all.filter((lexeme) => !accentless.includes(lexeme))
      const word = { place: place++, term: n, isPair: unit.kind === 'pair', times }
      const share = word.isPair && term.units.length > 1 ? pairShare(term) : 1
      const addForm = (lexemes: readonly string[], share: number, isAlternative: boolean) =>
        add({ ...word, lexemes, share, isAlternative }, (weights) => builder.lexemes(lexemes, unit, weights))
      if (written.length > 0) addForm(written, share, false)
      addForm(accentless, written.length > 0 ? ACCENTLESS_SHARE : share, written.length > 0)
    }
  }
  return [...words.values()]
}

/** If a language has no stems, a word without its accents says less than as it is typed. (D112) */
const ACCENTLESS_SHARE = 0.1
/** What each of several pairs of a term counts: they overlap. A word of n pairs counts as n ^ 0.25 words. (D112) */
const pairShare = ({ isDictionaryWord, units }: QueryTerm): number =>
  isDictionaryWord ? units.length ** -0.75 : 0.6
