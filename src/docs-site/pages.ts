import { hash } from 'node:crypto'
import { formatCount } from '@lectern/wiki/text'
import { siteRootOf, WIKI_PAGES_PATH } from '../paths.ts'
import type { OwnApi } from '../rest/openapi/own-api.ts'
import type { RequestContext } from '../rest/route.ts'
import { type ApiResponse, notFoundMaxAge, textResponse, weakEtag } from '../rest/transport/responses.ts'
import { assets } from './assets.ts'
import type { Branding } from './branding.ts'
import { loadModules, type ShownPage } from './code.ts'
import { guideHtml } from './guide/html.ts'
import { guideMarkdown } from './guide/markdown.ts'
import { landingHtml } from './landing.ts'
import { ASSETS_PATH, DOCS_PAGES, type DocsPageName, mcpUrl, rootFrom } from './paths.ts'
import { referenceHtml } from './reference.ts'
import { escapeHtml, fill, shellFor } from './template.ts'

export interface PageRequest {
  name: DocsPageName | 'not-found' | 'unavailable'
  path: string
  context: RequestContext
  branding: Branding
  /** Absent while the service is overloaded. */
  api?: OwnApi
  /** What the reader shows; absent: what the query says. */
  shown?: ShownPage
}

interface PageDefinition {
  title: string
  /** For search engines and previews of shared links. */
  description: string
  styles: readonly string[]
  script: string
  /** Directives of its Content-Security-Policy that differ from the common policy. */
  policy?: Readonly<Record<string, string>>
}

/** Of pages that consist of a message. */
const MESSAGE = { styles: [], script: 'docs-search.js' }

const PAGE_DEFINITIONS: Readonly<Record<PageRequest['name'], PageDefinition>> = {
  landing: {
    title: 'Read-only API',
    description:
      'Read the pages, history, search results and recent changes of this wiki as JSON. You need no key and no account.',
    styles: ['code/code.css', 'landing.css'],
    script: 'landing.js',
  },
  'not-found': { ...MESSAGE, title: 'Not found', description: 'There is no page at this address.' },
  unavailable: { ...MESSAGE, title: 'Not available', description: 'This wiki is not available now.' },
  guide: {
    title: 'Guide',
    description: 'Pagination, languages, caching, limits, errors and attribution, with examples.',
    styles: ['code/code.css', 'sections/sections.css', 'guide.css'],
    script: 'guide.js',
  },
  reference: {
    title: 'Reference',
    description: 'Every endpoint of the API with its parameters and responses. Try them in the browser.',
    styles: ['code/code.css', 'sections/sections.css', 'reference/reference.css'],
    script: 'reference/main.js',
  },
  reader: {
    title: 'Reader',
    description: 'Search, read and compare pages of this wiki.',
    styles: ['reader.css'],
    script: 'reader/main.js',
    // Images and sounds of pages come from the servers of the wiki; drawings of diagrams from a frame.
    policy: { 'img-src': "'self' https: http: data:", 'media-src': 'https: http:', 'frame-src': "'self'" },
  },
}

/** Forbids other origins, and scripts and styles inside the HTML. (D52) */
const POLICY: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'font-src': "'self'",
  'connect-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
}

/** What a browser needs before it draws a page: in the HTML, it costs no further round trip. */
const inlinedIn = async ({ name, path, branding, shown }: PageRequest) => {
  const { version, byPath } = await assets()
  const folder = `${ASSETS_PATH}${version}/`
  const root = rootFrom(path) + folder.slice(1)
  const read = (file: string) => byPath.get(folder + file)!.response.body.toString('utf8')
  const files = ['site.css', ...PAGE_DEFINITIONS[name].styles].map(read).join('') + branding.styles
  const styles = files.replaceAll('url(', `url(${root}`) + branding.ownStyles
  const script = read('before-paint.js')
  const sourceOf = (text: string) => `'self' 'sha256-${hash('sha256', text, 'base64')}'`
  const module = root + PAGE_DEFINITIONS[name].script
  // The reader draws with its module what is not in the HTML. Elsewhere, the text comes first.
  const [now, later] =
    name === 'reader' && !shown?.content
      ? [`<script type="module" src="${module}"></script>\n`, '']
      : ['', ` data-module="${module}"`]
  return {
    html: `${now}<script${later}>${script}</script>\n<style>${styles}</style>\n`,
    policy: { 'script-src': sourceOf(script), 'style-src': sourceOf(styles) },
  }
}

