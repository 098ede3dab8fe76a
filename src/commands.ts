import { stat } from 'node:fs/promises'
import { type Config, readConfig } from './config.ts'
import { type Database, isConnectionError, openDatabase } from './data/database.ts'
import { checkMigrated } from './data/migrate.ts'
import { UsageError } from './errors.ts'
import { exportNdjson } from './export/ndjson.ts'
import { openGitSource } from './import/git/source.ts'
import { openMediawikiSource } from './import/mediawiki/source.ts'
import { openNdjsonSource } from './import/ndjson.ts'
import type { ImportSource } from './import/records.ts'
import { type ImportSummary, runImport } from './import/run.ts'
import { indexAnew, migrateAndIndex } from './indexing.ts'
import { progressLine, say } from './progress.ts'

/** What `lectern` does, a function a command. They print for a person; errors are thrown. */

export { SAMPLE_FILE, serveCommand } from './serving.ts'

/** Opens the database as its owner; the embedded one is set up as it goes. */
const withOwner = async <Result>(
  config: Config,
  work: (database: Database) => Promise<Result>,
): Promise<Result> => {
  const database = await openDatabase(config, 'owner')
  try {
    await (database.kind === 'embedded' ? migrateAndIndex(database) : checkMigrated(database))
    return await work(database)
  } catch (error) {
    throw isConnectionError(error)
      ? new UsageError(`The database went away: ${(error as Error).message}.`)
      : error
  } finally {
    await database.close()
  }
}

export const reindexCommand = async ({ all }: { all?: boolean }): Promise<void> => {
  await withOwner(readConfig(), async (database) => {
    if ((await indexAnew(database, { all })) === 0) say('The search index is up to date.')
  })
}

export const migrateCommand = async (): Promise<void> => {
  const config = readConfig()
  const database = await openDatabase(config, 'owner')
  try {
    const applied = await migrateAndIndex(database)
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

export interface MediawikiCommandOptions {
  namespace: string[]
  redirects: boolean
  locale?: string
  name?: string
  license?: string
  add?: boolean
}

export const importMediawiki = async (
  file: string,
  { namespace, ...options }: MediawikiCommandOptions,
): Promise<void> => {
  const source = await openMediawikiSource(file, { ...options, namespaces: namespace })
  await importFrom(async () => source)
}

export const exportCommand = async (file: string): Promise<void> => {
  await withOwner(readConfig(), async (database) => {
    const progress = progressLine()
    const { pages, revisions } = await exportNdjson(database, file, {
      onProgress: (so) => progress.show({ done: so.pages, total: so.totalPages, unit: 'pages' }),
    })
    progress.end()
    const { size } = await stat(file)
    say(`${pages} pages and ${revisions} edits written to ${file} (${size} bytes)`)
  })
}
