import { namespaceOf } from '@lectern/wiki/locales'
import { closest, distance } from 'fastest-levenshtein'
import type { Loaders } from './loaders.ts'

type Locale = { locale: string }

/** Languages in which a path is looked for, and paths near each place of a misspelled one that are compared with it. */
const COMPARED = 50

/** The live pages at a path, in any of the languages. */
export const pagesAtPath = async (path: string, locales: readonly Locale[], loaders: Loaders) => {
  const pages = locales.slice(0, COMPARED).map(({ locale }) => loaders.listedPage.load({ locale, path }))
  return (await Promise.all(pages)).filter((page) => page !== null)
}

/**
 * The path of the live page that is meant by a path without one: a translation of the page that has the path in another
 * language; or a page with this name, also without its first folder (such as `en/`), all folders, `index` or `.md`; or a
 * path that differs by a typo, if it is near in the alphabet: behind the first letter of the last name, or behind all but
 * the last three. Null: there is none, or the path itself has a page.
 */
export const similarPath = async (
  { locale, path }: { locale: string; path: string },
  locales: readonly Locale[],
  loaders: Loaders,
): Promise<string | null> => {
  const [page] = await pagesAtPath(path, [{ locale }, ...locales], loaders)
  if (page?.locale === locale) return null
  const translations = page ? await loaders.translationsOfPage.load(page.id) : []
  const bare = path.replace(/(\/(index|readme))?(\.(mdx?|html?|json))?\/*$/i, '')
  const last = bare.slice(bare.lastIndexOf('/') + 1)
  const names = new Set([bare, bare.slice(bare.indexOf('/') + 1), last])
  const named = await Promise.all(Array.from(names, (name) => loaders.pageByName.load({ locale, name })))
  const known = translations.find((one) => one.locale === locale) ?? named.find((one) => one !== null)
  const typos = last.length < 4 || bare.length > 200 ? 0 : last.length < 6 ? 1 : 2
  if (known || typos === 0) return known?.path ?? null
  const places = [last.slice(0, 1), last.slice(0, -3)].map((kept) => bare.slice(0, -last.length) + kept)
  const list = { locale, ns: namespaceOf(bare), first: COMPARED }
  const parts = places.map((after) => loaders.pages.load({ ...list, after: after.toWellFormed() }))
  const paths = (await Promise.all(parts)).flat().map((one) => one.path)
  const best = closest(bare, ['', ...paths])
  return distance(best, bare) <= typos ? best : null
}
