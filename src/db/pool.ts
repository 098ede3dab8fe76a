import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import pg from 'pg'
import { Unavailable } from '../errors.ts'
import { withTimeout } from '../timeout.ts'
import { isConnectionUsable } from './connection-error.ts'
import { makeDeadlines } from './deadlines.ts'
import { makeMessageSocket } from './message-socket.ts'
import type { Statement } from './statements.ts'
import { TimedQuery } from './timed-query.ts'

/** Statements that may wait for a connection, for each connection of the pool. Further statements fail at once. */
const QUEUE_PER_CONNECTION = 2
/**
 * How long a statement waits for a connection, milliseconds: a multiple of the time that making a connection takes,
 * within bounds. The shortest time so far counts, since longer ones show a busy machine, not a distant server.
 */
const QUEUE_TIMEOUT = { least: 500, most: 800, connects: 2.5 } as const
/** How long the pool keeps an idle connection, milliseconds: making one takes several round trips. */
const IDLE_TIMEOUT_MS = 60_000

/** The connections of a pool now. */
export interface PoolCounts {
  /** Connections, including those that are being made. */
  total: number
  idle: number
  /** Statements that wait for a connection. */
  queued: number
}

/** Bounds of a pool. */
export interface PoolLimits {
  /** Connections. */
  size: number
  /** How long to use a new connection, milliseconds. It varies, so that connections do not all end at once. */
  lifetime(): number
}

interface PoolOptions {
  /** How to connect, and how long that may take. Called again after each `disconnectAll`. */
  config(): pg.PoolConfig
  /** Whether to prepare each statement by its name, once for each connection. */
  prepares: boolean
  /** Checks each new connection before its first use. */
  onConnect(client: pg.Client): Promise<void>
  limits: PoolLimits
  /** How long a statement may take by this process's clock, milliseconds: a frozen server ends none by itself. */
  queryTimeout?: number
  /** Whether to set a statement's own timeout. The embedded database cannot end a statement. */
  isLimited?: boolean
}

/** Connections to one server. */
export interface Pool {
  /**
   * Rows of a statement.
   * @throws Unavailable when no connection is free in time; otherwise what `pg` throws
   */
  query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>
  /** A connection that only the caller uses. `release` it. */
  connect(): Promise<pg.PoolClient>
  /** Ends every connection at once: statements that wait for a lost server fail now. */
  disconnectAll(): void
  counts(): PoolCounts
  close(): Promise<void>
}

export const makePool = (options: PoolOptions): Pool => {
  const { prepares, queryTimeout, limits, isLimited = false } = options
  const deadlines = queryTimeout === undefined ? undefined : makeDeadlines(queryTimeout)
  const queue = makeConnectionQueue(limits.size)
  /** When to stop using a connection, by the clock of `performance.now`. */
  const lifetimeEnds = new WeakMap<pg.Client | pg.PoolClient, number>()
  const onConnected = (client: pg.Client, ms: number): void => {
    lifetimeEnds.set(client, performance.now() + limits.lifetime())
    queue.onConnected(ms)
  }
  const isExpired = (client: pg.PoolClient): boolean =>
    performance.now() > (lifetimeEnds.get(client) ?? Infinity)
  let { pool, clients } = openPool(options, onConnected)

  return {
    query: async <Row>({ name, text, timeoutMs }: Statement, values: readonly unknown[]) => {
      // A statement that finds an idle connection, which is the usual case, needs no timer.
      const client = await (pool.idleCount > pool.waitingCount ? pool.connect() : queue.wait(pool))
      const deadline = deadlines?.begin(() => abort(client))
      try {
        const query = { text, values: values as unknown[] }
        const config = prepares ? { name, ...query } : query
        const rows =
          isLimited && timeoutMs !== undefined
            ? await rowsWithin<Row>(client, config, timeoutMs)
            : await rowsOf<Row>(client, config)
        client.release(isExpired(client))
        return rows
      } catch (error) {
        client.release(!isConnectionUsable(error))
        throw error
      } finally {
        if (deadline) deadlines?.end(deadline)
      }
    },
    connect: () => pool.connect(),
    disconnectAll: () => {
      const old = { pool, clients }
      ;({ pool, clients } = openPool(options, onConnected))
      old.pool.end().catch(() => {})
      for (const client of old.clients) client.end().catch(() => {})
    },
    counts: () => ({ total: pool.totalCount, idle: pool.idleCount, queued: queue.size }),
    close: () => pool.end(),
  }
}

