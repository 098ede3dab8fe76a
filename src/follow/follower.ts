import { withDiskFullAdvice } from '@lectern/wiki/full-disk'
import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import {
  type FollowedSource,
  type FollowRequests,
  listenForRequests,
  openFollowedSource,
} from '../db/followed-sources.ts'
import { makeWakeableSleep } from '../shared/timers.ts'
import { NotConfirmed } from '../write/removal.ts'

/** A source that can be checked and imported again and again. */
export interface FollowTarget {
  /** A text that changes when the source changes. Cheap: it is asked for at each check. */
  version(): Promise<string>
  /** Imports the source into the database, with its version. */
  import(version: string): Promise<void>
  /**
   * Calls back when the source may have changed, or when it cannot tell any more; then the watch is closed. Absent: the
   * source cannot tell.
   */
  watch?(onChange: () => void, onEnd: () => void): Promise<{ close(): void }>
}

interface FollowOptions {
  /** Name of the source in the database. */
  name: string
  /** Between two checks, milliseconds. */
  everyMs(): number
  logger: Logger
  /** How long this process stays the follower without renewing it, seconds. Default: `LEASE_SECONDS`. */
  leaseSeconds?: number
}

type Taken = Awaited<ReturnType<FollowedSource['take']>> & {}

/** The longest pause after failures, milliseconds. A longer interval between checks remains. */
const PAUSE_MAX_MS = 15 * 60_000
/** After a failure, a request to check now waits at least this long, milliseconds, so that it cannot flood the source. */
const PAUSE_MIN_MS = 5_000
const LEASE_SECONDS = 60
/** What happens when a full disk has space again. */
export const AFTER_FULL_DISK = 'the follower continues'
const WAITING = 'waiting: another process follows this source, until it ends or its lease does'

/**
 * Follows a source until `stop`: checks it regularly, and at once when the source, or anybody through `POST /follow`,
 * says that it changed; imports it when its version differs from that of the last import. (D91)
 *
 * ```
 * standby  --the other follower releases the source, or its session or lease ends--> checking
 * checking --another process is the follower-----------------------------> standby
 * checking --the version is that of the last import, or the import succeeds--> waiting
 * checking --the source cannot be reached or imported--------------------> failing
 * waiting  --the interval passes, or somebody asks-----------------------> checking
 * failing  --the pause passes, which doubles each time-------------------> checking
 * any      --stop--------------------------------------------------------> stopped
 * ```
 *
 * A failure changes nothing in the wiki. If an import would remove most of it, the follower does not import this version
 * of the source: it waits for another version, or for somebody who confirms it.
 */
export const followSource = async (owner: Database, target: FollowTarget, options: FollowOptions) =>
  new Follower(owner, await openFollowedSource(owner, options.name), target, options)

export class Follower {
  readonly #owner: Database
  readonly #source: FollowedSource
  readonly #target: FollowTarget
  readonly #options: Required<FollowOptions>
  readonly #sleep = makeWakeableSleep()
  readonly #running: Promise<void>
  #isStopped = false
  /** Renews the lease while this process is the follower. */
  #renewal: NodeJS.Timeout | undefined
  #failures = 0
  /** What the log was told last: whether this process is the follower, or that the database is lost. */
  #told = ''
  /** When the log is told again that the database is lost. */
  #tellAgainAt = 0
  /** The version that would remove most of the wiki. An import by another process clears the failure. */
  #refusedVersion: string | undefined
  #requests: FollowRequests | undefined
  #watcher: { close(): void } | undefined
  /** What cannot be watched, such as a folder with too many others in it, is rarely tried again: each try reads all of it. */
  #nextWatchAt = 0

  constructor(owner: Database, source: FollowedSource, target: FollowTarget, options: FollowOptions) {
    this.#owner = owner
    this.#source = source
    this.#target = target
    this.#options = { leaseSeconds: LEASE_SECONDS, ...options }
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#sleep.end()
    await this.#running
  }

