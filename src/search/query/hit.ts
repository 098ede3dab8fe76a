import type { StatementRows } from '../../db/statement-rows.ts'

/** A page as the search statements return it. */
export type MatchRow = StatementRows['search_full_matches']

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
  score: number
  passages: HitPassage[]
}
