import type { StatementRows } from '../../db/statement-rows.ts'
import { statement } from '../../db/statements.ts'
import type { FoundPageRow } from './hit.ts'
import { COMPARED_LENGTH, type LetterSequences, letterSequences, spellingScores } from './letter-sequences.ts'
import { type ListedPage, listedTailPage, listResults, type Tail } from './result-list.ts'
import { arrayLiteral, type SearchContext, type TailPage } from './tail.ts'
import type { Tsqueries } from './tsquery-builder.ts'

/** How many pages of the tail are compared with the spelling of the query: the first ones. More find little more. (D127) */
const COMPARED = 20

const hitsStatement = statement('search_hits')

type LoadedPage = StatementRows['search_hits']

/** A part of the list of all results. */
export interface ShownPart {
  shown: ListedPage[]
  pages: FoundPageRow[]
  /** Whether there are results after it. */
  hasMore: boolean
}

/**
 * Loads a part of the list of results that has a tail. The first pages of the tail are sorted again, by their words and the
 * sequences of letters that they have in common with the query. If the part shows any of them, it needs the texts of all.
 * @param tsqueries of each configuration
 * @param part places of the results that are shown
 */
export const loadShownPart = async (
  context: SearchContext,
  tsqueries: readonly Tsqueries[],
  { matches, tail, ranked }: { matches: string | null; tail: Tail; ranked: readonly TailPage[] },
  part: { offset: number; end: number },
): Promise<ShownPart> => {
  const { query, configurations } = context
  const shownOf = (list: ListedPage[]) => list.slice(part.offset, part.end)
  const listed = listResults(matches, tail, ranked)
  const sequences = letterSequences(query, (word) =>
    configurations.every(({ lexemes }) => lexemes(word).length === 0),
  )
  const compared = ranked.slice(0, COMPARED)
  const place = listed.findIndex(({ id }) => id === compared[0]?.id)
  const isSortedAgain =
    compared.length > 1 && sequences.size > 0 && place < part.end && place + compared.length > part.offset
  const ids = [...shownOf(listed), ...(isSortedAgain ? compared : [])].map(({ id }) => id)
  const rows = await loadPages(context, tsqueries, [...new Set(ids)])
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
  pages: ReadonlyMap<string, LoadedPage>,
  sequences: LetterSequences,
): TailPage[] => {
  const scores = spellingScores(
    sequences,
    compared.map(({ id }) => textOf(pages.get(id))),
  )
  return compared
    .map((page, i) => ({ ...page, score: page.score + scores[i]! / page.highest }))
    .sort((a, b) => b.score - a.score)
}

const textOf = (page: LoadedPage | undefined): string =>
  page === undefined ? '' : `${page.title}\n${(page.body ?? page.beginning ?? '').slice(0, COMPARED_LENGTH)}`

const loadPages = async (
  { database, configurations }: SearchContext,
  tsqueries: readonly Tsqueries[],
  ids: readonly string[],
): Promise<LoadedPage[]> =>
  ids.length === 0
    ? []
    : database.query(hitsStatement, [
        ids,
        configurations.map(({ config }) => config),
        tsqueries.map(({ lexemes }) => arrayLiteral(lexemes)),
        COMPARED_LENGTH,
      ])
