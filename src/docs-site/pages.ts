import { API_PATH } from '../paths.ts'
import type { OwnApi } from '../rest/openapi/own-api.ts'
import type { RequestContext } from '../rest/route.ts'
import { type ApiResponse, notFoundMaxAge, weakEtag } from '../rest/transport/responses.ts'
import { assets } from './assets.ts'
import type { Branding } from './branding.ts'
import { guideHtml } from './guide/html.ts'
import { guideMarkdown } from './guide/markdown.ts'
import { landingHtml } from './landing.ts'
import { ASSETS_PATH, DOCS_PAGES, type DocsPageName, rootFrom } from './paths.ts'
import { referenceHtml } from './reference.ts'
import { escapeHtml, fill } from './template.ts'

/** What a page is made of. */
export interface PageRequest {
  name: DocsPageName | 'not-found'
  path: string
  context: RequestContext
  branding: Branding
  /** Absent while the service is overloaded. */
  api?: OwnApi
  /** What the demo reader shows; absent: what the query says. */
  shown?: ShownPage
}

/** A page of the wiki as the head of its HTML describes it. Absent members: those of the demo reader. */
export interface ShownPage {
  status: number
  title?: string
  description?: string
  url?: string
  locale?: string
  /** The page in all its languages. */
  languages?: readonly { locale: string; url: string }[]
}

interface PageDefinition {
  title: string
  /** For search engines and previews of shared links. */
  description: string
  styles: readonly string[]
  /** Modules. */
  scripts: readonly string[]
  /** Directives of its Content-Security-Policy that differ from the common policy. */
  policy?: Readonly<Record<string, string>>
}

