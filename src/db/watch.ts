import pg from 'pg'
import type { StatementRows } from '../generated/statement-rows.ts'
import { makeWakeableSleep, withTimeout } from '../shared/timers.ts'
import type { DatabaseHosts } from './hosts.ts'
import type { ServerReport } from './replication.ts'
import { CHANGED_CHANNEL, checkSchema } from './session.ts'
import { type Statement, statement } from './statements.ts'

/** Time between two heartbeats, and between two attempts to reach a lost server, milliseconds. */
const HEARTBEAT_INTERVAL_MS = 500
/** Time between two heartbeats of a server that a change is about to reach, milliseconds. */
const FAST_INTERVAL_MS = 25

export interface WatchOptions {
  /** The watch uses the first of them that responds and fits. */
  hosts: DatabaseHosts
  /** Whether to listen for changes. A replica has none to report, and a pooler cannot pass notices on: then only lag tells that replicas are behind. */
  listensForChanges: boolean
  /** Whether to send heartbeats. The embedded database needs none: it lives as long as this process. */
  sendsHeartbeats: boolean
  /** How long to use one connection, milliseconds: later, a host name may lead to another server. */
  lifetime(): number
  /** The watch uses another of the hosts from now on. */
  onFailover(): void
  /** A new connection, perhaps to another server. @param roundTripMs of its first heartbeat; 0 without heartbeats */
  onConnected(roundTripMs: number): void
  onHeartbeat(heartbeat: Heartbeat): void
  /** Whether to send the next heartbeat soon, because the server is about to replay a change. */
  shouldPollFast(): boolean
  /** Called for each connection that could not be made, or was lost. */
  onLost(error: unknown): void
  /** An import has finished, or may have while nothing listened. @param isInRecovery of the watched server */
  onChange(isInRecovery: boolean): void
}

/**
 * What a watch does.
 *
 * ```
 * connecting --a server responds and fits-----------> connected
 * connected  --it is a standby----------------------> standby
 * connected  --it is a primary, and LISTEN succeeds-> listening
 * standby    --it is promoted, and LISTEN succeeds--> listening
 * listening  --it is in recovery--------------------> standby
 * connected, standby, listening --the connection reaches its lifetime--> connecting
 * any        --no server fits, or the connection is lost--> lost
 * lost       --HEARTBEAT_INTERVAL_MS pass-----------> connecting
 * any        --`stop`-------------------------------> stopped
 * ```
 *
 * A standby passes no notices on, so the watch listens only to a primary.
 */
type WatchState = 'connecting' | 'connected' | 'standby' | 'listening' | 'lost' | 'stopped'

/**
 * Watches a server through a separate connection, which listens for changes and sends heartbeats. A frozen
 * server, or a network that drops packets, shows only by the missing response.
 */
export class Watcher {
  /** Resolves when the first connection has sent a heartbeat, or has failed. */
  readonly firstAttempt: Promise<void>
  readonly #options: WatchOptions
  readonly #running: Promise<void>
  readonly #sleep = makeWakeableSleep()
  #state: WatchState = 'connecting'
  #client!: pg.Client
  /** False of the first connection only: changes may have happened before every later one. */
  #mayHaveMissedChanges = false
  #endFirstAttempt: () => void = () => {}

  constructor(options: WatchOptions) {
    this.#options = options
    this.firstAttempt = new Promise((resolve) => {
      this.#endFirstAttempt = resolve
    })
    this.#running = this.#run()
  }

  checkNow(): void {
    this.#sleep.wake()
  }

  async stop(): Promise<void> {
    this.#state = 'stopped'
    this.#client.end().catch(() => {})
    this.#sleep.end()
    await this.#running
  }

