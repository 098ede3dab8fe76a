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
import { makeLoaders } from './read/loaders.ts'
import type { PageRow } from './read/rows.ts'
import { isReindexDue } from './search/index/reindex.ts'
import { primaryMetrics, type Service, serve } from './server.ts'
import { migrateAndReindex } from './upgrade.ts'
import { attachmentOf, followWikijs } from './wikijs/follow.ts'
import { startWorkers } from './workers/primary.ts'
import { joinPrimary, type PrimaryChannel } from './workers/worker.ts'
import { runImport } from './write/run-import.ts'
import { withWriter } from './write/writer.ts'

/** The wiki that a first start shows. */
export const SAMPLE_FILE = packagePath('sample', 'tea-wiki.ndjson')

/**
 * Serves until a signal: alone, as one of several workers, or as their primary, which keeps the embedded
 * database and the rate limit and answers no request itself. (D39)
 * @param stop aborted by the signal, whose name is the reason, at any moment
 */
export const serveCommand = async (stop: AbortSignal): Promise<void> => {
  const config = readConfig()
  const log = openLog(config.logLevel)
  process.on('uncaughtException', (error) => {
    log.say(error instanceof Error ? (error.stack ?? error.message) : String(error))
    log.logger.fatal({ err: error }, 'The process ends by an error that nobody expected')
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

/** What is open, and how it ends. */
interface RunningService {
  /** Whether it was told to stop: an error of what has just been starting is none then. */
  readonly isStopping: boolean
  /**
   * What was opened last is closed first.
   * @throws Error, having closed it, when the service was told to stop while it was opened
   */
  add(close: () => Promise<void>): Promise<void>
  close(): Promise<void>
  /** Closes everything, once, and lets the process end. @param about what the log should say */
  stop(about: object): void
  /** Stops when a signal comes, or has come. */
  stopWith(signal: AbortSignal): void
  /** Ends the process with status 1. */
  fail(reason: string): (error: unknown) => void
}

/** @param endMs when a process that was told to stop ends whatever happens, milliseconds */
const makeRunning = (logger: Logger, endMs: number = SHUTDOWN.endMs): RunningService => {
  const opened: (() => Promise<void>)[] = []
  let isStopping = false
  const close = async () => {
    for (const one of opened.splice(0).reverse()) await one()
  }
  const fail = (reason: string) => (error: unknown) => {
    logger.fatal({ err: error }, reason)
    process.exit(1)
  }
  const stop = (about: object) => {
    if (isStopping) return
    isStopping = true
    logger.info(about, 'stopping')
    // Who started us counts the seconds: what hangs after that, such as a frozen database, is left.
    setTimeout(() => process.exit(0), endMs).unref()
    close().catch(fail('The service did not stop in order'))
  }
  const stopWith = (signal: AbortSignal) => {
    if (signal.aborted) stop({ signal: signal.reason })
    else signal.addEventListener('abort', () => stop({ signal: signal.reason }))
  }
  const add = async (one: () => Promise<void>) => {
    opened.push(one)
    if (!isStopping) return
    await close()
    throw new Error('The service was told to stop')
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

/** @returns what to tell a person at the terminal */
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
 * The listeners and their database.
 * @param primary of the workers that this is one of
 * @returns what to tell a person at the terminal
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
        'Search does not find every page yet: run `lectern reindex` (the service goes on meanwhile).',
      )
    const starting = serve(config, database, logger, { ...primary, log })
    // From before a port is open: who is told to stop a moment later has requests to finish.
    await running.add(() =>
      starting.then(
        (service) => service.close(SHUTDOWN.graceMs),
        () => {},
      ),
    )
    const service = await starting
    await followAttached(config, database, logger, running)
    return greeting(service, await examplePage(database))
  } catch (error) {
    throw error instanceof Unavailable ? notServed(error) : explainSchemaMismatch(error)
  }
}

const notServed = (error: Unavailable): Error =>
  error.cause instanceof UsageError
    ? error.cause
    : new UsageError(
        'No server of the database can be read from just now: DATABASE_URL cannot be reached, and no replica is known to have ' +
          `replayed all that it received. Start it again when one is back (${(error.cause as Error | undefined)?.message ?? error.message}).`,
      )

/** Where the database is a Wiki.js's own, its edits need somebody to index them: this process, if it may. (D59) */
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
    logger.warn('The database user may only read, so that new edits are not indexed for search here')
  } catch (error) {
    logger.warn({ err: error }, 'New edits are not indexed for search here')
  }
  logger.warn('Keep `lectern attach wikijs --watch` running with the database user that attached')
}

const fillWithSample = async (owner: Database, { dataDir }: Config, log: Log): Promise<void> => {
  await migrateAndReindex(owner)
  if (!(await withWriter(owner, (writer) => writer.isEmpty()))) return
  await runImport(owner, () => openNdjsonSource(SAMPLE_FILE))
  log.say(`The database in ${dataDir} was empty: it now holds the sample wiki. Put your own in with
  DATA_DIR=my-wiki npx lectern import git <repository>   (or: import ndjson <file>)
and serve it with
  DATA_DIR=my-wiki npm start`)
}

/** A page of this very wiki, so that what is suggested works: the one edited last. */
const examplePage = async (database: Database): Promise<PageRow | undefined> => {
  const { items } = await makeLoaders(database).recent.load({ first: 1 })
  return items[0]?.page
}

/** For an address between apostrophes. */
const quoted = (text: string): string => encodeURIComponent(text).replaceAll("'", '%27')

const greeting = ({ url, internalUrl }: Service, page: PageRow | undefined): string => {
  const calls = page
    ? [`/pages/${quoted(page.path)}?locale=${page.locale}`, `/search?q=${quoted(page.title)}&all=true`]
    : []
  return `
Lectern serves ${url}

${[url, ...['/pages', ...calls, '/recent?limit=3'].map((call) => url + call)].map((call) => `  curl '${call}'`).join('\n')}

In a browser: ${url}/docs
GraphQL and health, for this machine alone: ${internalUrl}/graphql
`
}
