import type { RunStatement } from '../db/statements.ts'
import { searchConfiguration } from '../search/configurations.ts'
import { ownName } from '../wiki/locales.ts'
import { column } from './columns.ts'

interface NamedLocale {
  locale: string
  name: string
}

/** The languages of an import: the languages that the wiki record lists, and further languages of pages. */
export class ImportLocales {
  readonly #run: RunStatement
  /** Languages that this import has stored. */
  readonly #stored = new Set<string>()
  readonly #addedByPages = new Set<string>()
  #ofWiki: string[] | undefined

  constructor(run: RunStatement) {
    this.#run = run
  }

  /** Stores the languages of the wiki record. */
  async addOfWiki(locales: NamedLocale[]): Promise<void> {
    await this.#add(locales, true)
    this.#ofWiki = column(locales, 'locale')
  }

  /** Stores further languages of live pages, with their native names. */
  async addOfPages(locales: Iterable<string>): Promise<void> {
    const missing = [...new Set(locales)].filter((locale) => !this.#stored.has(locale))
    if (missing.length === 0) return
    const added = await this.#add(
      missing.map((locale) => ({ locale, name: ownName(locale) })),
      false,
    )
    for (const locale of added) this.#addedByPages.add(locale)
  }

  /** Call it at the end, when all pages are stored. */
  async deleteUnused(): Promise<void> {
    await this.#run('delete_unused_locales', [this.#ofWiki ?? null, [...this.#addedByPages]])
  }

  /** @param rename whether stored languages get these names; @returns the languages that were added or changed */
  async #add(locales: NamedLocale[], rename: boolean): Promise<string[]> {
    const { rows } = await this.#run('import_locales', [
      column(locales, 'locale'),
      column(locales, 'name'),
      locales.map(({ locale }) => searchConfiguration(locale)),
      rename,
    ])
    for (const { locale } of locales) this.#stored.add(locale)
    return column(rows, 'locale')
  }
}
