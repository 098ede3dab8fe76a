import { setTimeout as sleep } from 'node:timers/promises'
import { ImportError, UsageError } from '@lectern/wiki/errors'
import { withDiskFullAdvice } from '@lectern/wiki/full-disk'
import type { ImportSource } from '@lectern/wiki/records'
import type { SourceContentQueries } from '@lectern/wiki/stored-content'
import { forShell, quote, redactPasswords } from '@lectern/wiki/text'
import { withProgramName } from '../config/messages.ts'
import { type Config, isLogJson, readConfig } from '../config.ts'
import { isConnectionError } from '../db/connection-error.ts'
import type { Database } from '../db/database.ts'
import { importedVersion, openFollowedSource } from '../db/followed-sources.ts'
import { AFTER_FULL_DISK, followSource } from '../follow/follower.ts'
import { onStop, reportReady } from '../follow/process.ts'
import { type Connector, EVERY_MS, recognizeSource } from '../import/connectors.ts'
import { type Log, openLog, serializeError } from '../log/log.ts'
import { type Progress, printLine } from '../progress.ts'
import { memoize } from '../shared/memoize.ts'
import { storeHtml } from '../stored-html.ts'
import { makeFileLimits } from '../write/file-writer.ts'
import type { NamedSource } from '../write/imported-content.ts'
import { runImport } from '../write/run-import.ts'
import type { WriterOptions } from '../write/writer.ts'
import { deadLinksNote, importInto, knownWiki, notesOf, openShown } from './import-summary.ts'
import {
  type ImportCommandOptions,
  identityOf,
  refuseWrongOptions,
  toConnectorOptions,
  toNamedSource,
} from './source-options.ts'
import { withOwner } from './with-database.ts'

/** Connections that a follower needs: to listen, to import, to store HTML, and to renew its lease meanwhile. */
const CONNECTIONS = 5
/** How long an import may go on after a signal, milliseconds. Then the database rolls it back. */
const STOP_MS = 3_000
/** Between two attempts to reach the database at the start, milliseconds. */
const RETRY_MS = 5_000
/** Of these attempts, one in a minute is logged. */
const WARN_EVERY = 60_000 / RETRY_MS
/** Attempts of a service that starts while other processes with its embedded database end; opening it waits for them. */
const EMBEDDED_ATTEMPTS = 20
/** If an import took less time, readers of the embedded database can wait for the next one. (D96) */
const SMALL_SECONDS = 0.3

/** `lectern follow`: imports the source if that was never done, then follows it until a signal. */
export const runFollowCommand = async (location: string, options: ImportCommandOptions): Promise<void> => {
  await refuseWrongOptions(options)
  // A confirmation counts once: a later version of the source may be broken.
  const from = toNamedSource({ ...options, yes: false })
  const { logLevel, logFormat } = readConfig()
  const log = await openLog(logLevel, logFormat)
  await withReachableOwner(log, async (database, config) => {
    let connector: Connector | undefined
    const told: Told = { lines: new Set() }
    const connect = memoize(async () => {
      connector = await recognizeSource(location, toConnectorOptions(options, config.dataDir))
      told.branch = connector.describe?.('').branch
      return connector
    })
    const sourceOf = ({ command }: Connector, version: string): NamedSource => {
      return { ...from, version, confirmation: confirmationOf(command, location, from.name) }
    }
    const identity = `${identityOf(location, toConnectorOptions(options, ''))}\n`
    const versionOf = async () => `${identity}${await (await connect()).version()}`
    const fileLimits = makeFileLimits(config)
    const importNow = async () => {
      const connector = await connect()
      if (isLogJson())
        log.logger.info({ source: from.name, location: redactPasswords(location) }, 'importing')
      const first = { ...sourceOf(connector, await versionOf()), isConfirmed: options.yes, isFollowed: true }
      if (isLogJson())
        await importAgain(database, connector, { from: first, extent: 'large', fileLimits }, { log, told })
      else for (const line of await importFirst(database, connector, first, config)) told.lines.add(line)
    }
    if (options.yes || !(await importedVersion(database, from.name))?.startsWith(identity))
      await importNow().catch((error: unknown) => failFirst(database, from.name, error))
    reportReady()
    tellUncommitted(connect(), from.name, log)
    const stop = new AbortController()
    const html = storeHtmlInBackground(database, log, stop.signal)
    const watch = watchOnceLogged(from.name, log)
    const everyMs = () => options.every ?? connector?.everyMs ?? EVERY_MS
    let seconds = Infinity
    const follower = await followSource(
      database,
      {
        version: versionOf,
        import: async (version) => {
          const connector = await connect()
          const extent = seconds < SMALL_SECONDS ? 'small' : 'large'
          const importing = { from: sourceOf(connector, version), extent, fileLimits } as const
          seconds = await importAgain(database, connector, importing, { log, told })
          html.update()
        },
        watch: (onChange, onEnd) => watch(connector, onChange, onEnd),
      },
      { name: from.name, everyMs, logger: namingCommands(log) },
    )
    html.update() // not before: if the follower cannot start, nothing may keep the process alive
    log.logger.info({ source: from.name, signal: await onStop() }, 'stopping')
    setTimeout(() => process.exit(0), STOP_MS).unref()
    stop.abort()
    await Promise.all([follower.stop(), html.running()])
  })
}

