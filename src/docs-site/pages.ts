import etag from 'etag'
import type { ApiResponse } from '../rest/responses.ts'
import type { RequestContext } from '../rest/route.ts'
import { assets } from './assets.ts'
import { guideHtml } from './guide.ts'
import { ASSETS_PATH, DOCS_PAGES, type DocsPageName, rootFrom } from './paths.ts'
import { escapeHtml, fill } from './template.ts'

interface PageKind {
  title: string
  /** For search engines, and for links that are shared. */
  description: string
  styles: readonly string[]
  scripts: readonly string[]
  /** What its policy allows besides what every page may do. */
  policy?: Readonly<Record<string, string>>
}

const KINDS: Readonly<Record<DocsPageName, PageKind>> = {
  landing: {
    title: 'Read-only API',
    description: 'Pages, history, search and recent changes of this wiki as JSON. No key, no sign-up.',
    styles: [],
    scripts: [],
  },
  guide: {
    title: 'Guide',
    description: 'Paging, languages, caching, limits, errors and attribution, with examples.',
    styles: ['guide.css'],
    scripts: ['guide.js'],
  },
  reference: {
    title: 'Reference',
    description: 'Every address of the API, its parameters and answers, to be tried in the browser.',
    styles: ['reference.css'],
    scripts: ['swagger-ui-bundle.js', 'reference.js'],
    // Swagger UI's style sheet has its icons in it.
    policy: { 'img-src': "'self' data:" },
  },
  reader: {
    title: 'Reader',
    description: 'Search, read and compare pages of this wiki: an example of what the API can do.',
    styles: ['reader.css'],
    scripts: ['reader/main.js'],
    // Pictures and sound of pages are where the wiki has them.
    policy: { 'img-src': "'self' https: http:", 'media-src': 'https: http:' },
  },
}

/** Nothing comes from another origin, and nothing that is written into a page runs or styles it. (D51) */
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

const policyOf = ({ policy }: PageKind): string =>
  Object.entries({ ...POLICY, ...policy })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ')

/** A page for people, as it is called at `path`. */
export const docsPageResponse = async (
  name: DocsPageName,
  path: string,
  place: RequestContext,
): Promise<ApiResponse> => {
  const kind = KINDS[name]
  const { wiki, base, license, settings } = place
  const root = rootFrom(path)
  const assetsRoot = `${root}${ASSETS_PATH.slice(1)}${(await assets()).version}/`
  const texts = {
    wiki: wiki.name,
    wikiAddress: wiki.locales.find(({ locale }) => locale === place.locale)?.url ?? base,
    base,
    license,
    root,
    assets: assetsRoot,
    title: kind.title,
    description: kind.description,
    limit: limitText(settings.requestsPerMinute),
  }
  const main = await fill(
    `${name}.html`,
    texts,
    name === 'guide' ? await guideHtml(base) : { languages: languages(place) },
  )
  const body = Buffer.from(
    await fill('layout.html', texts, {
      main,
      navigation: navigation(name, root),
      styles: kind.styles.map((file) => `<link rel="stylesheet" href="${assetsRoot}${file}">`).join('\n'),
      scripts: kind.scripts.map((file) => scriptTag(assetsRoot + file)).join('\n'),
    }),
  )
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Language': 'en',
      'Content-Security-Policy': policyOf(kind),
      'Referrer-Policy': 'same-origin',
      ETag: etag(body, { weak: true }),
    },
    maxAge: settings.cacheSeconds,
    body,
  }
}

/** Ours are modules; a bundle of a package is a plain script, which runs before them. */
const scriptTag = (address: string): string =>
  address.endsWith('-bundle.js')
    ? `<script defer src="${address}"></script>`
    : `<script type="module" src="${address}"></script>`

const LINKS: readonly (readonly [DocsPageName, string])[] = [
  ['guide', 'Guide'],
  ['reference', 'Reference'],
  ['reader', 'Reader'],
]

const navigation = (here: DocsPageName, root: string): string =>
  LINKS.map(([name, text]) => {
    const current = name === here ? ' aria-current="page"' : ''
    return `<li><a href="${root}${DOCS_PAGES[name].slice(1)}"${current}>${text}</a></li>`
  }).join('')

const limitText = (perMinute: number): string =>
  perMinute === 0 ? 'No limit of requests.' : `${perMinute} requests a minute for each address.`

const languages = ({ wiki }: RequestContext): string =>
  wiki.locales
    .map(({ locale, name }) => `<span lang="${escapeHtml(locale)}">${escapeHtml(name)}</span>`)
    .join(', ')
