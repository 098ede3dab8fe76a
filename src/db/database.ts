import type pg from 'pg'
import type { ServerState } from './server.ts'
import type { Statement } from './statements.ts'

/** Where the wiki is kept: a PostgreSQL server, or else a folder for the embedded database. */
export interface DatabaseOptions {
  /** May name several servers, of which the primary is used unless it asks for another. */
  databaseUrl?: string
  /** Streaming replicas of it that guests are served from. */
  databaseReplicaUrls?: readonly string[]
  /** Seconds; a replica that lags more is left alone. */
  maxReplicaLag?: number
  /** False behind a pooler that cannot keep them. */
  preparedStatements?: boolean
  /** Connections for statements, to each server. */
  databasePoolSize?: number
  /** Seconds that a connection is used at most. */
  databaseConnectionLifetime?: number
  dataDir: string
}

export interface Database {
  readonly kind: 'postgresql' | 'embedded'
  /** Resolves, if ever, when the embedded database has failed for good. */
  readonly failed?: Promise<Error>
  /**
   * Rows of a statement, prepared on first use by each connection.
   * @throws Unavailable when no connection can be had or the server went away
   */
  query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>
  /** A connection of one's own, for transactions and COPY; `release` it. */
  connect(): Promise<pg.PoolClient>
  close(): Promise<void>
}

/** The database as guests are served from it: watched, and on as many servers as there are. */
export interface ServingDatabase extends Database {
  /**
   * Calls back when an import has finished, in whatever process, or may have while nobody could hear of it.
   * @returns stops that
   */
  onChange(changed: () => void): () => void
  /** @throws Unavailable when the wiki cannot be read; known about 1.5 s after a server's end */
  ready(): Promise<void>
  /** Each server as this process sees it; the primary first. Costs nothing. */
  servers(): ServerState[]
  /** How long the primary takes to answer at its quickest, milliseconds. */
  roundTripMs(): number
}
