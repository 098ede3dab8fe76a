import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'
import { UsageError } from '../../errors.ts'
import { packagePath } from '../../paths.ts'
import type { Database } from '../database.ts'
import { CHANGED_CHANNEL, IMPORT_LOCK } from '../writer.ts'
import { checkReader, checkTables, TABLES } from './tables.ts'

/** What attaching found. */
export interface Attached {
  /** Pages that guests may see, and all that there are. */
  shown: number
  pages: number
  /** Page rules of guests whose regular expression cannot be decided here: they hide what they could be about. */
  undecided: string[]
  /** What WIKI_ADDRESSES should be, by Wiki.js's own settings; absent where they do not say. */
  addresses?: string
}

const FOLDER = packagePath('schema', 'wikijs')

const sql = (file: string, schema: string): string =>
  readFileSync(`${FOLDER}/${file}`, 'utf8').replace(/\bsource\.(?=["\w%])/g, `${quoted(schema)}.`)

/** What is installed, in order. */
const installed = (schema: string): string[] =>
  readdirSync(FOLDER)
    .filter((file) => /^\d/.test(file))
    .sort()
    .map((file) => sql(file, schema))

/** Tells what one Lectern installs from what another does. */
const formOf = (schema: string): string => createHash('sha256').update(installed(schema).join()).digest('hex')

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** @throws UsageError when a schema of the database is not that of a Wiki.js 2.5 which this user may attach to */
export const checkWikijs = (owner: Database, schema: string): Promise<void> =>
  inTransaction(owner, (client) => checkTables(client, schema))

/** Whether just this Lectern has attached the Wiki.js of this schema, so that nothing is to be done. */
export const isAttachedHere = (owner: Database, schema: string): Promise<boolean> =>
  inTransaction(owner, async (client) => {
    if ((await attachedSchema(client)) !== schema) return false
    const { rows } = await client.query<{ form: string }>('select form from wikijs.attachment')
    return rows[0]!.form === formOf(schema)
  })

/**
 * Makes a database that `migrate` has set up serve the Wiki.js whose tables it holds. Run again, it attaches anew,
 * as after an upgrade of either. While it runs, edits in Wiki.js wait.
 * @param schema where Wiki.js has its tables
 * @throws UsageError when that is no Wiki.js 2.5, or the database holds an imported wiki
 */
export const attachWikijs = async (owner: Database, schema = 'public'): Promise<Attached> => {
  const before = await inTransaction(owner, async (client) => {
    await checkTables(client, schema)
    await checkReader(client, schema)
    const attached = await attachedSchema(client)
    if (attached === null) await checkEmpty(client)
    await client.query(sql('indexes.sql', schema))
    return attached
  })
  try {
    return await inTransaction(owner, async (client) => {
      await client.query('drop schema if exists wikijs cascade')
      if (before !== null && before !== schema) await client.query(sql('indexes-drop.sql', before))
      await install(client, schema)
      await client.query(`notify ${CHANGED_CHANNEL}`)
      return describe(client, schema)
    })
  } catch (error) {
    if (before === null) await inTransaction(owner, (client) => client.query(sql('indexes-drop.sql', schema)))
    throw error
  }
}

const install = async (client: pg.PoolClient, schema: string): Promise<void> => {
  const tables = TABLES.map((table) => `${quoted(schema)}.${quoted(table)}`)
  await client.query(`lock table ${tables.join(', ')} in share row exclusive mode`)
  for (const part of installed(schema)) await client.query(part)
  await client.query('insert into wikijs.attachment (source, form) values ($1, $2)', [schema, formOf(schema)])
  await client.query('select wikijs.read_rules(), wikijs.refresh_wiki()')
  await client.query('select wikijs.keep_all()')
}

/**
 * Takes away all that `attachWikijs` and the migrations before it added to the database; the role lectern_reader
 * belongs to the server and stays.
 * @throws UsageError when nothing is attached
 */
export const detachWikijs = async (owner: Database): Promise<void> => {
  await inTransaction(owner, async (client) => {
    const schema = await attachedSchema(client)
    if (schema === null) throw new UsageError('No Wiki.js is attached to this database.')
    await client.query('drop schema wikijs, guest, wiki cascade')
    await client.query(sql('indexes-drop.sql', schema))
    await client.query(`notify ${CHANGED_CHANNEL}`)
  })
}

const inTransaction = async <Result>(
  owner: Database,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> => {
  const client = await owner.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [IMPORT_LOCK])
    const result = await work(client)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    client.release(true)
    throw error
  }
}

/** The schema of the Wiki.js that is attached, null where none is. */
const attachedSchema = async (client: pg.PoolClient): Promise<string | null> => {
  const { rows } = await client.query<{ attached: boolean }>(
    "select to_regclass('wikijs.attachment') is not null as attached",
  )
  if (!rows[0]!.attached) return null
  return (await client.query<{ source: string }>('select source from wikijs.attachment')).rows[0]!.source
}

const checkEmpty = async (client: pg.PoolClient): Promise<void> => {
  const { rows } = await client.query<{ empty: boolean }>(
    'select not exists (select from wiki.wiki) and not exists (select from wiki.page) as empty',
  )
  if (!rows[0]!.empty)
    throw new UsageError(
      'This database holds a wiki that was imported: it cannot serve another one beside it.',
    )
}

const describe = async (client: pg.PoolClient, schema: string): Promise<Attached> => {
  const source = quoted(schema)
  const { rows } = await client.query<
    Omit<Attached, 'addresses'> & { host: string | null; byLocale: boolean }
  >(
    `select (select count(*)::int from wiki.live_page) as shown,
            (select count(*)::int from ${source}.pages) as pages,
            array(select pattern from wikijs.rule where not is_certain order by position) as undecided,
            (select value ->> 'v' from ${source}.settings where key = 'host') as host,
            coalesce((select value ->> 'namespacing' = 'true' from ${source}.settings where key = 'lang'), false)
              as "byLocale"`,
  )
  const { host, byLocale, ...found } = rows[0]!
  if (host === null || !/^https?:\/\/[^\s,=]+$/.test(host)) return found
  const locales = await client.query<{ locale: string }>('select locale from wiki.locale order by locale')
  const address = host.replace(/\/+$/, '')
  const addresses = locales.rows
    .map(({ locale }) => `${locale}=${address}${byLocale ? `/${locale}` : ''}`)
    .join(',')
  return { ...found, addresses }
}
