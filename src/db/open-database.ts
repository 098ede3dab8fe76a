import type pg from 'pg'
import type { Logger } from 'pino'
import { parseDatabaseUrl, type TargetSession } from '../database-url.ts'
import { Unavailable, UsageError } from '../errors.ts'
import { CONNECTION_LIFETIME, POOL_SIZE } from '../limits.ts'
import { connectionError } from './connection-advice.ts'
import { isConnectionError } from './connection-error.ts'
import type { Database, DatabaseOptions, ServingDatabase } from './database.ts'
import { type DatabaseHosts, findHost, makeDatabaseHosts, singleHost } from './hosts.ts'
import { makePool, type Pool, type PoolLimits } from './pool.ts'
import { makeReadServers } from './replicas.ts'
import { type DatabaseServer, makeDatabaseServer } from './server.ts'
import {
  checkSchema,
  checkSession,
  type DatabaseRole,
  explainSchemaMismatch,
  notSetUp,
  READER_ROLE,
  SCHEMA_VERSION,
  sessionOptions,
  typeParsers,
} from './session.ts'
import { statement } from './statements.ts'

/** Longest time that making a connection may take, milliseconds. */
const CONNECT_TIMEOUT = 2_000
/** The embedded database makes none while an import has its one session. */
const EMBEDDED_CONNECT_TIMEOUT = 30_000
/** Seconds, where nothing else is said. */
const MAX_REPLICA_LAG = 10

/**
 * The database behind one interface, whichever it is: pools of ordinary PostgreSQL connections.
 * @param logger is told when a server is lost and when it is back
 * @throws UsageError when it cannot be reached or may not be served from, saying what to look at
 */
export async function openDatabase(
  place: DatabaseOptions,
  role: 'reader',
  logger?: Logger,
): Promise<ServingDatabase>
export async function openDatabase(
  place: DatabaseOptions,
  role: DatabaseRole,
  logger?: Logger,
): Promise<Database>
export async function openDatabase(
  place: DatabaseOptions,
  role: DatabaseRole,
  logger?: Logger,
): Promise<Database> {
  // Loaded only where it is used: a service on PostgreSQL needs no WASM in its memory.
  const embedded =
    place.databaseUrl === undefined
      ? await (await import('./embedded/embedded.ts')).openEmbeddedDatabase(place.dataDir, {
          onNoSpace: (err) => logger?.error({ err }, 'The embedded database waits for space on its disk'),
        })
      : undefined
  const kind = embedded ? 'embedded' : 'postgresql'
  const { databasePoolSize = POOL_SIZE.default, databaseConnectionLifetime = CONNECTION_LIFETIME.default } =
    place
  const common: pg.PoolConfig = {
    connectionTimeoutMillis: embedded ? EMBEDDED_CONNECT_TIMEOUT : CONNECT_TIMEOUT,
    options: sessionOptions(role),
    application_name: `lectern ${role}`,
    types: typeParsers,
  }
  const connections: ConnectionSettings = {
    role,
    kind,
    prepares: place.preparedStatements ?? true,
    limits: {
      size: databasePoolSize,
      // Up to a tenth sooner: connections that were made together would be made anew together.
      lifetime: () => databaseConnectionLifetime * (1000 - 100 * Math.random()),
    },
    hostsOf: (url, target) => makeDatabaseHosts(parseDatabaseUrl(url), target, common),
    logger,
  }
  const hosts = embedded
    ? singleHost({
        ...common,
        host: embedded.host,
        port: embedded.port,
        database: 'postgres',
        user: role === 'reader' ? READER_ROLE : 'postgres',
      })
    : connections.hostsOf(place.databaseUrl!, targetOf(place.databaseUrl!, role))
  try {
    const opened = await (role === 'reader'
      ? openForReader(connections, hosts, place)
      : openForOwner(connections, hosts))
    const close = async () => {
      await opened.close()
      await embedded?.close()
    }
    return { ...opened, kind, failed: embedded?.failed, close }
  } catch (error) {
    await embedded?.close()
    throw connectionError(place, role, error as Error & { code?: string })
  }
}

/**
 * Where the address does not say: of several servers the primary, which alone can be written to and says what is
 * committed; libpq would take any. One server is taken as it is. Owners need the primary whatever guests may have.
 */
const targetOf = (url: string, role: DatabaseRole): TargetSession => {
  const { hosts, target } = parseDatabaseUrl(url)
  if (hosts.length === 1) return target ?? 'any'
  return role === 'reader' || target === 'standby' ? (target ?? 'primary') : 'primary'
}

/** What all connections of one opening have in common. */
interface ConnectionSettings {
  role: DatabaseRole
  kind: Database['kind']
  prepares: boolean
  limits: PoolLimits
  hostsOf(url: string, target: TargetSession): DatabaseHosts
  logger?: Logger
}

type OpenDatabase<Kind extends Database> = Omit<Kind, 'kind' | 'failed'>

