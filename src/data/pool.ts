import type { Duplex } from 'node:stream'
import pg from 'pg'
import { Unavailable } from '../errors.ts'
import { within } from '../within.ts'
import { isConnectionWhole } from './connection-error.ts'
import { makeDeadlines } from './deadlines.ts'
import type { Statement } from './statements.ts'

/** Connections of a pool: enough to keep two cores busy, few enough for a small server. */
const POOL_SIZE = 10
/** How many may wait for a connection, and how long, milliseconds: who comes later is answered 503 at once. */
const WAITING_MAX = 2 * POOL_SIZE
const WAIT = 500

/** A pool at one moment. */
export interface PoolCounts {
  /** Connections, those that are being made included. */
  total: number
  /** Connections that do nothing. */
  idle: number
  /** Statements that have no connection yet. */
  waiting: number
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
  cut(): void
  counts(): PoolCounts
  close(): Promise<void>
}

/**
 * @param config whom to connect to, and how long that may take
 * @param prepares whether statements are prepared by name, once a connection
 * @param onConnect looks at each new connection before it is used
 * @param queryTimeout how long a statement may take, milliseconds: a frozen server ends none by itself
 */
export const makePool = (
  config: pg.PoolConfig,
  prepares: boolean,
  onConnect: (client: pg.Client) => Promise<void>,
  queryTimeout?: number,
): Pool => {
  const deadlines = queryTimeout === undefined ? undefined : makeDeadlines(queryTimeout)
  let { pool, clients } = open(config, onConnect)
  let waiting = 0

  const noConnection = () =>
    new Unavailable(undefined, 1, new Error(`No connection within ${WAIT} ms; ${waiting} statements wait`))

  /** A late connection is not lost: it goes back to the pool for the next statement. */
  const wait = async (): Promise<pg.PoolClient> => {
    if (waiting >= WAITING_MAX) throw noConnection()
    waiting += 1
    const connecting = pool.connect()
    let isLate = false
    connecting.then(
      (client) => isLate && client.release(),
      () => {},
    )
    try {
      return await within(connecting, WAIT, () => {
        isLate = true
        return noConnection()
      })
    } finally {
      waiting -= 1
    }
  }

  return {
    query: async <Row>({ name, text }: Statement, values: readonly unknown[]) => {
      // Those who find an idle connection, which is nearly always, wait for no timer.
      const client = await (pool.idleCount > pool.waitingCount ? pool.connect() : wait())
      const deadline = deadlines?.begin(() => cutShort(client))
      try {
        const query = { text, values: values as unknown[] }
        const rows = await rowsOf<Row>(client, prepares ? { name, ...query } : query)
        client.release()
        return rows
      } catch (error) {
        client.release(!isConnectionWhole(error))
        throw error
      } finally {
        if (deadline) deadlines?.end(deadline)
      }
    },
    connect: () => pool.connect(),
    cut: () => {
      const cut = { pool, clients }
      ;({ pool, clients } = open(config, onConnect))
      cut.pool.end().catch(() => {})
      for (const client of cut.clients) client.end().catch(() => {})
    },
    counts: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting }),
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

/**
 * Ends a connection whose statement takes too long: the statement fails as if the server had gone. `end` alone
 * would wait for the server where the statement before has failed and is not over yet.
 */
const cutShort = (client: pg.PoolClient): void => {
  const { connection } = client as unknown as { connection: { stream: Duplex } }
  ;(client as unknown as pg.Client).end().catch(() => {})
  connection.stream.destroy()
}

const tooLate = () => new Error('timeout exceeded when trying to connect')

const open = (config: pg.PoolConfig, onConnect: (client: pg.Client) => Promise<void>) => {
  const clients = new Set<pg.Client>()
  const pool = new pg.Pool({
    ...config,
    max: POOL_SIZE,
    keepAlive: true,
    // It runs before the pool counts the client as its own, so that its errors have no listener yet.
    onConnect: (connected) => {
      const client = connected as pg.Client
      client.on('error', () => {})
      clients.add(client)
      client.once('end', () => clients.delete(client))
      const looked = onConnect(client)
      const ms = config.connectionTimeoutMillis
      // The pool's own limit ends with the handshake, which a pooler answers for a server that is silent.
      return ms === undefined ? looked : within(looked, ms, tooLate)
    },
  })
  // Without a listener the death of an idle connection ends the process; the next query finds out.
  pool.on('error', () => {})
  return { pool, clients }
}
