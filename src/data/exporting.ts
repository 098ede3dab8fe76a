import type pg from 'pg'
import type { CategoryRecord, WikiRecord } from '../import/records.ts'
import type { Database } from './database.ts'
import { statement } from './statements.ts'
import type { CompletePage, CompleteRevision } from './writer.ts'

/** Pages read at once: their whole histories are in memory together. */
const PAGES_AT_ONCE = 50
const CATEGORIES_AT_ONCE = 1_000

/** Keys in the order in which an export writes them; absent ones are not written. */
export type ExportRecord =
  | WikiRecord
  | CategoryRecord
  | (Omit<CompletePage, 'translation_group'> & { translation_group?: string })

interface PageColumns {
  id: string
  locale: string
  path: string
  state: CompletePage['state']
  translation_group: string | null
}

/**
 * Everything that is stored, hidden edits too, as of one moment: the wiki, then categories, then pages, each
 * by the bytes of language and key or path; edits by time, then id.
 */
export async function* exportRecords(database: Database): AsyncGenerator<ExportRecord> {
  const client = await database.connect()
  const rows = async <Row extends pg.QueryResultRow>(name: string, values: unknown[]) =>
    (await client.query<Row>({ ...statement(name), values })).rows
  let isWhole = false
  try {
    await client.query('begin transaction isolation level repeatable read, read only')
    for (const { name, default_locale, license, locales } of await rows<WikiRecord>('export_wiki', [])) {
      yield { type: 'wiki', name, default_locale, ...(license ? { license } : {}), locales }
    }
    yield* inParts(
      CATEGORIES_AT_ONCE,
      (after?: Omit<CategoryRecord, 'type'>) =>
        rows<Omit<CategoryRecord, 'type'>>('export_categories', [
          after?.locale ?? '',
          after?.key ?? '',
          CATEGORIES_AT_ONCE,
        ]),
      (categories) => categories.map((category): CategoryRecord => ({ type: 'category', ...category })),
    )
    yield* inParts(
      PAGES_AT_ONCE,
      (after?: PageColumns) =>
        rows<PageColumns>('export_pages', [after?.locale ?? '', after?.path ?? '', PAGES_AT_ONCE]),
      async (pages) => withRevisions(pages, await rows('export_revisions', [pages.map(({ id }) => id)])),
    )
    await client.query('commit')
    isWhole = true
  } finally {
    // A reader that stops early ends the generator here, without an error.
    client.release(!isWhole)
  }
}

/** Rows in parts of a size, each asked for by the last row of the part before. */
async function* inParts<Row, Result>(
  size: number,
  read: (after: Row | undefined) => Promise<Row[]>,
  shape: (rows: Row[]) => Result[] | Promise<Result[]>,
): AsyncGenerator<Result> {
  let after: Row | undefined
  for (;;) {
    const part = await read(after)
    if (part.length > 0) yield* await shape(part)
    if (part.length < size) return
    after = part.at(-1)
  }
}

const withRevisions = (
  pages: PageColumns[],
  revisions: (CompleteRevision & { page_id: string })[],
): ExportRecord[] => {
  const ofPage = new Map<string, CompleteRevision[]>(pages.map(({ id }) => [id, []]))
  for (const revision of revisions) ofPage.get(revision.page_id)!.push(revision)
  return pages.map(({ id, locale, path, state, translation_group }) => ({
    type: 'page',
    locale,
    path,
    state,
    ...(translation_group === null ? {} : { translation_group }),
    revisions: ofPage.get(id)!.map((revision) => ({
      id: revision.id,
      created_at: revision.created_at,
      author: revision.author,
      comment: revision.comment,
      status: revision.status,
      title: revision.title,
      markdown: revision.markdown,
      categories: revision.categories.map(({ key, sort_key }) => ({ key, sort_key })),
    })),
  }))
}
