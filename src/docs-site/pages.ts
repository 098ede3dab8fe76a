import etag from 'etag'
import type { OwnApi } from '../rest/examples/own-api.ts'
import type { ApiResponse } from '../rest/responses.ts'
import type { RequestContext } from '../rest/route.ts'
import { assets } from './assets.ts'
import { guideHtml } from './guide/html.ts'
import { guideMarkdown } from './guide/markdown.ts'
import { ASSETS_PATH, DOCS_PAGES, type DocsPageName, rootFrom } from './paths.ts'
import { referenceHtml } from './reference/reference.ts'
import { escapeHtml, fill } from './template.ts'

interface PageDefinition {
  title: string
  /** For search engines and previews of shared links. */
  description: string
  styles: readonly string[]
  scripts: readonly string[]
  /** Directives of its Content-Security-Policy that differ from the common policy. */
  policy?: Readonly<Record<string, string>>
}

const PAGE_DEFINITIONS: Readonly<Record<DocsPageName, PageDefinition>> = {
  landing: {
    title: 'Read-only API',
    description:
      'Read the pages, history, search results and recent changes of this wiki as JSON. You need no key and no account.',
    styles: [],
    scripts: [],
  },
  guide: {
    title: 'Guide',
    description: 'Pagination, languages, caching, limits, errors and attribution, with examples.',
    styles: ['code/code.css', 'sections/sections.css', 'guide.css'],
    scripts: ['code/before-paint.js', 'guide.js'],
  },
  reference: {
    title: 'Reference',
    description: 'Every endpoint of the API with its parameters and responses. Try them in the browser.',
    styles: ['code/code.css', 'sections/sections.css', 'reference/reference.css'],
    scripts: ['code/before-paint.js', 'reference/main.js'],
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

/** Forbids other origins, and scripts and styles inside the HTML. (D123) */
const POLICY: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'connect-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
}

const policyOf = ({ policy }: PageDefinition): string =>
  Object.entries({ ...POLICY, ...policy })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ')

/** The response with a page of the documentation site. @param path the requested path */
export const docsPageResponse = async (
  name: DocsPageName,
  path: string,
  context: RequestContext,
  api?: OwnApi,
): Promise<ApiResponse> => {
  const definition = PAGE_DEFINITIONS[name]
  const { wiki, base, license, settings } = context
  const root = rootFrom(path)
  const assetsRoot = `${root}${ASSETS_PATH.slice(1)}${(await assets()).version}/`
  const texts = {
    wiki: wiki.name,
    wikiAddress: wiki.locales.find(({ locale }) => locale === context.locale)?.url ?? base,
    base,
    license,
    root,
    assets: assetsRoot,
    title: definition.title,
    description: definition.description,
    limit: limitText(settings.requestsPerMinute),
  }
  const main = await fill(`${name}.html`, texts, await contentOf(name, context, api))
  const body = Buffer.from(
    await fill('layout.html', texts, {
      main,
      navigation: navigation(name, root),
      styles: definition.styles
        .map((file) => `<link rel="stylesheet" href="${assetsRoot}${file}">`)
        .join('\n'),
      scripts: definition.scripts.map((file) => scriptTag(assetsRoot + file)).join('\n'),
    }),
  )
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Language': 'en',
      'Content-Security-Policy': policyOf(definition),
      'Referrer-Policy': 'same-origin',
      ETag: etag(body, { weak: true }),
    },
    maxAge: settings.cacheSeconds,
    body,
  }
}

/** Undefined for a wiki without pages: its guide shows the sample wiki. */
const guideWiki = async (base: string, api: OwnApi | undefined) => {
  const values = await api?.values()
  return api && values?.page && { base, values, read: api.read }
}

/** Scripts are modules, except the one that must run before the page is drawn. */
const scriptTag = (url: string): string =>
  url.endsWith('/before-paint.js')
    ? `<script src="${url}"></script>`
    : `<script type="module" src="${url}"></script>`

/** The HTML in the template of a page. */
const contentOf = async (
  name: DocsPageName,
  context: RequestContext,
  api?: OwnApi,
): Promise<Record<string, string>> => {
  if (name === 'reference') return referenceHtml(context, api)
  if (name === 'guide')
    return guideHtml(await guideMarkdown(await guideWiki(context.base, api)), context.base)
  return { languages: languages(context) }
}

const LINKS: readonly (readonly [DocsPageName, string])[] = [
  ['guide', 'Guide'],
  ['reference', 'Reference'],
  ['reader', 'Demo reader'],
]

const navigation = (here: DocsPageName, root: string): string =>
  LINKS.map(([name, text]) => {
    const current = name === here ? ' aria-current="page"' : ''
    return `<li><a href="${root}${DOCS_PAGES[name].slice(1)}"${current}>${text}</a></li>`
  }).join('')

const limitText = (perMinute: number): string =>
  perMinute === 0
    ? 'No limit'
    : `${perMinute} ${perMinute === 1 ? 'request' : 'requests'} per minute for each network address`

const languages = ({ wiki }: RequestContext): string =>
  wiki.locales
    .map(({ locale, name }) => `<span lang="${escapeHtml(locale)}">${escapeHtml(name)}</span>`)
    .join(', ')
