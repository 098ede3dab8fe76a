import { SchemaMismatch, Unavailable, UsageError } from '@lectern/wiki/errors'
import type pg from 'pg'
import type { Logger } from 'pino'
import { databasePathOf } from '../database-url.ts'
import { ROUND_TRIPS_MAX } from '../limits/service.ts'
import { makeSingleFlight } from '../shared/memoize.ts'
import { withTimeout } from '../shared/timers.ts'
import { isConnectionError } from './connection-error.ts'
import { type ConnectionSettings, testConnection, withUnavailable } from './connection-settings.ts'
import type { DatabaseOptions, ServingDatabase } from './database.ts'
import { type DatabaseHosts, findHost } from './hosts.ts'
import type { Pool } from './pool.ts'
import { makeReadServers } from './replicas.ts'
import { makeReplication } from './replication.ts'
import { type DatabaseServer, makeDatabaseServer } from './server.ts'
import { checkSchema, checkSession, missingRightsText, notSetUp, readSession } from './session.ts'
import { allStatements, type Statement, statement } from './statements.ts'
import { sendHeartbeat } from './watch.ts'

/** The default of MAX_REPLICA_LAG, seconds. */
const MAX_REPLICA_LAG = 10
/** How long the statement of `/ready` may take, milliseconds, besides the round trips. */
const READY_TIMEOUT_MS = 1_000

