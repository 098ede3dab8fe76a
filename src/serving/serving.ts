import cluster from 'node:cluster'
import { openNdjsonSource } from '@lectern/import-files/ndjson/source'
import { Unavailable, UsageError } from '@lectern/wiki/errors'
import { withDiskFullAdvice } from '@lectern/wiki/full-disk'
import type { Logger } from 'pino'
import { exposureOf, readConfigToServe, sharedLimitOf } from '../check/start.ts'
import { withProgramName } from '../config/messages.ts'
import { describeSettings, reloadSettings, serveAgain, settingsInUse } from '../config/settings.ts'
import { type Config, inspectConfig, isProduction, readConfig } from '../config.ts'
import { isConnectionError, isStatementTimeout } from '../db/connection-error.ts'
import type { Database } from '../db/database.ts'
import { wikiDiagnostics } from '../db/diagnostics.ts'
import { followedSources, notifyFollowers } from '../db/followed-sources.ts'
import { openDatabase, placeOf } from '../db/open-database.ts'
import { explainSchemaMismatch } from '../db/session.ts'
import { statement } from '../db/statements.ts'
import { launchFollower } from '../follow/process.ts'
import { isLoopbackName } from '../http/local-request.ts'
import { listen, portOf } from '../http/server.ts'
import { addCounters, makeMetrics } from '../internal/metrics.ts'
import { CONNECTION_SHARES, SHUTDOWN } from '../limits/service.ts'
import { type Log, openLog } from '../log/log.ts'
import { encodeInQuotes, packagePath, packageVersion, siteRootOf, WIKI_PAGES_PATH } from '../paths.ts'
import { makeFixedWindow } from '../rate/fixed-window.ts'
import { isReindexDue } from '../search/configurations.ts'
import { type ProcessOptions, type Service, serve } from '../server/server.ts'
import { connectionsMax, memoryOfProcesses } from '../shared/resources.ts'
import { retryFor } from '../shared/timers.ts'
import { migrateAndReindex } from '../upgrade.ts'
import { attachmentOf, followWikijs } from '../wikijs/follow.ts'
import { makeDistribution } from '../workers/distribution.ts'
import { startWorkers } from '../workers/primary.ts'
import { joinPrimary } from '../workers/worker.ts'
import { SAMPLE_SOURCE } from '../write/imported-content.ts'
import { runImport } from '../write/run-import.ts'
import { makeRunning, type RunningService } from './running-service.ts'

/** The wiki with which the first start fills an empty embedded database. */
export const SAMPLE_FILE = packagePath('sample', 'tea-wiki.ndjson')

/**
 * Serves until a signal: as a single process, as one of several workers, or as their primary. The primary owns the
 * embedded database and the counters of the rate limit, and serves no requests.
 * @param stop the signal aborts it at any time; its reason is the name of the signal
 * @param tried the configuration, if this process is no worker, after `readConfigToServe`
 * @param followArguments of `lectern follow`, with the source to serve; null: the database as it is
 */
export const serveCommand = async (
  stop: AbortSignal,
  tried: Config | undefined,
  followArguments: readonly string[] | null,
): Promise<void> => {
  const config = tried ?? readConfig()
  const log = await openLog(config.logLevel, config.logFormat)
  process.on('uncaughtException', (error) => {
    const stack = error instanceof Error && !(error instanceof UsageError) ? error.stack : undefined
    log.say(stack ?? (error instanceof Error ? error.message : String(error)))
    log.logger.fatal({ err: error }, 'Unexpected error. The process ends')
    process.exit(1)
  })
  await (cluster.isWorker
    ? serveWorker(config, log, stop, followArguments !== null)
    : servePrimary(config, log, stop, followArguments))
}

/** What all steps of a start need. */
interface Start {
  config: Config
  log: Log
  running: RunningService
  /** Whether this service follows a source. */
  follows: boolean
}