/** Statements that wait for a connection. */
interface ConnectionQueue {
  readonly size: number
  /** @throws Unavailable when the queue is full, or no connection is free in time */
  wait(pool: pg.Pool): Promise<pg.PoolClient>
  /** @param ms how long a connection took to be made */
  onConnected(ms: number): void
}

/** @param connections size of the pool */
const makeConnectionQueue = (connections: number): ConnectionQueue => {
  let size = 0
  let shortestConnectMs = Number.POSITIVE_INFINITY
  const timeoutMs = (): number =>
    Number.isFinite(shortestConnectMs)
      ? Math.min(
          QUEUE_TIMEOUT.most,
          Math.max(QUEUE_TIMEOUT.least, QUEUE_TIMEOUT.connects * shortestConnectMs),
        )
      : QUEUE_TIMEOUT.least
  const noConnection = () =>
    new Unavailable(
      undefined,
      1,
      new Error(`No connection was free within ${timeoutMs()} ms. Statements that wait: ${size}.`),
    )
  return {
    get size() {
      return size
    },
    wait: async (pool) => {
      if (size >= QUEUE_PER_CONNECTION * connections) throw noConnection()
      size += 1
      const connecting = pool.connect()
      let hasTimedOut = false
      // A connection that comes too late goes back to the pool, for the next statement.
      connecting.then(
        (client) => hasTimedOut && client.release(),
        () => {},
      )
      try {
        return await withTimeout(connecting, timeoutMs(), () => {
          hasTimedOut = true
          return noConnection()
        })
      } finally {
        size -= 1
      }
    },
    onConnected: (ms) => {
      shortestConnectMs = Math.min(shortestConnectMs, ms)
    },
  }
}

/**
 * Uses a callback, and a deadline of its own: the objects that `pg` creates for a promise, or for its
 * `query_timeout`, keep rows alive until the next full garbage collection. Without them, a list of recent revisions
 * took a third less time. (D49)
 */
const rowsOf = <Row>(client: pg.PoolClient, query: pg.QueryConfig): Promise<Row[]> =>
  new Promise((resolve, reject) => {
    client.query(query, (error, result) => (error ? reject(error) : resolve(result.rows as Row[])))
  })

const rowsWithin = <Row>(client: pg.PoolClient, query: pg.QueryConfig, timeoutMs: number): Promise<Row[]> =>
  new Promise((resolve, reject) => {
    client.query(
      new TimedQuery(query, timeoutMs, (error, result) =>
        error ? reject(error) : resolve(result.rows as Row[]),
      ),
    )
  })

/**
 * Ends a connection whose statement takes too long. The statement fails as if the server were lost. `end` alone
 * would wait for the server if the statement before has failed and is not over yet.
 */
const abort = (client: pg.PoolClient): void => {
  const { connection } = client as unknown as { connection: { stream: Duplex } }
  ;(client as unknown as pg.Client).end().catch(() => {})
  connection.stream.destroy()
}

const connectTimedOut = () => new Error('timeout exceeded when trying to connect')

/** TLS reads from the socket itself. */
const makeSocket = ({ ssl }: pg.ConnectionConfig): Socket => (ssl ? new Socket() : makeMessageSocket())

const openPool = (
  { config: configOf, onConnect, limits }: PoolOptions,
  onConnected: (client: pg.Client, ms: number) => void,
) => {
  const config = configOf()
  const clients = new Set<pg.Client>()
  const startedAt = new WeakMap<pg.Client, number>()
  class TimedClient extends pg.Client {
    constructor(clientConfig?: pg.ClientConfig) {
      super(clientConfig)
      startedAt.set(this, performance.now())
    }
  }
  const pool = new pg.Pool({
    ...config,
    Client: TimedClient,
    stream: makeSocket as unknown as pg.PoolConfig['stream'], // `pg` calls it with the configuration
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
      await (ms === undefined ? checking : withTimeout(checking, ms, connectTimedOut))
      onConnected(client, performance.now() - startedAt.get(client)!)
    },
  })
  // Without a listener, the loss of an idle connection would end the process. The next query reports the loss.
  pool.on('error', () => {})
  return { pool, clients }
}
