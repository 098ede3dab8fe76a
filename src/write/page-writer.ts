import { RevisionIdTaken } from '@lectern/wiki/import/page-batch'
import { TRANSFER_BATCH } from '@lectern/wiki/limits'
import { categoryPath, namespaceOf } from '@lectern/wiki/locales'
import type { CompletePage, PageKey } from '@lectern/wiki/records'
import { column, columns, makeDoublings } from '../db/bulk.ts'
import type { RunStatement } from '../db/statements.ts'
import { memoize } from '../shared/memoize.ts'
import { noFiles } from './file-writer.ts'
import type { ImportedContent, ImportLocales } from './imported-content.ts'
import { makeTextSharing, storeRevisions } from './store-revisions.ts'

export type ImportResult = ReturnType<typeof emptyResult>

export const emptyResult = () => ({
  pages: 0,
  /** Those of them that guests do not see, and those that the source has deleted, with their history. */
  drafts: 0,
  deleted: 0,
  newRevisions: 0,
  changedRevisions: 0,
  /** Revisions that moved here from another page. */
  movedRevisions: 0,
  /** Live pages of the source before the import. */
  pagesBefore: 0,
  /** Pages that became deleted ones, or lost all of their revisions to another page. Then the live ones that became deleted. */
  deletedPages: 0,
  deletedLive: 0,
  renamedPages: 0,
  /** One of the revisions that moved, with its former page. */
  firstMoved: undefined as (PageKey & { id: string }) | undefined,
  /** Pages that were left out, because another source has them. */
  left: NO_CONFLICTS,
  /** Pages that were taken over from another source. */
  adopted: NO_CONFLICTS,
  /** Live pages of the sample wiki, which the import removed. */
  samplePages: 0,
  /** The name of the wiki, and the stored one, if the import changes it. */
  newName: undefined as { name: string; former: string } | undefined,
  /** Complete at the end of the import. */
  files: noFiles(),
})

/** What the parts of the code that write one import share. */
interface ImportParts {
  locales: ImportLocales
  result: ImportResult
  content: ImportedContent
  others: OtherSources
}

