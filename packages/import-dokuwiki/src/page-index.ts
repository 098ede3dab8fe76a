import type { TranslationSettings } from './settings.ts'
/** Language and path of a page. */
export interface PageLocation {
  locale: string
  path: string
}

/** The end that Lectern removes from the path in a link: `guide/index` leads to `guide`. (D6) */
const INDEX = '/index'

/** The ids of all pages that are imported, and their languages and paths. */
export class DokuwikiPages {
  readonly #ids = new Set<string>()
  readonly #locale: string
  readonly #translation: TranslationSettings | null

  /** @param locale the language of pages outside the namespaces of translations */
  constructor(locale: string, translation: TranslationSettings | null) {
    this.#locale = locale
    this.#translation = translation
  }

  get size(): number {
    return this.#ids.size
  }

  add(id: string): void {
    this.#ids.add(id)
  }

  has(id: string): boolean {
    return this.#ids.has(id)
  }

  /** Whether the wiki has a namespace for each translation. */
  get hasTranslations(): boolean {
    return this.#translation !== null
  }

  /**
   * Namespaces are folders of the path. The Translation plugin has a namespace for each language, which is not in the
   * path. A page `guide:index` has the path `guide` if there is no page `guide`, because links cannot name `guide/index`.
   */
  locationOf(id: string): PageLocation {
    const path = id.replaceAll(':', '/')
    const short = path.endsWith(INDEX) ? path.slice(0, -INDEX.length) : path
    const isShort = short !== path && !this.#ids.has(short.replaceAll('/', ':'))
    return this.#translated(isShort ? short : path)
  }

  #translated(path: string): PageLocation {
    const settings = this.#translation
    if (settings === null || !path.startsWith(settings.prefix)) return { locale: this.#locale, path }
    const rest = path.slice(settings.prefix.length)
    const slash = rest.indexOf('/')
    const locale = slash < 0 ? undefined : settings.locales.get(rest.slice(0, slash))
    if (locale === undefined || locale === this.#locale) return { locale: this.#locale, path }
    return { locale, path: `${settings.prefix}${rest.slice(slash + 1)}` }
  }
}
