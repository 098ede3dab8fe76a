import pg from 'pg'
import { Unavailable, UsageError } from '../errors.ts'
import { momentOfPostgres } from '../wiki/time.ts'
import type { Statement } from './statements.ts'

/** Where the wiki is kept: a PostgreSQL server, or else a folder for the embedded database. */
export interface DatabasePlace {
  databaseUrl?: string
  dataDir: string
}

/** Who reads: `reader` can select the guest's views and nothing else; `owner` migrates, imports, exports. */
export type DatabaseRole = 'reader' | 'owner'

export interface Database {
  readonly kind: 'postgresql' | 'embedded'
  /** Resolves, if ever, when the embedded database has failed for good. */
  readonly failed?: Promise<Error>
  /**
   * Rows of a statement, prepared on first use by each connection.
   * @throws Unavailable when no connection can be had or the server went away
   */
  query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>
  /** A connection of one's own, for transactions, LISTEN and COPY; `release` it. */
  connect(): Promise<pg.PoolClient>
  close(): Promise<void>
}

/** Name of the role that may see what a guest may see. Made by the first migration. */
export const READER_ROLE = 'lectern_reader'

/** Connections of a pool: enough to keep two cores busy, few enough for a small server. */
const POOL_SIZE = 10
/** Longest wait for a connection, and for an answer to a guest's query, milliseconds. */
const CONNECT_TIMEOUT = 2_000
const READ_TIMEOUT = 3_000

const TIMESTAMPTZ = 1184
const INT8 = 20

/** Timestamps come as moments, never as Date; bigints, which are page ids here, as they are printed. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === TIMESTAMPTZ && format !== 'binary') return momentOfPostgres
    if (oid === INT8) return (text: string) => text
    return pg.types.getTypeParser(oid, format)
  }) as typeof pg.types.getTypeParser,
}

/**
 * Settings of every session, sent with its first message: the role first, so that nothing runs without it.
 *
 * A guest's statements are short and always the same. Compiling them cost 400 ms a list of recent edits at a
 * million pages, and planning them anew for each call doubled the time of a page. (D28)
 */
const sessionOptions = (role: DatabaseRole): string => {
  const settings = { timezone: 'UTC', datestyle: 'ISO', search_path: 'pg_catalog' }
  const reading = {
    role: READER_ROLE,
    default_transaction_read_only: 'on',
    statement_timeout: READ_TIMEOUT,
    jit: 'off',
    plan_cache_mode: 'force_generic_plan',
  }
  return Object.entries(role === 'reader' ? { ...reading, ...settings } : settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

/** Whether an error says that the server cannot be reached or is going away, and not that a query is wrong. */
export const isConnectionError = (error: unknown): boolean => {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return (
    /^(08...|57P0[1235]|53300|57014|ECONN\w+|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|EPIPE|ENOENT|ENOTFOUND|EHOSTUNREACH)$/.test(
      code,
    ) ||
    /Connection terminated|is not queryable|timeout exceeded when trying to connect|Query read timeout|pool after calling end/.test(
      message,
    )
  )
}

/**
 * The database behind one interface, whichever it is: a pool of ordinary PostgreSQL connections.
 * @throws UsageError when it cannot be reached, saying what to look at
 */
export const openDatabase = async (place: DatabasePlace, role: DatabaseRole): Promise<Database> => {
  // Loaded only where it is used: a service on PostgreSQL needs no WASM in its memory.
  const embedded =
    place.databaseUrl === undefined
      ? await (await import('./embedded/embedded.ts')).openEmbedded(place.dataDir)
      : undefined
  const pool = new pg.Pool({
    ...(embedded
      ? {
          host: embedded.host,
          port: embedded.port,
          database: 'postgres',
          user: role === 'reader' ? READER_ROLE : 'postgres',
        }
      : { connectionString: place.databaseUrl }),
    max: POOL_SIZE,
    keepAlive: true,
    connectionTimeoutMillis: embedded ? 30_000 : CONNECT_TIMEOUT,
    ...(role === 'reader' ? { query_timeout: READ_TIMEOUT + 500 } : {}),
    options: sessionOptions(role),
    application_name: `lectern ${role}`,
    types,
  })
  // Without listeners the death of a connection, idle or in use, ends the process; the next query finds out.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const database: Database = {
    kind: embedded ? 'embedded' : 'postgresql',
    failed: embedded?.failed,
    query: async <Row>(statement: Statement, values: readonly unknown[]) => {
      try {
        return (await pool.query({ ...statement, values: values as unknown[] })).rows as Row[]
      } catch (error) {
        if (isConnectionError(error)) throw new Unavailable(undefined, 1, error)
        throw error
      }
    },
    connect: () => pool.connect(),
    close: async () => {
      await pool.end()
      await embedded?.close()
    },
  }
  try {
    const client = await database.connect()
    await (role === 'reader' ? checkViews(client) : Promise.resolve()).finally(() => client.release())
  } catch (error) {
    await database.close()
    throw unreachable(place, role, error as Error & { code?: string })
  }
  return database
}

/** The role is the server's, so its being there does not say that this database has been set up. */
const checkViews = async (client: pg.PoolClient): Promise<void> => {
  const { rows } = await client.query("select to_regclass('guest.wiki') is null as missing")
  if (rows[0].missing) throw notSetUp()
}

const notSetUp = (): UsageError =>
  new UsageError('The database is not set up for Lectern yet: run `lectern migrate` first.')

const unreachable = (place: DatabasePlace, role: DatabaseRole, error: Error & { code?: string }): Error => {
  if (error instanceof UsageError) return error
  if (/role "lectern_reader" does not exist/.test(error.message)) {
    return notSetUp()
  }
  if (/permission denied to set role|cannot set role/i.test(error.message)) {
    return new UsageError(
      `The database user may not become ${READER_ROLE}: as an administrator, run \`grant ${READER_ROLE} to <user>\`.`,
    )
  }
  if (!place.databaseUrl)
    return new UsageError(`The embedded database in ${place.dataDir} does not open: ${error.message}`)
  const { host, pathname } = new URL(place.databaseUrl)
  return new UsageError(
    `DATABASE_URL: no ${role}'s connection to ${host || 'the local server'}${pathname}: ${error.message || error.code}`,
  )
}
