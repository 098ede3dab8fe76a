import type { StatementRows } from '../../db/statement-rows.ts'

/** A page of a result, as the search statements return it. */
export type FoundPageRow = Omit<StatementRows['search_hits'], 'beginning'>

/** An excerpt of a page. */
export interface HitPassage {
  heading: string
  text: string
  /** Start and end of each match in `text`, in UTF-16 code units. */
  highlights: [number, number][]
}

/** A page that matches a search. */
export interface SearchHit<Page> {
  page: Page
  /** From 0 to 1, falling in the order of the hits. */
  score: number
  passages: HitPassage[]
}

/** One part of the results of a search. */
export interface SearchResult<Page> {
  hits: SearchHit<Page>[]
  /** Whether there is a next part. */
  hasMore: boolean
  /** The query without its typo, if a hit was found despite one. */
  didYouMean: string | null
}
