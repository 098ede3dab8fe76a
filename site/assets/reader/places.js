/**
 * Where in the reader one is. The query of the address says it, so that it can be linked, kept and gone back to:
 * `?page=…`, `?history=…`, `?category=…`, `?q=…` (each with `locale`), `?edit=…`, `?from=…&to=…`, or nothing.
 * @typedef {{ view: 'home' | 'search' | 'page' | 'history' | 'category' | 'edit' | 'difference',
 *   locale?: string, q?: string, path?: string, key?: string, id?: string, from?: string, to?: string }} Place
 */

/** The parameter that tells a view, and what the view calls its value. */
const BY_PARAMETER = [
  ['page', 'page', 'path'],
  ['history', 'history', 'path'],
  ['category', 'category', 'key'],
  ['edit', 'edit', 'id'],
  ['q', 'search', 'q'],
]

/** @returns {Place} */
export const placeOf = (url) => {
  const query = url.searchParams
  const locale = query.get('locale') ?? undefined
  if (query.get('to'))
    return { view: 'difference', from: query.get('from') ?? undefined, to: query.get('to') }
  for (const [parameter, view, name] of BY_PARAMETER) {
    if (query.get(parameter)) return { view, [name]: query.get(parameter), locale }
  }
  return { view: 'home', locale }
}

/** @param {Place} place */
export const addressOf = (place) => {
  const query = new URLSearchParams()
  for (const [parameter, view, name] of BY_PARAMETER) {
    if (place.view === view) query.set(parameter, place[name])
  }
  if (place.view === 'difference') {
    if (place.from) query.set('from', place.from)
    query.set('to', place.to)
  }
  if (place.locale) query.set('locale', place.locale)
  return `${location.pathname}${query.size > 0 ? `?${query}` : ''}`
}

const FILE = /\.(avif|gif|jpe?g|png|svg|webp|ico|mp3|mp4|ogg|oga|ogv|wav|webm|pdf|zip|gz)$/i

/**
 * Where a link of a page leads within the reader; undefined where it leaves the wiki, or leads to a file.
 * @param {string} href absolute, as the API gives it
 * @param {{ locale: string, url: string }[]} locales each language's address
 * @returns {{ place: Place, hash: string } | undefined}
 */
export const wikiPlace = (href, locales) => {
  const url = new URL(href)
  const bare = url.origin + url.pathname
  // The longest first: one language's address may begin with another's.
  const nearest = locales
    .filter(({ url: start }) => bare.startsWith(start.endsWith('/') ? start : `${start}/`))
    .sort((a, b) => b.url.length - a.url.length)[0]
  if (nearest === undefined || url.search !== '') return undefined
  const { locale } = nearest
  const path = decoded(bare.slice(nearest.url.length).replace(/^\//, ''))
  if (path === undefined || FILE.test(path)) return undefined
  if (path === '') return { place: { view: 'home', locale }, hash: '' }
  const key = /^category:(.+)$/s.exec(path)?.[1]
  const place = key === undefined ? { view: 'page', path, locale } : { view: 'category', key, locale }
  return { place, hash: url.hash }
}

/** Undefined: its escapes are none. */
export const decoded = (text) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