const servePrimary = async (
  config: Config,
  log: Log,
  stop: AbortSignal,
  followArguments: readonly string[] | null,
): Promise<void> => {
  const running = makeRunning(log.logger, config.workers > 1 ? SHUTDOWN.fleetMs : SHUTDOWN.endMs)
  const start = { config, log, running, follows: followArguments !== null }
  running.stopWith(stop)
  // Whatever the level of the log is, because such a variable can be the one that sets it.
  for (const line of inspectConfig().misspelled) log.logger.child({}, { level: 'warn' }).warn(line)
  const exposure = exposureOf(config)
  if (exposure !== undefined && config.followSecret === undefined) log.logger.warn(exposure)
  const shared = sharedLimitOf(config).join(' ')
  if (shared !== '') log.logger.warn(shared)
  const starting = startPrimary(start, followArguments)
  onHangup(start, starting)
  try {
    const { owner, greeting } = await starting
    if (!running.isStopping) log.say(`${describeSettings()}\n${greeting}`)
    if (!running.isStopping && config.logFormat === 'json') {
      if (config.host === undefined && !isProduction()) log.logger.warn(REACHABLE) // otherwise, the greeting tells it
      log.logger.info({ settings: settingsInUse() }, 'settings')
    }
    void owner?.failed?.then(running.fail('The embedded database has failed'))
  } catch (error) {
    if (running.isStopping) return
    await running.abandon()
    throw withDiskFullAdvice(error)
  }
}

/** @returns `greeting`: the text to print in the terminal; `fleet`: undefined if there are no workers */
const startPrimary = async (start: Start, followArguments: readonly string[] | null) => {
  const { config, log, running } = start
  // The owner's connection stays open while serving: an embedded database lives as long as its owner.
  const owner = config.databaseUrl === undefined ? await openDatabase(config, 'owner', log.logger) : undefined
  if (owner) {
    await running.add(() => owner.close())
    const fill = async () => {
      await migrateAndReindex(owner)
      if (followArguments === null && !isProduction()) await fillWithSample(owner, config, log)
    }
    await retryFor(OPENING, fill, (error) => !running.isStopping && isOpenedAgain(error))
  }
  if (followArguments !== null) await startFollower(followArguments, start)
  else if (owner) await warnOfUnfollowed(owner, log)
  if (config.workers > 1) return { owner, ...(await startFleet(start, owner)) }
  const greeting = await startService(start, { follow: owner && (() => notifyFollowers(owner)) })
  return { owner, greeting, fleet: undefined }
}

/** How long a start tries again, and its pauses, milliseconds. */
const OPENING = { ms: 60_000, pauseMs: 200 }

/** Whether the embedded database is lost: another process had it open, and ends. This or another process then opens it. */
const isOpenedAgain = (error: unknown): boolean =>
  isConnectionError(error instanceof Unavailable ? (error.cause ?? error) : error)

const serveWorker = async (config: Config, log: Log, stop: AbortSignal, follows: boolean): Promise<void> => {
  const running = makeRunning(log.logger)
  const primary = joinPrimary(() => running.stop({}), log.logger)
  await running.add(primary.disconnect)
  running.stopWith(stop)
  try {
    // The role that reads the embedded database cannot notify.
    const follow = config.databaseUrl === undefined ? async () => primary.follow() : undefined
    primary.reportServing(await startService({ config, log, running, follows }, { ...primary, follow }))
  } catch (error) {
    if (running.isStopping) return
    const { name, message, stack } = error as Error
    const isExpected = error instanceof UsageError
    if (!isExpected) log.say(stack ?? message)
    primary.reportStartFailure(isExpected ? message : `Unexpected error: ${name}: ${message}`)
    await running.abandon()
  }
}

/** Starts a process that follows the source, and waits until the wiki has its content. */
const startFollower = async (followArguments: readonly string[], { log, running }: Start): Promise<void> => {
  const follower = launchFollower(followArguments, log)
  follower.ready.catch(() => {}) // it can fail while the service stops
  await running.add(follower.stop)
  await follower.ready
}

/** Opens the ports, and starts the workers. */
const startFleet = async ({ config, log, running }: Start, owner: Database | undefined) => {
  const { workers, port, host, internalPort, internalHost } = config
  const distribution = makeDistribution()
  const open = distribution.makeServer('PORT', connectionsMax(CONNECTION_SHARES.public))
  const internal = distribution.makeServer('INTERNAL_PORT', connectionsMax(CONNECTION_SHARES.internal))
  await running.add(async () => {
    internal.close() // last: until then /ready reports that the service is stopping
    distribution.close()
  })
  await listen(open, port, host, 'PORT')
  await running.add(async () => void open.close())
  await listen(internal, internalPort, internalHost, 'INTERNAL_PORT')
  const fleet = startWorkers({
    workers,
    environment: { PORT: String(portOf(open)), INTERNAL_PORT: String(portOf(internal)) },
    distribution,
    consume: makeFixedWindow(),
    metrics: makeMetrics({ log, memory: memoryOfProcesses }).json,
    addCounters,
    follow: () => {
      if (owner) notifyFollowers(owner).catch((err) => log.logger.warn({ err }, 'Followers cannot be asked'))
    },
    log,
  })
  await running.add(async () => {
    open.close()
    await fleet.stop()
  })
  return { greeting: await fleet.greeting, fleet }
}

