import { CATEGORIES_MAX, FIELD_BYTES_MAX, TEXT_BYTES_MAX, TRANSFER_BATCH } from '../../limits.ts'
import { byteLength, isPlainText, nfc, sortKeyOf } from '../../wiki/text.ts'
import { parseInstant, timestampFromInstant } from '../../wiki/time.ts'
import type { ImportedPage, PageRecord, RevisionRecord } from '../../write/records.ts'
import { RevisionBatch, revisionBytes } from '../../write/revision-bytes.ts'
import { toSingleLine } from '../single-line.ts'
import type { DokuwikiData, DokuwikiRevision } from './history.ts'
import type { DokuwikiNotes } from './notes.ts'
import { nameOfId } from './page-ids.ts'
import type { DokuwikiPages, PageLocation } from './page-index.ts'
import type { DokuwikiPageFile } from './pages.ts'
import { dokuwikiRevisionId } from './revision-id.ts'
import type { DokuwikiSite } from './site.ts'
import { type ConvertedSyntax, convertSyntax } from './syntax/convert.ts'
import { readText } from './texts.ts'

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
  const batch = new RevisionBatch({ revisions: RECORD_REVISIONS, bytes: TRANSFER_BATCH.bytes })
  const unread: string[] = []
  let state: PageRecord['state'] = page.isDeleted ? 'deleted' : 'live'
  const record = (): ImportedPage => ({
    type: 'page',
    ...location,
    state,
    ...(reader.index.hasTranslations && state === 'live' ? { translation_group: location.path } : {}),
    revisions: batch.take(),
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
    const bytes = revisionBytes(read.record)
    if (batch.isFullFor(bytes)) yield record()
    batch.add(read.record, bytes)
  }
  yield { ...record(), ...(unread.length > 0 ? { unreadRevisions: unread } : {}), hasAllRevisions: true }
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