const STATUSES: Partial<Record<PageRequest['name'], number>> = { 'not-found': 404, unavailable: 503 }

export const docsPageResponse = async (request: PageRequest): Promise<ApiResponse> => {
  const { name, context, shown } = request
  const status = STATUSES[name] ?? shown?.status ?? 200
  const inlined = await inlinedIn(request)
  const body = Buffer.from(await pageHtml(request, inlined.html))
  const policy = Object.entries({ ...POLICY, ...PAGE_DEFINITIONS[name].policy, ...inlined.policy })
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': languageOf(request),
    'Content-Security-Policy': policy.map((directive) => directive.join(' ')).join('; '),
    'Referrer-Policy': 'same-origin',
  }
  const { cacheSeconds } = context.settings
  const notNow = { ...headers, 'Retry-After': '5', 'Cache-Control': 'no-store' }
  if (status === 503) return { status, headers: notNow, isStored: false, body }
  return status === 200
    ? { status, headers: { ...headers, ETag: weakEtag(body) }, maxAge: cacheSeconds, body }
    : { status, headers, maxAge: notFoundMaxAge(cacheSeconds), isStored: false, body }
}

/** The links around pages that can lead to the page itself. */
const CURRENT = [...Object.keys(DOCS_PAGES), 'pages', 'recent', 'categories']

const languageOf = ({ name, shown, context }: PageRequest): string =>
  name === 'reader' ? (shown?.locale ?? context.locale) : 'en'

const pageHtml = async (request: PageRequest, inlined: string): Promise<string> => {
  const { name: page, path, context, branding, shown } = request
  const definition = PAGE_DEFINITIONS[page]
  const { wiki, base, settings } = context
  const root = rootFrom(path)
  const assetsRoot = `${root}${ASSETS_PATH.slice(1)}${(await assets()).version}/`
  const origin = siteRootOf(base)
  const name = shown?.name ?? branding.name ?? wiki.name
  const { inLanguage, fontLinks } = await loadModules()
  const { lang, dir } = inLanguage(languageOf(request))
  const { language, texts: words = {}, say } = await shellFor(lang)
  const title = shown?.title ?? definition.title
  const start = shownLocales(context).includes(lang) ? `${WIKI_PAGES_PATH}${lang}` : DOCS_PAGES.reader
  const brand = logoTag(branding, root) + escapeHtml(name) + (page === 'reader' ? '' : '<span> API</span>')
  const texts = {
    home: root + (page === 'reader' ? start.slice(1) : ''),
    lang,
    dir,
    base,
    root,
    assets: assetsRoot,
    shellLang: language,
    wiki: name,
    q: shown?.q ?? '',
    search: say('Search {0}').replace('{0}', () => name),
    words: JSON.stringify(language === 'en' ? {} : words),
    language: (wiki.locales.length > 1 && wiki.locales.find(({ locale }) => locale === lang)?.name) || '',
    site: page === 'reader' ? name : `${name} API`,
    icon: branding.logo ? root + branding.logo.path.slice(1) : `${assetsRoot}icon.svg`,
    url: shown?.url ?? origin + path.replace(/(?<=.)\/$/, ''),
    title,
    fullTitle: title === name ? name : `${title} · ${name}`,
    description: shown?.description || definition.description,
    type: shown?.description === undefined ? 'website' : 'article',
    // Open Graph writes `pt-br` as `pt_BR`.
    locale: lang.replace(/-(\w\w)$/, (_, land) => `_${land.toUpperCase()}`),
    shownLocales: shownLocales(context).join(' '),
    limit: limitText(settings.requestsPerMinute),
    ...Object.fromEntries(CURRENT.map((one) => [one, [page, shown?.view].includes(one) ? 'page' : 'false'])),
  }
  const credit = {
    0: link(wiki.locales.find((one) => one.locale === context.locale)?.url ?? base, name),
    1: link(context.license, say('this license')),
  }
  const footer = context.isLicenseKnown ? 'footer.html' : page === 'reader' ? '' : 'unlicensed.html'
  const header = page === 'reader' ? 'reader-header.html' : 'header.html'
  const html = {
    main: await fill(`${page}.html`, texts, await contentOf(request, texts, say), say),
    header: await fill(header, texts, { brand, menu: shown?.menu ?? '' }, say),
    image: imageTag(branding, origin),
    translations: (shown?.languages ?? []).map(translationLink).join(''),
    inlined,
    fonts: fontLinks(lang, shown?.content?.article ?? '', assetsRoot),
    footer: footer && (await fill(footer, { root }, credit, say)),
  }
  return fill('layout.html', texts, html, say)
}