/** Settings that the primary or its follower has, too. */
const FIXED =
  /^(INTERNAL_)?(PORT|HOST)$|^(WORKERS|DATABASE_URL|DATA_DIR|FILES_URL|FILES_ALLOW|FILE_BYTES_MAX|LOG_FORMAT)$/

const NOTHING_CHANGED =
  'No setting of a file has changed. To change the environment, such as EnvironmentFile of systemd, restart the service.'

/** On SIGHUP, new workers read the settings again, once the service has started. Without workers, only a warning says so. */
const onHangup = ({ log: { logger }, running }: Start, starting: ReturnType<typeof startPrimary>): void => {
  const reload = async (): Promise<void> => {
    const { fleet } = await starting
    if (!fleet) return logger.warn('SIGHUP changes nothing: to reload settings, set WORKERS=2 or more')
    await reloadSettings(async (changed) => {
      const fixed = changed.filter((name) => FIXED.test(name))
      if (fixed.length > 0) throw new UsageError(`To change ${fixed.join(' and ')}, restart the service.`)
      const { logLevel } = await readConfigToServe(undefined, () => true)
      await fleet.replace()
      logger.level = logLevel
      const infoLogger = logger.child({}, { level: 'info' })
      infoLogger.info({ settings: changed }, 'reloaded')
      if (changed.length === 0) logger.warn(NOTHING_CHANGED)
    }).catch(async (err) => {
      await fleet.undoReplace().finally(() => {
        if (!running.isStopping) logger.error({ err }, 'Nothing was reloaded')
      })
    })
  }
  let last: Promise<unknown> = Promise.resolve()
  process.on('SIGHUP', () => {
    last = last.then(reload).catch(() => {}) // the start has failed
  })
}

/**
 * Opens the database and the listeners.
 * @param siblings the parts that depend on the other processes of the service
 * @returns the text to print in the terminal
 */
const startService = async (start: Start, siblings: ProcessOptions): Promise<string> => {
  const { config, log, running } = start
  const { logger } = log
  const isFirst = (cluster.worker?.id ?? 1) === 1 // other workers would warn of the same
  const database = await openDatabase(config, 'reader', logger)
  await running.add(() => database.close())
  try {
    if (isFirst) await warnOfLogin(database, logger)
    if (isFirst && !start.follows) await warnOfEnded(database, logger)
    if (isFirst && (await isReindexDue(database)))
      logger.warn(
        'Search does not find every page yet. Run `lectern reindex`; the service can keep running meanwhile.',
      )
    database.fileStore?.checkReadable().catch((err) => logger.error({ err }, 'Files cannot be read'))
    const starting = serve(config, database, logger, { ...siblings, log })
    // Added before a port is open, because a stop shortly afterwards must finish the requests that came in meanwhile.
    await running.add(() =>
      starting.then(
        (service) => service.close(SHUTDOWN.graceMs),
        () => {},
      ),
    )
    const service = await starting
    await followAttached(database, start)
    const description = await describeService(service, config, database)
    if (isFirst && 'pages' in description && description.pages === 0)
      logger.warn(withProgramName('The wiki has no pages. Import some: `lectern import --help`.'))
    if (!running.isStopping) logger.info(description, 'serving')
    return await greetingOf(service, config.host)
  } catch (error) {
    throw error instanceof Unavailable ? explainNoServer(error, config) : explainSchemaMismatch(error)
  }
}

/** Of a Wiki.js, the service indexes the pages. */
const warnOfLogin = async (database: Database, logger: Logger): Promise<void> => {
  if (database.kind === 'embedded' || (await attachmentOf(database)).isAttached) return
  const logins = await database.query(statement('check_logins'), [])
  const used = logins.find(({ isUsed }) => isUsed)
  const other = logins.find(({ mayRead, mayWrite, seesHidden }) => mayRead && !mayWrite && !seesHidden)
  if (used && (used.mayWrite ? other : used.seesHidden))
    logger.warn(`${used.login} may do more than serve: \`lectern check\` says how to change that.`)
}

