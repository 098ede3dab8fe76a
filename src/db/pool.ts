import type { Duplex } from 'node:stream'
import pg from 'pg'
import { Unavailable } from '../errors.ts'
import { withTimeout } from '../timeout.ts'
import { isConnectionUsable } from './connection-error.ts'
import { makeDeadlines } from './deadlines.ts'
import type { Statement } from './statements.ts'

/** Statements that may wait for a connection, for each that there may be: who comes later is answered 503 at once. */
const QUEUE_PER_CONNECTION = 2
/**
 * How long one waits, milliseconds: so many times as long as a connection takes to be made (the quickest so far, since
 * others tell of a busy machine, not of a distant server), within bounds.
 */
const QUEUE_TIMEOUT = { least: 500, most: 800, connects: 2.5 } as const
/** How long a connection that nobody uses is kept, milliseconds: making one takes several round trips. */
const IDLE_TIMEOUT_MS = 60_000

/** A pool at one moment. */
export interface PoolCounts {
  /** Connections, those that are being made included. */
  total: number
  /** Connections that do nothing. */
  idle: number
  /** Statements that have no connection yet. */
  queued: number
}

/** Bounds of a pool. */
export interface PoolLimits {
  /** Connections. */
  size: number
  /** How long a new connection will be used, milliseconds: not the same for all, so that not all end at once. */
  lifetime(): number
}

interface PoolOptions {
  /** Whom new connections are made to, and how long that may take; asked again after each `cut`. */
  config(): pg.PoolConfig
  /** Whether statements are prepared by name, once a connection. */
  prepares: boolean
  /** Looks at each new connection before it is used. */
  onConnect(client: pg.Client): Promise<void>
  limits: PoolLimits
  /** How long a statement may take, milliseconds: a frozen server ends none by itself. */
  queryTimeout?: number
  /** Whether a statement's own timeout is asked for: the embedded database ends none. */
  isLimited?: boolean
}

/** Connections to one server. */
export interface Pool {
  /**
   * Rows of a statement.
   * @throws Unavailable when no connection is to be had in time; else what `pg` throws
   */
  query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>
  /** A connection of one's own; `release` it. */
  connect(): Promise<pg.PoolClient>
  /** Ends every connection at once: statements that wait for a server that is gone fail now. */
  disconnectAll(): void
  counts(): PoolCounts
  close(): Promise<void>
}

export const makePool = (options: PoolOptions): Pool => {
  const { prepares, queryTimeout, limits, isLimited = false } = options
  const deadlines = queryTimeout === undefined ? undefined : makeDeadlines(queryTimeout)
  /** When a connection is not used any more, by the clock of `performance.now`. */
  const ends = new WeakMap<pg.Client | pg.PoolClient, number>()
  let connectMs = Number.POSITIVE_INFINITY
  const connected = (client: pg.Client, ms: number): void => {
    ends.set(client, performance.now() + limits.lifetime())
    connectMs = Math.min(connectMs, ms)
  }
  const isOld = (client: pg.PoolClient): boolean => performance.now() > (ends.get(client) ?? Infinity)
  let { pool, clients } = open(options, connected)
  let queued = 0

  const waitMs = (): number =>
    Number.isFinite(connectMs)
      ? Math.min(QUEUE_TIMEOUT.most, Math.max(QUEUE_TIMEOUT.least, QUEUE_TIMEOUT.connects * connectMs))
      : QUEUE_TIMEOUT.least
  const noConnection = () =>
    new Unavailable(undefined, 1, new Error(`No connection within ${waitMs()} ms; ${queued} statements wait`))

  /** A late connection is not lost: it goes back to the pool for the next statement. */
  const wait = async (): Promise<pg.PoolClient> => {
    if (queued >= QUEUE_PER_CONNECTION * limits.size) throw noConnection()
    queued += 1
    const connecting = pool.connect()
    let isLate = false
    connecting.then(
      (client) => isLate && client.release(),
      () => {},
    )
    try {
      return await withTimeout(connecting, waitMs(), () => {
        isLate = true
        return noConnection()
      })
    } finally {
      queued -= 1
    }
  }

  return {
    query: async <Row>({ name, text, timeoutMs }: Statement, values: readonly unknown[]) => {
      // Those who find an idle connection, which is nearly always, wait for no timer.
      const client = await (pool.idleCount > pool.waitingCount ? pool.connect() : wait())
      const deadline = deadlines?.begin(() => abort(client))
      try {
        const query = { text, values: values as unknown[] }
        const asked = prepares ? { name, ...query } : query
        const rows =
          isLimited && timeoutMs !== undefined
            ? await rowsWithin<Row>(client, asked, timeoutMs)
            : await rowsOf<Row>(client, asked)
        client.release(isOld(client))
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
      const cut = { pool, clients }
      ;({ pool, clients } = open(options, connected))
      cut.pool.end().catch(() => {})
      for (const client of cut.clients) client.end().catch(() => {})
    },
    counts: () => ({ total: pool.totalCount, idle: pool.idleCount, queued }),
    close: () => pool.end(),
  }
}

/**
 * By callback, and with a deadline of our own: what `pg` makes for a promise, or for its `query_timeout`, keeps
 * rows alive until the next collection of all memory. A list of recent edits took a third less time without.
 */
const rowsOf = <Row>(client: pg.PoolClient, query: pg.QueryConfig): Promise<Row[]> =>
  new Promise((resolve, reject) => {
    client.query(query, (error, result) => (error ? reject(error) : resolve(result.rows as Row[])))
  })

/** In a transaction, which poolers keep together too. */
const rowsWithin = async <Row>(
  client: pg.PoolClient,
  query: pg.QueryConfig,
  timeoutMs: number,
): Promise<Row[]> => {
  await rowsOf(client, { text: `begin; set local statement_timeout = ${timeoutMs}` })
  try {
    return await rowsOf<Row>(client, query)
  } finally {
    await rowsOf(client, { text: 'rollback' })
  }
}

/**
 * Ends a connection whose statement takes too long: the statement fails as if the server had gone. `end` alone
 * would wait for the server where the statement before has failed and is not over yet.
 */
const abort = (client: pg.PoolClient): void => {
  const { connection } = client as unknown as { connection: { stream: Duplex } }
  ;(client as unknown as pg.Client).end().catch(() => {})
  connection.stream.destroy()
}

const connectTimedOut = () => new Error('timeout exceeded when trying to connect')

const open = (
  { config: configOf, onConnect, limits }: PoolOptions,
  connected: (client: pg.Client, ms: number) => void,
) => {
  const config = configOf()
  const clients = new Set<pg.Client>()
  const began = new WeakMap<pg.Client, number>()
  class TimedClient extends pg.Client {
    constructor(given?: pg.ClientConfig) {
      super(given)
      began.set(this, performance.now())
    }
  }
  const pool = new pg.Pool({
    ...config,
    Client: TimedClient,
    max: limits.size,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    // It runs before the pool counts the client as its own, so that its errors have no listener yet.
    onConnect: async (made) => {
      const client = made as pg.Client
      client.on('error', () => {})
      clients.add(client)
      client.once('end', () => clients.delete(client))
      const looked = onConnect(client)
      const ms = config.connectionTimeoutMillis
      // The pool's own limit ends with the handshake, which a pooler answers for a server that is silent.
      await (ms === undefined ? looked : withTimeout(looked, ms, connectTimedOut))
      connected(client, performance.now() - began.get(client)!)
    },
  })
  // Without a listener the death of an idle connection ends the process; the next query finds out.
  pool.on('error', () => {})
  return { pool, clients }
}