/** The database for guests: the primary and its replicas, each with a pool and a watch. */
export const openReaderDatabase = async (
  settings: ConnectionSettings,
  hosts: DatabaseHosts,
  { databaseUrl, databaseReplicaUrls = [], maxReplicaLag = MAX_REPLICA_LAG }: DatabaseOptions,
  logger?: Logger,
): Promise<Omit<ServingDatabase, 'kind' | 'failed'>> => {
  const { kind, prepares, hostsOf } = settings
  const replication = makeReplication<DatabaseServer>(maxReplicaLag, databasePathOf(databaseUrl))
  const makeServer = serverFactory(settings, logger)
  const primary = makeServer('primary', hosts, false)
  const replicas = databaseReplicaUrls.map((url, i) =>
    makeServer(`replica ${i + 1}`, { ...hostsOf(url, 'any'), checkReport: replication.checkReplica }, true),
  )
  const isPostgres = kind === 'postgresql'
  // A pooler that cannot keep prepared statements cannot keep LISTEN either. (D4)
  const watching = { listensForChanges: prepares, sendsHeartbeats: isPostgres }
  const servers = makeReadServers({ primary, replicas, replication, ...watching })
  const listeners = new Set<() => void>()
  try {
    await reachAny(primary, replicas, () => findHost(hosts))
    if (!isPostgres) await checkSetUp(primary.pool)
    await servers.watch(() => {
      for (const listener of listeners) listener()
    })
  } catch (error) {
    await servers.close()
    throw error
  }
  const readWiki = () => readTables(withUnavailable(servers.query, 'reader'))
  const read = () => (isPostgres ? readWiki() : checkSetUp(primary.pool).then(readWiki))
  const { probe, noteResult } = makeProbe(servers.roundTripMs, read)
  const query = withUnavailable(async (statement, values) => {
    const rows = await servers.query<never>(statement, values)
    noteResult(statement)
    return rows
  }, 'reader')
  return {
    query,
    connect: primary.pool.connect,
    close: servers.close,
    onChange: (callback) => {
      const listener = () => callback() // the same callback may be added twice
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    ready: async () => {
      if (!isPostgres) return probe()
      if (!servers.isReady()) {
        const states = servers.states().map(({ name, health, loss }) => `${name}: ${loss || health}`)
        throw new Unavailable(`No database can be read from (${states.join(', ')}).`, 1, primary.refusal())
      }
      const rights = servers.missingRights()
      if (rights) throw new SchemaMismatch(missingRightsText(rights))
      await probe()
    },
    servers: servers.states,
    roundTripMs: servers.roundTripMs,
  }
}

/** Names of the statements that show that pages can be read. */
const READ_PAGES: ReadonlySet<string> = new Set(
  allStatements().flatMap(({ name, text }) => (text.includes('guest.revision') ? [name] : [])),
)

/** One statement after the other: the pool may have a single connection, and the server may allow no other. */
const readTables = async (query: ServingDatabase['query']): Promise<void> => {
  await query(statement('wiki'), [])
  await query(statement('page_by_path'), [[''], ['']])
}

/**
 * Checks that pages can be read: by a statement of its own or, while requests keep the database busy, by theirs. A probe
 * that fails at once had no connection; a late one met a slow or locked table, of which only results of pages tell.
 */
const makeProbe = (roundTripMs: () => number, read: () => Promise<void>) => {
  const reading = makeSingleFlight<void>()
  let [lastResultAt, lastPagesAt, probedAt] = [0, 0, 0]
  const begin = () => {
    probedAt = performance.now()
    return read()
  }
  return {
    /** A statement has returned rows. */
    noteResult: ({ name }: Statement): void => {
      lastResultAt = performance.now()
      if (READ_PAGES.has(name)) lastPagesAt = lastResultAt
    },
    /** @throws Unavailable */
    probe: async (): Promise<void> => {
      const ms = READY_TIMEOUT_MS + ROUND_TRIPS_MAX * roundTripMs()
      const timedOut = () =>
        new Unavailable('No page can be read within a second: the database is slow or locked.')
      await withTimeout(reading.run('', begin), ms, timedOut).catch((error) => {
        const hasFailedAtOnce = performance.now() - probedAt < ms / 2
        if (performance.now() - (hasFailedAtOnce ? lastResultAt : lastPagesAt) > ms) throw error
      })
    },
  }
}

const serverFactory = ({ kind, prepares, limits }: ConnectionSettings, logger?: Logger) => {
  let hasWarned = false
  const warnOfPooler = (isPooled: boolean): void => {
    if (!isPooled || !prepares || hasWarned) return
    hasWarned = true
    logger?.warn(
      'The database seems to be behind a connection pooler: it sees another port than this process uses. Set PREPARED_STATEMENTS=false unless the pooler keeps sessions or prepared statements, or the network translates ports.',
    )
  }
  return (name: string, hosts: DatabaseHosts, isReplica: boolean): DatabaseServer => {
    const isPipelined = kind === 'postgresql'
    const onConnect = async (client: pg.Client): Promise<void> => {
      if (kind === 'embedded') return
      const report = isReplica ? sendHeartbeat(client) : undefined
      const [{ isPooled, isInRecovery }] = await Promise.all([checkSession(client, 'reader'), report])
      hosts.check(isInRecovery)
      if (report) hosts.checkReport(await report)
      warnOfPooler(isPooled)
    }
    return makeDatabaseServer({ name, hosts, prepares, isPipelined, limits, isReplica, logger, onConnect })
  }
}

/** @throws the primary's error when no server can be reached; of any server, an error that does not pass by itself */
const reachAny = async (
  primary: DatabaseServer,
  replicas: readonly DatabaseServer[],
  findPrimary: () => Promise<{ isOther: boolean }>,
): Promise<void> => {
  const errors = new Map<string, Error>()
  const reachPrimary = async () => {
    if ((await findPrimary()).isOther) primary.pool.disconnectAll()
    await testConnection(primary.pool)
  }
  await Promise.all(
    [primary, ...replicas].map(({ name, pool }) =>
      (name === primary.name ? reachPrimary() : testConnection(pool)).catch((error: Error) => {
        if (isConnectionError(error)) errors.set(name, error)
        else if (name === primary.name) throw error
        else throw new UsageError(`DATABASE_REPLICA_URLS, ${name}: ${error.message}`)
      }),
    ),
  )
  if (errors.size > replicas.length) throw errors.get(primary.name)
}

/** The role belongs to the whole server, so its existence does not mean that this database is set up. */
const checkSetUp = async (pool: Pool): Promise<void> => {
  const client = await pool.connect()
  const { isSetUp, database, schema } = await readSession(client, []).finally(() => client.release())
  if (!isSetUp) throw notSetUp(database)
  checkSchema(schema)
}
