/* Views of the reader and their URLs: in browsers, and in the service that writes the first view. */

/**
 * A view of the reader, and its parameters. A page, a category or a main page of a language without a website is at
 * its own address. The parameters of other views are in the query, so that users can link to a view, bookmark it and go
 * back to it: `?page=…`, `?history=…`, `?links=…`, `?category=…`, `?q=…` (in all languages with `all=true`), `?pages=all` (each with `locale`),
 * `?recent=all`, `?categories=all`, `?edit=…`, `?from=…&to=…`, or no query. `?pages=guide/` lists the pages whose paths begin so. (D52)
 * @typedef {{ view: 'home' | 'search' | 'pages' | 'recent' | 'categories' | 'page' | 'history' | 'backlinks' | 'category' | 'edit' |
 *   'difference', locale?: string, q?: string, all?: string, path?: string, prefix?: string, key?: string, id?: string, from?: string,
 *   to?: string }} ViewTarget
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

/**
 * The views of URLs, and the URLs of views.
 * @param {{ reader: string, pages: string, shownLocales: string[] }} site `reader` is the URL of the reader; `pages` that
 *   of the pages of `shownLocales`, the languages that have no website
 */
export const makeTargets = ({ reader, pages, shownLocales }) => {
  /** The view of a URL. @param {URL} url @returns {ViewTarget} */
  const targetOf = (url) => {
    if (url.pathname.startsWith(pages)) {
      const [, locale, path] = /^([^/]*)\/?(.*?)\/?$/s.exec(url.pathname.slice(pages.length))
      return targetAt(path, locale.toLowerCase())
    }
    return targetOfQuery(url.searchParams)
  }
  /** The URL of a view. @param {ViewTarget} target */
  const urlOf = (target) => {
    const path = pathOf(target)
    if (path !== undefined && shownLocales.includes(target.locale))
      return `${pages}${target.locale}${path && '/'}${encodedPath(path)}`
    return reader + queryOf(target)
  }
  return { targetOf, urlOf }
}

/** The view that the query of the reader names. @param {URLSearchParams} query @returns {ViewTarget} */
export const targetOfQuery = (query) => {
  const locale = query.get('locale') ?? undefined
  const pages = query.get('pages')
  if (pages) return { view: 'pages', locale, ...(pages.endsWith('/') && { prefix: pages }) }
  for (const view of ['recent', 'categories']) if (query.get(view)) return { view, locale }
  if (query.get('to'))
    return { view: 'difference', from: query.get('from') ?? undefined, to: query.get('to') }
  for (const [parameter, view, name] of BY_PARAMETER) {
    const value = query.get(parameter)
    const all = view === 'search' && query.has('all') ? { all: 'true' } : {}
    if (value) return { view, [name]: value, ...all, locale }
  }
  return { view: 'home', locale }
}

/** The query that names a view. @param {ViewTarget} target @returns {string} with its question mark; empty for the home view */
export const queryOf = (target) => {
  const query = new URLSearchParams()
  for (const [parameter, view, name] of BY_PARAMETER) {
    if (target.view === view) query.set(parameter, target[name])
  }
  if (target.all) query.set('all', target.all)
  if (target.view === 'pages') query.set('pages', target.prefix ?? 'all')
  if (['recent', 'categories'].includes(target.view)) query.set(target.view, 'all')
  if (target.view === 'difference') {
    if (target.from) query.set('from', target.from)
    query.set('to', target.to)
  }
  if (target.locale) query.set('locale', target.locale)
  return query.size > 0 ? `?${query}` : ''
}

/** The path of a view on the wiki. Undefined: it has none, or no URL can express it. */
const pathOf = ({ view, path, key }) =>
  ({ home: '', category: `category:${key}`, page: /^\.\.?$/.test(path) ? undefined : path })[view]

/** As the API writes it. A slash beside a segment that browsers would remove is part of the encoded segment. */
const encodedPath = (path) => {
  const encoded = path.split(/(?<!(?:^|\/)\.{0,2})\/(?!\.{0,2}(?:\/|$))/).map(encodeURIComponent)
  const segments = encoded.map((one) => one.replace(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent))
  return segments.join('/').replaceAll("'", '%27')
}

export const FILE = /\.(avif|gif|jpe?g|png|svg|webp|ico|mp3|mp4|ogg|oga|ogv|wav|webm|pdf|zip|gz)$/i

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
  const target = targetAt(urlPath.slice(language.url.length).replace(/^\//, ''), locale)
  if (target === undefined || FILE.test(target.path)) return undefined
  return { target, hash: target.view === 'home' ? '' : url.hash }
}

/** The view of an encoded path on the wiki. Undefined: its percent-encoding is invalid. */
const targetAt = (encoded, locale) => {
  const path = decoded(encoded)
  if (!path) return path === '' ? { view: 'home', locale } : undefined
  const key = /^category:(.+)$/s.exec(path)?.[1]
  return key === undefined ? { view: 'page', path, locale } : { view: 'category', key, locale }
}

/** The decoded text. Undefined if its percent-encoding is invalid. */
export const decoded = (text) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
