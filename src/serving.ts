import cluster from 'node:cluster'
import type { Logger } from 'pino'
import { type Config, readConfig } from './config.ts'
import type { Database } from './db/database.ts'
import { openDatabase } from './db/open-database.ts'
import { explainSchemaMismatch } from './db/session.ts'
import { Unavailable, UsageError } from './errors.ts'
import { withDiskFullAdvice } from './full-disk.ts'
import { openNdjsonSource } from './import/ndjson.ts'
import { SHUTDOWN } from './limits.ts'
import { type Log, openLog } from './log/log.ts'
import { packagePath } from './paths.ts'
import { makeFixedWindow } from './rate/fixed-window.ts'
import { isReindexDue } from './search/index/reindex.ts'
import { primaryMetrics, type Service, serve } from './server.ts'
import { migrateAndReindex } from './upgrade.ts'
import { attachmentOf, followWikijs } from './wikijs/follow.ts'
import { startWorkers } from './workers/primary.ts'
import { joinPrimary, type PrimaryChannel } from './workers/worker.ts'
import { SAMPLE_SOURCE } from './write/imported-content.ts'
import { runImport } from './write/run-import.ts'
import { withWriter } from './write/writer.ts'

/** The wiki with which the first start fills an empty embedded database. */
export const SAMPLE_FILE = packagePath('sample', 'tea-wiki.ndjson')

/**
 * Serves until a signal: as a single process, as one of several workers, or as their primary. The primary owns the
 * embedded database and the counters of the rate limit, and serves no requests. (D39)
 * @param stop the signal aborts it at any time; its reason is the name of the signal
 */
export const serveCommand = async (stop: AbortSignal): Promise<void> => {
  const config = readConfig()
  const log = openLog(config.logLevel)
  process.on('uncaughtException', (error) => {
    log.say(error instanceof Error ? (error.stack ?? error.message) : String(error))
    log.logger.fatal({ err: error }, 'Unexpected error. The process ends')
    process.exit(1)
  })
  await (cluster.isWorker ? serveAsWorker(config, log, stop) : serveAsPrimary(config, log, stop))
}

const serveAsPrimary = async (config: Config, log: Log, stop: AbortSignal): Promise<void> => {
  const running = makeRunning(log.logger, config.workers > 1 ? SHUTDOWN.fleetMs : SHUTDOWN.endMs)
  running.stopWith(stop)
  try {
    // The owner's connection stays open while serving: an embedded database lives as long as its owner.
    const owner =
      config.databaseUrl === undefined ? await openDatabase(config, 'owner', log.logger) : undefined
    if (owner) {
      await running.add(() => owner.close())
      await fillWithSample(owner, config, log)
    }
    log.say(
      await (config.workers > 1 ? startFleet(config, log, running) : startService(config, log, running)),
    )
    void owner?.failed?.then(running.fail('The embedded database has failed'))
  } catch (error) {
    if (running.isStopping) return
    await running.close()
    throw withDiskFullAdvice(error)
  }
}

const serveAsWorker = async (config: Config, log: Log, stop: AbortSignal): Promise<void> => {
  const running = makeRunning(log.logger)
  const primary = joinPrimary(config.rateLimit, () => running.stop({}))
  await running.add(async () => primary.disconnect())
  running.stopWith(stop)
  try {
    primary.reportServing(await startService(config, log, running, primary))
  } catch (error) {
    if (running.isStopping) return
    if (!(error instanceof UsageError)) throw error
    primary.reportStartFailure(error.message)
    return primary.disconnect()
  }
}

/** The open parts of a running service, and the ways in which it ends. */
interface RunningService {
  /** Whether it is stopping. Errors of parts that are still starting do not matter then. */
  readonly isStopping: boolean
  /**
   * Adds the function that closes a part. The part that was added last is closed first.
   * @throws Error after closing the part, if the service began to stop while the part was opened
   */
  add(close: () => Promise<void>): Promise<void>
  close(): Promise<void>
  /** Closes everything, once, and lets the process end. @param details fields of the log line */
  stop(details: object): void
  /** Stops when the signal is aborted, or at once if it is aborted already. */
  stopWith(signal: AbortSignal): void
  /** Returns a function that ends the process with status 1. */
  fail(reason: string): (error: unknown) => void
}

