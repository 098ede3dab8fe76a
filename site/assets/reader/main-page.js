import { get } from './api.js'
import { mainPathOf, mainPaths } from './names.js'
import { say } from './words.js'

/** Main pages that were found, by language; null: there is none. */
const found = new Map()

/**
 * The main page of a language, with its HTML; undefined if there is none. The API has no main page, so this looks for a
 * page with a usual path: in the first part of the list of all pages, and then, with one request, among the others. A list
 * tells what is missing where `GET /pages/{path}` would be an error.
 * @param {{ items: { path: string }[], next: string }} pages the first part of the list of all pages
 */
export const readMainPage = async (locale, pages, signal) => {
  if (!found.has(locale)) found.set(locale, await mainPagePath(locale, pages, signal))
  const path = found.get(locale)
  return path === null ? undefined : readPage(path, locale, signal)
}

/** A page with its HTML. If the service has just written it into the document, the browser's cache may have an older text. */
export const readPage = (path, locale, signal) => {
  const cache = document.querySelector('#main > .page > article[data-revision]') ? 'no-cache' : 'default'
  const query = { locale, format: 'html', include: 'summary,links' }
  return get(`/pages/${encodeURIComponent(path)}`, query, signal, cache)
}

const mainPagePath = async (locale, { items, next }, signal) => {
  const far = mainPaths(locale, say).filter((path) => next !== '' && path > next)
  const answer = far.length > 0 ? await get('/pages', { locale, path: far }, signal) : { items: [] }
  const existing = [...items, ...answer.items].filter(({ missing }) => !missing)
  const paths = existing.map(({ path }) => path)
  return mainPathOf(paths, locale, say) ?? null
}