const openForOwner = async (
  { kind, prepares, limits }: ConnectionSettings,
  hosts: DatabaseHosts,
): Promise<OpenDatabase<Database>> => {
  await findHost(hosts, CONNECT_TIMEOUT)
  const pool = makePool({
    config: hosts.config,
    prepares,
    limits,
    onConnect: async (client) => {
      if (kind === 'postgresql') hosts.check((await checkSession(client, 'owner')).isInRecovery)
    },
  })
  await reach(pool).catch(async (error: unknown) => {
    await pool.close()
    throw error
  })
  /** Another server may be the primary by now. */
  const withFailover = async <Result>(attempt: () => Promise<Result>): Promise<Result> => {
    try {
      return await attempt()
    } catch (error) {
      if (!isConnectionError(error) || !(await findHost(hosts, CONNECT_TIMEOUT)).isOther) throw error
      pool.disconnectAll()
      return attempt()
    }
  }
  return {
    query: asUnavailable((asked, values) => withFailover(() => pool.query(asked, values))),
    connect: () => withFailover(pool.connect),
    close: pool.close,
  }
}

const openForReader = async (
  { kind, prepares, limits, hostsOf, logger }: ConnectionSettings,
  hosts: DatabaseHosts,
  { databaseReplicaUrls = [], maxReplicaLag = MAX_REPLICA_LAG }: DatabaseOptions,
): Promise<OpenDatabase<ServingDatabase>> => {
  const warnOfPooler = once(() =>
    logger?.warn(
      'A pooler stands before the database: set PREPARED_STATEMENTS=false unless it keeps sessions or prepared statements',
    ),
  )
  const server = (name: string, of: DatabaseHosts, isReplica: boolean) =>
    makeDatabaseServer({
      name,
      hosts: of,
      prepares,
      isLimited: kind === 'postgresql',
      limits,
      isReplica,
      logger,
      onConnect: async (client) => {
        if (kind === 'embedded') return
        const { isPooled, isInRecovery } = await checkSession(client, 'reader')
        of.check(isInRecovery)
        if (isPooled && prepares) warnOfPooler()
      },
    })
  const primary = server('primary', hosts, false)
  const replicas = databaseReplicaUrls.map((url, i) => server(`replica ${i + 1}`, hostsOf(url, 'any'), true))
  const isPostgres = kind === 'postgresql'
  // Who cannot keep prepared statements cannot keep LISTEN either. (D38)
  const servers = makeReadServers({
    primary,
    replicas,
    maxLag: maxReplicaLag,
    listensForChanges: prepares,
    sendsHeartbeats: isPostgres,
  })
  const listeners = new Set<() => void>()
  try {
    await reachAny(primary, replicas, () => findHost(hosts, CONNECT_TIMEOUT))
    if (!isPostgres) await checkSetUp(primary.pool)
    await servers.watch(() => {
      for (const changed of listeners) changed()
    })
  } catch (error) {
    await servers.close()
    throw error
  }
  const query = asUnavailable(servers.query)
  return {
    query,
    connect: primary.pool.connect,
    close: servers.close,
    onChange: (changed) => {
      const listener = () => changed()
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    ready: async () => {
      if (!isPostgres) await query(statement('wiki'), [])
      else if (!servers.isReady()) throw new Unavailable()
    },
    servers: servers.states,
    roundTripMs: servers.roundTripMs,
  }
}

const once = (warn: () => void) => {
  let warned = false
  return () => {
    if (!warned) warn()
    warned = true
  }
}

const reach = async (pool: Pool): Promise<void> => {
  const client = await pool.connect()
  client.release()
}

/** @throws what will not pass by itself, wherever it is; or the primary's error when no server can be reached */
const reachAny = async (
  primary: DatabaseServer,
  replicas: readonly DatabaseServer[],
  findPrimary: () => Promise<{ isOther: boolean }>,
): Promise<void> => {
  const errors = new Map<string, Error>()
  const reachPrimary = async () => {
    if ((await findPrimary()).isOther) primary.pool.disconnectAll()
    await reach(primary.pool)
  }
  await Promise.all(
    [primary, ...replicas].map(({ name, pool }) =>
      (name === primary.name ? reachPrimary() : reach(pool)).catch((error: Error) => {
        if (isConnectionError(error)) errors.set(name, error)
        else if (name === primary.name) throw error
        else throw new UsageError(`DATABASE_REPLICA_URLS, ${name}: ${error.message}`)
      }),
    ),
  )
  if (errors.size > replicas.length) throw errors.get(primary.name)
}

/** The role is the server's, so its being there does not say that this database has been set up. */
const checkSetUp = async (pool: Pool): Promise<void> => {
  const client = await pool.connect()
  const { rows } = await client
    .query(`select to_regclass('guest.wiki') is null as missing, ${SCHEMA_VERSION} as schema`)
    .finally(() => client.release())
  if (rows[0].missing) throw notSetUp()
  checkSchema(rows[0].schema)
}

/** A query whose failures that are the database's, and not the statement's, are told as what may pass. */
const asUnavailable =
  (query: Database['query']): Database['query'] =>
  async (asked, values) => {
    try {
      return await query(asked, values)
    } catch (thrown) {
      const error = explainSchemaMismatch(thrown)
      if (isConnectionError(error) || error instanceof UsageError) throw new Unavailable(undefined, 1, error)
      throw error
    }
  }