/** @param endMs how long after `stop` the process ends even if a part is still closing, milliseconds */
const makeRunning = (logger: Logger, endMs: number = SHUTDOWN.endMs): RunningService => {
  const closers: (() => Promise<void>)[] = []
  let isStopping = false
  const close = async () => {
    for (const closePart of closers.splice(0).reverse()) await closePart()
  }
  const fail = (reason: string) => (error: unknown) => {
    logger.fatal({ err: error }, reason)
    process.exit(1)
  }
  const stop = (details: object) => {
    if (isStopping) return
    isStopping = true
    logger.info(details, 'stopping')
    // The supervisor kills a process that takes too long. A part that hangs, such as a frozen database, is abandoned.
    setTimeout(() => process.exit(0), endMs).unref()
    close().catch(fail('The service could not close all its parts'))
  }
  const stopWith = (signal: AbortSignal) => {
    if (signal.aborted) stop({ signal: signal.reason })
    else signal.addEventListener('abort', () => stop({ signal: signal.reason }))
  }
  const add = async (closePart: () => Promise<void>) => {
    closers.push(closePart)
    if (!isStopping) return
    await close()
    throw new Error('The service stopped while it was starting')
  }
  return {
    get isStopping() {
      return isStopping
    },
    add,
    close,
    stop,
    stopWith,
    fail,
  }
}

/** @returns the text to print in the terminal */
const startFleet = async ({ workers }: Config, log: Log, running: RunningService): Promise<string> => {
  const fleet = startWorkers({
    workers,
    consume: makeFixedWindow(),
    metrics: () => primaryMetrics(log),
    logger: log.logger,
  })
  await running.add(() => fleet.stop())
  return fleet.greeting
}

/**
 * Opens the database and the listeners.
 * @param primary if this process is a worker: the channel to its primary
 * @returns the text to print in the terminal
 */
const startService = async (
  config: Config,
  log: Log,
  running: RunningService,
  primary?: PrimaryChannel,
): Promise<string> => {
  const { logger } = log
  const database = await openDatabase(config, 'reader', logger)
  await running.add(() => database.close())
  try {
    if (await isReindexDue(database))
      logger.warn(
        'Search does not find every page yet. Run `lectern reindex`; the service can keep running meanwhile.',
      )
    const starting = serve(config, database, logger, { ...primary, log })
    // Added before a port is open, because a stop shortly afterwards must finish the requests that came in meanwhile.
    await running.add(() =>
      starting.then(
        (service) => service.close(SHUTDOWN.graceMs),
        () => {},
      ),
    )
    const service = await starting
    await followAttached(config, database, logger, running)
    return await greetingOf(service)
  } catch (error) {
    throw error instanceof Unavailable ? explainNoServer(error) : explainSchemaMismatch(error)
  }
}

const explainNoServer = (error: Unavailable): Error =>
  error.cause instanceof UsageError
    ? error.cause
    : new UsageError(
        'No database server can be read from: DATABASE_URL cannot be reached, and no replica is known to have replayed ' +
          `everything that it received. Start Lectern again when a server is back (${(error.cause as Error | undefined)?.message ?? error.message}).`,
      )

/** If the database belongs to a Wiki.js, a process must index its edits: this process, if its user may write. (D59) */
const followAttached = async (
  config: Config,
  reader: Database,
  logger: Logger,
  running: RunningService,
): Promise<void> => {
  if (!(await attachmentOf(reader)).isAttached) return
  try {
    const owner = await openDatabase(config, 'owner')
    await running.add(() => owner.close())
    if ((await attachmentOf(owner)).mayFollow) {
      const following = followWikijs(owner, logger)
      await running.add(() => following.stop())
      return
    }
    logger.warn('This process does not index new edits for search: its database user may only read')
  } catch (error) {
    logger.warn({ err: error }, 'This process does not index new edits for search')
  }
  logger.warn('Keep `lectern attach wikijs --watch` running with the database user that attached')
}

const fillWithSample = async (owner: Database, { dataDir }: Config, log: Log): Promise<void> => {
  await migrateAndReindex(owner)
  if (!(await withWriter(owner, (writer) => writer.isEmpty()))) return
  await runImport(owner, () => openNdjsonSource(SAMPLE_FILE), { from: { name: SAMPLE_SOURCE } })
  log.say(`The database in ${dataDir} was empty. It now contains the sample wiki. To import your own wiki into a new database, run
  DATA_DIR=my-wiki npx lectern import git <repository>   (or: import ndjson <file>)
and serve it with
  DATA_DIR=my-wiki npm start`)
}

/** Percent-encodes a text for a URL between apostrophes. */
const encodeForShell = (text: string): string => encodeURIComponent(text).replaceAll("'", '%27')

/** Examples name a page of this wiki, so that they work. */
const greetingOf = async ({ url, internalUrl, newestPage }: Service): Promise<string> => {
  const page = await newestPage()
  const calls = page
    ? [
        `/pages/${encodeForShell(page.path)}?locale=${page.locale}`,
        `/search?q=${encodeForShell(page.title)}&all=true`,
      ]
    : []
  return `
Lectern serves ${url}

${[url, ...['/pages', ...calls, '/recent?limit=3'].map((call) => url + call)].map((call) => `  curl '${call}'`).join('\n')}

In a browser: ${url}/docs
GraphQL, health and metrics, for this machine only: ${internalUrl}/graphql
`
}
