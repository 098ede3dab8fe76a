import type pg from 'pg'
import { fold, indexText } from '../wiki/search-text.ts'
import { sectionsOf } from '../wiki/sections.ts'

/** A statement by name, run within the writer's transaction. */
type Run = <Row extends pg.QueryResultRow>(name: string, values: unknown[]) => Promise<pg.QueryResult<Row>>

/** Characters of a page's text that are indexed; of one with very many different words, fewer. */
const INDEXED_CHARACTERS = 400_000
/** PostgreSQL's tsvector holds a megabyte of words at most; what more would be is this error. */
const TOO_LONG = '54000'

interface PageToIndex {
  id: string
  locale: string
  title: string
  markdown: string
  edits: number
}

/** Writes anew what search knows of the given pages. Pages that are not live are passed over. */
export const indexPages = async (run: Run, pageIds: string[]): Promise<void> => {
  const pages = (await run<PageToIndex>('pages_to_index', [pageIds])).rows
  if (pages.length > 0) await indexWithin(run, pages, INDEXED_CHARACTERS)
}

/** Where the words of a page are too many, each page is tried alone, and that one with half of its text. */
const indexWithin = async (run: Run, pages: PageToIndex[], characters: number): Promise<void> => {
  await run('begin_index', [])
  try {
    await write(run, pages, characters)
    await run('end_index', [])
  } catch (error) {
    if ((error as { code?: string }).code !== TOO_LONG) throw error
    await run('undo_index', [])
    const [page, ...others] = pages
    if (others.length === 0) return indexWithin(run, [page!], Math.floor(characters / 2))
    for (const one of pages) await indexWithin(run, [one], characters)
  }
}

const write = async (run: Run, pages: PageToIndex[], characters: number): Promise<void> => {
  const ids = pages.map(({ id }) => id)
  const sections = pages.map(({ markdown }) => sectionsOf(markdown.slice(0, characters)))
  await run('index_pages', [
    ids,
    pages.map(({ title }) => fold(title)),
    pages.map(({ title }) => indexText(title)),
    sections.map((found) => indexText(found.map(({ heading }) => heading).join('\n'))),
    sections.map((found) => indexText(found.map(({ text }) => text).join('\n'))),
    pages.map(({ edits }) => Math.log1p(edits)),
  ])
  const rows = sections.flatMap((found, i) =>
    found.map(({ heading, text }, position) => ({ id: ids[i]!, position, heading, text })),
  )
  await run('forget_sections', [ids])
  await run('index_sections', [
    rows.map(({ id }) => id),
    rows.map(({ position }) => position),
    rows.map(({ heading }) => heading),
    rows.map(({ text }) => text),
    rows.map(({ heading, text }) => indexText(`${heading}\n${text}`)),
  ])
}
