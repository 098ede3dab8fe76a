import type pg from 'pg'
import { withTimeout } from '../timeout.ts'
import type { LogPosition } from './required-position.ts'
import { checkSchema, SCHEMA_VERSION } from './session.ts'

/** A server that does not respond to a heartbeat within this time is lost, milliseconds. */
export const HEARTBEAT_TIMEOUT_MS = 1_000

/** What a server reports of itself. */
export interface Heartbeat extends LogPosition {
  /** True of a standby. */
  isInRecovery: boolean
  /** When the query was sent, by the clock of `performance.now`, and how long the result took, milliseconds. */
  sentAt: number
  durationMs: number
}

const HEARTBEAT_QUERY = `
  select pg_catalog.pg_wal_lsn_diff(
           case when pg_catalog.pg_is_in_recovery() then pg_catalog.pg_last_wal_replay_lsn()
                else pg_catalog.pg_current_wal_flush_lsn() end, '0/0')::float8 as position,
         pg_catalog.pg_wal_lsn_diff(
           case when pg_catalog.pg_is_in_recovery()
                then greatest(pg_catalog.pg_last_wal_receive_lsn(), pg_catalog.pg_last_wal_replay_lsn())
                else pg_catalog.pg_current_wal_flush_lsn() end, '0/0')::float8 as received,
         pg_catalog.pg_is_in_recovery() as "isInRecovery",
         ${SCHEMA_VERSION} as schema`

/** The heartbeat of a server that does not report its position. */
const WITHOUT_POSITION = { position: null, received: null, isInRecovery: false } as const

/** The heartbeat of the embedded database, which lives as long as this process and gets no queries. */
export const assumedHeartbeat = (): Heartbeat => ({
  ...WITHOUT_POSITION,
  sentAt: performance.now(),
  durationMs: 0,
})

/** @throws UsageError when the database lacks migrations that this version ships */
export const sendHeartbeat = async (client: pg.Client): Promise<Heartbeat> => {
  const sentAt = performance.now()
  try {
    const response = client.query<Omit<Heartbeat, 'sentAt' | 'durationMs'> & { schema: number | null }>(
      HEARTBEAT_QUERY,
    )
    const { rows } = await withTimeout(response, HEARTBEAT_TIMEOUT_MS, heartbeatTimedOut)
    const { schema, ...report } = rows[0]!
    checkSchema(schema)
    return { ...report, sentAt, durationMs: performance.now() - sentAt }
  } catch (error) {
    if (hasNoPosition(error)) return { ...WITHOUT_POSITION, sentAt, durationMs: performance.now() - sentAt }
    throw error
  }
}

/** Whether the server responds, but has no such functions, or this role may not call them. */
const hasNoPosition = (error: unknown): boolean =>
  /^(42883|42501|0A000)$/.test((error as { code?: string }).code ?? '')

export const heartbeatTimedOut = (): Error =>
  new Error(`The server did not respond within ${HEARTBEAT_TIMEOUT_MS} ms`)
