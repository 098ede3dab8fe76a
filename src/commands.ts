import { stat } from 'node:fs/promises'
import { pino } from 'pino'
import { type Config, readConfig } from './config.ts'
import { type Database, isConnectionError, openDatabase } from './data/database.ts'
import { makeLoaders } from './data/loaders.ts'
import { checkMigrated, migrate } from './data/migrate.ts'
import type { PageRow } from './data/rows.ts'
import { writing } from './data/writer.ts'
import { UsageError } from './errors.ts'
import { exportNdjson } from './export/ndjson.ts'
import { openGitSource } from './import/git/source.ts'
import { openNdjsonSource } from './import/ndjson.ts'
import type { ImportSource } from './import/records.ts'
import { type ImportSummary, runImport } from './import/run.ts'
import { STOPPING } from './limits.ts'
import { packagePath } from './paths.ts'
import { progressLine } from './progress.ts'
import { type Service, serve } from './server.ts'

/** What `lectern` does, a function a command. They print for a person; errors are thrown. */

const say = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

/** The wiki that a first start shows. */
export const SAMPLE_FILE = packagePath('sample', 'tea-wiki.ndjson')

/** Opens the database as its owner; the embedded one is set up as it goes. */
const withOwner = async <Result>(
  config: Config,
  work: (database: Database) => Promise<Result>,
): Promise<Result> => {
  const database = await openDatabase(config, 'owner')
  try {
    await (database.kind === 'embedded' ? migrate(database) : checkMigrated(database))
    return await work(database)
  } catch (error) {
    throw isConnectionError(error)
      ? new UsageError(`The database went away: ${(error as Error).message}.`)
      : error
  } finally {
    await database.close()
  }
}

export const serveCommand = async (): Promise<void> => {
  const config = readConfig()
  const logger = pino({ level: config.logLevel })
  const databases: Database[] = []
  const closeDatabases = async () => {
    for (const database of databases.reverse()) await database.close()
  }
  try {
    // The owner's connection stays open while serving: an embedded database lives as long as its owner.
    if (config.databaseUrl === undefined) databases.push(await openDatabase(config, 'owner'))
    if (databases[0]) await fillWithSample(databases[0], config)
    const database = await openDatabase(config, 'reader', logger)
    databases.push(database)
    const service = await serve(config, database, logger)
    greet(service, await examplePage(database))
    const fail = (reason: string) => (error: unknown) => {
      logger.fatal({ err: error }, reason)
      process.exit(1)
    }
    const stop = async (signal: string) => {
      logger.info({ signal }, 'stopping')
      // Who started us counts the seconds: what hangs after that, such as a frozen database, is left.
      setTimeout(() => process.exit(0), STOPPING.endMs).unref()
      await service.close(STOPPING.graceMs)
      await closeDatabases()
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => stop(signal).catch(fail('The service did not stop in order')))
    }
    void databases[0]?.failed?.then(fail('The embedded database has failed'))
  } catch (error) {
    await closeDatabases()
    throw error
  }
}

const fillWithSample = async (owner: Database, { dataDir }: Config): Promise<void> => {
  await migrate(owner)
  if (!(await writing(owner, (writer) => writer.isEmpty()))) return
  await runImport(owner, () => openNdjsonSource(SAMPLE_FILE))
  say(`The database in ${dataDir} was empty: it now holds the sample wiki. Put your own in with
  DATA_DIR=my-wiki npx lectern import git <repository>   (or: import ndjson <file>)
and serve it with
  DATA_DIR=my-wiki npm start`)
}

/** A page of this very wiki, so that what is suggested works: the one edited last. */
const examplePage = async (database: Database): Promise<PageRow | undefined> => {
  const [newest] = await makeLoaders(database).recent.load({ first: 1 })
  return newest?.page
}

/** For an address between apostrophes. */
const quoted = (text: string): string => encodeURIComponent(text).replaceAll("'", '%27')

const greet = ({ url, internalUrl }: Service, page: PageRow | undefined): void => {
  const calls = page
    ? [`/pages/${quoted(page.path)}?locale=${page.locale}`, `/search?q=${quoted(page.title)}&all=true`]
    : []
  say(`
Lectern serves ${url}

${[url, ...['/pages', ...calls, '/recent?limit=3'].map((call) => url + call)].map((call) => `  curl '${call}'`).join('\n')}

In a browser: ${url}/docs
GraphQL and health, for this machine alone: ${internalUrl}/graphql
`)
}

export const migrateCommand = async (): Promise<void> => {
  const config = readConfig()
  const database = await openDatabase(config, 'owner')
  try {
    const applied = await migrate(database)
    for (const name of applied) say(`applied ${name}`)
    if (applied.length === 0) say('The database is up to date.')
  } finally {
    await database.close()
  }
}

/** Of edits' ids, those that are stored. */
type Known = (ids: string[]) => Promise<Set<string>>

const importFrom = async (open: (known: Known) => Promise<ImportSource>): Promise<void> => {
  const config = readConfig()
  await withOwner(config, async (database) => {
    const progress = progressLine()
    try {
      const { summary, source } = await runImport(database, open, (reading) =>
        progress.show(reading.progress()),
      )
      progress.end()
      for (const note of source.notes()) say(note)
      say(summaryOf(summary))
    } finally {
      progress.end()
    }
  })
}

const summaryOf = ({
  pages,
  categories,
  revisions,
  newRevisions,
  changedRevisions,
  seconds,
}: ImportSummary): string => {
  const rate = Math.round(revisions / Math.max(seconds, 0.001))
  const changes =
    newRevisions + changedRevisions === 0 ? 'nothing new' : `${newRevisions} new, ${changedRevisions} changed`
  return `${pages} pages, ${categories} categories, ${revisions} edits read (${changes}) in ${seconds.toFixed(1)} s: ${rate} edits/s`
}

export const importNdjson = async (file: string): Promise<void> => {
  const source = await openNdjsonSource(file) // first, so that a file that is not there makes no database
  await importFrom(async () => source)
}

export interface GitCommandOptions {
  layout: string[]
  ref: string
  locale: string
  name?: string
  license?: string
}

export const importGit = async (
  repository: string,
  { layout, ref, locale, name, license }: GitCommandOptions,
): Promise<void> => {
  let known: Known | undefined
  // The source first, so that a mistyped one makes no database; what is known is asked while it is read.
  const source = await openGitSource(repository, {
    layouts: layout,
    ref,
    defaultLocale: locale,
    name,
    license,
    known: (ids) => known!(ids),
  })
  await importFrom(async (knownToWriter) => {
    known = knownToWriter
    return source
  })
}

export const exportCommand = async (file: string): Promise<void> => {
  await withOwner(readConfig(), async (database) => {
    const progress = progressLine()
    const { pages, revisions } = await exportNdjson(database, file, (so) =>
      progress.show({ done: so.pages, unit: 'pages' }),
    )
    progress.end()
    const { size } = await stat(file)
    say(`${pages} pages and ${revisions} edits written to ${file} (${size} bytes)`)
  })
}