/** Gateways tell of a first import that failed, as of later ones, but not of a wrong command. @throws the error */
const failFirst = async (database: Database, name: string, error: unknown): Promise<never> => {
  const markFailed = async () => {
    const source = await openFollowedSource(database, name)
    if ((await source.take(0, null))?.isTaken) await source.markFailed((error as Error).message)
  }
  if (error instanceof ImportError || !(error instanceof UsageError)) await markFailed().catch(() => {})
  throw error
}

/** The follower tells of a source that it cannot read. */
const tellUncommitted = (connecting: Promise<Connector>, source: string, { logger }: Log) =>
  connecting
    .then(({ uncommitted }) => uncommitted?.())
    .then((note) => note && logger.warn({ source }, withProgramName(note)))
    .catch(() => {})

/** Its errors name commands as the user runs them. */
const namingCommands = ({ logger }: Log) =>
  logger.child({}, { serializers: { err: (error: unknown) => serializeError(error, withProgramName) } })

/** The command that a follower names: unlike it, it ends. */
const confirmationOf = (command: string | undefined, location: string, source: string): string =>
  `run \`lectern import ${command} ${forShell(redactPasswords(location))} --source ${forShell(source)} --yes\`, with the same options`

/** For `lectern serve` with a source, which starts this process. */
const SERVE_ADVICE =
  'To serve with this login, run `lectern serve` without a source, and `lectern follow` with the login of the owner.'

/** Tries again until the database can be reached. A service that waits for this process ends instead, if it is on a server. */
const withReachableOwner = async (
  { logger }: Log,
  follow: (database: Database, config: Config) => Promise<void>,
): Promise<void> => {
  const mostAttempts = !process.send ? Infinity : readConfig().databaseUrl ? 1 : EMBEDDED_ATTEMPTS
  const options = { creates: true, connections: CONNECTIONS, advice: process.send && SERVE_ADVICE }
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await withOwner(follow, options)
    } catch (error) {
      const { message, cause } = error as Error
      if (!isConnectionError(cause ?? {}) || attempts === mostAttempts) throw error
      if (process.send) continue
      if (attempts % WARN_EVERY === 1)
        logger.warn(`${message} The follower tries again every ${RETRY_MS / 1_000} s.`)
    }
    await sleep(RETRY_MS)
  }
}

/** Watches a source. The log gets the reason why it cannot be watched once, however often that is tried. */
const watchOnceLogged = (source: string, { logger }: Log) => {
  let logged = ''
  return async (connector: Connector | undefined, onChange: () => void, onEnd: () => void) => {
    const onFailure = (reason: string) => {
      if (reason !== logged)
        logger.warn({ source, reason }, 'the source is checked at intervals until it can be watched again')
      logged = reason
      onEnd()
    }
    return (await connector?.watch?.(onChange, onFailure)) ?? { close: () => {} }
  }
}

/** After a pass over the pages, the next one waits this many times as long as it took, so that edits of a large wiki cost little. */
const HTML_PAUSE = 20
/** The longest of these waits, and the wait after an error, milliseconds. */
const HTML_PAUSE_MAX_MS = 60_000

