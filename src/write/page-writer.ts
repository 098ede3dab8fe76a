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
  /** Revisions that moved here from another page. */
  movedRevisions: number
  /** The stored name of the wiki, if the import changes it. */
  formerName?: string
}

/** Options of writing pages. */
export interface WritePagesOptions {
  /** Whether revisions that are stored as another page's move to this page; otherwise they are an error. */
  moves?: boolean
  /** A page with further revisions in the next call, which publishes it. */
  unfinished?: { locale: string; path: string }
}

/** Live pages in the database that the source does not contain. */
export interface AbsentPages {
  pages: number
  /** The first of them, at most three. */
  first: { locale: string; path: string }[]
}

/**
 * Writes the pages of one import, batch by batch: stores pages and revisions, then publishes and indexes what changed.
 * A temporary table contains the pages of the source, and which of them changed.
 */
export class PageWriter {
  readonly #run: RunStatement
  readonly #locales: ImportLocales
  readonly #result: ImportResult
  /** Whether the database had live pages before the first batch. Undefined until then. */
  #hadLivePages: boolean | undefined
  /** Pages with further revisions to come, and whether the revisions so far changed anything. */
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

  /** Live pages, of all languages or of one, that this import has not written. */
  async absentPages(locale: string | null): Promise<AbsentPages> {
    if (!this.#hadLivePages) return { pages: 0, first: [] }
    const { rows } = await this.#run('absent_pages', [locale])
    return { pages: rows[0]?.pages ?? 0, first: rows.map(({ locale, path }) => ({ locale, path })) }
  }

  /** Call it at the end, because only then is it certain which revisions share a timestamp. */
  async assignPositions(): Promise<void> {
    if (this.#hadLivePages !== undefined) await this.#run('assign_positions', [])
  }

  async #begin(): Promise<boolean> {
    await this.#run('begin_imported_pages', [])
    return (await this.#run('has_live_pages', [])).rows[0]!.hasLivePages
  }

  /** @returns ids of the pages, in the same order */
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
   * The pages to publish now: the pages of this batch, and those that waited for it, without the unfinished one.
   * @param changed ids of pages whose revisions changed; @param next id of the unfinished page
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
   * Publishes pages, and indexes the pages that change for guests.
   * @param changed ids of pages whose revisions changed
   * @returns pages whose visible revisions may have changed
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

  /** A category that a page describes has the title of that page as its name. */
  async #renameDescribed(pages: CompletePage[]): Promise<void> {
    const described = pages.filter(({ path }) => namespaceOf(path) === 'category')
    if (described.length === 0) return
    await this.#run('rename_categories', [
      column(described, 'locale'),
      described.map(({ path }) => path.slice(categoryPath('').length)),
    ])
  }
}
