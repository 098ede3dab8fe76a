import { condenseNotes } from '@lectern/wiki/import/notes'
import type { ImportSource } from '@lectern/wiki/records'
import type { SourceContentQueries } from '@lectern/wiki/stored-content'
import { formatCount, quote } from '@lectern/wiki/text'
import { withProgramName } from '../config/messages.ts'
import { serveAgain } from '../config/settings.ts'
import { type Config, isDebugging, readConfig } from '../config.ts'
import type { Database } from '../db/database.ts'
import { hasDatabase, leaveNote, readNote } from '../db/open-database.ts'
import { statement } from '../db/statements.ts'
import type { Connector, KnownWiki } from '../import/connectors.ts'
import { printLine, progressLine, withProgress } from '../progress.ts'
import { storeHtmlWithProgress } from '../upgrade.ts'
import type { FilesResult } from '../write/file-writer.ts'
import type { NamedSource } from '../write/imported-content.ts'
import type { ConflictingPages } from '../write/page-writer.ts'
import { listFirst, namesOfPages } from '../write/removal.ts'
import type { ImportSummary, OpenSource } from '../write/run-import.ts'
import { withOwner } from './with-database.ts'

export const importWithProgress = async (from: NamedSource, open: OpenSource): Promise<void> => {
  const work = async (database: Database, config: Config) => {
    await importInto(database, from, open, config)
    await storeHtmlWithProgress(database)
    return database.isOwner
  }
  await printNext(await withOwner(work, IMPORTING))
}

const IMPORTING = { creates: true, connections: 2 }

/** Prints what to do next, after the database is closed: git can take long. A process that does not own the embedded database has joined that of another one. */
const printNext = async (isOwner?: boolean, connector?: Connector): Promise<void> => {
  const uncommitted = await connector?.uncommitted?.()
  if (uncommitted) printLine(withProgramName(uncommitted))
  printLine(isOwner === false ? SHOWN : withProgramName(`To serve the wiki: ${serveAgain()}`))
}

const SHOWN =
  'Another Lectern has this database open. If it is a service, it shows the wiki, at the address that it printed.'

/** How many links of a source lead to pages that do not exist, with the first of them; for `LOG_LEVEL=debug`, with all. @param since of pages that changed after this change */
export const deadLinksNote = async (database: Database, source: string, since = '0'): Promise<string[]> => {
  const most = isDebugging() ? 10_000 : 3
  const found = await database.query(statement('links_without_page'), [source, since, most])
  if (found.length === 0) return []
  const { links } = found[0]!
  const first = found.map(({ page, target }) => `${quote(target)} in ${quote(page ?? '')}`)
  const advice = links > most ? ' To see them all, set LOG_LEVEL=debug.' : ''
  return [`${formatCount(links, 'link')} to pages that do not exist: ${listFirst(first, links)}.${advice}`]
}

/**
 * Imports a source, unless that would have nothing new. The source is opened before the transaction, and if there is no
 * database, before one is created: its path may be wrong.
 */
export const importConnected = async (from: NamedSource, connector: Connector): Promise<void> => {
  const config = readConfig()
  // Opening the embedded database takes seconds of CPU time.
  const isNoted = config.databaseUrl === undefined && !isDebugging()
  const note = isNoted ? await readNote(config.dataDir, from.name) : null
  if (await reportNothingNew(note as NothingNew | null, from, connector))
    return printNext(undefined, connector)
  const openSource = (wiki?: KnownWiki) => openShown(connector, () => stored!, wiki)
  let stored: SourceContentQueries | undefined
  const opened = hasDatabase(config) ? undefined : await openSource()
  const work = async (database: Database) => {
    let last = opened ? null : await nothingNew(database, from)
    if (!(await reportNothingNew(last, from, connector))) {
      const source = opened ?? (await openSource(await knownWiki(database, from.name)))
      const open = async (queries: SourceContentQueries) => {
        stored = queries
        return source
      }
      await importInto(database, from, open, config).finally(() => source.close?.())
      await storeHtmlWithProgress(database)
      last = isNoted ? await nothingNew(database, from) : null
    }
    if (isNoted && last !== null) await leaveNote(config.dataDir, last.snapshot, from.name, last)
    return database.isOwner
  }
  const isOwner = await withOwner(work, IMPORTING).finally(() => opened?.close?.())
  await printNext(isOwner, connector)
}

