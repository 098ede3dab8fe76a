import { statement } from '../../db/statements.ts'
import type { StatementRows } from '../../generated/statement-rows.ts'
import { COMPARED_LENGTH, letterSequences, spellingScores } from './letter-sequences.ts'
import { includedTerms, type SearchQuery, unitsOf } from './parse.ts'
import type { SearchContext } from './query-weights.ts'
import type { TailPage } from './tail.ts'

/** A page of a result, as the search statements return it. */
export type FoundPageRow = StatementRows['search_hits']

export interface HitPassage {
  heading: string
  text: string
  /** Start and end of each match in `text`, in UTF-16 code units. */
  highlights: [number, number][]
}

export interface SearchHit<Page> {
  page: Page
  /** From 0 to 1, falling in the order of the hits. */
  score: number
  passages: HitPassage[]
}

export interface SearchResult<Page> {
  hits: SearchHit<Page>[]
  hasMore: boolean
  /** The query without its typo, if it seems to have one. */
  didYouMean: string | null
}

/**
 * A page that contains all words of the query, or has a similar title, as the statement `search_matches` returns it: its
 * tier of `guest.search_matches`; 10 for a title as typed, 9 to 3 for other tiers, and 0 if the match is not ranked; and
 * its rank within this class, from 0 to 1.
 */
export type MatchCells = [id: string, tier: number, matchClass: number, rank: number]

type ListedPage = ReturnType<typeof listedMatch>

/**
 * Whether pages with some of the words are listed: `none`; `merged`, ranked together with the pages that contain all words
 * anywhere; `appended`, after these; `alone`, if no page contains all words.
 */
export type Tail = 'none' | 'merged' | 'appended' | 'alone'

const TIERS = { exact: 0, anywhere: 7, typo: 8 } as const
/** The tiers that come before all others for every query. */
const isUpperTier = ([, tier]: MatchCells): boolean => tier <= 5

/**
 * A query of phrases alone asks for these. With other words or with `or`, it may be a question that no page answers in all
 * its words. Words that must follow each other, as in Chinese or in `node.js`, do so in the first results. (D112)
 */
export const tailOf = (query: SearchQuery): Tail => {
  const terms = includedTerms(query)
  const words = new Set(terms.flatMap((term) => unitsOf(term).map(({ text }) => text)))
  if (words.size < 2 || terms.every(({ isQuoted }) => isQuoted)) return 'none'
  if (query.groups.length > 1 || terms.some(({ isQuoted }) => isQuoted)) return 'alone'
  return terms.some(({ units, isSigned }) => units.length > 1 && !isSigned) ? 'appended' : 'merged'
}

/**
 * The beginning of the list of all results. It does not depend on the part that is shown, so that parts neither overlap
 * nor leave a gap.
 * @param matches best first
 * @param tailPages pages with some of the words, best first
 */
const listResults = (
  matches: readonly MatchCells[],
  tail: Tail,
  tailPages: readonly TailPage[],
): ListedPage[] => {
  const isMerged = tail === 'merged'
  const before = isMerged ? [...matches.filter(isUpperTier), ...matches.filter(isTypo)] : matches
  const ranked = new Set(tailPages.map(({ id }) => id))
  const anywhere = isMerged ? matches.filter(([id, tier]) => tier === TIERS.anywhere && !ranked.has(id)) : []
  return [
    ...before.map(listedMatch),
    ...tailPages.map(listedTailPage),
    ...anywhere.map(([id]) => ({ id, score: 0, isTypo: false })),
  ]
}

const isTypo = ([, tier]: MatchCells): boolean => tier === TIERS.typo

/** The best score of a page of the tail; matches that are not ranked have it, too. */
const TAIL_SCORE = 0.4

/** Its score is from 0 to 1, falling in the order of the list. */
export const listedMatch = (match: MatchCells) => {
  const [id, tier, matchClass, rank] = match
  const score = tier === TIERS.exact ? 1 : rounded(Math.max(TAIL_SCORE, (matchClass + rank) / 10))
  return { id, score, isTypo: isTypo(match) }
}

const listedTailPage = ({ id, score }: TailPage): ListedPage => ({
  id,
  score: rounded(TAIL_SCORE * Math.min(1, score)),
  isTypo: false,
})

const rounded = (score: number): number => Math.round(score * 10_000) / 10_000

/** How many pages of the tail are compared with the spelling of the query: the first ones. More find little more. (D112) */
const COMPARED = 20

const hitsStatement = statement('search_hits')

/** Places of the results that are shown: from `offset` to before `end`. */
export interface Part {
  offset: number
  end: number
}

/**
 * Loads a part of the list of results that has a tail. The first pages of the tail are sorted again, by their words and the
 * sequences of letters that they have in common with the query. If the part shows any of them, it needs the texts of all.
 */
export const loadShownPart = async (
  context: SearchContext,
  { matches, tail, ranked }: { matches: readonly MatchCells[]; tail: Tail; ranked: readonly TailPage[] },
  part: Part,
) => {
  const shownOf = (list: ListedPage[]) => list.slice(part.offset, part.end)
  const listed = listResults(matches, tail, ranked)
  const areJoined = context.configurations.some(({ config }) => config !== 'simple')
  const sequences = letterSequences(context.query, areJoined)
  const compared = ranked.slice(0, COMPARED)
  const place = listed.findIndex(({ id }) => id === compared[0]?.id)
  const isSortedAgain =
    compared.length > 1 && sequences.size > 0 && place < part.end && place + compared.length > part.offset
  const ids = [...shownOf(listed), ...(isSortedAgain ? compared : [])].map(({ id }) => id)
  const rows = await loadPages(context, [...new Set(ids)], ranked)
  const pages = new Map(rows.map((page) => [page.id, page]))
  // The pages of the tail follow each other in the list.
  if (isSortedAgain)
    listed.splice(place, compared.length, ...sortAgain(compared, pages, sequences).map(listedTailPage))
  const shown = shownOf(listed)
  // A page may be gone since the last statement.
  const existing = shown.filter(({ id }) => pages.has(id))
  return {
    shown: existing,
    pages: existing.map(({ id }) => pages.get(id)!),
    hasMore: listed.length > part.end,
  }
}

const sortAgain = (
  compared: readonly TailPage[],
  pages: ReadonlyMap<string, FoundPageRow>,
  sequences: Map<string, number>,
): TailPage[] => {
  const texts = compared.map(({ id }) => {
    const page = pages.get(id)
    return page === undefined ? '' : `${page.title}\n${page.body.slice(0, COMPARED_LENGTH)}`
  })
  const scores = spellingScores(sequences, texts)
  return compared
    .map((page, i) => ({ ...page, score: page.score + scores[i]! / page.highest }))
    .sort((a, b) => b.score - a.score)
}

/** @param ranked pages whose positions are known */
const loadPages = async (
  { database, configurations }: SearchContext,
  ids: readonly string[],
  ranked: readonly TailPage[],
): Promise<FoundPageRow[]> => {
  if (ids.length === 0) return []
  const known = new Map(ranked.map(({ id, positions }) => [id, positions]))
  const rows = await database.query(hitsStatement, [
    ids,
    JSON.stringify(configurations.map(({ config, tsqueries }) => ({ config, lexemes: tsqueries.lexemes }))),
    [...known.keys()],
  ])
  return rows.map((row) => ({ ...row, positions: known.get(row.id) ?? row.positions }))
}
