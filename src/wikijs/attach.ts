import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { UsageError } from '@lectern/wiki/errors'
import type pg from 'pg'
import { escapeIdentifier } from 'pg'
import type { Database } from '../db/database.ts'
import { createGuestViews, dropGuestViews, isAttached } from '../db/guest-views.ts'
import { CHANGED_CHANNEL } from '../db/session.ts'
import { readValue, statement } from '../db/statements.ts'
import { withConnection, withWriteLock } from '../db/write-lock.ts'
import { packagePath } from '../paths.ts'
import { attachmentOf } from './follow.ts'
import { checkReader, checkTables, TABLES } from './tables.ts'

export interface AttachResult {
  /** How many pages guests see, and how many Wiki.js has. */
  shown: number
  pages: number
  /** Regular expressions of guests' page rules that cannot be evaluated: they hide all pages that they could match. */
  undecided: string[]
  /** The value of WIKI_ADDRESSES that follows from the settings of Wiki.js; absent if they have no host. */
  addresses?: string
}

const FOLDER = packagePath('schema', 'wikijs')

/** A script of `schema/wikijs`, in which `source` is the schema of the tables of Wiki.js. */
const sql = (file: string, schema: string): string =>
  readFileSync(`${FOLDER}/${file}`, 'utf8').replace(/\bsource\.(?=["\w%])/g, `${escapeIdentifier(schema)}.`)

/** The scripts to install: tables and the functions that fill them, then the triggers that call these functions. */
const TABLE_SCRIPTS = ['1-rules.sql', '2-versions.sql', '3-sync.sql', '4-files.sql']
const TRIGGER_SCRIPT = '5-triggers.sql'

/** Digest of what this version of Lectern installs, which differs between versions. */
const installedDigest = (schema: string): string =>
  hash('sha256', [...TABLE_SCRIPTS, TRIGGER_SCRIPT].map((file) => sql(file, schema)).join())

/**
 * Checks everything before anything is created, so that nothing remains if attaching is not possible.
 * @throws UsageError when the schema does not contain a Wiki.js 2.5 that this user may attach, or when the database
 * contains an imported wiki
 */
export const checkWikijs = (owner: Database, schema: string): Promise<void> =>
  inTransaction(owner, async (client) => {
    await checkFree(client)
    await checkTables(client, schema)
    await checkReader(client, schema)
  })

/** Whether this version has attached the Wiki.js of this schema, so that there is nothing to do. */
export const isAttachedByThisVersion = (owner: Database, schema: string): Promise<boolean> =>
  inTransaction(owner, async (client) => {
    if ((await attachedSchema(client)) !== schema) return false
    return (await readValue(client, 'select digest from wikijs.attachment')) === installedDigest(schema)
  })

/**
 * Attaches the Wiki.js of a database that `migrate` has set up. Triggers fill narrow tables; texts stay in the tables of
 * Wiki.js (D57). Run it again after an upgrade of Lectern or of Wiki.js. While it runs, edits in Wiki.js wait. Readers of
 * Wiki.js do not wait, and guests see the state of the former attachment.
 * @param schema the schema of Wiki.js's tables
 * @throws UsageError when the schema does not contain a Wiki.js 2.5, or the database contains an imported wiki
 */
export const attachWikijs = async (owner: Database, schema = 'public'): Promise<AttachResult> => {
  await checkWikijs(owner, schema)
  const before = await inTransaction(owner, async (client) => {
    await client.query(sql('indexes.sql', schema))
    return attachedSchema(client)
  })
  try {
    return await inTransaction(owner, async (client) => {
      await install(client, schema, before)
      await client.query(`notify ${CHANGED_CHANNEL}`)
      return describe(client, schema)
    })
  } catch (error) {
    if (before === null) await inTransaction(owner, (client) => client.query(sql('indexes-drop.sql', schema)))
    throw error
  }
}

/**
 * Drops the former attachment last, because filling the tables takes minutes in a large wiki: from the drop on, guests
 * wait, and dropping triggers makes even readers of Wiki.js's tables wait.
 * @param before the schema of the former attachment; null if there is none
 */
const install = async (client: pg.PoolClient, schema: string, before: string | null): Promise<void> => {
  const tables = TABLES.map((table) => `${escapeIdentifier(schema)}.${escapeIdentifier(table)}`)
  await client.query(`lock table ${tables.join(', ')} in share row exclusive mode`)
  if (before !== null) await client.query('alter schema wikijs rename to wikijs_before')
  for (const file of TABLE_SCRIPTS) await client.query(sql(file, schema))
  await client.query('select wikijs.read_rules(), wikijs.refresh_wiki()')
  if (before !== null) await client.query(sql('keep-index.sql', schema))
  await client.query('select wikijs.sync_all()')
  await client.query(ANALYZE)
  if (before !== null) await client.query(sql('mark-changed.sql', schema))
  await dropGuestViews(client)
  if (before !== null) await client.query('drop schema wikijs_before cascade')
  if (before !== null && before !== schema) await client.query(sql('indexes-drop.sql', before))
  await client.query(sql(TRIGGER_SCRIPT, schema))
  await client.query(
    `insert into wikijs.attachment (source, digest, triggers)
     select $1, $2, count(*) from pg_trigger t join pg_proc p on p.oid = t.tgfoid
      where p.pronamespace = 'wikijs'::regnamespace`,
    [schema, installedDigest(schema)],
  )
  await createGuestViews(client)
}

/** Autovacuum would do this later. Until then, the plans for empty tables would read whole tables for a list. */
const ANALYZE = `analyze wiki.page, wiki.live_page, wiki.live_category_member, wiki.category, wiki.live_position, wiki.live_change, wikijs.revision`

/**
 * Removes everything that `attachWikijs` and the migrations before it added to the database. The role lectern_reader
 * belongs to the server and stays.
 * @throws UsageError when nothing is attached
 */
export const detachWikijs = async (owner: Database): Promise<void> => {
  await inTransaction(owner, async (client) => {
    const schema = await attachedSchema(client)
    if (schema === null)
      throw new UsageError(
        'No Wiki.js is attached to this database, so there is nothing to remove. Set DATABASE_URL to the database of Wiki.js.',
      )
    await client.query('drop schema wikijs, guest, wiki cascade')
    await client.query(sql('indexes-drop.sql', schema))
    await client.query(`notify ${CHANGED_CHANNEL}`)
  })
}

/**
 * While a session waits for a lock, others wait behind it: during a backup, which reads the tables for an hour, even
 * readers of Wiki.js would wait. This is their longest wait.
 */
const LOCK_TIMEOUT = '3s'

const inTransaction = <Result>(owner: Database, work: (client: pg.PoolClient) => Promise<Result>) =>
  withConnection(owner, (client) =>
    withWriteLock(client, async () => {
      await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
      return work(client)
    }),
  )

const attachedSchema = async (client: pg.PoolClient): Promise<string | null> =>
  (await isAttached(client)) ? readValue(client, 'select source from wikijs.attachment') : null

/** @throws UsageError when the database contains a wiki, and it is not an attached Wiki.js */
const checkFree = async (client: pg.PoolClient): Promise<void> => {
  if ((await attachedSchema(client)) !== null) return
  if (!(await readValue(client, "select to_regclass('wiki.page') is not null"))) return
  if (!(await readValue(client, statement('is_empty').text)))
    throw new UsageError(
      'This database contains an imported wiki, so it cannot serve another wiki. Set DATABASE_URL to the database of Wiki.js. If this is that database, and the import was a mistake, run `drop schema wiki, guest cascade` to remove the imported wiki.',
    )
}

const describe = async (client: pg.PoolClient, schema: string): Promise<AttachResult> => {
  type Row = Omit<AttachResult, 'addresses'> & { host: string | null; byLocale: boolean }
  const { rows } = await client.query<Row>(sql('summary.sql', schema))
  const { host, byLocale, ...found } = rows[0]!
  if (host === null || !/^https?:\/\/[^\s,=]+$/.test(host)) return found
  const locales = await client.query<{ locale: string }>('select locale from wiki.locale order by locale')
  const address = host.replace(/\/+$/, '')
  const addresses = locales.rows
    .map(({ locale }) => `${locale}=${address}${byLocale ? `/${locale}` : ''}`)
    .join(',')
  return { ...found, addresses }
}

export interface AttachmentDiagnostics extends Pick<AttachResult, 'undecided'> {
  /** How many triggers on Wiki.js's tables are disabled or missing: edits since then do not show. */
  disabledTriggers: number
  missingIndexes: string[]
  /** How many pages, or subjects of all pages (rules of guests, settings), have changed since they were synced. */
  missedChanges: number
}

const ATTACHMENT = { name: 'attachment_digest', text: 'select source, digest from wikijs.attachment' }

/** For a user who may follow the attached Wiki.js. @returns undefined when another version attached it */
export const attachmentDiagnostics = async (owner: Database): Promise<AttachmentDiagnostics | undefined> => {
  const [attachment] = await owner.query<{ source: string; digest: string }>(ATTACHMENT, [])
  const { source, digest } = attachment!
  if (digest !== installedDigest(source)) return undefined
  const diagnostics = { name: 'attachment_diagnostics', text: sql('diagnostics.sql', source) }
  return (await owner.query<AttachmentDiagnostics>(diagnostics, []))[0]!
}

export const isAttachedByAnother = async (owner: Database): Promise<boolean> => {
  const { isAttached, mayFollow } = await attachmentOf(owner)
  return isAttached && mayFollow && (await attachmentDiagnostics(owner)) === undefined
}
