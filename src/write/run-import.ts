import type { Database } from '../db/database.ts'
import { ImportError } from '../errors.ts'
import { TRANSFER_BATCH } from '../limits.ts'
import { sortKeyOf } from '../wiki/text.ts'
import { derivedId } from './derived-id.ts'
import type {
  CategoryRecord,
  CompletePage,
  CompleteRevision,
  ImportSource,
  PageRecord,
  StoredContentQueries,
} from './records.ts'
import { revisionBytes } from './revision-bytes.ts'
import { type AbsentPages, type ImportResult, RevisionIdTaken, type Writer, withWriter } from './writer.ts'

export interface ImportSummary extends ImportResult {
  categories: number
  revisions: number
  /** Live pages that the source would have if it still had them. */
  absent: AbsentPages
  seconds: number
}

interface RunImportOptions {
  /** Called after each batch. */
  onProgress?: (source: ImportSource) => void
  /** Called once when another import takes its time. */
  onWait?: () => void
  /** What a batch may hold; a record that has more is a batch of its own. */
  most?: Record<keyof typeof TRANSFER_BATCH, number>
}

/**
 * Reads a source to its end into the database: all of it or, when anything is wrong, nothing.
 * @param open is given what is stored, for sources that need not read again what is there
 * @throws ImportError naming the place in the source and what was expected
 */
export const runImport = (
  database: Database,
  open: (stored: StoredContentQueries) => Promise<ImportSource>,
  { onProgress = () => {}, onWait, most = TRANSFER_BATCH }: RunImportOptions = {},
): Promise<{ summary: ImportSummary; source: ImportSource }> => {
  const work = async (writer: Writer) => {
    const started = performance.now()
    const source = await open(writer)
    const counted = { categories: 0, revisions: 0 }
    let pages = new PageBatch()
    let categories: CategoryRecord[] = []
    /** The batch that is being written while the next one is read. */
    let written: Promise<void> = Promise.resolve()
    const writeCategories = async () => {
      await written
      if (categories.length > 0) await writer.writeCategories(lastOfEach(categories))
      categories = []
    }
    /** @param next the record that comes next: it may be of the page that the batch ends with */
    const writePages = async (next?: PageRecord) => {
      await written
      const batch = pages
      pages = new PageBatch()
      if (batch.size.pages === 0) return
      written = writer
        .writePages(batch.pages(), { moves: source.moves, unfinished: next && batch.last(next) })
        .catch(batch.withPlace)
        .then(() => onProgress(source))
      // It is waited for in the end; meanwhile reading may fail first.
      written.catch(() => {})
    }
    for await (const record of source.records) {
      if (record.type === 'wiki') {
        await written
        await writer.writeWiki(record)
      } else if (record.type === 'category') {
        counted.categories += 1
        if (categories.push(record) >= most.pages) await writeCategories()
      } else {
        counted.revisions += record.revisions.length
        const bytes = record.revisions.reduce((sum, revision) => sum + revisionBytes(revision), 0)
        const { size } = pages
        const isFull =
          size.pages >= most.pages || size.revisions >= most.revisions || size.bytes + bytes > most.bytes
        if (isFull) await writePages(record)
        pages.add(record, bytes, source.lineOf?.())
      }
    }
    await writeCategories()
    await writePages()
    await written
    return {
      summary: {
        ...writer.result,
        ...counted,
        absent: await absentOf(writer, source),
        seconds: (performance.now() - started) / 1000,
      },
      source,
    }
  }
  return withWriter(database, work, onWait)
}

const absentOf = async (writer: Writer, source: ImportSource): Promise<AbsentPages> => {
  const covered = source.covers?.() ?? 'some'
  if (covered === 'some') return { pages: 0, first: [] }
  return writer.absentPages(covered === 'wiki' ? null : covered.locale)
}

/** One statement cannot change a row twice: of records for one category, the last one counts. */
const lastOfEach = (records: CategoryRecord[]): CategoryRecord[] => [
  ...new Map(records.map((record) => [`${record.locale} ${record.key}`, record])).values(),
]

/** Pages by address: lines for one page become one, with the edits of both and the later one's state. */
class PageBatch {
  readonly size = { pages: 0, revisions: 0, bytes: 0 }
  #pages = new Map<string, { page: CompletePage; revisions: Map<string, CompleteRevision> }>()
  #revisions = new Map<string, { address: string; place: string | undefined }>()
  #last = ''

  /**
   * @param bytes of its edits
   * @throws ImportError for an edit that another page of the batch has
   */
  add(record: PageRecord, bytes: number, place: string | undefined): void {
    const address = addressOf(record)
    const { revisions } = this.#pages.get(address) ?? { revisions: new Map<string, CompleteRevision>() }
    for (const revision of record.revisions) {
      const complete = completeRevision(record, revision)
      const other = this.#revisions.get(complete.id)
      if (other && other.address !== address) {
        const [locale, path] = other.address.split(/ (.*)/s) as [string, string]
        throw at(place, new RevisionIdTaken(complete.id, { locale, path }))
      }
      this.#revisions.set(complete.id, { address, place })
      revisions.set(complete.id, complete)
    }
    this.#pages.set(address, { page: { ...record, revisions: [] }, revisions })
    this.size.pages = this.#pages.size
    this.size.revisions += record.revisions.length
    this.size.bytes += bytes
    this.#last = address
  }

  /** The page that was added last, where a record goes on with it. */
  last(next: PageRecord): { locale: string; path: string } | undefined {
    return addressOf(next) === this.#last ? next : undefined
  }

  pages(): CompletePage[] {
    return [...this.#pages.values()].map(({ page, revisions }) => ({
      ...page,
      revisions: [...revisions.values()],
    }))
  }

  /** Says of an error that was found while writing where its edit stands. */
  withPlace = (error: unknown): never => {
    throw error instanceof RevisionIdTaken ? at(this.#revisions.get(error.id)?.place, error) : error
  }
}

const addressOf = ({ locale, path }: PageRecord): string => `${locale} ${path}`

const at = (place: string | undefined, error: ImportError): ImportError =>
  place === undefined ? error : new ImportError(`${place}: ${error.message}`)

const completeRevision = (page: PageRecord, revision: PageRecord['revisions'][number]): CompleteRevision => ({
  ...revision,
  id: revision.id ?? derivedId(page, revision),
  categories: [
    ...new Map(
      revision.categories.map(({ key, sort_key }) => [
        key,
        { key, sort_key: sort_key ?? sortKeyOf(revision.title) },
      ]),
    ).values(),
  ],
})