/** What an import with nothing new prints, and of which source and settings. */
type NothingNew = Awaited<ReturnType<typeof nothingNew>> & {}

/** Counts dead links only if there is an answer, which is asked for again after that. @returns null: nothing is certain */
export const nothingNew = async (database: Database, { name, settings = '' }: NamedSource) => {
  const ask = async () => (await database.query(statement('last_import'), [name, settings]))[0]
  const links = (await ask()) ? await deadLinksNote(database, name) : []
  const last = await ask()
  if (last === undefined) return null
  const { version, recognition, notes, files, due } = last.told as Told
  const lines = [...links, ...notes, ...fileLines({ ...files, stored: 0, leftOut: new Map() })]
  return { name, settings, version, due, recognition, notes: lines, snapshot: last.snapshot }
}

/** Prints what an import with nothing new would. @returns false if it may have something */
export const reportNothingNew = async (
  last: NothingNew | null,
  { name, adopt, settings = '' }: NamedSource,
  { version }: Connector,
): Promise<boolean> => {
  const startedAt = performance.now()
  if (adopt || last?.name !== name || last.settings !== settings) return false
  if (Number(last.due) <= Date.now() || last.version !== (await version().catch(() => null))) return false
  if (last.recognition != null) printLine(last.recognition)
  printNotes(last.notes)
  printLine(formatSummary({ seconds: (performance.now() - startedAt) / 1000 }))
  return true
}

type Told = ReturnType<NonNullable<ImportSource['nothingNew']>> &
  Pick<ImportSource, 'recognition'> & { files: FilesResult; due?: number }

/** The main language of the wiki, unless this source names it, or has pages in another form of it; its license, and last change. */
export const knownWiki = async (database: Database, source: string) => {
  const [wiki] = await database.query(statement('known_wiki'), [source])
  const known: KnownWiki = { wikiLocale: wiki?.locale ?? undefined, wikiLicense: wiki?.license ?? undefined }
  return { ...known, change: wiki?.change ?? '0' }
}

/** Opens a source, shows what is fetched for it, and prints how it was recognized. */
export const openShown = async (
  connector: Connector,
  stored: () => SourceContentQueries,
  wiki?: KnownWiki,
): Promise<ImportSource> => {
  const source = await withProgress({ whenStopped: 'Stopped. Nothing was imported.' }, (show) =>
    connector.open(stored, wiki, show),
  )
  if (source.recognition != null) printLine(source.recognition)
  return source
}

/** Runs an import into a database that is open, and prints what somebody would mend first: links, then files. */
export const importInto = async (database: Database, from: NamedSource, open: OpenSource, config: Config) => {
  const startProgress = () =>
    progressLine({ whenStopped: 'Stopped. The import is rolled back; nothing has changed.' })
  let progress = startProgress()
  let isIndexing = false
  try {
    const { runImport } = await import('../write/run-import.ts')
    const { makeFileLimits } = await import('../write/file-writer.ts')
    const { summary, source } = await runImport(database, open, {
      from,
      extent: 'large',
      fileLimits: makeFileLimits(config),
      onProgress: (source) => progress.show(source.progress()),
      onIndexed: (done, total) => {
        if (!isIndexing) {
          progress.end()
          progress = startProgress()
          isIndexing = true
        }
        progress.show({ done, total, unit: 'pages indexed' })
      },
      onWait: () => printLine('Another import is running. Waiting until it ends…'),
    })
    progress.end()
    printNotes(notesOf(summary, source, from, await deadLinksNote(database, from.name)))
    printLine(formatSummary(summary))
    return { summary, source }
  } finally {
    progress.end()
  }
}

/** What an import tells besides its counts. */
export const notesOf = (
  summary: ImportSummary,
  source: ImportSource,
  from: NamedSource,
  links: string[] = [],
): string[] => [...changeLines(summary, from), ...links, ...source.notes(), ...fileLines(summary.files)]

const printNotes = (notes: readonly string[]): void => {
  for (const note of isDebugging() ? notes : condenseNotes(notes)) printLine(withProgramName(note))
}

