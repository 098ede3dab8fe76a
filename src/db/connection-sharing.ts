import { Unavailable } from '@lectern/wiki/errors'
import type pg from 'pg'
import { FAR_DATABASE_MS, ROUND_TRIPS_MAX } from '../limits/service.ts'
import { withTimeout } from '../shared/timers.ts'

/**
 * Statements on one connection to a distant server at the same time. Near the server, a statement would only wait behind
 * another. Far away, the connection does nothing during most of a round trip.
 */
const STATEMENTS_PER_CONNECTION = 4

export interface SharedConnection {
  readonly client: pg.PoolClient
  running: number
  isUsable: boolean
  endDeadline: (() => void) | undefined
}

interface SharingOptions {
  roundTripMs(): number
  isExpired(client: pg.PoolClient): boolean
  /**
   * How long the server may take to respond to one statement, milliseconds: it runs those of a connection one after the
   * other. Undefined: as long as it likes.
   */
  timeoutMs: number | undefined
  onTimeout(client: pg.PoolClient): void
}

/**
 * Calls back unless it is ended in time. After a stall of this process, responses that arrived in time are read first.
 * @returns a function that ends it
 */
const startDeadline = (ms: number, onTimeout: () => void): (() => void) => {
  let hasEnded = false
  const timer = setTimeout(() => setImmediate(() => hasEnded || onTimeout()), ms).unref()
  return () => {
    hasEnded = true
    clearTimeout(timer)
  }
}

/** The connections of a pool that run statements, and the distance of their server. (D41) */
export type ConnectionSharing = ReturnType<typeof makeConnectionSharing>

export const makeConnectionSharing = (options: SharingOptions) => {
  const { roundTripMs, isExpired, timeoutMs, onTimeout } = options
  const busy = new Set<SharedConnection>()
  const begin = (connection: SharedConnection): void => {
    connection.endDeadline =
      timeoutMs === undefined ? undefined : startDeadline(timeoutMs, () => onTimeout(connection.client))
  }
  return {
    /** The connection with the fewest statements, if the server is far away and one may take another statement. */
    join: (): SharedConnection | undefined => {
      if (roundTripMs() < FAR_DATABASE_MS) return undefined
      let best: SharedConnection | undefined
      for (const one of busy)
        if (one.running < (best?.running ?? STATEMENTS_PER_CONNECTION) && !isExpired(one.client)) best = one
      if (best) best.running += 1
      return best
    },
    start: (client: pg.PoolClient): SharedConnection => {
      const connection: SharedConnection = { client, running: 1, isUsable: true, endDeadline: undefined }
      busy.add(connection)
      begin(connection)
      return connection
    },
    /** A statement has ended. The last one on its connection gives the connection back to the pool. */
    end: (connection: SharedConnection, isUsable: boolean): void => {
      connection.endDeadline?.()
      connection.running -= 1
      connection.isUsable &&= isUsable
      if (!connection.isUsable || connection.running === 0) busy.delete(connection)
      if (connection.running > 0) begin(connection)
      else connection.client.release(!connection.isUsable || isExpired(connection.client))
    },
    /** Whether a statement runs on any connection. */
    isUsed: (): boolean => busy.size > 0,
    /** No further statement joins the connections of a former pool. */
    clear: (): void => busy.clear(),
  }
}

/** Statements that may wait, for each statement that the connections of the pool may run. Further ones fail at once. */
const QUEUE_PER_CONNECTION = 2
/** How long a statement waits for a connection, milliseconds, besides the round trips of a response. */
const QUEUE_TIMEOUT_MS = 500
/** The same if it waits for a connection that is being opened. It leaves time to run the statement on another server. */
const OPENING_TIMEOUT_MS = 1_500

/** Statements that wait for a connection. @param connections size of the pool */
export const makeConnectionQueue = (connections: number, roundTripMs: () => number) => {
  let size = 0
  const timeoutMs = (isOpening: boolean) =>
    (isOpening ? OPENING_TIMEOUT_MS : QUEUE_TIMEOUT_MS) + ROUND_TRIPS_MAX * roundTripMs()
  const sizeMax = () =>
    QUEUE_PER_CONNECTION * connections * (roundTripMs() < FAR_DATABASE_MS ? 1 : STATEMENTS_PER_CONNECTION)
  const noConnection = (ms: number) => {
    const reason = `No connection was free within ${Math.round(ms)} ms, and ${size} statements wait.`
    return new Unavailable(undefined, 1, new Error(reason))
  }
  return {
    get size(): number {
      return size
    },
    /** @param isOpening whether a connection is being opened for it @throws Unavailable when the queue is full, or none is free in time */
    wait: async (pool: pg.Pool, isOpening: boolean): Promise<pg.PoolClient> => {
      const ms = timeoutMs(isOpening)
      if (size >= sizeMax()) throw noConnection(ms)
      size += 1
      const connecting = pool.connect()
      let hasTimedOut = false
      // A connection that comes too late goes back to the pool, for the next statement.
      connecting.then(
        (client) => hasTimedOut && client.release(),
        () => {},
      )
      const timedOut = () => {
        hasTimedOut = true
        return noConnection(ms)
      }
      return withTimeout(connecting, ms, timedOut).finally(() => {
        size -= 1
      })
    },
  }
}
