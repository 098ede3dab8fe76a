import type { Database } from '../../db/database.ts'
import type { StatementRows } from '../../db/statement-rows.ts'
import { statement } from '../../db/statements.ts'
import { QUERY_LIMITS } from '../../limits.ts'
import { searchKey } from '../folding.ts'
import { typoVariants } from './beginning-typos.ts'
import { titleHighlight } from './title-highlight.ts'

/**
 * Titles that are read: `titles` that begin with what was typed, if the hot set has too few of them; `similar` for each
 * beginning that differs by a typo; `patterned` for a beginning before a typo. They bound the cost of a suggestion. (D105)
 */
const READS = { titles: 1_000, similar: 20, patterned: 300 } as const

interface SuggestArguments {
  q: string
  locale: string
  first: number
}

type TitleRow = StatementRows['suggest_titles']

/** A page whose title, or the title of a redirect to it, begins with what somebody typed, perhaps with a typo. */
export interface TitleSuggestion {
  page: Omit<TitleRow, 'name'>
  /** Start and end of what was typed in the title, in UTF-16 code units; empty if the title of a redirect matches. */
  highlights: [number, number][]
}

const titles = statement('suggest_titles')
const similarTitles = statement('suggest_similar_titles')

/** Not batched, because each text has a different cost. The result looks like a loader. (D105) */
export const makeSuggestLoader = (database: Database) => ({
  load: async ({ q, locale, first }: SuggestArguments): Promise<TitleSuggestion[]> => {
    const typed = q.slice(0, QUERY_LIMITS.characters).toWellFormed()
    const key = searchKey(typed)
    if (key === '') return []
    // Several titles can stand for one page: its own, and those of redirects.
    const rows = 2 * first
    const beginning = ENDS_A_WORD.test(typed) ? `${key} ` : key
    const matching = await database.query(titles, [locale, key, beginning, rows, READS.titles])
    const suggestions = new Map<string, TitleSuggestion>()
    addSuggestions(suggestions, matching, key)
    if (suggestions.size < Math.min(first, SIMILAR_BELOW)) {
      const { beginnings, patterns } = typoVariants(beginning)
      if (beginnings.length > 0) {
        const { similar, patterned } = READS
        const values = [locale, beginnings, patterns, rows, similar, patterned]
        addSuggestions(suggestions, await database.query(similarTitles, values), key)
      }
    }
    return [...suggestions.values()].slice(0, first)
  },
})

/** With so many suggestions or more, somebody who made a typo would not look at those that follow. */
const SIMILAR_BELOW = 5

/** After such a character, the next letter begins another word. */
const ENDS_A_WORD = /[^\p{L}\p{N}\p{M}+#]$/u

const addSuggestions = (
  suggestions: Map<string, TitleSuggestion>,
  rows: readonly TitleRow[],
  key: string,
): void => {
  for (const { name, ...page } of rows) {
    if (suggestions.has(page.id)) continue
    // A page that is found by a redirect shows its own title.
    const highlight = name === page.title ? titleHighlight(name, key) : undefined
    suggestions.set(page.id, { page, highlights: highlight ? [highlight] : [] })
  }
}
