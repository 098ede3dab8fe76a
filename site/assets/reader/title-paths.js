import { element } from '../element.js'
import { entryTitle, foldersAbove } from './names.js'

/** What was listed so far, as entries of folders, by language and path. */
const entries = new Map()

const keyOf = (locale, path) => `${locale} ${path}`

/** Remembers the titles of pages, for the title paths of pages below them. */
export const rememberTitles = (pages) => {
  for (const page of pages) {
    const key = keyOf(page.locale, page.path)
    if (page.title) entries.set(key, { ...entries.get(key), page })
  }
}

/** The same for the entries of a folder. */
export const rememberEntries = (listed, locale) => {
  for (const entry of listed) entries.set(keyOf(locale, entry.path), entry)
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

/** The address of a page, for a title that others have too. @param {string} path */
export const addressOf = (path) =>
  element('span', { class: 'crumbs' }, element('code', { dir: 'auto' }, path))

/**
 * Where a page is: the titles of the folders above it. Empty for a page that is in none.
 * @param {string} [folder] with a slash at its end; it and those above it are left out
 */
export const crumbsOf = ({ locale, path }, folder = '') => {
  const tree = roots.get(locale) ?? ''
  const root = `${path}/`.startsWith(tree) ? tree : ''
  const start = Math.max(root.length, folder.length)
  const crumbs = foldersAbove(path)
    .filter(({ length }) => length > start)
    .map((one) => {
      const own = one.slice(0, -1)
      return entryTitle({ ...entries.get(keyOf(locale, own)), name: own.split('/').at(-1), isFolder: true })
    })
  if (crumbs.length === 0) return []
  const parts = crumbs.flatMap((crumb, i) => [i > 0 ? ' › ' : '', element('bdi', {}, crumb)])
  return [element('span', { class: 'crumbs' }, ...parts)]
}
