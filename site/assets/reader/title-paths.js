import { element } from '../element.js'
import { entryTitle, foldersAbove } from './names.js'

/** Titles of the pages that were listed so far, by language and path. */
const titles = new Map()

const keyOf = (locale, path) => `${locale} ${path}`

/** Remembers the titles of pages, for the title paths of pages below them. */
export const rememberTitles = (pages) => {
  for (const { locale, path, title } of pages) if (title) titles.set(keyOf(locale, path), title)
}

/** Where the tree of a language begins. */
const roots = new Map()

/** @param {string} folder with a slash at its end; empty: the whole wiki */
export const rememberRoot = (locale, folder) => roots.set(locale, folder)

/** The titles that several different pages of a list have. */
export const repeatedTitles = (pages) => {
  const keys = new Map()
  for (const { locale, path, title } of pages)
    keys.set(title, (keys.get(title) ?? new Set()).add(keyOf(locale, path)))
  return new Set([...keys].filter(([, { size }]) => size > 1).map(([title]) => title))
}

/**
 * Where a page is: the titles of the folders above it. Empty for a page that is in none.
 * @param {{ isWhole?: boolean }} options `isWhole` adds the last segment of its path, which no other page with its title has
 */
export const crumbsOf = ({ locale, path }, { isWhole = false } = {}) => {
  const start = roots.get(locale) ?? ''
  const root = `${path}/`.startsWith(start) ? start : ''
  const folders = foldersAbove(path).filter(({ length }) => length > root.length)
  const above = folders.map((folder) => {
    const own = folder.slice(0, -1)
    const title = titles.get(keyOf(locale, own))
    return entryTitle({ name: own.split('/').at(-1), page: title && { title }, isFolder: true })
  })
  const crumbs = isWhole ? [...above, path.split('/').at(-1)] : above
  if (crumbs.length === 0) return []
  const parts = crumbs.flatMap((crumb, i) => [i > 0 ? ' › ' : '', element('bdi', {}, crumb)])
  return [element('span', { class: 'crumbs' }, ...parts)]
}
