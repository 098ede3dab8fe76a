import type { AbsentPageRecord } from '@lectern/wiki/records'
import type { SourceContentQueries } from '@lectern/wiki/stored-content'
import type { MediawikiItem } from '../items.ts'
import { addressOf, type ImportedMediawiki } from '../wiki.ts'
import { type MediawikiApi, requestBatches } from './client.ts'
import { movesOfPaths } from './complete-reading.ts'
import { MEDIAWIKI_API, MEDIAWIKI_FOLLOWING, type RoundLimits } from './http.ts'
import { Comparison, type Differences, type ListPlace, listRevisions } from './listing.ts'
import { type FullTitle, formerPathsOf, type LoggedChanges, readContributions } from './log-events.ts'
import { lookUpTitles, readRevisions, readWholePage, toPageItem, type WikiPage } from './page-reader.ts'
import type { ApiState } from './site.ts'

interface ChangesOptions {
  api: MediawikiApi
  wiki: ImportedMediawiki
  stored: SourceContentQueries
  namespaces: ReadonlySet<number>
  redirects: boolean
  limits: RoundLimits
}

/** Finds what changed on a wiki since its last reading, and reads it. */
export class Changes {
  readonly #options: ChangesOptions
  readonly #log: LoggedChanges
  readonly #comparison: Comparison
  readonly #since: number
  /** See `ApiState`. */
  check: ApiState['check']

  constructor(options: ChangesOptions, state: ApiState, log: LoggedChanges) {
    this.#options = options
    this.#log = log
    this.#since = state.readAt - options.limits.overlapMs
    this.#comparison = new Comparison({ ...options, since: this.#since })
    this.check = state.check
  }

