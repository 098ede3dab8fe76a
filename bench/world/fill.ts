import type pg from 'pg'
import type { Database } from '../../src/db/database.ts'
import { statement, statementRunner } from '../../src/db/statements.ts'
import { flushIndex, indexPages, updateWordStatistics } from '../../src/search/index/index-pages.ts'
import { withWriter } from '../../src/write/writer.ts'
import { copyInto } from './copy.ts'
import { buildIndexes, dropIndexes } from './indexes.ts'
import type { Plan, PlannedPage } from './plan.ts'
import { LOCALES } from './words.ts'

export interface FillOptions {
  /** Whether to build the search index, which takes most of the time. */
  search: boolean
  say(line: string): void
}

/** Pages per statement that publishes or indexes them. */
const PUBLISH = 10_000
const INDEX = 500

/** Runs one statement as the owner. */
export const runSql = async (database: Database, sql: string, values: unknown[] = []) =>
  withClient(database, (client) => client.query(sql, values))

const withClient = async <Result>(
  database: Database,
  work: (client: pg.ClientBase) => Promise<Result>,
): Promise<Result> => {
  const client = await database.connect()
  try {
    return await work(client)
  } finally {
    client.release()
  }
}

/** Writes a planned data set into a database that has the schema but no data. */
export const fillWorld = async (
  database: Database,
  plan: Plan,
  { search, say }: FillOptions,
): Promise<void> => {
  await withWriter(database, async (writer) => {
    await writer.writeWiki({
      type: 'wiki',
      name: 'Bench Wiki',
      default_locale: 'en',
      license: 'https://license.example/by-sa/4.0/',
      locales: LOCALES.map(({ locale, name }) => ({ locale, name })),
    })
    await writer.writeCategories(plan.categories())
  })
  const indexes = await withClient(database, (client) =>
    dropIndexes(client, ['revision_visible', 'revision_hidden']),
  )
  say('  pages and edits')
  await copyPages(database, plan)
  await copyEdits(database, plan)
  say('  indexes')
  await withClient(database, (client) => buildIndexes(client, indexes))
  await runSql(database, 'analyze')
  say('  live pages')
  await eachBatch(plan.pages, PUBLISH, async (ids) => {
    await runSql(database, statement('publish_pages').text, [ids])
    await runSql(database, statement('publish_members').text, [ids])
  })
  await runSql(database, 'select wiki.assign_positions(array(select id from wiki.live_page))')
  if (search) await fillSearch(database, plan, say)
  say('  statistics')
  await runSql(database, 'vacuum analyze')
}

const copyPages = async (database: Database, plan: Plan): Promise<void> => {
  const client = await database.connect()
  try {
    const pages = copyInto(client, 'wiki.page (id, locale, path, state, translation_group)')
    for (let id = 1; id <= plan.pages; id += 1) {
      const { locale, path, state, translationGroup } = plan.page(id)
      await pages.row([id, locale, path, state, translationGroup])
    }
    await pages.end()
    await client.query(
      `select setval(pg_get_serial_sequence('wiki.page', 'id'), (select max(id) from wiki.page))`,
    )
  } finally {
    client.release()
  }
}

const EDIT_COLUMNS =
  '(id, page_id, locale, created_at, author, comment, status, visible, title, categories, size, markdown)'

const copyEdits = async (database: Database, plan: Plan): Promise<void> => {
  const [first, second] = [await database.connect(), await database.connect()]
  try {
    const visible = copyInto(first, `wiki.revision_visible ${EDIT_COLUMNS}`)
    const hidden = copyInto(second, `wiki.revision_hidden ${EDIT_COLUMNS}`)
    for (let id = 1; id <= plan.pages; id += 1) {
      const page = plan.page(id)
      for (const row of editRows(plan, page)) await (row[7] ? visible : hidden).row(row)
    }
    await visible.end()
    await hidden.end()
  } finally {
    first.release()
    second.release()
  }
}

function* editRows(plan: Plan, page: PlannedPage) {
  const categories = JSON.stringify(page.categories)
  for (const { id, createdAt, author, comment, status, markdown } of plan.revisions(page)) {
    const visible = page.state === 'live' && status === 'accepted'
    const size = Buffer.byteLength(markdown)
    yield [
      id,
      page.id,
      page.locale,
      createdAt,
      author,
      comment,
      status,
      visible,
      page.title,
      categories,
      size,
      markdown,
    ] as const
  }
}

const fillSearch = async (database: Database, plan: Plan, say: FillOptions['say']): Promise<void> => {
  say('  search')
  const client = await database.connect()
  const run = statementRunner(client)
  try {
    const indexes = await dropIndexes(client, ['live_search'])
    await eachBatch(plan.pages, INDEX, async (ids) => {
      await client.query('begin')
      await indexPages(run, [ids])
      await client.query('commit')
    })
    await buildIndexes(client, indexes)
    await flushIndex(run)
    await updateWordStatistics(run, plan.pages)
  } finally {
    client.release()
  }
}

const eachBatch = async (
  pages: number,
  size: number,
  work: (ids: string[]) => Promise<void>,
): Promise<void> => {
  for (let first = 1; first <= pages; first += size) {
    const length = Math.min(size, pages - first + 1)
    await work(Array.from({ length }, (_, i) => String(first + i)))
  }
}
