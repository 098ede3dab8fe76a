import type { RunStatement } from '../db/statements.ts'
import { TRANSFER_BATCH } from '../limits.ts'
import { column } from './columns.ts'
import type { CompletePage } from './records.ts'

/** The name of the source of the sample wiki. The first import of another source removes it. */
export const SAMPLE_SOURCE = '(sample)'

/** A source as the database knows it. */
export interface NamedSource {
  /** Its name in this database: one import after another of the same source has the same name. */
  name: string
  /** Keeps what the source no longer has. */
  keepMissing?: boolean
  /** Also removes what came from no named source, as stored by Lectern before sources had names. */
  adopt?: boolean
  /** Removes what the source no longer has even if that is more than half of it. */
  isConfirmed?: boolean
  /** What its follower found, a text that changes when the source changes; absent if unknown. */
  version?: string
}

/** Ids of pages that changed. */
export interface ChangedPages {
  /** Pages whose revisions changed. */
  revised: string[]
  /** Pages that changed for guests. They are indexed at the end. */
  published: string[]
}

/**
 * What an import has read so far. Temporary tables hold it, because there may be a million pages. If the database had
 * no page before, nothing can be absent, and nothing is stored.
 */
export class ImportedContent {
  readonly #run: RunStatement
  #hadPages: boolean | undefined

  constructor(run: RunStatement) {
    this.#run = run
  }

  /** Whether there were pages before the first batch; undefined before it. */
  get hadPages(): boolean | undefined {
    return this.#hadPages
  }

  async begin(): Promise<void> {
    if (this.#hadPages !== undefined) return
    await this.#run('begin_imported_pages', [])
    await this.#run('begin_imported_revisions', [])
    await this.#run('begin_imported_categories', [])
    await this.#run('begin_imported_absent_pages', [])
    await this.#run('begin_imported_member_counts', [])
    this.#hadPages = (await this.#run('has_pages', [])).rows[0]!.hasPages
  }

  async addCategories(records: readonly { locale: string; key: string }[]): Promise<void> {
    await this.begin()
    if (this.#hadPages)
      await this.#run('record_imported_categories', [column(records, 'locale'), column(records, 'key')])
  }

  /**
   * @param pageIds ids of the pages, in their order
   * @param changed see `addChangedPages`; the source need not have them
   */
  async addPages(pages: readonly CompletePage[], pageIds: string[], changed: ChangedPages): Promise<void> {
    const complete = pageIds.filter((_, i) => pages[i]!.hasAllRevisions)
    await this.#run(
      'record_imported_pages',
      this.#hadPages
        ? [pageIds, changed.revised, complete, changed.published]
        : [[], changed.revised, [], changed.published],
    )
    // Also of pages that are not complete yet: only the last record of a page may say that it is.
    if (!this.#hadPages) return
    const ids = pages.flatMap(({ revisions, unreadRevisions = [] }) => [
      ...column(revisions, 'id'),
      ...unreadRevisions,
    ])
    await this.#run('record_imported_revisions', [ids])
  }

  /** Records pages that the source says it no longer has. @param sourceIds what it may remove pages of, 0 for none */
  async addAbsentPages(
    pages: readonly { locale: string; path: string }[],
    sourceIds: readonly number[],
  ): Promise<void> {
    await this.begin()
    await this.#run('record_absent_pages', [column(pages, 'locale'), column(pages, 'path'), sourceIds])
  }

  /** Records that pages changed after they were added. */
  async addChangedPages({ revised, published }: ChangedPages): Promise<void> {
    await this.#run('record_imported_pages', [[], revised, [], published])
  }

  /** How many pages changed for guests and can be found by a search. */
  async countPublished(): Promise<number> {
    return this.#hadPages === undefined ? 0 : (await this.#run('count_published_pages', [])).rows[0]!.pages
  }

  /** Ids of the pages that changed for guests, in batches. */
  async *published(): AsyncGenerator<string[]> {
    for (let last = '0'; this.#hadPages !== undefined; ) {
      const { rows } = await this.#run('published_pages', [last, TRANSFER_BATCH.pages])
      if (rows.length === 0) return
      yield column(rows, 'id')
      last = rows.at(-1)!.id
    }
  }
}
