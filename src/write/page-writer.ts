import { Doublings } from '../db/doublings.ts'
import type { RunStatement } from '../db/statements.ts'
import { TRANSFER_BATCH } from '../limits.ts'
import { categoryPath, namespaceOf } from '../wiki/namespaces.ts'
import { column } from './columns.ts'
import type { ImportLocales } from './import-locales.ts'
import type { ChangedPages, ImportedContent } from './imported-content.ts'
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

/** Writes the pages of one import, batch by batch: stores pages and revisions, then publishes what changed. */
export class PageWriter {
  readonly #run: RunStatement
  readonly #locales: ImportLocales
  readonly #result: ImportResult
  readonly #content: ImportedContent
  readonly #sourceId: number | null
  /** Pages with further revisions to come, and whether the revisions so far changed anything. */
  #unfinished = new Map<string, boolean>()
  readonly #doublings = new Doublings()

  /** @param sourceId of the source that the pages come from; null: it has no name */
  constructor(
    run: RunStatement,
    locales: ImportLocales,
    result: ImportResult,
    content: ImportedContent,
    sourceId: number | null,
  ) {
    this.#run = run
    this.#locales = locales
    this.#result = result
    this.#content = content
    this.#sourceId = sourceId
  }

  async write(pages: CompletePage[], { moves = false, unfinished }: WritePagesOptions = {}): Promise<void> {
    await this.#content.begin()
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
    const formerIds = column(stored.formerPages, 'pageId')
    const isUnfinished = ({ locale, path }: CompletePage) =>
      locale === unfinished?.locale && path === unfinished.path
    const { ready, changed } = this.#takeReady(
      [...pageIds, ...formerIds],
      stored.changedPages,
      pageIds[pages.findIndex(isUnfinished)],
    )
    const { revised, published } = await this.#publish(ready, changed, stored.visiblyChangedPages)
    await this.#content.addPages(pages, pageIds, { revised: [...revised, ...formerIds], published })
    const emptied = formerIds.filter((id) => !this.#unfinished.has(id))
    if (emptied.length > 0) await this.#run('delete_empty_pages', [emptied])
    const finished = pages.filter((page) => !isUnfinished(page))
    await this.#renameDescribed([...finished, ...stored.formerPages])
    await this.#storeFormerPaths(
      pages.flatMap((page, i) =>
        isUnfinished(page) || !(page.formerPaths || page.hasAllRevisions)
          ? []
          : [{ pageId: pageIds[i]!, page }],
      ),
    )
    this.#result.pages += finished.length
    if (this.#doublings.isReached(this.#result.pages)) await this.#run('analyze_pages', [])
  }

  async #storeFormerPaths(pages: readonly { pageId: string; page: CompletePage }[]): Promise<void> {
    const former = pages.flatMap(({ pageId, page }) =>
      (page.formerPaths ?? []).map((address) => ({ pageId, ...address })),
    )
    if (former.length === 0 && !this.#content.hadPages) return
    await this.#run('set_former_paths', [
      column(pages, 'pageId'),
      column(former, 'pageId'),
      column(former, 'locale'),
      column(former, 'path'),
    ])
  }

  /** Publishes pages again from which revisions were removed. */
  async republish(
    pages: readonly { pageId: string; locale: string; path: string; visible: boolean }[],
  ): Promise<void> {
    for (let start = 0; start < pages.length; start += TRANSFER_BATCH.pages) {
      const batch = pages.slice(start, start + TRANSFER_BATCH.pages)
      const ids = column(batch, 'pageId')
      const visible = batch.filter((page) => page.visible)
      await this.#content.addChangedPages(
        await this.#publish(ids, new Set(ids), new Set(column(visible, 'pageId'))),
      )
      await this.#renameDescribed(batch)
    }
  }

  /** Call it at the end, because only then is it certain which revisions share a timestamp, and what categories gain. */
  async finish(): Promise<void> {
    if (this.#content.hadPages === undefined) return
    await this.#run('assign_positions', [])
    await this.#run('store_member_counts', [])
  }

  /** @returns ids of the pages, in the same order */
  async #storePages(pages: CompletePage[]): Promise<string[]> {
    const paths = [column(pages, 'locale'), column(pages, 'path')]
    await this.#run('import_pages', [
      ...paths,
      column(pages, 'state'),
      pages.map((page) => page.translation_group ?? null),
      this.#sourceId,
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
   * Publishes pages.
   * @param changed ids of pages whose revisions changed
   * @param visiblyChanged ids of pages of which guests saw or see a revision that changed
   */
  async #publish(
    pageIds: string[],
    changed: ReadonlySet<string>,
    visiblyChanged: ReadonlySet<string>,
  ): Promise<ChangedPages> {
    const moved = await this.#run('publish_revisions', [pageIds])
    await this.#run('withdraw_pages', [pageIds])
    const published = await this.#run('publish_pages', [pageIds])
    await this.#markChanged([...visiblyChanged, ...column(moved.rows, 'pageId')], published.rows)
    const changedIds = [...new Set([...changed, ...column(published.rows, 'id')])]
    if (changedIds.length > 0) {
      await this.#run('delete_members', [changedIds])
      await this.#run('publish_members', [changedIds])
    }
    return { revised: [...changed, ...column(moved.rows, 'pageId')], published: changedIds }
  }

  /**
   * Numbers changes that no row of a live page shows, such as those of an earlier revision. A change that guests do not
   * see must not be numbered, because its number would tell that it exists. (D100)
   */
  async #markChanged(pageIds: string[], published: readonly { id: string }[]): Promise<void> {
    const numbered = new Set(column(published, 'id'))
    const others = [...new Set(pageIds)].filter((id) => !numbered.has(id))
    if (others.length > 0) await this.#run('mark_changed', [others])
  }

  /** A category that a page describes has the title of that page as its name. */
  async #renameDescribed(pages: readonly { locale: string; path: string }[]): Promise<void> {
    const described = pages.filter(({ path }) => namespaceOf(path) === 'category')
    if (described.length === 0) return
    await this.#run('rename_categories', [
      column(described, 'locale'),
      described.map(({ path }) => path.slice(categoryPath('').length)),
    ])
  }
}