/** What an import left out, took over or removed, a line for each kind. */
const changeLines = (summary: ImportSummary, from: NamedSource): string[] => {
  const { newName, left, adopted, removed, absent, samplePages, deletedLive, pagesBefore } = summary
  const { hiddenPages, live, revisions, changedPages } = removed
  const gone = `that the source "${quote(from.name)}" no longer has`
  return [
    samplePages > 0 && 'Removed the sample wiki.',
    newName !== undefined &&
      `The name of the wiki was "${quote(newName.former)}". It is now "${quote(newName.name)}".`,
    left.pages > 0 &&
      `WARNING: ${formatCount(left.pages, 'page')} left out, because another source has the same path: ${conflictsText(left)}. ` +
        'To take over what is left out, repeat the command with --adopt.',
    deletedLive * 2 > pagesBefore &&
      pagesBefore > 0 &&
      `WARNING: ${deletedLive} of ${formatCount(pagesBefore, 'page')} were deleted in the source. If that is a mistake, undo it there, or import an earlier commit with --ref.`,
    adopted.pages > 0 && `Took over ${formatCount(adopted.pages, 'page')}: ${conflictsText(adopted)}.`,
    live.pages > 0 && `Removed ${formatCount(live.pages, 'page')} ${gone}: ${namesOfPages(live)}.`,
    hiddenPages > 0 && `Removed ${formatCount(hiddenPages, 'hidden page')} ${gone}.`,
    revisions > 0 &&
      `Removed ${formatCount(revisions, 'edit')} of ${formatCount(changedPages.length, 'page')} ${gone}.`,
    absent.pages > 0 &&
      `${formatCount(absent.pages, 'live page')} of the database not in this source, but still public: ${namesOfPages(absent)}.`,
  ].filter((line) => line !== false)
}

/** Which files the import stored, which it left out, and which the source does not have. */
const fileLines = (result: FilesResult): string[] => {
  const { files, bytes, stored, leftOut, missing, firstMissing, notDeleted } = result
  const kinds = [...leftOut].map(
    ([reason, { files, first }]) => `${files} ${reason} (${listFirst(first, files)})`,
  )
  const names = firstMissing.map(({ reference, page }) => `${quote(reference)} in ${quote(page)}`)
  return [
    kinds.length > 0 && `Files left out: ${kinds.join('; ')}.`,
    notDeleted !== undefined &&
      `WARNING: unused files could not be deleted (${notDeleted}) The next import tries it again.`,
    missing > 0 &&
      `${formatCount(missing, 'reference')} to files that the source does not have: ${listFirst(names, missing)}.`,
    files > 0 &&
      `Pages use ${formatCount(files, 'file')} with ${sizeText(bytes)} (${stored} new or changed).`,
  ].filter((line) => line !== false)
}

const sizeText = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`

/** The first pages that two sources have, each with the other source: `index (en) of the source "wiki"`. */
const conflictsText = ({ pages, first }: ConflictingPages): string =>
  listFirst(
    first.map(({ locale, path, source }) => `${quote(path)} (${locale}) of the source "${source}"`),
    pages,
  )

/** @param summary without counts: of an import that read nothing */
const formatSummary = (summary: Partial<ImportSummary> & Pick<ImportSummary, 'seconds'>): string => {
  const { pages = 0, drafts = 0, deleted = 0, deletedPages = 0, renamedPages = 0, categories = 0 } = summary
  const { revisions = 0, newRevisions = 0, changedRevisions = 0, movedRevisions = 0, seconds } = summary
  const rate = Math.round(revisions / Math.max(seconds, 0.001))
  const changes =
    newRevisions + changedRevisions + movedRevisions + deletedPages === 0
      ? 'nothing new'
      : `${newRevisions} new, ${changedRevisions} changed` +
        (movedRevisions > 0 ? `, ${movedRevisions} moved to another page` : '') +
        (renamedPages > 0 ? `, ${formatCount(renamedPages, 'page')} renamed` : '') +
        (deletedPages > 0 ? `, ${formatCount(deletedPages, 'page')} deleted` : '')
  const content = [
    formatCount(pages - deleted, 'page') + (drafts > 0 ? ` (${formatCount(drafts, 'hidden draft')})` : ''),
    deleted > 0 ? `${deleted} deleted with history` : [],
    formatCount(categories, 'category', 'categories'),
    formatCount(revisions, 'edit'),
  ]
    .flat()
    .join(', ')
  return `Read ${content} (${changes}) in ${seconds.toFixed(1)} s: ${rate} edits/s`
}
