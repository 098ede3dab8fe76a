import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openNdjsonSource } from '@lectern/import-files/ndjson/source'
import type { ImportRecord } from '@lectern/wiki/records'
import type { Database } from '../../src/db/database.ts'
import { type ExportOptions, exportNdjson } from '../../src/export/ndjson.ts'
import { type ImportSummary, runImport } from '../../src/write/run-import.ts'

/** A file of a temporary folder of its own, for as long as `use` runs. */
export const withFile = async <Result>(
  name: string,
  content: string | Uint8Array | undefined,
  use: (file: string) => Promise<Result>,
): Promise<Result> => {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-file-'))
  try {
    const file = join(folder, name)
    if (content !== undefined) await writeFile(file, content)
    return await use(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Records as the lines of a file. */
export const linesOfFile = (...records: unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

/** A record as a line of the interchange format has it. */
export const asLine = (record: ImportRecord): ImportRecord => {
  if (record.type !== 'page') return record
  const { hasAllRevisions, unreadRevisions, formerPaths, aliases, sourcePath, ...page } = record
  return page
}

/** Reads a file in the interchange format without a database. */
export const parseText = (content: string | Uint8Array, name = 'wiki.ndjson'): Promise<ImportRecord[]> =>
  withFile(name, content, async (file) => {
    const records: ImportRecord[] = []
    for await (const record of (await openNdjsonSource(file)).records) records.push(asLine(record))
    return records
  })

/** Imports a file in the interchange format with this content. */
export const importText = (owner: Database, content: string | Uint8Array): Promise<ImportSummary> =>
  withFile('wiki.ndjson', content, async (file) => {
    const { summary } = await runImport(owner, () => openNdjsonSource(file))
    return summary
  })

/** What an export writes. */
export const exportText = (owner: Database, options?: ExportOptions): Promise<string> =>
  withFile('wiki.ndjson', undefined, async (file) => {
    await exportNdjson(owner, file, options)
    return readFile(file, 'utf8')
  })

const select = async (database: Database, sql: string): Promise<string[]> => {
  const client = await database.connect()
  try {
    return (await client.query<{ row: string }>(sql)).rows.map(({ row }) => row)
  } finally {
    client.release()
  }
}

/** Partitions of `wiki.revision` stand for it: a row's place and version can be asked of them. */
const TABLES =
  `wiki locale category page revision_visible revision_hidden live_page live_category_member live_search
  search_hot_set hot_set_threshold live_link live_former_path live_name live_page_position live_html
  live_position`.split(/\s+/)

/** Every row of every table with the transaction that wrote it: equal dumps say that nothing was even touched. */
export const storedRows = async (database: Database): Promise<string[]> => {
  const all: string[] = []
  for (const table of TABLES) {
    const rows = await select(
      database,
      `select t.xmin || ' ' || to_jsonb(t)::text as row from wiki.${table} t order by to_jsonb(t)::text collate "C"`,
    )
    all.push(...rows.map((row) => `${table} ${row}`))
  }
  return all
}

/** What is stored, without what depends on when it was written: numbers of pages, sources and transactions. */
export const storedContent = async (database: Database): Promise<string[]> => {
  const all: string[] = []
  // Positions depend on how many edits shared a moment when each was first seen.
  for (const table of TABLES.filter((name) => name !== 'live_position')) {
    const page =
      ['revision_visible', 'revision_hidden'].includes(table) || /^live_(?:[cfsl]|page_)/.test(table)
    const rows = await select(
      database,
      `select concat(${page ? "p.locale, ' ', p.path, ' '," : ''} (to_jsonb(t) - 'id' - 'page_id' - 'source_id')::text${/revision/.test(table) ? ', t.id' : ''}) as row
         from wiki.${table} t ${page ? 'join wiki.page p on p.id = t.page_id' : ''}`,
    )
    all.push(...rows.sort().map((row) => `${table} ${row}`))
  }
  return all
}

/** Valid records, which a test changes in what it is about. */
export const WIKI = {
  type: 'wiki',
  name: 'Tea Wiki',
  default_locale: 'en',
  license: 'https://license.example/by-sa',
  locales: [
    { locale: 'en', name: 'English' },
    { locale: 'ru', name: 'Русский' },
  ],
}
export const CATEGORY = { type: 'category', locale: 'en', key: 'green-tea', name: 'Green tea' }
export const REVISION = {
  created_at: '2024-05-01T12:34:56.123456Z',
  author: 'Ada',
  comment: 'first',
  status: 'accepted',
  title: 'Sencha',
  markdown: '# Sencha\n\nSteamed leaves.',
  categories: [{ key: 'green-tea' }],
}
export const PAGE = { type: 'page', locale: 'en', path: 'sencha', state: 'live', revisions: [REVISION] }

export const ID_1 = '11111111-1111-4111-8111-111111111111'
export const ID_2 = '22222222-2222-4222-8222-222222222222'
export const ID_3 = '33333333-3333-4333-8333-333333333333'

export const page = (path: string, rest: object = {}) => ({
  ...PAGE,
  path,
  revisions: [{ ...REVISION, title: path }],
  ...rest,
})
export const revision = (rest: object) => ({ ...REVISION, ...rest })
