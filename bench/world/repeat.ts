import type pg from 'pg'
import type { Database } from '../../src/db/database.ts'
import { statementRunner } from '../../src/db/statements.ts'
import { flushIndex, updateWordStatistics } from '../../src/search/index/index-pages.ts'
import { buildIndexes, dropIndexes } from './indexes.ts'

/**
 * The live pages of a world and their search index, repeated with other titles and paths. To index a million generated
 * pages takes hours; to copy rows of the index takes minutes. The copies have no revisions, which a search never reads.
 */

/** What a copy changes. `$1` is the number of the copy, `$2` the number of pages between two copies. */
const CHANGES: Record<string, Record<string, string>> = {
  page: { id: 'id + $1::int * $2::bigint', path: `path || '-' || $1::int` },
  live_page: {
    id: 'id + $1::int * $2::bigint',
    path: `path || '-' || $1::int`,
    title: `regexp_replace(title, '\\d+$', (id + $1::int * $2::bigint)::text)`,
  },
  live_link: {
    page_id: 'page_id + $1::int * $2::bigint',
    path: `path || '-' || $1::int`,
    page_path: `page_path || '-' || $1::int`,
  },
  live_search: {
    page_id: 'page_id + $1::int * $2::bigint',
    title_key: `regexp_replace(title_key, '\\d+$', (page_id + $1::int * $2::bigint)::text)`,
    path_key: `path_key || ' ' || $1::int`,
    // A world's titles end with the number of the page. In the words, it has the weight A.
    words: `ts_delete(words, 'A' || tag || page_id) || ('A' || tag || (page_id + $1::int * $2::bigint) || ':1')::tsvector`,
  },
}

/** The configuration's letter in the words of the three languages of a world. */
const TAGS = `(values ('en', 'g'), ('ja', '0'), ('ru', 'w')) as tags (of_locale, tag)`

/** Tables whose rows are copied at the same time, each list on a connection of its own. */
const PARALLEL = [['page', 'live_page', 'live_link'], ['live_search']] as const

/** Repeats the pages of a world. @param times how often the result has each page */
export const repeatWorld = async (
  database: Database,
  times: number,
  say: (line: string) => void,
): Promise<void> => {
  const clients = await Promise.all(PARALLEL.map(() => database.connect()))
  const [client] = clients as [pg.PoolClient]
  try {
    await client.query('alter table wiki.live_page disable trigger user')
    const definitions = await dropIndexes(client, ['live_page', 'live_link', 'live_search'])
    const { rows } = await client.query<{ max: string }>('select max(id) from wiki.page')
    const last = rows[0]!.max
    await inParallel(clients, PARALLEL, (one, tables) => copyRows(one, tables, { last, times, say }))
    await client.query(
      `select setval(pg_get_serial_sequence('wiki.page', 'id'), (select max(id) from wiki.page))`,
    )
    const isInverted = (definition: string) => definition.includes('USING gin')
    const inverted = definitions.filter(isInverted)
    const others = definitions.filter((definition) => !isInverted(definition))
    await inParallel(clients, [others, inverted], (one, some) => buildIndexes(one, some, say))
    await client.query('alter table wiki.live_page enable trigger user')
    await client.query('delete from wiki.search_hot_set')
    const run = statementRunner(client)
    await flushIndex(run)
    await updateWordStatistics(run, Number(last) * times)
    say('vacuum')
    await client.query('vacuum analyze')
  } finally {
    for (const one of clients) one.release(true)
  }
}

const inParallel = <Item>(
  clients: readonly pg.PoolClient[],
  items: readonly Item[],
  work: (client: pg.PoolClient, item: Item) => Promise<void>,
): Promise<unknown> => Promise.all(items.map((item, i) => work(clients[i]!, item)))

/** Copies the rows of tables. @param last id of the last page that is copied */
const copyRows = async (
  client: pg.PoolClient,
  tables: readonly string[],
  { last, times, say }: { last: string; times: number; say: (line: string) => void },
): Promise<void> => {
  await client.query('set session_replication_role = replica; set synchronous_commit = off')
  for (const table of tables) {
    const columns = CHANGES[table]!
    const names = await columnsOf(client, table)
    const values = names.map((name) => columns[name] ?? name)
    const source =
      table === 'live_search' ? `wiki.live_search join ${TAGS} on of_locale = locale` : `wiki.${table}`
    const key = table === 'page' || table === 'live_page' ? 'id' : 'page_id'
    for (let copy = 1; copy < times; copy += 1) {
      await client.query(
        `insert into wiki.${table} (${names.join(', ')}) overriding system value
         select ${values.join(', ')} from ${source} where ${key} <= $2::bigint`,
        [copy, last],
      )
      say(`${table}: copy ${copy + 1} of ${times}`)
    }
  }
  await client.query('set session_replication_role = origin')
}

const columnsOf = async (client: pg.ClientBase, table: string): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `select column_name as name from information_schema.columns
      where table_schema = 'wiki' and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  )
  return rows.map(({ name }) => name)
}
