import { type SearchQuery, unitsOf } from './parse.ts'
import type { TailPage } from './tail.ts'

/** A page that contains all words of the query, or has a similar title. */
interface SearchMatch {
  id: string
  /** Of `guest.search_matches`. */
  tier: number
  /** 10 for a title as typed, 9 to 4 for other tiers, and 0 if the match is not ranked. */
  class: number
  /** Within its class, from 0 to 1. */
  rank: number
}

/** A page in the list of all results. */
export interface ListedPage {
  id: string
  /** From 0 to 1, falling in the order of the list. */
  score: number
  isTypo: boolean
}

/**
 * Whether pages with some of the words are listed: `none`; `merged`, ranked together with the pages that contain all words
 * anywhere; `appended`, after these; `alone`, if no page contains all words.
 */
export type Tail = 'none' | 'merged' | 'appended' | 'alone'

/** Tiers of `guest.search_matches`. */
const TIERS = { exact: 0, anywhere: 7, typo: 8 } as const
/** The tiers that come before all others for every query. */
const isUpperTier = ({ tier }: SearchMatch): boolean => tier <= 5

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
 * @param matches best first, in lines of the statement `search_matches`
 * @param tailPages pages with some of the words, best first; null if they are not listed: then the matches are the part that
 * is shown
 */
export const listResults = (
  matches: string | null,
  tail: Tail,
  tailPages: readonly TailPage[] | null,
): ListedPage[] => {
  const all = matchesIn(matches ?? '')
  if (tailPages === null) return all.map(listedMatch)
  const isMerged = tail === 'merged'
  const before = isMerged ? [...all.filter(isUpperTier), ...all.filter(isTypo)] : all
  const listed = before.map(listedMatch)
  const ranked = new Set(tailPages.map(({ id }) => id))
  const anywhere = isMerged ? all.filter(({ tier, id }) => tier === TIERS.anywhere && !ranked.has(id)) : []
  return [
    ...listed,
    ...tailPages.map(listedTailPage),
    ...anywhere.map(({ id }) => ({ id, score: 0, isTypo: false })),
  ]
}

const matchesIn = (matches: string): SearchMatch[] =>
  matches === ''
    ? []
    : matches.split('\u0001').map((line) => {
        const [id, tier, matchClass, rank] = line.split(' ') as [string, string, string, string]
        return { id, tier: Number(tier), class: Number(matchClass), rank: Number(rank) }
      })

const isTypo = ({ tier }: SearchMatch): boolean => tier === TIERS.typo

/** The best score of a page of the tail; matches that are not ranked have it, too. */
const TAIL_SCORE = 0.4

const listedMatch = (match: SearchMatch): ListedPage => ({
  id: match.id,
  score: match.tier === TIERS.exact ? 1 : rounded(Math.max(TAIL_SCORE, (match.class + match.rank) / 10)),
  isTypo: isTypo(match),
})

/** A page of the tail in the list. */
export const listedTailPage = ({ id, score }: TailPage): ListedPage => ({
  id,
  score: rounded(TAIL_SCORE * Math.min(1, score)),
  isTypo: false,
})

const rounded = (score: number): number => Math.round(score * 10_000) / 10_000