const link = (url: string, text: string): string => `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`

const logoTag = ({ logo }: Branding, root: string): string =>
  logo ? `<img src="${root}${logo.path.slice(1)}" width="${logo.width}" height="${logo.height}" alt="">` : ''

/** The image of a shared link. Previews show no SVG. */
const imageTag = ({ logo }: Branding, origin: string): string =>
  logo?.path.endsWith('.png')
    ? `<meta property="og:image" content="${escapeHtml(origin + logo.path)}">\n`
    : ''

/** The languages whose pages this service shows itself. */
export const shownLocales = ({ wiki, pagesRoot }: RequestContext): string[] =>
  wiki.locales.filter(({ locale, url }) => url === pagesRoot + locale).map(({ locale }) => locale)

const translationLink = ({ locale, url }: { locale: string; url: string }): string =>
  `<link rel="alternate" hreflang="${escapeHtml(locale)}" href="${escapeHtml(url)}">\n`

/** The guide as Markdown. While the service is overloaded, it shows the sample wiki. */
const guideOf = async (context: RequestContext, api: OwnApi | undefined): Promise<string> => {
  const { base } = context
  return guideMarkdown(api && { base, values: await api.values(), read: api.read }, mcpUrl(context))
}

export const guideTextResponse = async (context: RequestContext, api?: OwnApi) => {
  const text = await guideOf(context, api)
  return textResponse(text, 'text/markdown; charset=utf-8', context.settings.cacheSeconds)
}

const contentOf = async (
  { name, context, api, shown }: PageRequest,
  texts: Record<string, string>,
  say: (text: string) => string,
): Promise<Record<string, string>> => {
  if (name === 'reader') {
    const { content, html: view = '', tree = '', hasCategories } = shown ?? {}
    const { id, heading = escapeHtml(texts.title!), ...html } = content ?? {}
    const { dir } = (await loadModules()).inLanguage(texts.lang!, heading)
    const h1 = `<h1 lang="${texts.lang}" dir="${dir}"${id ? ` id="${id}"` : ''}>${heading}</h1>`
    const main = await fill(content ? 'page.html' : 'loading.html', texts, { ...html, h1, view }, say)
    return { content: main, tree, categories: hasCategories === false ? 'categories none' : 'categories' }
  }
  if (name === 'landing') return landingHtml(context, api)
  if (name === 'reference') return referenceHtml(context, api)
  if (name === 'guide') return guideHtml(await guideOf(context, api), context.base)
  return {}
}

const limitText = (perMinute: number): string =>
  perMinute === 0 ? 'No limit' : `${formatCount(perMinute, 'request')} per minute for each network address`
