import { PASSAGES } from '../limits.ts'
import { readQuery } from '../wiki/search-text.ts'
import type { Database } from './database.ts'
import { candidateWords, lexemePrefixes, passageOf, type Section } from './passages.ts'
import type { PageRow, PassageRow, SearchHitRow } from './rows.ts'
import { statement } from './statements.ts'

export interface SearchKey {
  q: string
  /** absent or null: every language */
  locale?: string | null
  first: number
  offset: number
}

type HitRow = PageRow & { score: number; config: string; anyWord: string; sections: Section[] }

const searchHits = statement('search_hits')
const matchingWords = statement('matching_words')

/**
 * Searches are not batched: each has its own plan and cost. The shape is a loader's all the same, so that a
 * resolver need not know.
 */
export const searchLoader = (database: Database) => ({
  load: async ({ q, locale, first, offset }: SearchKey): Promise<SearchHitRow[]> => {
    const { websearch, title, literals } = readQuery(q)
    if (websearch === '') return []
    const hits = await database.query<HitRow>(searchHits, [
      locale ?? null,
      websearch,
      title,
      first,
      offset,
      PASSAGES.max,
    ])
    const matches = await wordMatcher(database, hits)
    return hits.map((hit) => ({
      page: hit,
      score: hit.score,
      passages: telling(
        hit.sections.map((section) => passageOf(section, (word) => matches(hit, word), literals)),
      ),
    }))
  },
})

/** Those that show a match; when it is in the title alone, the page's beginning. */
const telling = (passages: PassageRow[]): PassageRow[] => {
  const matching = passages.filter(({ highlights }) => highlights.length > 0)
  return matching.length > 0 ? matching : passages.slice(0, 1)
}

/**
 * Which words of the hits' sections match: PostgreSQL says so, by the stemming of each hit's own language,
 * for the few words that could.
 */
const wordMatcher = async (
  database: Database,
  hits: HitRow[],
): Promise<(hit: HitRow, word: string) => boolean> => {
  const asked = new Map<string, { config: string; word: string; anyWord: string }>()
  for (const { config, anyWord, sections } of hits) {
    for (const word of candidateWords(sections, lexemePrefixes(anyWord))) {
      asked.set(`${config} ${word}`, { config, word, anyWord })
    }
  }
  const list = [...asked]
  if (list.length === 0) return () => false
  const rows = await database.query<{ n: number }>(matchingWords, [
    list.map(([, { config }]) => config),
    list.map(([, { word }]) => word),
    list.map(([, { anyWord }]) => anyWord),
  ])
  const matching = new Set(rows.map((row) => list[row.n - 1]![0]))
  return (hit, word) => matching.has(`${hit.config} ${word}`)
}
