import type { Database } from '../data/database.ts'
import {
  type AbsentPages,
  type CompletePage,
  type CompleteRevision,
  RevisionIdTaken,
  type Writer,
  type Written,
  writing,
} from '../data/writer.ts'
import { ImportError } from '../errors.ts'
import { sortKeyOf } from '../wiki/text.ts'
import type { CategoryRecord, ImportSource, PageRecord } from './records.ts'
import { derivedId } from './revision-id.ts'

/** What is stored, as far as sources ask. */
export type Stored = Pick<Writer, 'known' | 'stored'>

/** A batch is written when it holds so many pages, edits, or characters of text. */
const BATCH = { pages: 500, revisions: 2_000, characters: 8_000_000 }

export interface ImportSummary extends Written {
  categories: number
  revisions: number
  /** Live pages that the source would have if it still had them. */
  absent: AbsentPages
  seconds: number
}

/**
 * Reads a source to its end into the database: all of it or, when anything is wrong, nothing.
 * @param open is given what is stored, for sources that need not read again what is there
 * @param onProgress called after each batch
 * @param onWait called once when another import takes its time
 * @throws ImportError naming the place in the source and what was expected
 */
export const runImport = (
  database: Database,
  open: (stored: Stored) => Promise<ImportSource>,
  onProgress: (source: ImportSource) => void = () => {},
  onWait?: () => void,
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
      if (categories.length > 0) await writer.categories(lastOfEach(categories))
      categories = []
    }
    const writePages = async () => {
      await written
      const batch = pages
      pages = new PageBatch()
      if (batch.size === 0) return
      written = writer
        .pages(batch.pages(), source.moves)
        .catch(batch.withPlace)
        .then(() => onProgress(source))
      // It is waited for in the end; meanwhile reading may fail first.
      written.catch(() => {})
    }
    for await (const record of source.records) {
      if (record.type === 'wiki') {
        await written
        await writer.wiki(record)
      } else if (record.type === 'category') {
        counted.categories += 1
        if (categories.push(record) >= BATCH.pages) await writeCategories()
      } else {
        counted.revisions += record.revisions.length
        pages.add(record, source.place?.())
        if (pages.isFull()) await writePages()
      }
    }
    await writeCategories()
    await writePages()
    await written
    return {
      summary: {
        ...writer.written,
        ...counted,
        absent: await absentOf(writer, source),
        seconds: (performance.now() - started) / 1000,
      },
      source,
    }
  }
  return writing(database, work, onWait)
}

const absentOf = async (writer: Writer, source: ImportSource): Promise<AbsentPages> => {
  const covered = source.covers?.() ?? 'some'
  if (covered === 'some') return { pages: 0, first: [] }
  return writer.absent(covered === 'wiki' ? null : covered.locale)
}

/** One statement cannot change a row twice: of records for one category, the last one counts. */
const lastOfEach = (records: CategoryRecord[]): CategoryRecord[] => [
  ...new Map(records.map((record) => [`${record.locale} ${record.key}`, record])).values(),
]

/** Pages by address: lines for one page become one, with the edits of both and the later one's state. */
class PageBatch {
  #pages = new Map<string, CompletePage>()
  #revisions = new Map<string, { address: string; place: string | undefined }>()
  #read = 0
  #characters = 0

  get size(): number {
    return this.#pages.size
  }

  /** @throws ImportError for an edit that another page of the batch has */
  add(record: PageRecord, place: string | undefined): void {
    const address = `${record.locale} ${record.path}`
    const revisions = new Map(this.#pages.get(address)?.revisions.map((revision) => [revision.id, revision]))
    for (const revision of record.revisions) {
      const complete = completeRevision(record, revision)
      const other = this.#revisions.get(complete.id)
      if (other && other.address !== address) {
        const [locale, path] = other.address.split(/ (.*)/s) as [string, string]
        throw at(place, new RevisionIdTaken(complete.id, { locale, path }))
      }
      this.#revisions.set(complete.id, { address, place })
      revisions.set(complete.id, complete)
      this.#characters += revision.markdown.length
    }
    this.#read += record.revisions.length
    this.#pages.set(address, { ...record, revisions: [...revisions.values()] })
  }

  isFull(): boolean {
    return (
      this.#pages.size >= BATCH.pages || this.#read >= BATCH.revisions || this.#characters >= BATCH.characters
    )
  }

  pages(): CompletePage[] {
    return [...this.#pages.values()]
  }

  /** Says of an error that was found while writing where its edit stands. */
  withPlace = (error: unknown): never => {
    throw error instanceof RevisionIdTaken ? at(this.#revisions.get(error.id)?.place, error) : error
  }
}

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