/** What the log says of a service that has started. */
const describeService = async (service: Service, config: Config, database: Database) => {
  const { url, listeningUrl, internalUrl } = service
  const addresses = { version: packageVersion(), url, listeningUrl, internalUrl, database: placeOf(config) }
  try {
    const { name, locales } = await wikiDiagnostics(database)
    const counts = await database.query(statement('page_counts'), [locales])
    return { ...addresses, wiki: name, pages: counts.reduce((sum, { pages }) => sum + pages, 0) }
  } catch {
    return addresses // the database is busy or away
  }
}

export const explainNoServer = (error: Unavailable, { databaseUrl }: Pick<Config, 'databaseUrl'>): Error => {
  const { cause, message } = error
  if (cause instanceof UsageError) return cause
  const details = cause instanceof Error ? cause.message : message
  const slow = isStatementTimeout(error) && 'it responds too slowly, or a table is locked'
  if (databaseUrl === undefined)
    return new UsageError(
      `The embedded database cannot be read from: ${slow || 'it does not respond'}. Start Lectern again (${details}).`,
    )
  return new UsageError(
    `No database server can be read from: ${slow || 'DATABASE_URL cannot be reached, and no replica is known to have replayed everything that it received'}. ` +
      `Start Lectern again when a server is back (${details}).`,
  )
}

/** If the database belongs to a Wiki.js, a process must index its edits: this process, if its user may write. (D57) */
const followAttached = async (reader: Database, { config, log, running }: Start): Promise<void> => {
  const { logger } = log
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

/** On PostgreSQL, a follower may run elsewhere, and start later. With the embedded database, `warnOfUnfollowed` tells more. */
const warnOfEnded = async (database: Database, logger: Logger): Promise<void> => {
  if (database.kind === 'embedded') return
  for (const { name, endedAgo } of await followedSources(database))
    if (endedAgo !== null) logger.warn({ source: name, endedSecondsAgo: Math.round(endedAgo) }, NOT_FOLLOWED)
}

const NOT_FOLLOWED = 'This source is not followed now. Start its follower, or import it once without one.'

/** On PostgreSQL, a guest does not see where the source is. */
const warnOfUnfollowed = async (owner: Database, { logger }: Log): Promise<void> => {
  for (const { name, location } of await owner.query(statement('unfollowed_sources'), [])) {
    const what = `This database was imported from ${location}, which is not followed now`
    logger.warn({ source: name }, withProgramName(`${what}. To follow it, run: ${serveAgain(location)}`))
  }
}

const fillWithSample = async (owner: Database, { dataDir }: Config, log: Log): Promise<void> => {
  if (!(await owner.query(statement('is_empty'), []))[0]!.empty) return
  log.say('Importing the sample wiki…')
  await runImport(owner, () => openNdjsonSource(SAMPLE_FILE), { from: { name: SAMPLE_SOURCE } })
  const command = withProgramName('DATA_DIR=my-wiki lectern serve <folder, file or URL>')
  log.say(`The database in ${dataDir} was empty. It now contains the sample wiki. To serve your own wiki from a new database, run
  ${command}`)
}

const REACHABLE = 'Other machines in your network can reach it, too. To prevent that, set HOST=127.0.0.1.'

/** Examples name a page of this wiki, so that they work. */
const greetingOf = async ({ url, internalUrl, examplePage }: Service, host?: string) => {
  const page = await examplePage().catch(() => null) // the database is busy or away
  const root = siteRootOf(url)
  const calls = page
    ? [
        `/pages/${encodeInQuotes(page.path)}?locale=${page.locale}`,
        `/search?q=${encodeInQuotes(page.title)}&all=true`,
      ]
    : []
  const reach = isLoopbackName(new URL(internalUrl).hostname) ? 'this machine' : 'your own network'
  return `
Lectern serves ${url}${host === undefined ? `\n${REACHABLE}` : ''}

${[url, ...['/pages', ...calls, '/recent?limit=3'].map((call) => url + call)].map((call) => `  curl '${call}'`).join('\n')}

In a browser: ${root}/
The wiki: ${root}${WIKI_PAGES_PATH}
GraphQL, health and metrics, for ${reach} only: ${internalUrl}/graphql
`
}
