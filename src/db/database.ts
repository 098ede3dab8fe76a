import type { FileStore } from '@lectern/files-s3/file-store'
import type pg from 'pg'
import type { ServerState } from './server.ts'
import type { Statement } from './statements.ts'

/** Where the wiki is stored: on a PostgreSQL server, or else in a folder of the embedded database. */
export interface DatabaseOptions {
  /** May name several servers. Lectern uses the primary unless the URL says otherwise. */
  databaseUrl?: string
  /** Streaming replicas that guests are served from. */
  databaseReplicaUrls?: readonly string[]
  /** Seconds. A replica with more lag leaves the rotation. */
  maxReplicaLag?: number
  /** False behind a pooler that cannot keep prepared statements. */
  preparedStatements?: boolean
  databasePoolSize?: number
  /** The longest time to use a connection, seconds. */
  databaseConnectionLifetime?: number
  /** How long the owner's statements wait for a lock, milliseconds. Absent: until they have it. */
  lockTimeout?: number
  /** The store of the bytes of files: `s3://bucket/prefix`. Absent: the database. */
  filesUrl?: string
  dataDir: string
}

export interface Database {
  readonly kind: 'postgresql' | 'embedded'
  /** Whether this process owns the embedded database, so that no other process had opened it. Absent for PostgreSQL. */
  readonly isOwner?: boolean
  /** The bytes of files outside the database. Absent: they are in it. */
  readonly fileStore?: FileStore
  /** Resolves if the embedded database has failed for good. */
  readonly failed?: Promise<Error>
  /** Rows of a statement. @throws Unavailable when no connection is free, or the server is lost */
  query<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]>
  /** A connection that only the caller uses, for transactions and COPY. `release` it. */
  connect(): Promise<pg.PoolClient>
  close(): Promise<void>
}

/** The database for guests: Lectern watches it, and reads from all of its servers. */
export interface ServingDatabase extends Database {
  /** Calls back when any process has imported, or may have, without a notice. @returns a function that stops this */
  onChange(callback: () => void): () => void
  /** @throws Unavailable when the wiki cannot be read, from about 1.5 s after a server is lost */
  ready(): Promise<void>
  /** Each server as this process sees it, the primary first. Sends no query. */
  servers(): ServerState[]
  /** Round trip to the server that is farthest away, milliseconds. */
  roundTripMs(): number
}
