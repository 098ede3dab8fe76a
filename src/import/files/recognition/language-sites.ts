import { parseSourceLocale } from '../../../wiki/locales.ts'
import { findLocales, isKnownLanguage } from './locales.ts'
import type { ContentSite } from './site.ts'

/**
 * Sites whose folder is one of several that differ only in the name of a language: of `docs/en/docs/` with
 * `docs/fr/docs/` next to it, the site `docs/{locale:en|fr}/docs/`.
 * @param markdown names of the Markdown files of a tree
 * @returns the combined sites, without the given ones
 */
export const combineLanguages = (
  sites: readonly ContentSite[],
  markdown: readonly string[],
): ContentSite[] => {
  const compared = new Set<string>()
  return sites.flatMap((site) => {
    const [folder, ...others] = site.folders
    if (folder === undefined || others.length > 0) return []
    const segments = folder.prefix.split('/')
    const index = segments.findIndex((one) => parseSourceLocale(one) !== null && isKnownLanguage(one))
    if (index === -1) return []
    const before = segments
      .slice(0, index)
      .map((name) => `${name}/`)
      .join('')
    const after = `/${segments.slice(index + 1).join('/')}`
    const key = `${site.tool}\0${before}\0${after}`
    if (compared.has(key)) return []
    compared.add(key)
    const names = markdown.flatMap((name) => {
      if (!name.startsWith(before)) return []
      const locale = name.slice(before.length).split('/', 1)[0]!
      const page = name.slice(before.length + locale.length)
      return page.startsWith(after) ? [`${locale}/${page.slice(after.length).replace(/\.\w+$/, '')}`] : []
    })
    const { folders } = findLocales(names, [])
    if (folders.length < 2) return []
    return [{ ...site, folders: [{ prefix: `${before}{locale:${folders.join('|')}}${after}` }] }]
  })
}