const PAGE_DEFINITIONS: Readonly<Record<PageRequest['name'], PageDefinition>> = {
  landing: {
    title: 'Read-only API',
    description:
      'Read the pages, history, search results and recent changes of this wiki as JSON. You need no key and no account.',
    styles: ['code/code.css', 'landing.css'],
    scripts: ['landing.js'],
  },
  'not-found': {
    title: 'Not found',
    description: 'There is no page at this address.',
    styles: ['landing.css'],
    scripts: [],
  },
  guide: {
    title: 'Guide',
    description: 'Pagination, languages, caching, limits, errors and attribution, with examples.',
    styles: ['code/code.css', 'sections/sections.css', 'guide.css'],
    scripts: ['guide.js'],
  },
  reference: {
    title: 'Reference',
    description: 'Every endpoint of the API with its parameters and responses. Try them in the browser.',
    styles: ['code/code.css', 'sections/sections.css', 'reference/reference.css'],
    scripts: ['reference/main.js'],
  },
  reader: {
    title: 'Demo reader',
    description:
      'Search, read and compare pages of this wiki. The demo reader shows what you can build with the API.',
    styles: ['reader.css'],
    scripts: ['reader/main.js'],
    // Images and sounds of pages come from the servers of the wiki.
    policy: { 'img-src': "'self' https: http:", 'media-src': 'https: http:' },
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

const policyOf = ({ policy }: PageDefinition): string =>
  Object.entries({ ...POLICY, ...policy })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ')

/** The response with a page of the documentation site. */
export const docsPageResponse = async (request: PageRequest): Promise<ApiResponse> => {
  const { name, context, shown } = request
  const status = name === 'not-found' ? 404 : (shown?.status ?? 200)
  const body = Buffer.from(await pageHtml(request))
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': 'en',
    'Content-Security-Policy': policyOf(PAGE_DEFINITIONS[name]),
    'Referrer-Policy': 'same-origin',
    ...(status === 503 && { 'Retry-After': '5' }),
  }
  const { cacheSeconds } = context.settings
  return status === 200
    ? { status, headers: { ...headers, ETag: weakEtag(body) }, maxAge: cacheSeconds, body }
    : { status, headers, maxAge: status === 503 ? 0 : notFoundMaxAge(cacheSeconds), isStored: false, body }
}

const pageHtml = async (request: PageRequest): Promise<string> => {
  const { name: page, path, context, branding, api, shown } = request
  const definition = PAGE_DEFINITIONS[page]
  const { wiki, base, license, settings } = context
  const root = rootFrom(path)
  const assetsRoot = `${root}${ASSETS_PATH.slice(1)}${(await assets()).version}/`
  const origin = base.slice(0, -API_PATH.length)
  const name = branding.name ?? wiki.name
  const texts = {
    wiki: name,
    wikiAddress: wiki.locales.find(({ locale }) => locale === context.locale)?.url ?? base,
    ...{ base, license, root },
    licenseName: context.isLicenseKnown ? 'this license' : 'an unknown license',
    assets: assetsRoot,
    site: `${name} API`,
    icon: branding.logo ? root + branding.logo.path.slice(1) : `${assetsRoot}icon.svg`,
    url: shown?.url ?? origin + path,
    title: shown?.title ?? definition.title,
    description: shown?.description || definition.description,
    type: shown?.description === undefined ? 'website' : 'article',
    // Open Graph writes `pt-br` as `pt_BR`.
    locale: (shown?.locale ?? 'en').replace(/-(\w\w)$/, (_, land) => `_${land.toUpperCase()}`),
    shownLocales: shownLocales(context).join(' '),
    limit: limitText(settings.requestsPerMinute),
    mcp: settings.mcpPath === undefined ? '' : `, and MCP at ${origin}${settings.mcpPath}`,
  }
  const styles = definition.styles.map((file) => assetsRoot + file)
  if (branding.stylesPath) styles.push(root + branding.stylesPath.slice(1))
  return fill('layout.html', texts, {
    main: await fill(`${page}.html`, texts, await contentOf(page, context, api)),
    navigation: navigation(page, root),
    brand: brandHtml(name, branding, root),
    image: imageTag(branding, origin),
    translations: (shown?.languages ?? []).map(translationLink).join(''),
    styles: styles.map((url) => `<link rel="stylesheet" href="${url}">`).join('\n'),
    scripts: definition.scripts
      .map((file) => `<script type="module" src="${assetsRoot}${file}"></script>`)
      .join('\n'),
  })
}

const brandHtml = (name: string, { logo }: Branding, root: string): string => {
  const image = logo
    ? `<img src="${root}${logo.path.slice(1)}" width="${logo.width}" height="${logo.height}" alt="">`
    : ''
  return `${image}${escapeHtml(name)}<span> API</span>`
}

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

/** Undefined for a wiki without pages: then the guide shows the sample wiki. */
const guideWiki = async (base: string, api: OwnApi | undefined) => {
  const values = await api?.values()
  return api && values?.page ? { base, values, read: api.read } : undefined
}

const contentOf = async (
  name: PageRequest['name'],
  context: RequestContext,
  api?: OwnApi,
): Promise<Record<string, string>> => {
  if (name === 'landing') return landingHtml(context, api)
  if (name === 'reference') return referenceHtml(context, api)
  if (name === 'guide')
    return guideHtml(await guideMarkdown(await guideWiki(context.base, api)), context.base)
  return {}
}

const LINKS: readonly (readonly [DocsPageName, string])[] = [
  ['guide', 'Guide'],
  ['reference', 'Reference'],
  ['reader', 'Demo reader'],
]

const navigation = (here: PageRequest['name'], root: string): string =>
  LINKS.map(([name, text]) => {
    const current = name === here ? ' aria-current="page"' : ''
    return `<li><a href="${root}${DOCS_PAGES[name].slice(1)}"${current}>${text}</a></li>`
  }).join('')

const limitText = (perMinute: number): string =>
  perMinute === 0
    ? 'No limit'
    : `${perMinute} ${perMinute === 1 ? 'request' : 'requests'} per minute for each network address`
