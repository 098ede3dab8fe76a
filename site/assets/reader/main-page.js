import { get } from './api.js'
import { say } from './words.js'

/** Paths of main pages, in the order in which they count: of MediaWiki, Wiki.js and Gollum, DokuWiki, and documentation. */
const PATHS = ['Main_Page', 'main-page', 'home', 'Home', 'index', 'start', 'README', 'readme']

/** The name that MediaWiki gives to the main page in languages that the shell does not speak. */
const NAMES = {
  cs: 'Hlavní strana',
  da: 'Forside',
  el: 'Κύρια σελίδα',
  en: 'Main Page',
  fa: 'صفحهٔ اصلی',
  fi: 'Etusivu',
  he: 'עמוד ראשי',
  hu: 'Kezdőlap',
  id: 'Halaman Utama',
  ko: '대문',
  nl: 'Hoofdpagina',
  no: 'Hovedside',
  ro: 'Pagina principală',
  sv: 'Huvudsida',
  tr: 'Ana Sayfa',
  uk: 'Головна сторінка',
  vi: 'Trang Chính',
}

/** Main pages that were found, by language; null: there is none. */
const found = new Map()

/** Whether a page is called as main pages are. @param {string} name the last segment of its path */
export const isMainName = (name) => PATHS.some((path) => normalized(path) === normalized(name))

const normalized = (path) => path.toLowerCase().replace(/[-_\s]+/g, '')

/**
 * The main page of a language, with its HTML; undefined if there is none. The API has no main page, so this looks for a
 * page with a usual path: in the first part of the list of all pages, and then where the list has the others. A list
 * is empty where `GET /pages/{path}` would be an error.
 * @param {{ items: { path: string }[], next: string }} pages the first part of the list of all pages
 */
export const readMainPage = async (locale, pages, signal) => {
  if (!found.has(locale)) found.set(locale, await mainPagePath(locale, pages, signal))
  const path = found.get(locale)
  return path === null
    ? undefined
    : get(`/pages/${encodeURIComponent(path)}`, { locale, format: 'html', include: 'links' }, signal)
}

const mainPagePath = async (locale, { items, next }, signal) => {
  const ownName = NAMES[locale.split('-', 1)[0]] ?? say('Main page')
  const wanted = [...new Set([ownName.replaceAll(' ', '_'), ...PATHS])]
  const byName = new Map(items.toReversed().map(({ path }) => [normalized(path), path]))
  const far = wanted.filter((path) => next !== '' && path > next)
  const existing = await Promise.all(far.map((path) => exists(path, locale, signal)))
  const listed = wanted.map((path) => {
    if (byName.has(normalized(path))) return byName.get(normalized(path))
    return existing[far.indexOf(path)] ? path : undefined
  })
  return listed.find((path) => path !== undefined) ?? null
}

/** Whether a page exists: then it is among the first that follow the beginning of its path. */
const exists = async (path, locale, signal) => {
  const after = [...path].slice(0, -1).join('')
  const { items } = await get('/pages', { locale, limit: '5', after }, signal)
  return items.some((page) => page.path === path)
}
