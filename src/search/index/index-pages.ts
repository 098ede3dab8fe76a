import { inBatches } from '../../db/batches.ts'
import type { StatementRows } from '../../db/statement-rows.ts'
import type { RunStatement } from '../../db/statements.ts'
import { binaryTextArray } from '../../db/text-array.ts'
import { SEARCH_HOT_SET, TRANSFER_BATCH } from '../../limits.ts'
import { nfc } from '../../wiki/text.ts'
import { searchKey } from '../folding.ts'
import { configurationTag } from '../lexemes.ts'
import { loadStems } from '../stems.ts'
import { linkedPages } from './page-links.ts'
import { indexWords, toTsvector } from './page-words.ts'
import { type Section, sectionsOf } from './sections.ts'

/**
 * Increase it when the words of a page change: `lectern migrate` and `lectern reindex` index pages again that have
 * another version.
 */
export const INDEX_VERSION = 1

/** Characters of a page's text that are indexed; fewer where it has too many different words. */
const INDEXED_CHARACTERS = 400_000
/** The error for more than a megabyte of words, the most that PostgreSQL's tsvector holds. */
const PROGRAM_LIMIT_EXCEEDED = '54000'

/** Separators of sections, and of heading and text, in a stored text. No text contains them. */
const SECTION_END = '\u0001'
export const HEADING_END = '\u0002'

type PageToIndex = StatementRows['pages_to_index']

/**
 * Indexes the given pages for search. Pages that are not live are skipped.
 * @param most pages, and bytes of their texts, that are in memory at a time
 */
export const indexPages = async (
  run: RunStatement,
  pageIds: string[],
  most: { pages: number; bytes: number } = TRANSFER_BATCH,
): Promise<void> => {
  const { rows } = await run('sizes_to_index', [pageIds, INDEXED_CHARACTERS])
  for (const batch of inBatches(rows, most)) {
    await indexBatch(
      run,
      batch.map(({ id }) => id),
    )
  }
}

const indexBatch = async (run: RunStatement, pageIds: string[]): Promise<void> => {
  const pages = (await run('pages_to_index', [pageIds, INDEXED_CHARACTERS])).rows
  if (pages.length === 0) return
  await indexWithin(run, pages, INDEXED_CHARACTERS)
  await run('update_hot_set', [pages.map(({ id }) => id)])
  await indexLinks(run, pages)
}

/**
 * Call it after indexing pages: moves new words into the index, and keeps the size of the hot set within bounds.
 * @param bounds numbers of pages
 */
export const flushIndex = async (
  run: RunStatement,
  bounds: Record<keyof typeof SEARCH_HOT_SET, number> = SEARCH_HOT_SET,
): Promise<void> => {
  const limit = Math.max(bounds.from, bounds.most) + 1
  const { pages, hotSet, hasThreshold } = (await run('hot_set_sizes', [limit])).rows[0]!
  if (pages <= bounds.from) {
    if (hasThreshold) await run('delete_hot_set', [])
  } else if (hotSet < bounds.least || hotSet > bounds.most) {
    await run('set_hot_set_threshold', [bounds.pages])
    await run('fill_hot_set', [])
  }
  await run('flush_index', [])
}

/** If a page has too many words for a tsvector, indexes each page alone, and that page with half of its text. (D31) */
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
    for (const single of pages) await indexWithin(run, [single], characters)
  }
}

/** Pages that are parsed while PostgreSQL stores those before them: words take many times the memory of a text. */
const PARSED_AHEAD = { pages: 50, bytes: 512 * 1024 }

const write = async (run: RunStatement, pages: PageToIndex[], characters: number): Promise<void> => {
  let stored: Promise<unknown> = Promise.resolve()
  const store = (values: unknown[]) => {
    stored = run('index_pages', values)
    stored.catch(() => {}) // the next await reports it
  }
  for (const batch of inBatches(pages, PARSED_AHEAD)) {
    const parsed = batch.map((page) => parsePage(page, characters))
    await stored
    const lexemes = await loadStems(async (values) => (await run('stems', values)).rows, stemmedWords(parsed))
    store([
      batch.map(({ id }) => id),
      batch.map(({ title }) => searchKey(title)),
      batch.map(({ path }) => searchKey(path)),
      batch.map(({ revisions }) => Math.log1p(revisions)),
      binaryTextArray(
        parsed.map((page) =>
          toTsvector(page, configurationTag(page.config), (word) => lexemes(page.config, word)),
        ),
      ),
      parsed.map(({ starts }) => `{${starts.join()}}`),
      binaryTextArray(parsed.map(({ sections }) => sections.map(storedSection).join(SECTION_END))),
      INDEX_VERSION,
    ])
  }
  await stored
}

const parsePage = ({ title, path, markdown, config }: PageToIndex, characters: number) => {
  const sections = sectionsOf(markdown.slice(0, characters)).map(inNfc)
  return { config, sections, ...indexWords({ title, path, sections }) }
}

const stemmedWords = (pages: ReturnType<typeof parsePage>[]): Map<string, Set<string>> => {
  const wordsOf = new Map<string, Set<string>>()
  for (const { config, words } of pages) {
    const found = wordsOf.get(config) ?? new Set()
    for (const [word, { isStemmed }] of words) if (isStemmed) found.add(word)
    wordsOf.set(config, found)
  }
  return wordsOf
}

const indexLinks = async (run: RunStatement, pages: PageToIndex[]): Promise<void> => {
  const { rows } = await run('index_locales', [])
  const locales = new Set(rows.map(({ locale }) => locale))
  const links = pages.flatMap((page) =>
    linkedPages(page.markdown.slice(0, INDEXED_CHARACTERS), page, locales).map((link) => ({
      id: page.id,
      ...link,
    })),
  )
  await run('delete_links', [pages.map(({ id }) => id)])
  if (links.length === 0) return
  await run('add_links', [
    links.map(({ id }) => id),
    links.map(({ key }) => key),
    links.map(({ locale }) => locale),
    links.map(({ path }) => path),
  ])
}

const inNfc = ({ heading, text }: Section): Section => ({
  heading: nfc(heading),
  text: nfc(text),
})

const storedSection = ({ heading, text }: Section): string =>
  [heading, text].map((part) => part.replace(/[\u0001\u0002]/g, ' ')).join(HEADING_END)
