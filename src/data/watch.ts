import pg from 'pg'
import { makePause, within } from '../within.ts'
import type { Hosts } from './hosts.ts'
import type { Place } from './replication.ts'
import { checkSchema, SCHEMA_VERSION } from './session.ts'
import { CHANGED_CHANNEL } from './writer.ts'

/** Between two looks at a server, and at one that is lost or that a change has to reach, milliseconds. */
const BEAT = 500
const BEAT_SOON = 25
/** A server that does not answer a look in this time is lost, milliseconds. */
const BEAT_TIMEOUT = 1_000

/** What a server says of itself. */
export interface Beat extends Place {
  /** As a standby is. */
  isInRecovery: boolean
  /** When it was asked, by the clock of `performance.now`, and how long its answer took, milliseconds. */
  askedAt: number
  tookMs: number
}

export interface WatchOptions {
  /** The one of them that answers and fits is watched. */
  hosts: Hosts
  /** Whether to hear of changes: not on a replica, nor through a pooler, which cannot pass them on. */
  listens: boolean
  /** Whether to ask how the server is; the embedded database is this process's own. */
  beats: boolean
  /** How long one connection is used, milliseconds: an address may lead elsewhere by then. */
  lifetime(): number
  /** Another of the hosts is used from now on. */
  moved(): void
  heard(beat: Beat): void
  /** Whether to look again soon, as for a change that a replica does not have yet. */
  isWaitedFor(): boolean
  /** For each connection that could not be made, or was lost. */
  lost(error: unknown): void
  /** An import has finished, or may have while nobody listened. @param isInRecovery of the server that is watched */
  changed(isInRecovery: boolean): void
}

export interface Watch {
  /** Looks now. */
  hurry(): void
  stop(): Promise<void>
}

const LOOK = `
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
export const watchServer = async (options: WatchOptions): Promise<Watch> => {
  const { hosts } = options
  let stopped = false
  let client: pg.Client
  const pause = makePause()

  /** Nobody hurries this one: each statement that fails meanwhile would try to connect again at once. */
  const pauseLost = async (): Promise<void> => {
    pause.calm()
    const until = performance.now() + BEAT
    while (!stopped && performance.now() < until) await pause.for(until - performance.now())
  }

  const open = async (config: pg.PoolConfig, accepts: (isInRecovery: boolean) => void) => {
    client = new pg.Client({ ...config, keepAlive: true })
    const { ended } = endOf(client, pause.hurry)
    try {
      // By itself `connect` never settles when the connection is ended while it is made.
      await Promise.race([client.connect(), ended])
      if (options.beats) accepts((await beat(client)).isInRecovery)
      return { ended }
    } catch (error) {
      client.end().catch(() => {})
      throw error
    }
  }

  /** What is heard before is of no use to who begins to listen: a change may lie in between. */
  const listen = async (isInRecovery: boolean, mayHaveChanged: boolean): Promise<void> => {
    if (options.listens) {
      client.on('notification', () => options.changed(false))
      await within(client.query(`listen ${CHANGED_CHANNEL}`), BEAT_TIMEOUT, silent)
    }
    if (mayHaveChanged) options.changed(isInRecovery)
  }

  /**
   * Looks at a server as long as it answers, and its connection is not too old. A standby passes no notices on: it
   * is listened to when it has been promoted.
   * @throws what ended that
   */
  const look = async (ended: Promise<never>, isFirst: boolean, looked: () => void): Promise<void> => {
    const old = performance.now() + options.lifetime()
    if (!options.beats) {
      await listen(false, !isFirst)
      options.heard({ ...UNKNOWN, askedAt: performance.now(), tookMs: 0 })
      looked()
      return ended
    }
    let phase: 'new' | 'standby' | 'listening' = 'new'
    while (!stopped && performance.now() < old) {
      const said = await beat(client)
      hosts.check(said.isInRecovery)
      if (said.isInRecovery) {
        if (phase === 'new' && !isFirst) options.changed(true)
        phase = 'standby'
      } else if (phase !== 'listening') {
        await listen(false, !isFirst || phase === 'standby')
        phase = 'listening'
        continue
      }
      options.heard(said)
      looked()
      await pause.for(options.isWaitedFor() ? BEAT_SOON : BEAT)
    }
  }

  const run = async (looked: () => void): Promise<void> => {
    for (let isFirst = true; !stopped; isFirst = false) {
      let isLost = false
      try {
        const { result, isOther } = await hosts.find(open)
        if (isOther) options.moved()
        await look(result.ended, isFirst, looked)
      } catch (error) {
        isLost = true
        if (!stopped) options.lost(error)
      }
      client.end().catch(() => {})
      looked()
      if (isLost) await pauseLost()
    }
  }

  let running = Promise.resolve()
  await new Promise<void>((looked) => {
    running = run(looked)
  })
  return {
    hurry: pause.hurry,
    stop: async () => {
      stopped = true
      client.end().catch(() => {})
      pause.end()
      await running
    },
  }
}

/** Rejects when a connection has ended, in whatever way; in an object, since nobody should wait for it here. */
const endOf = (client: pg.Client, hurry: () => void): { ended: Promise<never> } => {
  const ended = new Promise<never>((_, reject) => {
    client.on('error', reject)
    client.on('end', () => reject(new Error('The connection has ended')))
  })
  ended.catch(hurry)
  return { ended }
}

/** @throws UsageError when the database lacks migrations that this version ships */
const beat = async (client: pg.Client): Promise<Beat> => {
  const askedAt = performance.now()
  try {
    const asked = client.query<Omit<Beat, 'askedAt' | 'tookMs'> & { schema: number | null }>(LOOK)
    const { schema, ...said } = (await within(asked, BEAT_TIMEOUT, silent)).rows[0]!
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

const silent = (): Error => new Error(`The server does not answer within ${BEAT_TIMEOUT} ms`)
