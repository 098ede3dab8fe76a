import { UsageError } from '../../errors.ts'
import { parseSourceLocale } from '../../wiki/locales.ts'
import { quote } from '../../wiki/text.ts'
import type { WikiRecord } from '../../write/records.ts'
import { makeWikiRecord } from '../wiki-record.ts'
import { MediawikiSite, NS } from '../wikitext/site.ts'
import type { SiteItem } from './items.ts'

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
