/** What the search statements answer of a page, besides the columns that every page has. */
export interface HitPage {
  id: string
  score: number
  /** PostgreSQL's text search configuration of the page's language. */
  config: string
  /** Positions of the first words of its sections. */
  starts: number[]
  /** The query's lexemes and their positions, as the text of a tsvector; null where none is known. */
  places: string | null
}

/** An excerpt of a page. */
export interface HitPassage {
  heading: string
  text: string
  /** Where matches begin and end in `text`, UTF-16 code units. */
  highlights: [number, number][]
}

/** A page that a search found. */
export interface SearchHit<Page> {
  page: Page
  score: number
  passages: HitPassage[]
}