  /**
   * Finds what changed: compares the new revisions with those that are stored, then some older ones.
   * @returns false if it is too much, so that the wiki has to be read completely
   */
  async find(): Promise<boolean> {
    const newest = await this.#compare(
      null,
      (last) => last !== null && Date.parse(last.timestamp) < this.#since,
    )
    if (newest === 'too much') return false
    const { checkRequests } = this.#options.limits
    const start = checkRequests > 0 ? (this.check ?? newest) : null
    const checked = start === null ? null : await this.#compare(start, (_, parts) => parts >= checkRequests)
    if (checked === 'too much') return false
    this.check = checked
    const { titles } = this.#comparison.differences
    for (const title of this.#log.titles) if (!titles.has(title)) titles.set(title, null)
    for (const user of this.#log.renamedUsers)
      for await (const title of readContributions(this.#options.api, user))
        if (!titles.has(title)) titles.set(title, null)
    return titles.size <= MEDIAWIKI_FOLLOWING.changedRevisions
  }

  /**
   * Compares the list of revisions from a place on, newest first.
   * @returns where it stopped; null: at the end of the list
   */
  async #compare(
    start: ApiState['check'],
    isEnough: (last: ListPlace | null, parts: number) => boolean,
  ): Promise<ApiState['check'] | 'too much'> {
    const { api, namespaces, limits } = this.#options
    let after = start?.after ?? null
    let parts = 0
    const limit = limits.comparedRevisions
    const options = { namespaces, direction: 'older', isDetailed: true, start: start?.next, limit } as const
    for await (const { revisions, next } of listRevisions(api, options)) {
      await this.#comparison.compare(revisions, after, next === null)
      parts += 1
      const last = revisions.at(-1)
      if (last) after = { timestamp: last.timestamp, id: last.id }
      if (next === null) return null
      if (this.#comparison.differences.revisions.size > MEDIAWIKI_FOLLOWING.changedRevisions)
        return 'too much'
      if (isEnough(after, parts)) return { next, after }
    }
    return null
  }

  /** Reads what was found. */
  async *read(): AsyncGenerator<MediawikiItem | AbsentPageRecord> {
    const { differences } = this.#comparison
    const formerPaths = await this.#formerPaths()
    yield* this.#lookUp(differences)
    yield* this.#readNewRevisions(differences, formerPaths)
    for (const id of differences.wholePages) yield* this.#readWhole(id, formerPaths)
  }

  /** Names pages that are gone, and finds those to read. */
  async *#lookUp({ titles, wholePages }: Differences): AsyncGenerator<AbsentPageRecord> {
    for await (const { asked, title, namespace, page } of lookUpTitles(this.#options.api, [
      ...titles.keys(),
    ])) {
      const path = this.#pathOf({ title, namespace })
      const storedPath = titles.get(asked) ?? null
      if (storedPath !== null && storedPath !== path) yield this.#absent(storedPath)
      if (path === null) continue
      if (page === null || !this.#isImported(page)) yield this.#absent(path)
      else wholePages.add(page.id)
    }
  }

  /** Reads revisions of pages whose histories did not change otherwise. */
  async *#readNewRevisions(
    { revisions, wholePages }: Differences,
    formerPaths: FormerPaths,
  ): AsyncGenerator<MediawikiItem> {
    const some = [...revisions.values()].filter(({ pageId }) => !wholePages.has(pageId))
    // A page that has several of them, in one batch.
    some.sort((a, b) => a.pageId - b.pageId || a.id - b.id)
    const max = { items: MEDIAWIKI_API.revisions, size: MEDIAWIKI_API.textBytes }
    for (const batch of requestBatches(some, max, ({ size }) => size)) {
      for await (const page of readRevisions(
        this.#options.api,
        batch.map(({ id }) => id),
      )) {
        if (wholePages.has(page.id)) continue
        // The newest revision decides what the page is, so it has to be among them.
        const newest = page.revisions.at(-1)!
        const isSure = newest.id === page.newestId && newest.textState === 'present' && !page.isRedirect
        if (!isSure) wholePages.add(page.id)
        else yield* this.#itemsOf(page, formerPaths, false)
      }
    }
  }

  async *#readWhole(
    pageId: number,
    formerPaths: FormerPaths,
  ): AsyncGenerator<MediawikiItem | AbsentPageRecord> {
    let isOpen = false
    for await (const page of readWholePage(this.#options.api, pageId)) {
      if (!isOpen && !this.#isImported(page)) {
        const path = this.#pathOf(page)
        if (path !== null) yield this.#absent(path)
        return
      }
      if (!isOpen) yield toPageItem(page, await formerPaths(this.#pathOf(page)))
      isOpen = true
      yield* page.revisions
    }
    if (isOpen) yield { type: 'page end', hasAllRevisions: true }
  }

  async *#itemsOf(
    page: WikiPage,
    formerPaths: FormerPaths,
    hasAllRevisions: boolean,
  ): AsyncGenerator<MediawikiItem> {
    yield toPageItem(page, await formerPaths(this.#pathOf(page)))
    yield* page.revisions
    yield { type: 'page end', hasAllRevisions }
  }

  /** Former paths of pages: those that are stored, and those of new moves. */
  async #formerPaths(): Promise<FormerPaths> {
    const { stored, wiki } = this.#options
    const readStored = async (paths: string[]) =>
      stored.formerPaths(paths.map((path) => ({ locale: wiki.locale, path })))
    const moves = movesOfPaths(this.#log.moves, this.#options.namespaces, this.#pathOf)
    const known = await readStored(moves.map(({ from }) => from))
    const moved = formerPathsOf(moves, (from) =>
      known.filter(({ path }) => path === from).map(({ formerPath }) => formerPath),
    )
    return async (path) => {
      if (path === null) return []
      return moved.get(path) ?? (await readStored([path])).map(({ formerPath }) => formerPath)
    }
  }

  #pathOf = (page: FullTitle): string | null => addressOf(this.#options.wiki, page)?.path ?? null

  #isImported({ namespace, isRedirect }: WikiPage): boolean {
    return this.#options.namespaces.has(namespace) && (this.#options.redirects || !isRedirect)
  }

  #absent(path: string): AbsentPageRecord {
    return { type: 'absent', locale: this.#options.wiki.locale, path }
  }
}

type FormerPaths = (path: string | null) => Promise<string[]>
