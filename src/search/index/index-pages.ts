import { plainMarkdown } from '@lectern/wiki/dialects/normalize'
import { fileCandidates, fileReferences } from '@lectern/wiki/files/references'
import { FILE_PATH_BYTES_MAX, FILE_REFERENCE_BYTES_MAX } from '@lectern/wiki/limits'
import { byteLength } from '@lectern/wiki/text'
import { columns, inBatches, makeDoublings } from '../../db/bulk.ts'
import type { RunStatement } from '../../db/statements.ts'
import { COUNTED_WORD_BYTES, SEARCH_HOT_SET } from '../../limits/service.ts'
import { INDEX_VERSION } from '../configurations.ts'
import { type PageLink, pageLinks, pageNames } from './page-links.ts'
import {
  INDEXED_CHARACTERS,
  indexedColumns,
  loadStemsOf,
  type PageToIndex,
  parsePage,
} from './parsed-pages.ts'

/** Pages that are parsed together: words take many times the memory of a text. */
const BATCH = { pages: 50, bytes: 512 * 1024 }

/**
 * Indexes pages for search. Pages that are not live are skipped. While PostgreSQL stores a batch, the words of the next
 * one are made.
 * @param pageIds in parts of any size
 * @param onBatch called for each batch with its number of pages
 */
export const indexPages = async (
  run: RunStatement,
  pageIds: Iterable<string[]> | AsyncIterable<string[]>,
  onBatch: (pages: number) => void = () => {},
): Promise<void> => {
  const locales = new Set((await run('index_locales', [])).rows.map(({ locale }) => locale))
  const batches = readBatches(run, pageIds)
  let next = batches.next()
  let stored: Promise<unknown> = Promise.resolve()
  let ready = async () => {}
  const isDoubled = makeDoublings()
  let count = 0
  for (;;) {
    const { value: pages } = await next
    if (!pages) break
    next = inBackground(batches.next())
    const parsed = pages.map((page) => parsePage(page))
    const links = pages.flatMap((page, i) =>
      pageLinks(page.markdown, parsed[i]!.links, page, locales).map((link) => ({ pageId: page.id, ...link })),
    )
    const names = pages.flatMap(pageNames)
    const references = pages.flatMap(pageFileReferences)
    const lexemes = await loadStemsOf(run, parsed)
    await stored
    stored = inBackground(ready())
    const indexed = await indexedColumns(run, pages, parsed, lexemes)
    count += pages.length
    const isAnalyzeDue = isDoubled(count)
    ready = async () => {
      await store(run, indexed, links, names, references)
      if (isAnalyzeDue) await run('analyze_index', [])
    }
    onBatch(pages.length)
  }
  await stored
  await ready()
}

/** The caller awaits it later. Until then, something else may fail first. */
const inBackground = <Result>(promise: Promise<Result>): Promise<Result> => {
  promise.catch(() => {})
  return promise
}

async function* readBatches(
  run: RunStatement,
  pageIds: Iterable<string[]> | AsyncIterable<string[]>,
): AsyncGenerator<PageToIndex[], undefined> {
  for await (const ids of pageIds) {
    const { rows } = await run('sizes_to_index', [ids, INDEXED_CHARACTERS])
    for (const batch of inBatches(rows, BATCH))
      yield (await run('pages_to_index', [batch.map(({ id }) => id), INDEXED_CHARACTERS])).rows
  }
}

/** Sends all statements at once, so that PostgreSQL does not wait between them. */
const store = async (
  run: RunStatement,
  pages: unknown[],
  links: (PageLink & { pageId: string })[],
  names: { id: string; key: string; isAlias: boolean }[],
  references: ReturnType<typeof pageFileReferences>,
): Promise<void> => {
  const [ids] = pages
  const added = columns(links, [
    'pageId',
    'key',
    'locale',
    'path',
    'isFirst',
    'isRedirect',
    'name',
    'nameKey',
  ])
  const referenced = columns(references, ['pageId', 'reference', 'place', 'path', 'nameKey'])
  await Promise.all([
    run('index_pages', [...pages, INDEX_VERSION]),
    run('update_hot_set', [ids]),
    run('delete_links', [ids]),
    links.length > 0 && run('add_links', added),
    run('update_names', [ids, ...columns(names, ['id', 'key', 'isAlias'])]),
    run('resolve_link_names', [ids]),
    run('update_file_references', [ids, ...referenced]),
  ])
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

/**
 * Call it after indexing or removing pages: counts in how many pages each word occurs, if a tenth of all pages was
 * indexed since, or if a page is gone. (D112)
 * @param indexed how many pages were indexed
 */
export const updateWordStatistics = async (run: RunStatement, indexed: number): Promise<void> => {
  if (indexed > 0) await run('add_indexed_pages', [indexed])
  if (await isWordCountDue(run)) await run('count_search_words', [COUNTED_WORD_BYTES])
}

export const isWordCountDue = async (run: RunStatement): Promise<boolean> =>
  (await run('is_word_count_due', [SEARCH_HOT_SET.from])).rows[0]!.isDue

/**
 * The references of a page to files, whether these exist or not: an import finds the files at its end. (D139)
 * @returns paths at which a file may be; those with a smaller `place` are tried first. With `nameKey` (see
 * `fileCandidates`), `path` is the end of a path
 */
const pageFileReferences = ({ id, markdown, path, sourcePath, fileRoots, dialect }: PageToIndex) => {
  const roots = (fileRoots as string[] | null) ?? []
  const page = { path, sourcePath, roots, dialect }
  return fileReferences(plainMarkdown(markdown, dialect))
    .filter((reference) => byteLength(reference) <= FILE_REFERENCE_BYTES_MAX)
    .flatMap((reference) => {
      const { paths, nameKey } = fileCandidates(reference, page)
      const candidates = paths.map((one) => ({ path: one, nameKey: null as string | null }))
      if (nameKey !== null) candidates.push({ path: reference.replace(/^(?:\[\[|\.\/)|\]\]$/g, ''), nameKey })
      return candidates
        .filter((one) => one.path !== '' && byteLength(one.path) <= FILE_PATH_BYTES_MAX)
        .map((one, place) => ({ pageId: id, reference, place, ...one }))
    })
}