/** Writes the pages of one import, batch by batch: stores pages and revisions, then publishes what changed. */
export class PageWriter {
  readonly #run: RunStatement
  readonly #parts: ImportParts
  /** Pages with further revisions to come, and whether the revisions so far changed anything. */
  #unfinished = new Map<string, boolean>()
  readonly #isDoubled = makeDoublings()
  readonly #sharing = makeTextSharing(async (pageId) =>
    this.#parts.content.hadPages ? (await this.#run('last_text', [pageId])).rows[0] : undefined,
  )

  constructor(run: RunStatement, parts: ImportParts) {
    this.#run = run
    this.#parts = parts
  }

  /** @param unfinished a page with further revisions in the next call, which publishes it */
  async write(given: CompletePage[], unfinished?: PageKey): Promise<void> {
    const { locales, result, content, others } = this.#parts
    await content.begin()
    const isUnfinished = ({ locale, path }: CompletePage) =>
      locale === unfinished?.locale && path === unfinished.path
    const pages = await others.settle(given, (page) => !isUnfinished(page), result)
    const live = pages.filter(({ state }) => state === 'live')
    await locales.addOfPages(column(live, 'locale'))
    const { pageIds, relocated } = await this.#storePages(pages)
    const stored = await storeRevisions(this.#run, pages, pageIds, this.#sharing, async (moved) => {
      await others.refuseMove(moved)
      return content.importedAmong(column(moved, 'id'))
    })
    result.firstMoved ??= stored.firstMoved
    result.newRevisions += stored.newRevisions
    result.changedRevisions += stored.changedRevisions
    result.movedRevisions += stored.movedRevisions
    const formerIds = column(stored.formerPages, 'pageId')
    const { changedPages, visiblyChangedPages } = stored
    const next = pageIds[pages.findIndex(isUnfinished)]
    const ready = this.#takeReady([...pageIds, ...formerIds], changedPages, next)
    const { revised, published } = await this.#publish(ready, changedPages, visiblyChangedPages)
    await content.addPages(pages, pageIds, {
      revised: [...revised, ...formerIds],
      published: [...published, ...relocated],
    })
    const emptied = formerIds.filter((id) => !this.#unfinished.has(id))
    if (emptied.length > 0)
      result.renamedPages += (await this.#run('delete_empty_pages', [emptied])).rowCount ?? 0
    const finished = pages.filter((page) => !isUnfinished(page))
    await this.#renameDescribed([...finished, ...stored.formerPages])
    const complete = pages.flatMap((page, i) => (isUnfinished(page) ? [] : { page, pageId: pageIds[i]! }))
    await this.#storeFormerPaths(complete.filter(({ page }) => page.formerPaths || page.hasAllRevisions))
    result.pages += finished.length
    result.drafts += finished.filter(({ state }) => state === 'draft').length
    result.deleted += finished.filter(({ state }) => state === 'deleted').length
    if (this.#isDoubled(result.pages)) await this.#run('analyze_pages', [])
  }

  async #storeFormerPaths(pages: readonly { pageId: string; page: CompletePage }[]): Promise<void> {
    const former = pages.flatMap(({ pageId, page }) =>
      (page.formerPaths ?? []).map((address) => ({ pageId, ...address })),
    )
    if (former.length === 0 && !this.#parts.content.hadPages) return
    await this.#run('set_former_paths', [
      column(pages, 'pageId'),
      ...columns(former, ['pageId', 'locale', 'path']),
      former.map(({ revisions }) => revisions?.toString() ?? ''),
    ])
  }

  /** Publishes pages again from which revisions were removed. */
  async republish(pages: readonly { pageId: string; locale: string; path: string; visible: boolean }[]) {
    for (let start = 0; start < pages.length; start += TRANSFER_BATCH.pages) {
      const batch = pages.slice(start, start + TRANSFER_BATCH.pages)
      const ids = column(batch, 'pageId')
      const visible = batch.filter((page) => page.visible)
      await this.#parts.content.addChangedPages(
        await this.#publish(ids, new Set(ids), new Set(column(visible, 'pageId'))),
      )
      await this.#renameDescribed(batch)
    }
  }

  /** Call it at the end, because only then is it certain which revisions share a timestamp, and what categories gain. */
  async finish(): Promise<void> {
    if (this.#parts.content.hadPages === undefined) return
    await this.#run('assign_positions', [])
    await this.#run('store_member_counts', [])
    await this.#run('remove_unseen_former_paths', [])
    await this.#run('release_shared_texts', [])
  }

  /**
   * @returns ids of the pages, in the same order, and of those that may be at another place of the source than before, or
   * in another dialect: what they refer to is another file, and what they say is other words
   */
  async #storePages(pages: CompletePage[]): Promise<{ pageIds: string[]; relocated: string[] }> {
    const paths = columns(pages, ['locale', 'path'])
    const changed = await this.#run('import_pages', [
      ...paths,
      column(pages, 'state'),
      column(pages, 'translation_group'),
      pages.map(({ aliases = [] }) => (aliases.length === 0 ? null : JSON.stringify(aliases))),
      this.#parts.others.id,
      ...columns(pages, ['sourcePath', 'dialect']),
    ])
    if (this.#parts.content.hadPages)
      this.#parts.result.deletedPages += changed.rows.filter(({ state }) => state === 'deleted').length
    this.#parts.result.deletedLive += changed.rows.filter(({ wasLive }) => wasLive).length
    const { rows } = await this.#run('page_ids', paths)
    const hasPlaces = pages.some((page) => page.sourcePath !== undefined || page.dialect !== undefined)
    return {
      pageIds: rows.sort((a, b) => a.n - b.n).map(({ id }) => id),
      relocated: hasPlaces ? column(changed.rows, 'id') : [],
    }
  }

  /**
   * The pages to publish now: the pages of this batch, and those that waited for it, without the unfinished one.
   * @param changed ids of pages whose revisions changed; becomes those of pages to publish @param next id of the unfinished page
   */
  #takeReady(pageIds: string[], changed: Set<string>, next: string | undefined): string[] {
    const ready = new Set([...pageIds, ...this.#unfinished.keys()])
    for (const [id, isChanged] of this.#unfinished) if (isChanged) changed.add(id)
    this.#unfinished.clear()
    if (next !== undefined) {
      ready.delete(next)
      this.#unfinished.set(next, changed.delete(next))
    }
    return [...ready]
  }

  /**
   * Publishes pages.
   * @param changed ids of pages whose revisions changed
   * @param visiblyChanged ids of pages of which guests saw or see a revision that changed
   */
  async #publish(pageIds: string[], changed: ReadonlySet<string>, visiblyChanged: ReadonlySet<string>) {
    const moved = await this.#run('publish_revisions', [pageIds])
    await this.#run('withdraw_pages', [pageIds])
    const published = await this.#run('publish_pages', [pageIds])
    const publishedIds = new Set(column(published.rows, 'id'))
    // Changes that no row of a live page shows, such as those of an earlier revision. A change that guests do not see
    // must not be numbered, because its number would tell that it exists. (D100)
    const others = new Set([...visiblyChanged, ...column(moved.rows, 'pageId')])
    for (const id of publishedIds) others.delete(id)
    if (others.size > 0) await this.#run('mark_changed', [[...others]])
    const changedIds = [...new Set([...changed, ...publishedIds])]
    if (changedIds.length > 0) {
      await this.#run('delete_members', [changedIds])
      await this.#run('publish_members', [changedIds])
    }
    return { revised: [...changed, ...column(moved.rows, 'pageId')], published: changedIds }
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

export interface ConflictingPages {
  pages: number
  /** At most three, each with the name of the other source. */
  first: (PageKey & { source: string })[]
}

const NO_CONFLICTS: ConflictingPages = { pages: 0, first: [] }

/** Conflicts with the pages that other sources brought: these pages stay, or the source of the import takes them over. */
type OtherSources = ReturnType<typeof makeOtherSources>

/** @param id of the source of the import; null if it has no name. Then it changes any page. */
export const makeOtherSources = (run: RunStatement, id: number | null, adopts: boolean) => {
  const namesOfOthers = memoize(async (): Promise<ReadonlyMap<number, string>> => {
    const { rows } = id === null ? { rows: [] } : await run('other_sources', [id])
    return new Map(rows.map((row) => [row.id, row.name]))
  })
  return {
    id,
    /**
     * Leaves out the pages that came from other sources, or removes those pages. A deleted page yields to another one.
     * @param isFinished whether a page is complete, and is counted
     * @param result gets what was left out or taken over
     * @returns the pages to store
     */
    settle: async (
      pages: CompletePage[],
      isFinished: (page: CompletePage) => boolean,
      result: Pick<ImportResult, 'left' | 'adopted'>,
    ): Promise<CompletePage[]> => {
      const names = await namesOfOthers()
      if (names.size === 0) return pages
      const { rows } = await run('pages_of_others', [...columns(pages, ['locale', 'path']), id])
      const removed: string[] = []
      const isLeft = new Set<CompletePage>()
      for (const { n, id, state, sourceId } of rows) {
        const page = pages[n - 1]!
        const isDeleted = state === 'deleted' && page.state !== 'deleted'
        const takesOver = isDeleted || (adopts && page.state !== 'deleted')
        if (takesOver) removed.push(id)
        else isLeft.add(page)
        if (isDeleted || page.state === 'deleted' || (!takesOver && !isFinished(page))) continue
        const { locale, path } = page
        const kind = takesOver ? 'adopted' : 'left'
        const { pages: before, first } = result[kind]
        const one = { locale, path, source: names.get(sourceId)! }
        result[kind] = { pages: before + 1, first: [...first, one].slice(0, 3) }
      }
      if (removed.length > 0) await run('remove_pages', [removed])
      return pages.filter((page) => !isLeft.has(page))
    },
    /** @throws RevisionIdTaken if a revision is that of another source's page, and the source does not take it over */
    refuseMove: async (moved: readonly (PageKey & { id: string; sourceId: number | null })[]) => {
      if (id === null || adopts) return
      const other = moved.find(({ sourceId }) => sourceId !== null && sourceId !== id)
      if (other === undefined) return
      const name = (await namesOfOthers()).get(other.sourceId!)!
      const advice = `That page came from the source "${name}". If this is the same source, use --source ${name}; to take over its edits, use --adopt`
      throw new RevisionIdTaken(other.id, other, advice)
    },
  }
}
