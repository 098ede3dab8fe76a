import type pg from 'pg'
import { inBatches } from '../../db/batches.ts'
import { binaryTextArray } from '../../db/text-array.ts'
import { SEARCH_HOT_SET, TRANSFER_BATCH } from '../../limits.ts'
import { nfc } from '../../wiki/text.ts'
import { searchKey } from '../folding.ts'
import { configurationTag } from '../lexemes.ts'
import { loadStems } from '../stems.ts'
import { linkedPages } from './page-links.ts'
import { indexWords, toTsvector } from './page-words.ts'
import { type Section, sectionsOf } from './sections.ts'

/** A statement by name, run within the writer's transaction. */
export type RunStatement = <Row extends pg.QueryResultRow>(
  name: string,
  values: unknown[],
) => Promise<pg.QueryResult<Row>>

/**
 * Counts up when words are made otherwise than before: pages indexed by another form are indexed anew by
 * `lectern reindex`, and by `lectern migrate`.
 */
export const INDEX_VERSION = 1

/** Characters of a page's text that are indexed; of one with very many different words, fewer. */
const INDEXED_CHARACTERS = 400_000
/** PostgreSQL's tsvector holds a megabyte of words at most; what more would be is this error. */
const PROGRAM_LIMIT_EXCEEDED = '54000'

/** Stand between sections, and between heading and text, of a stored text; no text holds them. */
const SECTION_END = '\u0001'
export const HEADING_END = '\u0002'

interface PageToIndex {
  id: string
  /** Of what is indexed of its text. */
  bytes: number
  locale: string
  config: string
  path: string
  title: string
  markdown: string
  edits: number
}

/**
 * Writes anew what search knows of the given pages. Pages that are not live are passed over.
 * @param most pages, and bytes of their texts, that are in memory at a time
 */
export const indexPages = async (
  run: RunStatement,
  pageIds: string[],
  most: { pages: number; bytes: number } = TRANSFER_BATCH,
): Promise<void> => {
  const { rows } = await run<{ id: string; bytes: number }>('sizes_to_index', [pageIds, INDEXED_CHARACTERS])
  for (const part of inBatches(rows, most)) {
    await indexBatch(
      run,
      part.map(({ id }) => id),
    )
  }
}

const indexBatch = async (run: RunStatement, pageIds: string[]): Promise<void> => {
  const pages = (await run<PageToIndex>('pages_to_index', [pageIds, INDEXED_CHARACTERS])).rows
  if (pages.length === 0) return
  await indexWithin(run, pages, INDEXED_CHARACTERS)
  await run('index_top', [pages.map(({ id }) => id)])
  await indexLinks(run, pages)
}

/**
 * Ends what indexed pages: puts their words in their places, and sees to how many pages are the first of all.
 * @param bounds numbers of pages
 */
export const flushIndex = async (
  run: RunStatement,
  bounds: Record<keyof typeof SEARCH_HOT_SET, number> = SEARCH_HOT_SET,
): Promise<void> => {
  const counted = Math.max(bounds.from, bounds.most) + 1
  const [sizes] = (await run<{ pages: number; top: number; cut: boolean }>('search_sizes', [counted])).rows
  const { pages, top, cut } = sizes!
  if (pages <= bounds.from) {
    if (cut) await run('forget_top', [])
  } else if (top < bounds.least || top > bounds.most) {
    await run('choose_cut', [bounds.pages])
    await run('fill_top', [])
  }
  await run('settle_index', [])
}

/** Where the words of a page are too many, each page is tried alone, and that one with half of its text. */
const indexWithin = async (run: RunStatement, pages: PageToIndex[], characters: number): Promise<void> => {
  await run('begin_index', [])
  try {
    await write(run, pages, characters)
    await run('end_index', [])
  } catch (error) {
    if ((error as { code?: string }).code !== PROGRAM_LIMIT_EXCEEDED) throw error
    await run('undo_index', [])
    const [page, ...others] = pages
    if (others.length === 0) return indexWithin(run, [page!], Math.floor(characters / 2))
    for (const one of pages) await indexWithin(run, [one], characters)
  }
}

/** Pages whose words are made while PostgreSQL stores those before them: words take many times a text's memory. */
const PARSED_AHEAD = { pages: 50, bytes: 512 * 1024 }

const write = async (run: RunStatement, pages: PageToIndex[], characters: number): Promise<void> => {
  let stored: Promise<unknown> = Promise.resolve()
  const store = (values: unknown[]) => {
    stored = run('index_pages', values)
    stored.catch(() => {}) // the next to await it is told
  }
  for (const part of inBatches(pages, PARSED_AHEAD)) {
    const read = part.map((page) => readToIndex(page, characters))
    await stored
    const lexemes = await loadStems(
      async (values) => (await run<StemRow>('stems', values)).rows,
      stemmedWords(read),
    )
    store([
      part.map(({ id }) => id),
      part.map(({ title }) => searchKey(title)),
      part.map(({ path }) => searchKey(path)),
      part.map(({ edits }) => Math.log1p(edits)),
      binaryTextArray(
        read.map((page) =>
          toTsvector(page, configurationTag(page.config), (word) => lexemes(page.config, word)),
        ),
      ),
      read.map(({ starts }) => `{${starts.join()}}`),
      binaryTextArray(read.map(({ sections }) => sections.map(storedSection).join(SECTION_END))),
      INDEX_VERSION,
    ])
  }
  await stored
}

const readToIndex = ({ title, path, markdown, config }: PageToIndex, characters: number) => {
  const sections = sectionsOf(markdown.slice(0, characters)).map(inNfc)
  return { config, sections, ...indexWords({ title, path, sections }) }
}

const stemmedWords = (pages: ReturnType<typeof readToIndex>[]): Map<string, Set<string>> => {
  const asked = new Map<string, Set<string>>()
  for (const { config, words } of pages) {
    const found = asked.get(config) ?? new Set()
    for (const [word, { stemmed }] of words) if (stemmed) found.add(word)
    asked.set(config, found)
  }
  return asked
}

const indexLinks = async (run: RunStatement, pages: PageToIndex[]): Promise<void> => {
  const { rows } = await run<{ locale: string }>('index_locales', [])
  const locales = new Set(rows.map(({ locale }) => locale))
  const links = pages.flatMap((page) =>
    linkedPages(page.markdown.slice(0, INDEXED_CHARACTERS), page, locales).map((link) => ({
      id: page.id,
      ...link,
    })),
  )
  await run('forget_links', [pages.map(({ id }) => id)])
  if (links.length === 0) return
  await run('index_links', [
    links.map(({ id }) => id),
    links.map(({ key }) => key),
    links.map(({ locale }) => locale),
    links.map(({ path }) => path),
  ])
}

interface StemRow {
  n: number
  stems: string[] | null
}

const inNfc = ({ heading, text }: Section): Section => ({
  heading: nfc(heading),
  text: nfc(text),
})

const storedSection = ({ heading, text }: Section): string =>
  [heading, text].map((part) => part.replace(/[\u0001\u0002]/g, ' ')).join(HEADING_END)