  async #run(): Promise<void> {
    const renewalMs = (this.#options.leaseSeconds * 1000) / 4
    while (!this.#isStopped) {
      await this.#listen()
      const taken = await this.#take()
      if (taken !== null) this.#renewal ??= setInterval(() => void this.#take(), renewalMs)
      if (taken === null) await this.#sleep.sleep(renewalMs / 3)
      else if (await this.#check(taken)) await this.#sleep.sleep(this.#options.everyMs())
      else await this.#pause()
    }
    clearInterval(this.#renewal)
    this.#watcher?.close()
    this.#requests?.close()
    await this.#source.release().catch(() => {})
  }

  /** @returns null if another process is the follower, or the database cannot be reached */
  async #take(): Promise<Taken | null> {
    const { name, everyMs, leaseSeconds, logger } = this.#options
    try {
      const session = this.#requests?.isClosed === false ? this.#requests.session : null
      const taken = await this.#source.take(leaseSeconds, session)
      const state = taken?.isTaken ? 'following' : WAITING
      const until = { leaseSeconds: Math.ceil(taken?.leaseSeconds ?? leaseSeconds) }
      const details = taken?.isTaken ? { everySeconds: everyMs() / 1_000 } : until
      if (state !== this.#told) logger.info({ source: name, ...details }, state)
      this.#told = state
      return taken?.isTaken ? taken : null
    } catch (error) {
      const err = withDiskFullAdvice(error, AFTER_FULL_DISK)
      const isTold = this.#told === 'lost' && performance.now() < this.#tellAgainAt
      if (!this.#isStopped && !isTold) {
        logger.warn({ err, source: name }, 'The follower cannot reach the database')
        this.#tellAgainAt = performance.now() + leaseSeconds * 1000
      }
      this.#told = 'lost'
      return null
    }
  }

  /** @returns whether the database has what the source has */
  async #check({ version: importedVersion, isFailing }: Taken): Promise<boolean> {
    const { name, logger } = this.#options
    this.#sleep.reset() // this check sees what was reported until now
    try {
      const version = await this.#watchedVersion()
      if (version === importedVersion) await this.#source.markChecked()
      else if (version === this.#refusedVersion && isFailing) return false
      else
        await this.#target.import(version).catch((error: unknown) => {
          if (error instanceof NotConfirmed) this.#refusedVersion = version
          throw error
        })
      if (this.#failures > 0) logger.info({ source: name }, 'The source can be followed again')
      this.#failures = 0
      this.#refusedVersion = undefined
      return true
    } catch (error) {
      await this.#onFailure(withDiskFullAdvice(error, AFTER_FULL_DISK) as Error)
      return false
    }
  }

  /** The version of the source, which is watched from before that version on. */
  async #watchedVersion(): Promise<string> {
    const version = await this.#target.version()
    if (this.#watcher || !this.#target.watch || performance.now() < this.#nextWatchAt) return version
    // Only a source that can be reached can be watched. It may have changed before that.
    let isEnded = false
    const watcher = await this.#target.watch(this.#sleep.wake, () => {
      isEnded = true
      this.#watcher = undefined
    })
    if (isEnded) {
      this.#nextWatchAt = performance.now() + PAUSE_MAX_MS
      return version
    }
    this.#watcher = watcher
    return this.#target.version()
  }

  async #onFailure(error: Error): Promise<void> {
    if (this.#isStopped) return
    const { name, logger } = this.#options
    this.#failures += 1
    const retryInSeconds = Math.round(this.#pauseMs() / 1000)
    if (error instanceof NotConfirmed)
      logger.error({ err: error, source: name }, 'The follower stops until the source changes')
    else logger.warn({ err: error, source: name, retryInSeconds }, 'The source cannot be followed now')
    await this.#source.markFailed(error.message).catch(() => {})
  }

  #pauseMs(): number {
    const everyMs = this.#options.everyMs()
    return Math.max(everyMs, Math.min(everyMs * 2 ** Math.min(this.#failures - 1, 20), PAUSE_MAX_MS))
  }

  async #pause(): Promise<void> {
    const earliest = performance.now() + Math.min(PAUSE_MIN_MS, this.#pauseMs())
    await this.#sleep.sleep(this.#pauseMs())
    while (!this.#isStopped && performance.now() < earliest)
      await this.#sleep.sleep(earliest - performance.now())
  }

  async #listen(): Promise<void> {
    if (this.#requests?.isClosed === false) return
    // `take` reports a database that cannot be reached.
    this.#requests = await listenForRequests(this.#owner, this.#sleep.wake).catch(() => undefined)
  }
}
