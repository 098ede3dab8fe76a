import pg from 'pg'
import { withTimeout } from '../shared/timers.ts'
import { isConnectionUsable, throwRefusal } from './connection-error.ts'
import {
  type ConnectionSharing,
  makeConnectionQueue,
  makeConnectionSharing,
  type SharedConnection,
} from './connection-sharing.ts'
import type { Statement } from './statements.ts'

/** How long the pool keeps an idle connection, milliseconds: making one takes several round trips. */
const IDLE_TIMEOUT_MS = 60_000

export interface PoolOptions {
  /** How to connect, and how long that may take. Called again after each `disconnectAll`. */
  config(): pg.PoolConfig
  /** Whether to prepare each statement by its name, once for each connection. */
  prepares: boolean
  /** Checks each new connection before its first use. */
  onConnect(client: pg.Client): Promise<void>
  limits: {
    size: number
    /** How long to use a new connection, milliseconds. It varies, so that connections do not all end at once. */
    lifetime(): number
  }
  /** How long a statement may take by this process's clock, milliseconds: a frozen server ends none by itself. Absent: statements also wait for a connection as long as it takes. */
  queryTimeout?: number
  /** Round trip to the server, milliseconds. If it is far away, statements share pipelined connections. */
  roundTripMs?: () => number
  /** Whether statements can share pipelined connections. The embedded database runs one statement at a time. */
  isPipelined?: boolean
}

export type Pool = ReturnType<typeof makePool>

export const makePool = (options: PoolOptions) => {
  const { prepares, queryTimeout, limits, isPipelined = false, roundTripMs = () => 0 } = options
  const queue = queryTimeout === undefined ? undefined : makeConnectionQueue(limits.size, roundTripMs)
  const sharing = makeConnectionSharing({
    roundTripMs: isPipelined ? roundTripMs : () => 0,
    isExpired,
    timeoutMs: queryTimeout,
    onTimeout: abort,
  })
  let { pool, clients } = openPool(options)

  return {
    /** Rows of a statement. @throws Unavailable when no connection is free in time; otherwise what `pg` throws */
    query: async <Row>({ name, text }: Statement, values: readonly unknown[]): Promise<Row[]> => {
      const connection = await takeConnection(pool, limits.size, sharing, queue).catch(throwRefusal)
      const { client } = connection
      try {
        const query = { text, values: values as unknown[] }
        const rows = await rowsOf<Row>(client, prepares ? { name, ...query } : query)
        sharing.end(connection, true)
        return rows
      } catch (error) {
        sharing.end(connection, isConnectionUsable(error))
        throw error
      }
    },
    /** A connection that only the caller uses. `release` it. */
    connect: (): Promise<pg.PoolClient> => pool.connect(),
    /** Ends every connection at once: statements that wait for a lost server fail now. */
    disconnectAll: (): void => {
      const old = { pool, clients }
      sharing.clear()
      ;({ pool, clients } = openPool(options))
      old.pool.end().catch(() => {})
      for (const client of old.clients) abort(client)
    },
    /** `total`: connections, including those that are being made. */
    counts: () => ({ total: pool.totalCount, idle: pool.idleCount, queued: queue?.size ?? 0 }),
    close: (): Promise<void> => pool.end(),
  }
}

/** @param size connections that the pool may have */
const takeConnection = async (
  pool: pg.Pool,
  size: number,
  sharing: ConnectionSharing,
  queue: ReturnType<typeof makeConnectionQueue> | undefined,
): Promise<SharedConnection> => {
  // A statement that finds an idle connection, which is the usual case, needs no timer.
  if (pool.idleCount > pool.waitingCount || !queue) return sharing.start(await pool.connect())
  const shared = sharing.join()
  if (shared === undefined) {
    // A pool with room opens a connection for each statement that finds none free. At first, all wait for one.
    const isOpening = pool.totalCount < size || (pool.idleCount === 0 && !sharing.isUsed())
    return sharing.start(await queue.wait(pool, isOpening))
  }
  if (pool.totalCount < size)
    pool.connect().then(
      (client) => client.release(),
      () => {},
    )
  return shared
}

/**
 * Uses a callback, and a deadline of its own: the objects that `pg` creates for a promise, or for its
 * `query_timeout`, keep rows alive until the next full garbage collection. Without them, a list of recent revisions
 * took a third less time. (D9)
 */
const rowsOf = <Row>(client: pg.PoolClient, query: pg.QueryConfig): Promise<Row[]> =>
  new Promise((resolve, reject) => {
    client.query(query, (error, result) => (error ? reject(error) : resolve(result.rows as Row[])))
  })

/**
 * Ends a connection whose server does not respond. Its statements fail as if the server were lost. `end` alone would wait
 * for the replies to statements that were sent.
 */
const abort = (client: pg.PoolClient | pg.Client): void => {
  const connected = client as pg.Client // what a pool hands out, too
  connected.end().catch(() => {})
  connected.connection.stream.destroy()
}

/** When to stop using a connection, by the clock of `performance.now`. */
const lifetimeEnds = new WeakMap<pg.Client | pg.PoolClient, number>()

const isExpired = (client: pg.PoolClient) => performance.now() > (lifetimeEnds.get(client) ?? Infinity)

const openPool = ({ config: configOf, onConnect, limits, isPipelined = false }: PoolOptions) => {
  const config = configOf()
  const clients = new Set<pg.Client>()
  const pool = new pg.Pool({
    ...config,
    pipeline: isPipelined,
    max: limits.size,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    // The pool calls this before it listens to the client's errors.
    onConnect: async (newClient) => {
      const client = newClient as pg.Client
      client.on('error', () => {})
      clients.add(client)
      client.once('end', () => clients.delete(client))
      const checking = onConnect(client)
      const ms = config.connectionTimeoutMillis
      // The timeout of `pg` covers only the handshake, which a pooler completes even if its server does not respond.
      await (ms === undefined ? checking : withTimeout(checking, ms)).catch((error) => {
        abort(client)
        throw error
      })
      lifetimeEnds.set(client, performance.now() + limits.lifetime())
    },
  })
  // Without a listener, the loss of an idle connection would end the process. The next query reports the loss.
  pool.on('error', () => {})
  return { pool, clients }
}
