/**
 * A view of the demo reader, and its parameters. They are in the query of the URL, so that users can link to a view,
 * bookmark it and go back to it: `?page=…`, `?history=…`, `?links=…`, `?category=…`, `?q=…`, `?pages=all` (each with `locale`),
 * `?edit=…`, `?from=…&to=…`, or no query. (D52)
 * @typedef {{ view: 'home' | 'search' | 'pages' | 'page' | 'history' | 'backlinks' | 'category' | 'edit' | 'difference',
 *   locale?: string, q?: string, path?: string, key?: string, id?: string, from?: string, to?: string }} ViewTarget
 */

/** Query parameter, view, and the name of the view's parameter. */
const BY_PARAMETER = [
  ['page', 'page', 'path'],
  ['history', 'history', 'path'],
  ['links', 'backlinks', 'path'],
  ['category', 'category', 'key'],
  ['edit', 'edit', 'id'],
  ['q', 'search', 'q'],
]

/** The view of a URL of the demo reader. @returns {ViewTarget} */
export const targetOf = (url) => {
  const query = url.searchParams
  const locale = query.get('locale') ?? undefined
  if (query.get('pages')) return { view: 'pages', locale }
  if (query.get('to'))
    return { view: 'difference', from: query.get('from') ?? undefined, to: query.get('to') }
  for (const [parameter, view, name] of BY_PARAMETER) {
    if (query.get(parameter)) return { view, [name]: query.get(parameter), locale }
  }
  return { view: 'home', locale }
}

/** The URL of a view. @param {ViewTarget} target */
export const urlOf = (target) => {
  const query = new URLSearchParams()
  for (const [parameter, view, name] of BY_PARAMETER) {
    if (target.view === view) query.set(parameter, target[name])
  }
  if (target.view === 'pages') query.set('pages', 'all')
  if (target.view === 'difference') {
    if (target.from) query.set('from', target.from)
    query.set('to', target.to)
  }
  if (target.locale) query.set('locale', target.locale)
  return `${location.pathname}${query.size > 0 ? `?${query}` : ''}`
}

const FILE = /\.(avif|gif|jpe?g|png|svg|webp|ico|mp3|mp4|ogg|oga|ogv|wav|webm|pdf|zip|gz)$/i

/**
 * The view for a link to a page of the wiki. Undefined if the link leaves the wiki, or leads to a file.
 * @param {string} href absolute URL, as the API returns it
 * @param {{ locale: string, url: string }[]} locales the languages with their URLs
 * @returns {{ target: ViewTarget, hash: string } | undefined}
 */
export const targetOfWikiUrl = (href, locales) => {
  const url = new URL(href)
  const urlPath = url.origin + url.pathname
  // The longest URL first, because the URL of one language can begin with that of another.
  const language = locales
    .filter(({ url: start }) => urlPath.startsWith(start.endsWith('/') ? start : `${start}/`))
    .sort((a, b) => b.url.length - a.url.length)[0]
  if (language === undefined || url.search !== '') return undefined
  const { locale } = language
  const path = decoded(urlPath.slice(language.url.length).replace(/^\//, ''))
  if (path === undefined || FILE.test(path)) return undefined
  if (path === '') return { target: { view: 'home', locale }, hash: '' }
  const key = /^category:(.+)$/s.exec(path)?.[1]
  const target = key === undefined ? { view: 'page', path, locale } : { view: 'category', key, locale }
  return { target, hash: url.hash }
}

/** The decoded text. Undefined if its percent-encoding is invalid. */
export const decoded = (text) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
