import { type ImportError, UsageError } from '@lectern/wiki/errors'
import { type BatchLimits, PageBatch, RevisionIdTaken, recordBytes } from '@lectern/wiki/import/page-batch'
import { TRANSFER_BATCH } from '@lectern/wiki/limits'
import type {
  AbsentPageRecord,
  CategoryRecord,
  ImportedPage,
  ImportRecord,
  ImportSource,
} from '@lectern/wiki/records'
import type { SourceContentQueries } from '@lectern/wiki/stored-content'
import { formatCount, quote } from '@lectern/wiki/text'
import type { Database } from '../db/database.ts'
import type { NamedSource } from './imported-content.ts'
import type { ImportResult } from './page-writer.ts'
import { NO_PAGES, refuseShown } from './removal.ts'
import { type Writer, type WriterOptions, withWriter } from './writer.ts'

export type ImportSummary = Awaited<ReturnType<typeof runImport>>['summary']

interface RunImportOptions extends Omit<WriterOptions, 'source'> {
  /** Absent: what is imported belongs to no source, and nothing is removed. */
  from?: NamedSource
  /** Called after each batch. */
  onProgress?: (source: ImportSource) => void
  batchLimits?: BatchLimits
}

export type OpenSource = (stored: SourceContentQueries) => Promise<ImportSource>

/**
 * Imports a source into the database: all of it or, if anything is wrong, nothing.
 * @param open opens the source; it gets queries of what the database has, which the source need not read again
 * @throws ImportError that names the line in the source and what was expected
 */
export const runImport = async (
  database: Database,
  open: OpenSource,
  { from, onProgress = () => {}, batchLimits = TRANSFER_BATCH, ...options }: RunImportOptions = {},
) => {
  let startedAt = 0
  let opened: ImportSource | undefined
  const work = async (writer: Writer) => {
    startedAt = performance.now()
    const source = await open(writer)
    opened = source
    const run = new ImportRun(writer, source, batchLimits, () => onProgress(source))
    for await (const record of source.records) await run.add(record)
    await run.end()
    const covered = source.covers?.() ?? 'some'
    if (covered === 'some' && run.refusedMove) throw run.refusedMove
    if (from && source.newlyShows) refuseShown(from, source.newlyShows())
    if (from?.isFollowed) refuseForeign(writer.result)
    const locale = typeof covered === 'string' ? null : covered.locale
    const scope = covered === 'some' || covered === 'changes' ? covered : locale
    const removed = await writer.removeAbsent(scope, source)
    const order = source.order?.()
    if (order) await writer.storePositions(order)
    const { recognition, nothingNew } = source
    const tell = nothingNew && (() => ({ recognition, ...nothingNew() }))
    await writer.storeState(source.state?.(), covered !== 'changes', tell)
    await writer.storeFiles(source.files?.(), covered !== 'some')
    return {
      summary: {
        ...writer.result,
        categories: run.categories,
        revisions: run.revisions,
        removed,
        /** Live pages that the source does not contain, and that stay. */
        absent: covered === 'some' || covered === 'changes' ? NO_PAGES : await writer.absentPages(locale),
      },
      source,
    }
  }
  const { summary, source } = await withWriter(database, work, { ...options, source: from }).finally(() =>
    opened?.close?.(),
  )
  return { summary: { ...summary, seconds: (performance.now() - startedAt) / 1000 }, source }
}

/** @throws UsageError if most pages of the source are those of another one, which is probably the same */
const refuseForeign = ({ pages, left }: ImportResult): void => {
  if (left.pages <= pages) return
  const name = left.first[0]!.source
  throw new UsageError(
    `Of ${formatCount(left.pages + pages, 'page')}, the source "${quote(name)}" of this database already has ${left.pages}. Nothing was changed. To follow that source, use --source ${quote(name)}. To take its pages over, use --adopt.`,
  )
}

/** Collects the records of a source in batches. One batch is written while the next one is read. */
class ImportRun {
  categories = 0
  revisions = 0
  readonly #writer: Writer
  readonly #source: ImportSource
  readonly #limits: BatchLimits
  readonly #onBatch: () => void
  #pageBatch: PageBatch
  #categoryBatch: CategoryRecord[] = []
  #absentBatch: AbsentPageRecord[] = []
  #written: Promise<void> = Promise.resolve()
  /** If the source has only some pages, a moved revision is an error: no record says that its former page has lost it. */
  refusedMove: ImportError | undefined

  constructor(writer: Writer, source: ImportSource, limits: BatchLimits, onBatch: () => void) {
    this.#writer = writer
    this.#source = source
    this.#limits = limits
    this.#onBatch = onBatch
    this.#pageBatch = new PageBatch(limits)
  }

  async add(record: ImportRecord): Promise<void> {
    if (record.type === 'page') await this.#addPage(record)
    else if (record.type === 'category') {
      this.categories += 1
      if (this.#categoryBatch.push(record) >= this.#limits.pages) await this.#writeCategories()
    } else if (record.type === 'absent') {
      if (this.#absentBatch.push(record) >= this.#limits.pages) await this.#writeAbsentPages()
    } else {
      await this.#written
      await this.#writer.writeWiki(record, this.#source.keepsLicense)
    }
  }

  async end(): Promise<void> {
    await this.#writeCategories()
    await this.#writePages()
    await this.#writeAbsentPages()
    await this.#written
  }

  async #addPage(record: ImportedPage): Promise<void> {
    this.revisions += record.revisions.length
    const bytes = recordBytes(record)
    if (this.#pageBatch.isFullFor(bytes)) await this.#writePages(record)
    this.#pageBatch.add(record, bytes, this.#source.lineOf?.())
  }

  async #writeAbsentPages(): Promise<void> {
    await this.#written
    if (this.#absentBatch.length > 0) await this.#writer.writeAbsentPages(this.#absentBatch)
    this.#absentBatch = []
  }

  async #writeCategories(): Promise<void> {
    await this.#written
    if (this.#categoryBatch.length > 0) await this.#writer.writeCategories(lastOfEach(this.#categoryBatch))
    this.#categoryBatch = []
  }

  /** @param next the next record, which may belong to the last page of the batch */
  async #writePages(next?: ImportedPage): Promise<void> {
    // First, because a page is stored with the names of its categories. Later, its rows would be stored again.
    await this.#writeCategories()
    const batch = this.#pageBatch
    this.#pageBatch = new PageBatch(this.#limits)
    if (batch.isEmpty) return
    this.#written = this.#writer
      .writePages(batch.pages(), next && batch.unfinished(next))
      .catch(batch.withLine)
      .then(() => {
        const { firstMoved } = this.#writer.result
        if (firstMoved)
          this.refusedMove ??= batch.located(new RevisionIdTaken(firstMoved.id, firstMoved, MOVE_ADVICE))
        this.#onBatch()
      })
    // The next step awaits it. Until then, reading the source may fail first.
    this.#written.catch(() => {})
  }
}

const MOVE_ADVICE = 'Only a file of the whole wiki, which has a `wiki` line, can move an edit to another page'

/** One statement cannot change a row twice: of several records for one category, the last one counts. */
const lastOfEach = (records: CategoryRecord[]): CategoryRecord[] => [
  ...new Map(records.map((record) => [`${record.locale} ${record.key}`, record])).values(),
]
