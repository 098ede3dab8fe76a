import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { UsageError } from '@lectern/wiki/errors'
import { makeWikiRecord } from '@lectern/wiki/import/wiki-record'
import type { ImportRecord, ImportSource, WikiRecord } from '@lectern/wiki/records'
import type { StoredContentQueries } from '@lectern/wiki/stored-content'
import { GuestAccess } from './access.ts'
import { DataFolder, type DokuwikiFolders, findFolders, readSmallFile } from './folders.ts'
import { type DokuwikiData, readHistory } from './history.ts'
import { dokuwikiMedia } from './media.ts'
import { DokuwikiNotes } from './notes.ts'
import { DokuwikiPages } from './page-index.ts'
import { type DokuwikiPageFile, findReadablePages } from './pages.ts'
import { createdAt, licenseUrl, type PageHistoryOfFile, readPage, withIds } from './records.ts'
import { type DokuwikiSettings, localeOf, readSettings } from './settings.ts'
import { DokuwikiSite, readInterwiki } from './site.ts'

export interface DokuwikiOptions {
  /** Folder of the configuration. Default: `conf` beside the data, or as the installation says. */
  configuration?: string
  /** Whether guests may read all pages of a wiki whose configuration is not known. */
  isPublic?: boolean
  /** Language of the wiki. Default: the language in the configuration. */
  locale?: string
  /** Default: the title in the configuration, or the name of the folder. */
  name?: string
  /** URL of the license, http or https. Default: the license in the configuration. */
  license?: string
  /** Queries for the content of the wiki, while records are read: texts of stored revisions are not read again. */
  stored?: () => StoredContentQueries
}

/** Revisions of a batch of pages, at least. Each batch takes one query of stored revisions. */
const BATCH_REVISIONS = 1_000

/**
 * Reads the files of a DokuWiki: pages, old revisions and changelogs. Only pages that guests may read are imported.
 * Authors are login names, because the file with full names also has passwords.
 * @param folder an installation, or its folder `data`
 * @throws UsageError if the folder is not a DokuWiki, or it is not known what guests may read
 */
export const openDokuwikiSource = async (folder: string, options: DokuwikiOptions): Promise<ImportSource> => {
  const folders = await findFolders(folder, options.configuration)
  const settings = await readSettings(folders)
  const access = await readAccess(folders, settings, options)
  const locale = localeOf(settings.language, options.locale)
  const notes = new DokuwikiNotes()
  const data = await openData(folders, settings, notes)
  const files = await findReadablePages(data, settings, access, notes)
  const index = new DokuwikiPages(locale, settings.translation)
  for (const { id, isDeleted } of files) if (!isDeleted) index.add(id)
  const site = new DokuwikiSite(settings, index, await readInterwiki(folders.configuration))
  const wiki = recordOfDokuwiki(folder, settings, locale, localesOf(files, index), options)
  const onlyCurrent = settings.disabledActions.has('revisions')
  let done = 0
  const read = async function* (): AsyncGenerator<ImportRecord> {
    yield wiki
    const categories = new Map<string, string>()
    const histories = historiesOf(files, (page) => readHistory(data, page, { onlyCurrent }, notes), index)
    for await (const batch of batchesOf(histories)) {
      const known = await knownRevisions(batch, options.stored?.())
      for (const history of batch) {
        const { locale } = history.location
        const addCategory = (key: string, name: string) => categories.set(`${locale} ${key}`, name)
        yield* readPage(history, { data, site, index, notes, known }, addCategory)
        done += 1
      }
    }
    for (const [entry, name] of categories) {
      const space = entry.indexOf(' ')
      yield { type: 'category', locale: entry.slice(0, space), key: entry.slice(space + 1), name }
    }
  }
  return {
    records: read(),
    progress: () => ({ done, total: files.length, unit: 'pages' }),
    notes: () => notes.lines(),
    covers: () => 'wiki',
    files: () => dokuwikiMedia(settings, access, notes),
  }
}

/**
 * What guests may read; null: everything.
 * @throws UsageError if it is not known
 */
const readAccess = async (
  { configuration }: DokuwikiFolders,
  { usesAcl }: DokuwikiSettings,
  { isPublic }: DokuwikiOptions,
): Promise<GuestAccess | null> => {
  if (usesAcl === false) return null
  if (usesAcl === undefined) {
    if (isPublic) return null
    throw new UsageError(
      'The configuration of the DokuWiki was not found, so it is unknown which pages guests may read. ' +
        'Set --conf to the folder that contains local.php. If guests may read all pages, set --public.',
    )
  }
  for (const folder of [...configuration].reverse()) {
    const list = await readSmallFile(join(folder, 'acl.auth.php'))
    if (list !== null) return new GuestAccess(list)
  }
  throw new UsageError(
    'The DokuWiki uses access control lists, but its configuration has no acl.auth.php, so it is unknown which pages ' +
      'guests may read. Set --conf to the folder that contains it.',
  )
}

