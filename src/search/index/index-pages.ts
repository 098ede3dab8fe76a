import { inBatches } from '../../db/batches.ts'
import type { StatementRows } from '../../db/statement-rows.ts'
import type { RunStatement } from '../../db/statements.ts'
import { binaryTextArray } from '../../db/text-array.ts'
import { SEARCH_HOT_SET, TRANSFER_BATCH } from '../../limits.ts'
import { nfc } from '../../wiki/text.ts'
import { searchKey } from '../folding.ts'
import { configurationTag } from '../lexemes.ts'
import { type Lexemes, loadStems, type QueryStems } from '../stems.ts'
import { pageLexemes } from './page-lexemes.ts'
import { linkedPages } from './page-links.ts'
import { indexWords } from './page-words.ts'
import { type Section, sectionsOf } from './sections.ts'
import { Tsvectors } from './tsvectors.ts'

/**
 * Increase it when the words of a page change: `lectern migrate` and `lectern reindex` index pages again that have
 * another version.
 */
export const INDEX_VERSION = 1

/** Characters of a page's text that are indexed; fewer where it has too many different words. */
const INDEXED_CHARACTERS = 400_000

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
  await storeWords(run, pages)
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

/** Pages that are parsed while PostgreSQL stores those before them: words take many times the memory of a text. */
const PARSED_AHEAD = { pages: 50, bytes: 512 * 1024 }

const storeWords = async (run: RunStatement, pages: PageToIndex[]): Promise<void> => {
  let stored: Promise<unknown> = Promise.resolve()
  for (const batch of inBatches(pages, PARSED_AHEAD)) {
    const parsed = batch.map((page) => parsePage(page))
    await stored
    const tsvectors = new Tsvectors()
    const lexemes = await loadStems(stemsQuery(run), stemmedWords(parsed))
    for (const [i, page] of parsed.entries())
      if (!addWords(tsvectors, page, lexemes))
        parsed[i] = await addFirstWords(run, tsvectors, batch[i]!, Math.floor(INDEXED_CHARACTERS / 2))
    stored = run('index_pages', [
      batch.map(({ id }) => id),
      batch.map(({ title }) => searchKey(title)),
      batch.map(({ path }) => searchKey(path)),
      batch.map(({ revisions }) => Math.log1p(revisions)),
      tsvectors.array(),
      tsvectors.texts,
      parsed.map(({ starts }) => `{${starts.join()}}`),
      binaryTextArray(parsed.map(({ sections }) => sections.map(storedSection).join(SECTION_END))),
      INDEX_VERSION,
    ])
    stored.catch(() => {}) // the next await reports it
  }
  await stored
}

const stemsQuery =
  (run: RunStatement): QueryStems =>
  async (values) =>
    (await run('stems', values.map(binaryTextArray))).rows

type ParsedPage = ReturnType<typeof parsePage>

const parsePage = ({ title, path, markdown, config }: PageToIndex, characters = INDEXED_CHARACTERS) => {
  const sections = sectionsOf(markdown.slice(0, characters)).map(inNfc)
  return { config, sections, ...indexWords({ title, path, sections }) }
}

const addWords = (tsvectors: Tsvectors, page: ParsedPage, lexemes: Lexemes): boolean =>
  tsvectors.add(
    pageLexemes(page, (word) => lexemes(page.config, word)),
    configurationTag(page.config),
  )

/** A page with too many words for a tsvector is indexed with half of its text, or half of that. (D31) */
const addFirstWords = async (
  run: RunStatement,
  tsvectors: Tsvectors,
  page: PageToIndex,
  characters: number,
): Promise<ParsedPage> => {
  const parsed = parsePage(page, characters)
  const lexemes = await loadStems(stemsQuery(run), stemmedWords([parsed]))
  if (addWords(tsvectors, parsed, lexemes)) return parsed
  return addFirstWords(run, tsvectors, page, Math.floor(characters / 2))
}

const stemmedWords = (pages: readonly ParsedPage[]): Map<string, Set<string>> => {
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
