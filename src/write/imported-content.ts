import { TRANSFER_BATCH } from '@lectern/wiki/limits'
import { ownName } from '@lectern/wiki/locales'
import type { CompletePage, WikiRecord } from '@lectern/wiki/records'
import { column, columns } from '../db/bulk.ts'
import type { RunStatement } from '../db/statements.ts'
import { searchConfiguration } from '../search/configurations.ts'

/** The name of the source of the sample wiki. The first import of another source removes it. */
export const SAMPLE_SOURCE = '(sample)'

/** A source as the database knows it. */
export interface NamedSource {
  /** Its name in this database: one import after another of the same source has the same name. */
  name: string
  keepMissing?: boolean
  adopt?: boolean
  /** Removes what the source no longer has even if that is more than half of it, and publishes what `--exclude` left out. */
  isConfirmed?: boolean
  /** A command that does so and ends, for its follower. Absent: the same command with `--yes`. */
  confirmation?: string
  /** Whether a follower imports it for the first time. Then most of its pages must not be those of another source. */
  isFollowed?: boolean
  /** Differs for other options, and for all else that decides the result. Absent: the next import reads the source. */
  settings?: string
  /** What its follower found, a text that changes when the source changes; absent if unknown. */
  version?: string
}

/** Ids of pages that changed. */
interface ChangedPages {
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
  /** Whether there were pages before the first batch; undefined before it. */
  hadPages: boolean | undefined

  constructor(run: RunStatement) {
    this.#run = run
  }

  async begin(): Promise<void> {
    if (this.hadPages !== undefined) return
    await this.#run('begin_imported_pages', [])
    await this.#run('begin_imported_revisions', [])
    await this.#run('begin_imported_categories', [])
    await this.#run('begin_imported_absent_pages', [])
    await this.#run('begin_imported_unproven_paths', [])
    await this.#run('begin_imported_member_counts', [])
    await this.#run('begin_imported_unused_files', [])
    this.hadPages = (await this.#run('has_pages', [])).rows[0]!.hasPages
  }

  async addCategories(records: readonly { locale: string; key: string }[]): Promise<void> {
    await this.begin()
    if (this.hadPages) await this.#run('record_imported_categories', columns(records, ['locale', 'key']))
  }

  /**
   * @param pageIds ids of the pages, in their order
   * @param changed see `addChangedPages`; the source need not have them
   */
  async addPages(pages: readonly CompletePage[], pageIds: string[], changed: ChangedPages): Promise<void> {
    if (!this.hadPages) return this.addChangedPages(changed)
    const complete = pageIds.filter((_, i) => pages[i]!.hasAllRevisions)
    await this.#run('record_imported_pages', [pageIds, changed.revised, complete, changed.published])
    // Also of pages that are not complete yet: only the last record of a page may say that it is.
    const ids = pages.flatMap(({ revisions, unreadRevisions = [] }) => [
      ...column(revisions, 'id'),
      ...unreadRevisions,
    ])
    await this.#run('record_imported_revisions', [ids])
  }

  /** Those of some stored revisions that this import has had. */
  async importedAmong(ids: string[]): Promise<ReadonlySet<string>> {
    if (!this.hadPages) return new Set(ids)
    await this.#run('index_imported_revisions', [])
    return new Set(column((await this.#run('imported_among', [ids])).rows, 'id'))
  }

  /** Records pages that the source says it no longer has. @param sourceId null: the source has no name */
  async addAbsentPages(pages: readonly { locale: string; path: string }[], sourceId: number | null) {
    await this.begin()
    await this.#run('record_absent_pages', [...columns(pages, ['locale', 'path']), sourceId])
  }

  /** Records that pages changed after they were added. */
  async addChangedPages({ revised, published }: ChangedPages): Promise<void> {
    await this.#run('record_imported_pages', [[], revised, [], published])
  }

  /** How many pages changed for guests and can be found by a search. */
  async countPublished(): Promise<number> {
    return this.hadPages === undefined ? 0 : (await this.#run('count_published_pages', [])).rows[0]!.pages
  }

  /** Ids of the pages that changed for guests, in batches. */
  async *published(): AsyncGenerator<string[]> {
    for (let last = '0'; this.hadPages !== undefined; ) {
      const { rows } = await this.#run('published_pages', [last, TRANSFER_BATCH.pages])
      if (rows.length === 0) return
      yield column(rows, 'id')
      last = rows.at(-1)!.id
    }
  }
}

/** The languages of an import: the languages that the wiki record lists, and further languages of pages. */
export type ImportLocales = ReturnType<typeof makeImportLocales>

export const makeImportLocales = (run: RunStatement) => {
  const stored = new Set<string>()
  const addedByPages = new Set<string>()
  let ofWiki: string[] | undefined
  /** @param rename whether stored languages get these names; @returns the languages that were added or changed */
  const add = async (locales: WikiRecord['locales'], rename: boolean): Promise<string[]> => {
    const { rows } = await run('import_locales', [
      ...columns(locales, ['locale', 'name']),
      locales.map(({ locale }) => searchConfiguration(locale)),
      rename,
    ])
    for (const { locale } of locales) stored.add(locale)
    return column(rows, 'locale')
  }
  return {
    addOfWiki: async (locales: WikiRecord['locales']): Promise<void> => {
      await add(locales, true)
      ofWiki = column(locales, 'locale')
    },
    /** Stores further languages of live pages, with their native names. */
    addOfPages: async (locales: Iterable<string>): Promise<void> => {
      const missing = [...new Set(locales)].filter((locale) => !stored.has(locale))
      if (missing.length === 0) return
      const named = missing.map((locale) => ({ locale, name: ownName(locale) }))
      for (const locale of await add(named, false)) addedByPages.add(locale)
    },
    /** Call it at the end, when all pages are stored. */
    deleteUnused: () => run('delete_unused_locales', [ofWiki ?? null, [...addedByPages]]),
  }
}