  #is(state: WatchState): boolean {
    return this.#state === state
  }

  #enter(state: WatchState): void {
    if (!this.#is('stopped')) this.#state = state
  }

  async #run(): Promise<void> {
    const { hosts, onFailover, onConnected, onLost } = this.#options
    while (!this.#is('stopped')) {
      this.#enter('connecting')
      try {
        const { result, isOther } = await hosts.findUsable((config, accepts) => this.#open(config, accepts))
        if (isOther) onFailover()
        onConnected(result.roundTripMs)
        this.#enter('connected')
        // A statement on a connection that has ended does not tell why it ended.
        const { ended } = result
        const watching = this.#options.sendsHeartbeats ? this.#sendHeartbeats() : this.#listenUntil(ended)
        await watching.catch((error) => Promise.race([ended, Promise.reject(error)]))
      } catch (error) {
        if (!this.#is('stopped')) onLost(error)
        this.#enter('lost')
      }
      this.#client.end().catch(() => {})
      this.#endFirstAttempt()
      if (this.#is('lost')) await this.#sleepAfterLoss()
      this.#mayHaveMissedChanges = true
    }
  }

  /** @returns `ended` rejects when the connection has ended */
  async #open(config: pg.PoolConfig, accepts: (isInRecovery: boolean) => void) {
    const client = new pg.Client({ ...config, keepAlive: true })
    this.#client = client
    const ended = new Promise<never>((_, reject) => {
      client.on('error', reject)
      client.on('end', () => reject(new Error('Connection terminated')))
    })
    ended.catch(this.#sleep.wake)
    try {
      // `connect` alone never settles when the connection ends before it is established.
      await Promise.race([client.connect(), ended])
      if (!this.#options.sendsHeartbeats) return { ended, roundTripMs: 0 }
      const heartbeat = await sendHeartbeat(client)
      accepts(heartbeat.isInRecovery)
      this.#options.hosts.checkReport(heartbeat)
      return { ended, roundTripMs: heartbeat.durationMs }
    } catch (error) {
      client.end().catch(() => {})
      throw error
    }
  }

  /** @throws the error that ended the connection */
  async #sendHeartbeats(): Promise<void> {
    const { hosts, onHeartbeat, onChange, shouldPollFast } = this.#options
    const lifetimeEnd = performance.now() + this.#options.lifetime()
    while (!this.#is('stopped') && performance.now() < lifetimeEnd) {
      const heartbeat = await sendHeartbeat(this.#client)
      hosts.check(heartbeat.isInRecovery)
      hosts.checkReport(heartbeat)
      if (heartbeat.isInRecovery) {
        if (this.#is('connected') && this.#mayHaveMissedChanges) onChange(true)
        this.#enter('standby')
      } else if (!this.#is('listening')) {
        await this.#listen(this.#mayHaveMissedChanges || this.#is('standby'))
        this.#enter('listening')
        continue // a heartbeat from before LISTEN may lack a change
      }
      onHeartbeat(heartbeat)
      this.#endFirstAttempt()
      await this.#sleep.sleep(shouldPollFast() ? FAST_INTERVAL_MS : HEARTBEAT_INTERVAL_MS)
    }
  }

  /** @throws the error that ended the connection */
  async #listenUntil(ended: Promise<never>): Promise<void> {
    await this.#listen(this.#mayHaveMissedChanges)
    this.#enter('listening')
    // The embedded database lives as long as this process, and gets no queries.
    this.#options.onHeartbeat({ ...WITHOUT_REPORT, sentAt: performance.now(), durationMs: 0 })
    this.#endFirstAttempt()
    await ended
  }

  async #listen(mayHaveMissedChanges: boolean): Promise<void> {
    if (this.#options.listensForChanges) {
      this.#client.on('notification', () => this.#options.onChange(false))
      const listening = this.#client.query(`listen ${CHANGED_CHANNEL}`)
      await withTimeout(listening, HEARTBEAT_TIMEOUT_MS)
    }
    if (mayHaveMissedChanges) this.#options.onChange(false)
  }

  /** `checkNow` does not shorten this sleep: every statement that fails meanwhile would cause an attempt to connect. */
  async #sleepAfterLoss(): Promise<void> {
    this.#sleep.reset()
    const end = performance.now() + HEARTBEAT_INTERVAL_MS
    while (!this.#is('stopped') && performance.now() < end) await this.#sleep.sleep(end - performance.now())
  }
}

/** A server that does not respond to a heartbeat within this time is lost, milliseconds. */
const HEARTBEAT_TIMEOUT_MS = 1_000

interface Heartbeat extends ServerReport {
  /** When the query was sent, by the clock of `performance.now`, and how long the result took, milliseconds. */
  sentAt: number
  durationMs: number
  /** Rights that the reading role lacks, such as `select on guest.page`. */
  missingRights: readonly string[]
}

/** The heartbeat is one query, because its round trip is measured. */
const subquery = ({ text }: Statement): string => `(${text.replace(/;$/, '')})`

const HEARTBEAT_QUERY = `
  select h.*, array${subquery(statement('check_missing_rights'))} as "missingRights"
    from ${subquery(statement('check_heartbeat'))} h`

/** The heartbeat of a server that has no such functions, or does not let this role call them. */
const WITHOUT_REPORT = {
  position: 0,
  received: 0,
  isInRecovery: false,
  instance: '',
  data: '',
  missingRights: [],
}

/** @throws UsageError when the database lacks migrations that this version ships */
export const sendHeartbeat = async (client: pg.Client): Promise<Heartbeat> => {
  type Row = StatementRows['check_heartbeat'] & Pick<Heartbeat, 'missingRights'>
  const sentAt = performance.now()
  const response = client.query<Row>(HEARTBEAT_QUERY)
  const result = await withTimeout(response, HEARTBEAT_TIMEOUT_MS).catch((error) => {
    if (!isNotOffered(error)) throw error
  })
  const durationMs = performance.now() - sentAt
  if (!result) return { ...WITHOUT_REPORT, sentAt, durationMs }
  const { schema, ...report } = result.rows[0]!
  checkSchema(schema)
  return { ...report, sentAt, durationMs }
}

/** Whether the server responds, but has no such functions, or this role may not call them. */
const isNotOffered = (error: unknown) => /^(42883|42501|0A000)$/.test((error as { code?: string }).code ?? '')
