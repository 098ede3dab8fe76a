import pg from 'pg'
import { withTimeout } from '../timeout.ts'
import { makeWakeableSleep } from '../wakeable-sleep.ts'
import { CHANGED_CHANNEL } from './channel.ts'
import type { DatabaseHosts } from './hosts.ts'
import type { LogPosition } from './replication.ts'
import { checkSchema, SCHEMA_VERSION } from './session.ts'

/** Between two looks at a server, and at one that is lost or that a change has to reach, milliseconds. */
const HEARTBEAT_INTERVAL_MS = 500
const FAST_INTERVAL_MS = 25
/** A server that does not answer a look in this time is lost, milliseconds. */
const HEARTBEAT_TIMEOUT_MS = 1_000

/** What a server says of itself. */
export interface Heartbeat extends LogPosition {
  /** As a standby is. */
  isInRecovery: boolean
  /** When it was asked, by the clock of `performance.now`, and how long its answer took, milliseconds. */
  askedAt: number
  tookMs: number
}

interface WatchOptions {
  /** The one of them that answers and fits is watched. */
  hosts: DatabaseHosts
  /** Whether to hear of changes: not on a replica, nor through a pooler, which cannot pass them on. */
  listensForChanges: boolean
  /** Whether to ask how the server is; the embedded database is this process's own. */
  sendsHeartbeats: boolean
  /** How long one connection is used, milliseconds: an address may lead elsewhere by then. */
  lifetime(): number
  /** Another of the hosts is used from now on. */
  onFailover(): void
  onHeartbeat(beat: Heartbeat): void
  /** Whether to look again soon, as for a change that a replica does not have yet. */
  shouldPollFast(): boolean
  /** For each connection that could not be made, or was lost. */
  onLost(error: unknown): void
  /** An import has finished, or may have while nobody listened. @param isInRecovery of the server that is watched */
  onChange(isInRecovery: boolean): void
}

export interface ServerWatch {
  /** Looks now. */
  checkNow(): void
  stop(): Promise<void>
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

/**
 * Keeps a connection of its own to a server, by which it hears of changes and asks how the server is. A server
 * that is frozen, or a network that swallows packets, gives no sign but that nothing comes.
 * @returns when the first look has succeeded or failed
 */
export const watchServer = async (options: WatchOptions): Promise<ServerWatch> => {
  const { hosts } = options
  let stopped = false
  let client: pg.Client
  const sleep = makeWakeableSleep()

  /** Nobody hurries this one: each statement that fails meanwhile would try to connect again at once. */
  const sleepAfterLoss = async (): Promise<void> => {
    sleep.reset()
    const until = performance.now() + HEARTBEAT_INTERVAL_MS
    while (!stopped && performance.now() < until) await sleep.sleep(until - performance.now())
  }

  const open = async (config: pg.PoolConfig, accepts: (isInRecovery: boolean) => void) => {
    client = new pg.Client({ ...config, keepAlive: true })
    const { ended } = connectionEnd(client, sleep.wake)
    try {
      // By itself `connect` never settles when the connection is ended while it is made.
      await Promise.race([client.connect(), ended])
      if (options.sendsHeartbeats) accepts((await sendHeartbeat(client)).isInRecovery)
      return { ended }
    } catch (error) {
      client.end().catch(() => {})
      throw error
    }
  }

  /** What is heard before is of no use to who begins to listen: a change may lie in between. */
  const listen = async (isInRecovery: boolean, mayHaveChanged: boolean): Promise<void> => {
    if (options.listensForChanges) {
      client.on('notification', () => options.onChange(false))
      await withTimeout(client.query(`listen ${CHANGED_CHANNEL}`), HEARTBEAT_TIMEOUT_MS, heartbeatTimedOut)
    }
    if (mayHaveChanged) options.onChange(isInRecovery)
  }

  /**
   * Looks at a server as long as it answers, and its connection is not too old. A standby passes no notices on: it
   * is listened to when it has been promoted.
   * @throws what ended that
   */
  const watchConnection = async (
    ended: Promise<never>,
    isFirst: boolean,
    firstAttemptDone: () => void,
  ): Promise<void> => {
    const old = performance.now() + options.lifetime()
    if (!options.sendsHeartbeats) {
      await listen(false, !isFirst)
      options.onHeartbeat({ ...UNKNOWN, askedAt: performance.now(), tookMs: 0 })
      firstAttemptDone()
      return ended
    }
    let phase: 'new' | 'standby' | 'listening' = 'new'
    while (!stopped && performance.now() < old) {
      const said = await sendHeartbeat(client)
      hosts.check(said.isInRecovery)
      if (said.isInRecovery) {
        if (phase === 'new' && !isFirst) options.onChange(true)
        phase = 'standby'
      } else if (phase !== 'listening') {
        await listen(false, !isFirst || phase === 'standby')
        phase = 'listening'
        continue
      }
      options.onHeartbeat(said)
      firstAttemptDone()
      await sleep.sleep(options.shouldPollFast() ? FAST_INTERVAL_MS : HEARTBEAT_INTERVAL_MS)
    }
  }

  const run = async (firstAttemptDone: () => void): Promise<void> => {
    for (let isFirst = true; !stopped; isFirst = false) {
      let isLost = false
      try {
        const { result, isOther } = await hosts.findUsable(open)
        if (isOther) options.onFailover()
        await watchConnection(result.ended, isFirst, firstAttemptDone)
      } catch (error) {
        isLost = true
        if (!stopped) options.onLost(error)
      }
      client.end().catch(() => {})
      firstAttemptDone()
      if (isLost) await sleepAfterLoss()
    }
  }

  let running = Promise.resolve()
  await new Promise<void>((firstAttemptDone) => {
    running = run(firstAttemptDone)
  })
  return {
    checkNow: sleep.wake,
    stop: async () => {
      stopped = true
      client.end().catch(() => {})
      sleep.end()
      await running
    },
  }
}

/** Rejects when a connection has ended, in whatever way; in an object, since nobody should wait for it here. */
const connectionEnd = (client: pg.Client, hurry: () => void): { ended: Promise<never> } => {
  const ended = new Promise<never>((_, reject) => {
    client.on('error', reject)
    client.on('end', () => reject(new Error('The connection has ended')))
  })
  ended.catch(hurry)
  return { ended }
}

/** @throws UsageError when the database lacks migrations that this version ships */
const sendHeartbeat = async (client: pg.Client): Promise<Heartbeat> => {
  const askedAt = performance.now()
  try {
    const asked = client.query<Omit<Heartbeat, 'askedAt' | 'tookMs'> & { schema: number | null }>(
      HEARTBEAT_QUERY,
    )
    const { schema, ...said } = (await withTimeout(asked, HEARTBEAT_TIMEOUT_MS, heartbeatTimedOut)).rows[0]!
    checkSchema(schema)
    return { ...said, askedAt, tookMs: performance.now() - askedAt }
  } catch (error) {
    if (hasNoPosition(error)) return { ...UNKNOWN, askedAt, tookMs: performance.now() - askedAt }
    throw error
  }
}

/** Of a server that does not say where it is. */
const UNKNOWN = { position: null, received: null, isInRecovery: false } as const

/** It answers, if only that it has no such functions, or not for us. */
const hasNoPosition = (error: unknown): boolean =>
  /^(42883|42501|0A000)$/.test((error as { code?: string }).code ?? '')

const heartbeatTimedOut = (): Error =>
  new Error(`The server does not answer within ${HEARTBEAT_TIMEOUT_MS} ms`)