/** Beside the follower, because a new version of Lectern makes the HTML of all pages again. */
const storeHtmlInBackground = (database: Database, { logger }: Log, signal: AbortSignal) => {
  let running: Promise<void> | undefined
  let isDue = false
  const run = async () => {
    while (isDue && !signal.aborted) {
      isDue = false
      const began = performance.now()
      const pauseMs = await storeHtml(database, { signal }).then(
        () => Math.min(HTML_PAUSE * (performance.now() - began), HTML_PAUSE_MAX_MS),
        (err) => {
          logger.warn({ err: withDiskFullAdvice(err, AFTER_FULL_DISK) }, 'HTML could not be stored')
          isDue = true
          return HTML_PAUSE_MAX_MS
        },
      )
      await sleep(pauseMs, undefined, { signal }).catch(() => {})
    }
    running = undefined
  }
  return {
    update: (): void => {
      isDue = true
      running ??= run()
    },
    running: async (): Promise<void> => running,
  }
}

const importFirst = async (database: Database, connector: Connector, from: NamedSource, config: Config) => {
  printLine(`The source is ${connector.kind}.`)
  const wiki = await knownWiki(database, from.name)
  const open = (stored: SourceContentQueries) => openShown(connector, () => stored, wiki)
  const { summary, source } = await importInto(database, from, open, config)
  return linesOf(source, notesOf(summary, source, from))
}

const linesOf = ({ recognition }: ImportSource, notes: string[]) =>
  [recognition ?? [], notes].flat().map((line) => withProgramName(line))

/** What the last import of this process told: its lines, and the branch of a git repository that was checked out. */
interface Told {
  lines: Set<string>
  branch?: string | undefined
}

/** How often an import that is running is logged, milliseconds. */
const PROGRESS_MS = 30_000

const progressLog = (logger: Log['logger']) => {
  let toldAt = performance.now()
  return (progress: Progress): void => {
    if (performance.now() - toldAt < PROGRESS_MS) return
    toldAt = performance.now()
    logger.info(progress, 'importing')
  }
}

/** Imports what changed, and logs it. @returns seconds that it took */
const importAgain = async (
  database: Database,
  connector: Connector,
  options: Required<Pick<WriterOptions, 'extent' | 'fileLimits'>> & { from: NamedSource },
  { log: { logger }, told }: { log: Log; told: Told },
): Promise<number> => {
  const { from } = options
  const { change, ...wiki } = await knownWiki(database, from.name)
  const tell = progressLog(logger.child({ source: from.name }))
  const open = (stored: SourceContentQueries) => connector.open(() => stored, wiki, tell)
  const { summary, source } = await runImport(database, open, {
    ...options,
    onProgress: (source) => tell(source.progress()),
    onIndexed: (done, total) => tell({ done, total, unit: 'pages indexed' }),
  })
  const { newRevisions, changedRevisions, movedRevisions, renamedPages, deletedPages, seconds } = summary
  const links = await deadLinksNote(database, from.name, change)
  const lines = linesOf(source, notesOf(summary, source, from, links))
  const fresh = lines.filter((line) => !told.lines.has(line))
  told.lines = new Set(lines)
  const described = connector.describe?.(source.nothingNew?.().version ?? '')
  if (told.branch !== undefined && described?.branch !== told.branch)
    fresh.unshift(`${WARNING}${branchNote(told.branch, described?.branch)}`)
  told.branch = described?.branch
  const notes = fresh.filter((line) => !line.startsWith(WARNING))
  for (const line of fresh)
    if (line.startsWith(WARNING)) logger.warn({ source: from.name }, line.slice(WARNING.length))
  const pages = summary.pages - summary.deleted
  const counts = { pages, newRevisions, changedRevisions, movedRevisions, renamedPages, deletedPages }
  logger.info(
    {
      source: from.name,
      ...described,
      ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
      ...{ seconds: Math.round(seconds * 100) / 100, ...(notes.length > 0 ? { notes } : {}) },
    },
    'imported',
  )
  return seconds
}

const WARNING = 'WARNING: '

const branchNote = (last: string, branch?: string): string =>
  `${branch === undefined ? 'No branch' : `The branch ${quote(branch)}`} is checked out, and no longer ${quote(last)}: the wiki has its pages now. --ref ${forShell(last)} follows that branch only.`
