import { toSingleLine } from '@lectern/wiki/import/wiki-record'
import { CATEGORIES_MAX, FIELD_BYTES_MAX, TEXT_BYTES_MAX, TRANSFER_BATCH } from '@lectern/wiki/limits'
import {
  type ImportedPage,
  makeRevisionBatch,
  type PageRecord,
  type RevisionRecord,
} from '@lectern/wiki/records'
import { byteLength, isPlainText, nfc, sortKeyOf } from '@lectern/wiki/text'
import { parseInstant, timestampFromInstant } from '@lectern/wiki/time'
import { type DokuwikiData, type DokuwikiRevision, dokuwikiRevisionId, readText } from './history.ts'
import type { DokuwikiNotes } from './notes.ts'
import type { DokuwikiPages, PageLocation } from './page-index.ts'
import type { DokuwikiPageFile } from './pages.ts'
import { type DokuwikiSite, nameOfId } from './site.ts'
import { type ConvertedSyntax, convertSyntax } from './syntax/convert.ts'

/** URLs of the licenses that DokuWiki knows by a short name. @see conf/license.php in DokuWiki */
const LICENSES: Record<string, string> = {
  'cc-zero': 'https://creativecommons.org/publicdomain/zero/1.0/',
  publicdomain: 'https://creativecommons.org/publicdomain/mark/1.0/',
  'cc-by': 'https://creativecommons.org/licenses/by/4.0/',
  'cc-by-sa': 'https://creativecommons.org/licenses/by-sa/4.0/',
  gnufdl: 'https://www.gnu.org/licenses/fdl-1.3.html',
  'cc-by-nc': 'https://creativecommons.org/licenses/by-nc/4.0/',
  'cc-by-nc-sa': 'https://creativecommons.org/licenses/by-nc-sa/4.0/',
}

/** @returns undefined for a name that is not known */
export const licenseUrl = (name: string | undefined): string | undefined =>
  name !== undefined && Object.hasOwn(LICENSES, name) ? LICENSES[name] : undefined

/** A page with its revisions, before their texts are read. */
export interface PageHistoryOfFile {
  page: DokuwikiPageFile
  location: PageLocation
  revisions: (DokuwikiRevision & { id: string })[]
}

/** What the records of pages are made with. */
interface PageReader {
  data: DokuwikiData
  site: DokuwikiSite
  index: DokuwikiPages
  notes: DokuwikiNotes
  /** Ids of revisions that need not be read. */
  known: ReadonlySet<string>
}

/** Revisions of one record. A page with more becomes several records. */
const RECORD_REVISIONS = 500

export const withIds = (
  page: DokuwikiPageFile,
  revisions: DokuwikiRevision[],
  index: DokuwikiPages,
): PageHistoryOfFile => {
  const location = index.locationOf(page.id)
  return {
    page,
    location,
    revisions: revisions.map((revision) => ({
      ...revision,
      id: dokuwikiRevisionId(location.locale, page.id, revision.time),
    })),
  }
}

export const createdAt = ({ time }: DokuwikiRevision): string =>
  timestampFromInstant(parseInstant(new Date(time * 1000).toISOString())!)

/**
 * Reads the texts of a page. The current text is always read, because it names the categories.
 * @param onCategory called with the key and the name of each category of the current text
 */
export async function* readPage(
  { page, location, revisions }: PageHistoryOfFile,
  reader: PageReader,
  onCategory: (key: string, name: string) => void,
): AsyncGenerator<ImportedPage> {
  const batch = makeRevisionBatch({ revisions: RECORD_REVISIONS, bytes: TRANSFER_BATCH.bytes })
  const unread: string[] = []
  let state: PageRecord['state'] = page.isDeleted ? 'deleted' : 'live'
  const record = (revisions: RevisionRecord[]): ImportedPage => ({
    type: 'page',
    ...location,
    state,
    ...(reader.index.hasTranslations && state === 'live' ? { translation_group: location.path } : {}),
    revisions,
  })
  for (const revision of revisions) {
    if (!revision.isCurrent && reader.known.has(revision.id)) {
      unread.push(revision.id)
      continue
    }
    const read = await readRevision(page, location, revision, reader)
    if (read === null) {
      if (revision.isCurrent) state = 'draft'
      continue
    }
    if (revision.isCurrent) {
      reader.notes.addUnconverted(read.converted.unconverted, page.id)
      for (const [key, name] of read.names) onCategory(key, name)
    }
    const full = batch.add(read.record)
    if (full) yield record(full)
  }
  yield {
    ...record(batch.take()),
    ...(unread.length > 0 ? { unreadRevisions: unread } : {}),
    hasAllRevisions: true,
  }
}

interface ReadRevision {
  record: RevisionRecord
  /** Names of its categories by key. */
  names: ReadonlyMap<string, string>
  converted: ConvertedSyntax
}

/** @returns null if the text cannot be read, which is counted */
const readRevision = async (
  page: DokuwikiPageFile,
  location: PageLocation,
  revision: PageHistoryOfFile['revisions'][number],
  { data, site, notes }: PageReader,
): Promise<ReadRevision | null> => {
  const text = await readText(revision.isCurrent ? data.pages : data.attic, revision.path)
  const converted =
    typeof text === 'string' ? null : convertSyntax(text.text, { id: page.id, locale: location.locale, site })
  if (converted === null || byteLength(converted.markdown) > TEXT_BYTES_MAX) {
    const isLong = converted !== null || text === 'too long'
    if (revision.isCurrent) notes.add(isLong ? 'too long now' : 'broken text', page.id)
    else notes.add(isLong ? 'too long' : 'broken revision', revision.path)
    return null
  }
  const title = toSingleLine(converted.title ?? '', FIELD_BYTES_MAX.title) || nameOfPage(page.id, site)
  const names = categoriesOf(converted.categories, page, notes)
  return {
    record: {
      id: revision.id,
      created_at: createdAt(revision),
      author: toSingleLine(revision.user, FIELD_BYTES_MAX.name),
      comment: toSingleLine(revision.summary, FIELD_BYTES_MAX.comment),
      status: 'accepted',
      title,
      markdown: converted.markdown,
      categories: [...names.keys()].map((key) => ({ key, sort_key: sortKeyOf(title) })),
    },
    names,
    converted,
  }
}

/** The title of a page without a heading: the last part of its id, or its namespace if it is a start page. */
const nameOfPage = (id: string, { options }: DokuwikiSite): string => {
  const isStart = nameOfId(id) === options.start && id.includes(':')
  const name = nameOfId(isStart ? id.slice(0, id.lastIndexOf(':')) : id)
  return name.replaceAll(options.separator, ' ').trim() || name
}

const categoriesOf = (
  tags: readonly string[],
  page: DokuwikiPageFile,
  notes: DokuwikiNotes,
): ReadonlyMap<string, string> => {
  const names = new Map<string, string>()
  for (const tag of tags) {
    const key = nfc(tag.toLowerCase()).replaceAll(' ', '_')
    if (byteLength(key) > FIELD_BYTES_MAX.key || !isPlainText(key)) {
      notes.add('unfit category', tag)
      continue
    }
    if (names.size === CATEGORIES_MAX && !names.has(key)) {
      notes.add('too many categories', page.id)
      break
    }
    if (!names.has(key)) names.set(key, nfc(tag))
  }
  return names
}
