import {
  type categoryRecord,
  type ImportRecord,
  type pageRecord,
  type revisionRecord,
  wikiFileRecord,
} from '@lectern/wiki/records'
import type { z } from 'zod'
import type { Database } from '../../src/db/database.ts'
import { runImport } from '../../src/write/run-import.ts'
import { testDatabase } from './database.ts'
import { linesOfFile } from './importing.ts'

/** A revision, page or wiki in a test: records of the interchange format, with most members optional. */
export type RevisionSpec = Partial<z.input<typeof revisionRecord>>
export type PageSpec = Omit<Partial<z.input<typeof pageRecord>>, 'revisions' | 'type'> & {
  path: string
  revisions?: RevisionSpec[]
} & NotInFiles
/** A file has neither. */
type NotInFiles = Pick<Extract<ImportRecord, { type: 'page' }>, 'aliases' | 'formerPaths'>
export interface WorldSpec {
  name?: string
  default_locale?: string
  /** Null: none. */
  license?: string | null
  /** Locale codes. Default: English and Russian. */
  locales?: string[]
  categories?: Omit<z.input<typeof categoryRecord>, 'type'>[]
  pages?: PageSpec[]
}

const FIRST = '2024-01-01T00:00:00.000000Z'

/** Fills in the defaults: a live page with one accepted revision. */
const completePage = ({ revisions = [{}], ...page }: PageSpec) => ({
  type: 'page' as const,
  locale: 'en',
  state: 'live' as const,
  ...page,
  revisions: revisions.map((revision) => ({
    created_at: FIRST,
    author: 'Ada',
    comment: '',
    status: 'accepted' as const,
    title: page.path,
    markdown: `Text of ${page.path}.`,
    ...revision,
  })),
})

/** The records of a world in the form that an import reads. */
export const recordsOf = ({
  name = 'Test Wiki',
  default_locale = 'en',
  license = 'https://license.example/',
  locales = ['en', 'ru'],
  categories = [],
  pages = [],
}: WorldSpec): ImportRecord[] =>
  [
    {
      type: 'wiki',
      name,
      default_locale,
      ...(license === null ? {} : { license }),
      locales: locales.map((locale) => ({ locale, name: locale.toUpperCase() })),
    },
    ...categories.map((category) => ({ type: 'category', ...category })),
    ...pages.map(completePage),
  ].map(parsed)

const parsed = ({ aliases, formerPaths, ...record }: object & NotInFiles): ImportRecord => ({
  ...wikiFileRecord.parse(record),
  ...(aliases && { aliases }),
  ...(formerPaths && { formerPaths }),
})

/** A file that holds a wiki of one page with one revision, always of the same id. */
export const onePageFile = (path: string, comment = ''): string =>
  linesOfFile(
    ...recordsOf({
      name: `The wiki of ${path}`,
      pages: [{ path, revisions: [{ id: '11111111-1111-4111-8111-111111111111', comment }] }],
    }),
  )

async function* stream<Item>(items: Item[]): AsyncGenerator<Item> {
  yield* items
}

/** Imports records into the database of the tests. @see importIntoDatabase */
export const importRecords = async (records: ImportRecord[], covers: 'changes' | 'some' = 'some') =>
  importIntoDatabase((await testDatabase()).owner, records, covers)

/** @param covers what the records are; only a part of the wiki cannot move revisions from one page to another */
export const importIntoDatabase = (
  owner: Database,
  records: ImportRecord[],
  covers: 'changes' | 'some' = 'some',
) =>
  runImport(owner, async () => ({
    covers: () => covers,
    records: stream(records),
    progress: () => ({ done: 0, unit: 'records' }),
    notes: () => [],
  }))

/** Imports the order of a site. @param pages paths of English pages, or these with their titles in the navigation */
export const importOrder = async (
  ...pages: (string | { path: string; groupTitles?: string[]; navTitle?: string; sitePath?: string })[]
) =>
  runImport((await testDatabase()).owner, async () => ({
    records: stream([]),
    progress: () => ({ done: 0, unit: 'records' }),
    notes: () => [],
    order: () =>
      pages.map((page) => ({ locale: 'en', ...(typeof page === 'string' ? { path: page } : page) })),
  }))

/**
 * Tests write few rows, which are deleted in a tenth of the time in which tables are truncated. Nobody vacuums the
 * embedded database, so tables are truncated when they have grown.
 */
const EMPTY = `do $$ begin
  if pg_relation_size('wiki.revision') + pg_relation_size('wiki.page') + pg_relation_size('wiki.live_link') +
     pg_relation_size('wiki.live_search') + pg_relation_size('wiki.live_category_member') + pg_total_relation_size('wiki.live_blob_part') > 1000000 then
    truncate wiki.source, wiki.wiki, wiki.locale, wiki.category, wiki.page, wiki.revision, wiki.live_page, wiki.tombstone,
      wiki.live_blob cascade;
  else
    delete from wiki.live_page;
    delete from wiki.tombstone;
    delete from wiki.revision;
    delete from wiki.page;
    delete from wiki.category;
    delete from wiki.locale;
    delete from wiki.wiki;
    delete from wiki.source;
  end if;
end $$`

/** Deletes all content of a wiki from a database. */
export const emptyDatabase = async (database: Database): Promise<void> => {
  const client = await database.connect()
  await client.query(EMPTY).finally(() => client.release())
}

/** Deletes all content from the shared test database. */
export const clearWorld = async (): Promise<void> => emptyDatabase((await testDatabase()).owner)

/** Replaces the content of the shared test database with a world. */
export const makeWorld = async (spec: WorldSpec): Promise<void> => {
  await clearWorld()
  await importRecords(recordsOf(spec))
}
