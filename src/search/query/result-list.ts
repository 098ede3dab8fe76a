import type { StatementRows } from '../../db/statement-rows.ts'
import { SEARCH_CANDIDATES } from '../../limits.ts'
import { type SearchQuery, unitsOf } from './parse.ts'
import type { TailPage } from './tail.ts'

/** A page that contains all words of the query, or has a similar title. */
export type MatchRow = StatementRows['search_matches']

/** A page in the list of all results. */
interface ListedPage {
  id: string
  /** From 0 to 1, falling in the order of the list. */
  score: number
  isTypo: boolean
}

/**
 * Whether pages with some of the words are listed: `none`; `merged`, ranked together with the pages that contain all words
 * anywhere; `appended`, after these; `alone`, if no page contains all words.
 */
type Tail = 'none' | 'merged' | 'appended' | 'alone'

/** Tiers of `guest.search_matches`. */
const TIERS = { exact: 0, anywhere: 7, typo: 8 } as const
/** The tiers that come before all others for every query. */
const isUpperTier = ({ tier }: MatchRow): boolean => tier <= 5

/**
 * A query of phrases alone asks for these. With other words or with `or`, it may be a question that no page answers in all
 * its words. Words that must follow each other, as in Chinese or in `node.js`, do so in the first results. (D112)
 */
export const tailOf = ({ groups }: SearchQuery): Tail => {
  const terms = groups.flat().filter(({ isExcluded }) => !isExcluded)
  const words = new Set(terms.flatMap((term) => unitsOf(term).map(({ text }) => text)))
  if (words.size < 2 || terms.every(({ isQuoted }) => isQuoted)) return 'none'
  if (groups.length > 1 || terms.some(({ isQuoted }) => isQuoted)) return 'alone'
  return terms.some(({ units, isSigned }) => units.length > 1 && !isSigned) ? 'appended' : 'merged'
}

/**
 * The beginning of the list of all results. It does not depend on the part that is shown, so that parts neither overlap
 * nor leave a gap.
 * @param matches best first
 * @param wanted how many results are needed
 * @param loadTail loads pages with some of the words
 */
export const listResults = async (
  matches: readonly MatchRow[],
  tail: Tail,
  wanted: number,
  loadTail: (without: string[], pool: string[]) => Promise<TailPage[]>,
): Promise<ListedPage[]> => {
  const isExact = matches.some(({ tier }) => tier === TIERS.exact)
  const isMerged = tail === 'merged' && !isExact
  const before = isMerged ? [...matches.filter(isUpperTier), ...matches.filter(isTypo)] : matches
  const listed = before.map(listedMatch)
  if (listed.length >= wanted || isExact || tail === 'none' || (tail === 'alone' && listed.length > 0))
    return listed
  const anywhere = isMerged ? matches.filter(({ tier }) => tier === TIERS.anywhere) : []
  const pool = anywhere.slice(0, SEARCH_CANDIDATES.ranked).map(({ id }) => id)
  const pages = await loadTail(
    before.map(({ id }) => id),
    pool,
  )
  const ranked = new Set(pages.map(({ id }) => id))
  return [
    ...listed,
    ...pages.map(({ id, score }) => ({ id, score: rounded(TAIL_SCORE * score), isTypo: false })),
    ...anywhere.filter(({ id }) => !ranked.has(id)).map(({ id }) => ({ id, score: 0, isTypo: false })),
  ]
}

const isTypo = ({ tier }: MatchRow): boolean => tier === TIERS.typo

/** The best score of a page of the tail; matches that are not ranked have it, too. */
const TAIL_SCORE = 0.4

/** The statement's classes are 10 for a title as typed, 9 to 4 for other tiers, and 0 if the match is not ranked. */
const listedMatch = (match: MatchRow): ListedPage => ({
  id: match.id,
  score: match.tier === TIERS.exact ? 1 : rounded(Math.max(TAIL_SCORE, (match.class + match.rank) / 10)),
  isTypo: isTypo(match),
})

const rounded = (score: number): number => Math.round(score * 10_000) / 10_000
