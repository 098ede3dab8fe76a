import type { RunStatement } from '../db/statements.ts'
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
    this.#hadPages = (await this.#run('has_pages', [])).rows[0]!.hasPages
  }

  async addCategories(records: readonly { locale: string; key: string }[]): Promise<void> {
    await this.begin()
    if (this.#hadPages)
      await this.#run('record_imported_categories', [column(records, 'locale'), column(records, 'key')])
  }

  /**
   * @param pageIds ids of the pages, in their order
   * @param changedIds ids of pages whose revisions changed, whether the source has them or not
   */
  async addPages(pages: readonly CompletePage[], pageIds: string[], changedIds: string[]): Promise<void> {
    const complete = pageIds.filter((_, i) => pages[i]!.hasAllRevisions)
    await this.#run(
      'record_imported_pages',
      this.#hadPages ? [pageIds, changedIds, complete] : [[], changedIds, []],
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

  /** Records that revisions of pages changed after the pages were added. */
  async addChangedPages(pageIds: string[]): Promise<void> {
    await this.#run('record_imported_pages', [[], pageIds, []])
  }
}
