import type { RunStatement } from '../db/statements.ts'
import { indexPages } from '../search/index/index-pages.ts'
import { categoryPath, namespaceOf } from '../wiki/namespaces.ts'
import { column } from './columns.ts'
import type { ImportLocales } from './import-locales.ts'
import type { CompletePage } from './records.ts'
import { storeRevisions } from './store-revisions.ts'

/** What an import changed. */
export interface ImportResult {
  pages: number
  /** Revisions that were not stored before. */
  newRevisions: number
  /** Revisions that were stored and have changed. */
  changedRevisions: number
  /** Revisions that were stored as another page's. */
  movedRevisions: number
  /** The name of the wiki that was there, if the import gives it another one. */
  formerName?: string
}

/** How pages are written. */
export interface WritePagesOptions {
  /** Whether revisions that are stored as another page's become this page's; else they are refused. */
  moves?: boolean
  /** The one of the pages whose other revisions come with the next call: it is published with these. */
  unfinished?: { locale: string; path: string }
}

/** Live pages that a source does not have. */
export interface AbsentPages {
  pages: number
  /** At most three. */
  first: { locale: string; path: string }[]
}

/**
 * Writes pages of one import, batch by batch: stores pages and revisions, publishes what changed, and indexes it. A
 * temporary table holds which pages the source has, and which of them changed.
 */
export class PageWriter {
  readonly #run: RunStatement
  readonly #locales: ImportLocales
  readonly #result: ImportResult
  /** Whether there were live pages before the first batch; undefined before it. */
  #hadLivePages: boolean | undefined
  /** Pages that wait for the rest of their revisions, and whether those that came changed anything. */
  #unfinished = new Map<string, boolean>()

  constructor(run: RunStatement, locales: ImportLocales, result: ImportResult) {
    this.#run = run
    this.#locales = locales
    this.#result = result
  }

  async write(pages: CompletePage[], { moves = false, unfinished }: WritePagesOptions = {}): Promise<void> {
    this.#hadLivePages ??= await this.#begin()
    await this.#locales.addOfPages(
      column(
        pages.filter(({ state }) => state === 'live'),
        'locale',
      ),
    )
    const pageIds = await this.#storePages(pages)
    const stored = await storeRevisions(this.#run, pages, pageIds, moves)
    this.#result.newRevisions += stored.newRevisions
    this.#result.changedRevisions += stored.changedRevisions
    this.#result.movedRevisions += stored.movedRevisions
    const isUnfinished = ({ locale, path }: CompletePage) =>
      locale === unfinished?.locale && path === unfinished.path
    const { ready, changed } = this.#takeReady(
      [...pageIds, ...stored.formerPages],
      stored.changedPages,
      pageIds[pages.findIndex(isUnfinished)],
    )
    const moved = await this.#publish(ready, changed)
    await this.#run('record_imported_pages', [
      this.#hadLivePages ? pageIds : [],
      [...new Set([...moved, ...stored.formerPages])],
    ])
    const emptied = stored.formerPages.filter((id) => !this.#unfinished.has(id))
    if (emptied.length > 0) await this.#run('delete_empty_pages', [emptied])
    const finished = pages.filter((page) => !isUnfinished(page))
    await this.#renameDescribed(finished)
    this.#result.pages += finished.length
  }

  /** Live pages, of all languages or of one, that were not written. */
  async absentPages(locale: string | null): Promise<AbsentPages> {
    if (!this.#hadLivePages) return { pages: 0, first: [] }
    const { rows } = await this.#run('absent_pages', [locale])
    return { pages: rows[0]?.pages ?? 0, first: rows.map(({ locale, path }) => ({ locale, path })) }
  }

  /** Call it at the end: only then is it known how many revisions share a timestamp. */
  async assignPositions(): Promise<void> {
    if (this.#hadLivePages !== undefined) await this.#run('assign_positions', [])
  }

  async #begin(): Promise<boolean> {
    await this.#run('begin_imported_pages', [])
    return (await this.#run('has_live_pages', [])).rows[0]!.hasLivePages
  }

  /** @returns ids of the pages, in their order */
  async #storePages(pages: CompletePage[]): Promise<string[]> {
    const paths = [column(pages, 'locale'), column(pages, 'path')]
    await this.#run('import_pages', [
      ...paths,
      column(pages, 'state'),
      pages.map((page) => page.translation_group ?? null),
    ])
    const { rows } = await this.#run('page_ids', paths)
    return column(
      rows.sort((a, b) => a.n - b.n),
      'id',
    )
  }

  /**
   * Pages that are published now: those of this batch and those that waited, but for the one that goes on.
   * @param changed ids of pages whose revisions changed; @param next id of the page that goes on
   */
  #takeReady(
    pageIds: string[],
    changed: Set<string>,
    next: string | undefined,
  ): { ready: string[]; changed: Set<string> } {
    const ready = new Set([...pageIds, ...this.#unfinished.keys()])
    for (const [id, isChanged] of this.#unfinished) if (isChanged) changed.add(id)
    this.#unfinished.clear()
    if (next !== undefined) {
      ready.delete(next)
      this.#unfinished.set(next, changed.delete(next))
    }
    return { ready: [...ready], changed }
  }

  /**
   * Publishes pages, and indexes those that guests see changed.
   * @param changed those of the pages whose revisions changed
   * @returns pages whose visible revisions may be others than before
   */
  async #publish(pageIds: string[], changed: ReadonlySet<string>): Promise<string[]> {
    const moved = await this.#run('publish_revisions', [pageIds])
    await this.#run('withdraw_pages', [pageIds])
    const published = await this.#run('publish_pages', [pageIds])
    const changedIds = [...new Set([...changed, ...column(published.rows, 'id')])]
    if (changedIds.length > 0) {
      await this.#run('delete_members', [changedIds])
      await this.#run('publish_members', [changedIds])
      await indexPages(this.#run, changedIds)
    }
    return [...changed, ...column(moved.rows, 'pageId')]
  }

  /** Categories that pages describe are called by the titles of these pages. */
  async #renameDescribed(pages: CompletePage[]): Promise<void> {
    const described = pages.filter(({ path }) => namespaceOf(path) === 'category')
    if (described.length === 0) return
    await this.#run('rename_categories', [
      column(described, 'locale'),
      described.map(({ path }) => path.slice(categoryPath('').length)),
    ])
  }
}
