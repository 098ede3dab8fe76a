import { UsageError } from '@lectern/wiki/errors'
import { ConversionNotes } from '@lectern/wiki/import/notes'
import { makeWikiRecord } from '@lectern/wiki/import/wiki-record'
import { CATEGORIES_MAX, TEXT_BYTES_MAX } from '@lectern/wiki/limits'
import { parseSourceLocale } from '@lectern/wiki/locales'
import type { WikiRecord } from '@lectern/wiki/records'
import { quote } from '@lectern/wiki/text'
import type { SiteItem } from './items.ts'
import type { Unconverted } from './wikitext/conversion.ts'
import { MediawikiSite, NS } from './wikitext/site.ts'

export interface MediawikiOptions {
  /** Names or numbers of further namespaces, besides main, template, module and category. */
  namespaces: string[]
  /** Whether redirects become pages that link to their target. */
  redirects: boolean
  /** Language of the wiki. Default: the language that the wiki names. */
  locale?: string
  /** Default: the name that the wiki names. */
  name?: string
  /** URL of the license, http or https. Default: the one that the wiki's API names. */
  license?: string
  /** Adds a language to the existing wiki, which keeps its name, license and default language. */
  add?: boolean
}

/** A MediaWiki, as an import with these options sees it. */
export interface ImportedMediawiki {
  site: MediawikiSite
  name: string
  locale: string
  /** Name of the database. */
  database: string
  /** Numbers of the namespaces that are imported. */
  namespaces: ReadonlySet<number>
  license: string | undefined
}

/** @throws UsageError if an option does not fit the wiki */
export const openWiki = (item: SiteItem, options: MediawikiOptions): ImportedMediawiki => {
  const locale = options.locale ?? parseSourceLocale(item.language)
  if (locale === null) {
    throw new UsageError(
      `The wiki has no valid language (${quote(JSON.stringify(item.language))}). Set it with --locale.`,
    )
  }
  const site = new MediawikiSite(item.namespaces)
  const namespaces = new Set<number>(Object.values(NS).filter((key) => key !== NS.file))
  for (const name of options.namespaces) {
    const key = /^\d+$/.test(name) ? Number(name) : site.namespaceNamed(name)
    if (key === undefined) {
      const known = item.namespaces.map((one) => one.name).filter((one) => one !== '')
      throw new UsageError(
        `The wiki has no namespace ${quote(name)}. Its namespaces are ${quote(known.join(', '))}`,
      )
    }
    namespaces.add(key)
  }
  return {
    site,
    name: options.name ?? item.name,
    locale,
    database: item.database,
    namespaces,
    license: options.license ?? item.license,
  }
}

/** @throws UsageError if an option, such as the license, is invalid */
export const recordOfMediawiki = ({ name, locale, license }: ImportedMediawiki): WikiRecord =>
  makeWikiRecord({ name: name.trim() || 'MediaWiki', defaultLocale: locale, license, locales: [locale] })

/** The locale and path of a page; null if the path would be invalid. */
export const addressOf = (
  { site, locale }: ImportedMediawiki,
  { title, namespace }: { title: string; namespace: number },
): { locale: string; path: string } | null => {
  const path = site.path(site.pageTitle(title, namespace))
  return path === null || path === '' ? null : { locale, path }
}

const TEXTS = {
  'left out': 'Pages of other namespaces left out (--namespace imports them)',
  'unfit title': 'Pages left out, because a path is at most 512 bytes of UTF-8 without control characters',
  redirect: 'Redirects imported as pages that link to their target (--no-redirects leaves them out)',
  'redirect left out': 'Redirects left out',
  hidden: 'Edits whose text is hidden on the wiki; guests never see them',
  'hidden author': 'Edits whose author is hidden on the wiki; they have no author',
  missing: 'Edits left out, because the wiki gives no text for them',
  'too long': `Edits left out, because their text has more than ${TEXT_BYTES_MAX} bytes`,
  'too long now': `WARNING: pages that guests do not see, because their newest text has more than ${TEXT_BYTES_MAX} bytes; split each into several pages`,
  'too many categories': `Edits with more than ${CATEGORIES_MAX} categories; only the first ${CATEGORIES_MAX} are imported`,
  'unfit category': 'Categories left out, because a key has at most 255 bytes',
  'other model': 'Edits with code or data instead of wikitext, imported as code',
} as const

const UNCONVERTED: Record<Unconverted, string> = {
  template: 'Template calls, which only the wiki can expand, left as code in newest texts',
  formula: 'Formulas left as code in newest texts',
  extension: 'Extension tags left as code in newest texts',
  table: 'Tables too large for Markdown, left as wikitext in newest texts',
  'too long': 'Newest texts too long to convert, left as wikitext',
}

export class MediawikiNotes extends ConversionNotes<keyof typeof TEXTS, Unconverted> {
  constructor() {
    super(TEXTS, UNCONVERTED)
  }
}
