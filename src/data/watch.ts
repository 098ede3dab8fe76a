import pg from 'pg'
import { makePause, within } from '../within.ts'
import { CHANGED_CHANNEL } from './writer.ts'

/** Between two looks at a server, and at one that is lost or that a change has to reach, milliseconds. */
const BEAT = 500
const BEAT_SOON = 25
/** A server that does not answer a look in this time is lost, milliseconds. */
const BEAT_TIMEOUT = 1_000

/** What a server says of itself. */
export interface Beat {
  /** Its place in the write-ahead log, bytes: written, or, on a replica, replayed. Null where it does not say. */
  position: number | null
  /** When it was asked, by the clock of `performance.now`. */
  askedAt: number
}

export interface WatchOptions {
  config: pg.ClientConfig
  /** Whether to hear of changes: not on a replica, nor through a pooler, which cannot pass them on. */
  listens: boolean
  /** Whether to ask how the server is; the embedded database is this process's own. */
  beats: boolean
  heard(beat: Beat): void
  /** Whether to look again soon, as for a change that a replica does not have yet. */
  isWaitedFor(): boolean
  /** For each connection that could not be made, or was lost. */
  lost(error: unknown): void
  /** An import has finished, or may have while nobody listened. */
  changed(): void
}

export interface Watch {
  /** Looks now. */
  hurry(): void
  stop(): Promise<void>
}

const POSITION = `
  select pg_catalog.pg_wal_lsn_diff(
           case when pg_catalog.pg_is_in_recovery() then pg_catalog.pg_last_wal_replay_lsn()
                else pg_catalog.pg_current_wal_flush_lsn() end, '0/0')::float8 as position`

/**
 * Keeps a connection of its own to a server, by which it hears of changes and asks how the server is. A server
 * that is frozen, or a network that swallows packets, gives no sign but that nothing comes.
 * @returns when the first look has succeeded or failed
 */
export const watchServer = async (options: WatchOptions): Promise<Watch> => {
  let stopped = false
  let client: pg.Client
  const pause = makePause()

  /** Nobody hurries this one: each statement that fails meanwhile would try to connect again at once. */
  const pauseLost = async (): Promise<void> => {
    pause.calm()
    const until = performance.now() + BEAT
    while (!stopped && performance.now() < until) await pause.for(until - performance.now())
  }

  /** Looks at a server as long as it answers. @throws what ended that */
  const look = async (ended: Promise<never>, looked: () => void): Promise<never> => {
    if (!options.beats) {
      options.heard({ position: null, askedAt: performance.now() })
      looked()
      return ended
    }
    for (;;) {
      options.heard(await beat(client))
      looked()
      await pause.for(options.isWaitedFor() ? BEAT_SOON : BEAT)
      if (stopped) throw new Error('stopped')
    }
  }
  const run = async (looked: () => void): Promise<void> => {
    for (let isFirst = true; !stopped; isFirst = false) {
      client = new pg.Client({ ...options.config, keepAlive: true, connectionTimeoutMillis: BEAT_TIMEOUT })
      try {
        const ended = endOf(client, pause.hurry)
        await connect(client, ended, options)
        if (!isFirst) options.changed()
        await look(ended, looked)
      } catch (error) {
        if (!stopped) options.lost(error)
      }
      client.end().catch(() => {})
      looked()
      await pauseLost()
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

/** Rejects when a connection has ended, in whatever way. */
const endOf = (client: pg.Client, ended: () => void): Promise<never> => {
  const end = new Promise<never>((_, reject) => {
    client.on('error', reject)
    client.on('end', () => reject(new Error('The connection has ended')))
  })
  end.catch(ended)
  return end
}

const connect = async (
  client: pg.Client,
  ended: Promise<never>,
  { listens, changed }: WatchOptions,
): Promise<void> => {
  // By itself `connect` never settles when the connection is ended while it is made.
  await Promise.race([client.connect(), ended])
  if (!listens) return
  client.on('notification', changed)
  await within(client.query(`listen ${CHANGED_CHANNEL}`), BEAT_TIMEOUT, silent)
}

const beat = async (client: pg.Client): Promise<Beat> => {
  const askedAt = performance.now()
  try {
    const asked = client.query<{ position: number | null }>(POSITION)
    const { rows } = await within(asked, BEAT_TIMEOUT, silent)
    return { position: rows[0]!.position, askedAt }
  } catch (error) {
    if (hasNoPosition(error)) return { position: null, askedAt }
    throw error
  }
}

/** It answers, if only that it has no such functions, or not for us. */
const hasNoPosition = (error: unknown): boolean =>
  /^(42883|42501|0A000)$/.test((error as { code?: string }).code ?? '')

const silent = (): Error => new Error(`The server does not answer within ${BEAT_TIMEOUT} ms`)