const openData = async (
  { data }: DokuwikiFolders,
  settings: DokuwikiSettings,
  notes: DokuwikiNotes,
): Promise<DokuwikiData> => {
  const pages = await DataFolder.open(settings.data.pages, true)
  const attic = await DataFolder.open(settings.data.attic, false)
  const meta = await DataFolder.open(settings.data.meta, false)
  if (data === null || settings.data.pages !== join(data, 'pages')) notes.add('elsewhere', pages.path)
  return { pages, attic, meta }
}

const localesOf = (files: readonly DokuwikiPageFile[], index: DokuwikiPages): Set<string> =>
  new Set(files.filter(({ isDeleted }) => !isDeleted).map(({ id }) => index.locationOf(id).locale))

const recordOfDokuwiki = (
  folder: string,
  settings: DokuwikiSettings,
  locale: string,
  found: ReadonlySet<string>,
  options: DokuwikiOptions,
): WikiRecord => {
  const locales = found.size === 0 ? [locale] : [...found].sort()
  const folderName = basename(folder) === 'data' ? basename(dirname(folder)) : basename(folder)
  return makeWikiRecord({
    name: (options.name ?? settings.title ?? folderName).trim() || 'DokuWiki',
    defaultLocale: locales.includes(locale) ? locale : locales[0]!,
    license: options.license ?? licenseUrl(settings.license),
    locales,
  })
}

async function* historiesOf(
  files: readonly DokuwikiPageFile[],
  read: (page: DokuwikiPageFile) => ReturnType<typeof readHistory>,
  index: DokuwikiPages,
): AsyncGenerator<PageHistoryOfFile> {
  for (const page of files) yield withIds(page, await read(page), index)
}

async function* batchesOf(histories: AsyncIterable<PageHistoryOfFile>): AsyncGenerator<PageHistoryOfFile[]> {
  let batch: PageHistoryOfFile[] = []
  let revisions = 0
  for await (const history of histories) {
    batch.push(history)
    revisions += history.revisions.length
    if (revisions < BATCH_REVISIONS && batch.length < BATCH_REVISIONS) continue
    yield batch
    batch = []
    revisions = 0
  }
  if (batch.length > 0) yield batch
}

const knownRevisions = async (
  batch: readonly PageHistoryOfFile[],
  stored: StoredContentQueries | undefined,
): Promise<ReadonlySet<string>> => {
  if (stored === undefined) return new Set()
  return stored.knownRevisions(
    batch.flatMap(({ location, revisions }) =>
      revisions.map((revision) => ({ ...location, id: revision.id, createdAt: createdAt(revision) })),
    ),
  )
}

/** Files of the configuration that decide what is imported. */
const CONFIGURATION = [
  'dokuwiki.php',
  'local.php',
  'local.protected.php',
  'acl.auth.php',
  'interwiki.conf',
  'interwiki.local.conf',
]
/** Files of pages that are compared. Changes of others are seen by the changelog, which each edit in DokuWiki extends. */
const MAX_PAGES = 20_000

/**
 * A text that changes when a DokuWiki changes, from sizes and times of its files: the configuration, the changelogs of
 * the whole wiki, and the files of pages, which can also change without DokuWiki. No file of a page is read.
 * @param folder as for `openDokuwikiSource`
 * @throws UsageError if the folder is not a DokuWiki, or its configuration cannot be read
 */
export const dokuwikiVersion = async (folder: string, configuration?: string): Promise<string> => {
  const folders = await findFolders(folder, configuration)
  const { data } = await readSettings(folders)
  const hash = createHash('sha256')
  const add = async (path: string) => {
    const stats = await stat(path).catch(() => null)
    hash.update(`${path}\0${stats?.size}\0${stats?.mtimeMs}\0`)
  }
  for (const one of folders.configuration) for (const name of CONFIGURATION) await add(join(one, name))
  for (const changes of ['_dokuwiki.changes', '_media.changes']) await add(join(data.meta, changes))
  const pages = await DataFolder.open(data.pages, true)
  let count = 0
  for await (const { path } of pages.entries()) {
    if (count === MAX_PAGES) break
    await add(join(pages.path, path))
    count += 1
  }
  return hash.digest('hex')
}
