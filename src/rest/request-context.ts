import { Unavailable } from '@lectern/wiki/errors'
import { isLoopbackName } from '../http/local-request.ts'
import { WIKI_INFO_TTL_MS } from '../limits/service.ts'
import { API_PATH, siteRootOf, WIKI_PAGES_PATH } from '../paths.ts'
import { getOrAdd, memoizeFor, memoizeLast } from '../shared/memoize.ts'
import type { AnyRoute, Parameter, RequestContext, Settings, WikiInfo } from './route.ts'

export interface RequestContextOptions {
  /** Start of links to this API. Default: the wiki address that was requested, or else `fallbackBase`. */
  baseUrl?: string
  fallbackBase: string
  /** Origin of each language's wiki, where configured: `https://en.wiki.example`. */
  wikiAddresses: Readonly<Record<string, string>>
  /** Overrides the license that the wiki names. */
  licenseUrl?: string
  /** What those who use the content are asked to do. Default: to credit the wiki and to link the page. */
  attribution?: string
  settings: Settings
  routes: readonly AnyRoute[]
  readWiki: () => Promise<WikiInfo>
}

/** The part of the guide that says what an unknown license means. The wiki itself is not its license. (D6) */
const UNKNOWN_LICENSE = '/docs/guide#an-unknown-license'

/** RFC 6570: `{path}` in the path, `{?a,b*}` for the query, with an asterisk if it can be repeated. */
const uriTemplate = ({ path, parameters }: AnyRoute): string => {
  const inQuery = Object.entries<Parameter>(parameters)
    .filter(([, parameter]) => !parameter.in)
    .map(([name, { readAll }]) => (readAll ? `${name}*` : name))
  return `${path}${inQuery.length > 0 ? `{?${inQuery.join(',')}}` : ''}`
}

const wikisByHost = (addresses: RequestContextOptions['wikiAddresses']) => {
  const wikis = new Map<string, { origin: string; locales: string[] }>()
  for (const [locale, address] of Object.entries(addresses)) {
    const { host, port, protocol, origin } = new URL(address)
    const locales = [...(wikis.get(host)?.locales ?? []), locale]
    wikis.set(host, { origin, locales })
    // Some clients send the default port of the scheme.
    if (port === '') wikis.set(`${host}:${protocol === 'https:' ? 443 : 80}`, { origin, locales })
  }
  return wikis
}

export type RequestContexts = ReturnType<typeof makeRequestContexts>

/** The requested host decides language and links, if it is configured: a forged Host header plants no links. (D6) */
export const makeRequestContexts = (options: RequestContextOptions) => {
  const wikiInfo = memoizeFor(WIKI_INFO_TTL_MS, options.readWiki)
  const templates = options.routes.map((route) => [route.name, uriTemplate(route)] as const)
  const addressesByHost = wikisByHost(options.wikiAddresses)
  /** The requested host if it is one of the wiki's, or else empty: all other hosts mean the same. */
  const knownHost = memoizeLast((host: string) => {
    const name = host.toLowerCase().replace(/:$/, '') // an empty port means the default port
    return addressesByHost.has(name) ? name : ''
  })
  const requestedHost = (host: string | undefined = ''): string => knownHost(host)
  const makeContext = (name: string, wiki: WikiInfo): RequestContext => {
    const address = addressesByHost.get(name)
    const ownLocale = address?.locales.length === 1 ? address.locales[0] : undefined
    const isKnown = wiki.locales.some(({ locale }) => locale === ownLocale)
    const locale = ownLocale !== undefined && isKnown ? ownLocale : wiki.defaultLocale
    const base = options.baseUrl ?? (address ? address.origin + API_PATH : options.fallbackBase)
    const license = options.licenseUrl ?? wiki.license
    return {
      wiki,
      host: name,
      locale,
      base,
      pagesRoot: siteRootOf(options.baseUrl ?? options.fallbackBase) + WIKI_PAGES_PATH,
      // `href` is ASCII, as a header has to be.
      license: new URL(license ?? base + UNKNOWN_LICENSE).href,
      isLicenseKnown: license !== null,
      attribution: options.attribution ?? `Credit ${wiki.name} and link the page (its url).`,
      settings: options.settings,
      endpoints: Object.fromEntries(templates.map(([name, template]) => [name, base + template])),
    }
  }
  /** Contexts by host, of the wiki as it was read last. */
  const cache = { wiki: undefined as WikiInfo | undefined, byHost: new Map<string, RequestContext>() }
  const contextOf = async (host: string | undefined): Promise<RequestContext> => {
    const wiki = await wikiInfo.get()
    if (cache.wiki !== wiki) {
      cache.wiki = wiki
      cache.byHost.clear()
    }
    const name = requestedHost(host)
    return getOrAdd(cache.byHost, name, () => makeContext(name, wiki))
  }
  contextOf(undefined).catch(() => {}) // so that there is one if the database is lost
  /** For pages that need nothing of the database: while it cannot be read, with the wiki as it was read last. */
  const lastContextOf = (host: string | undefined): Promise<RequestContext> =>
    contextOf(host).catch((error: unknown) => {
      if (!(error instanceof Unavailable) || cache.wiki === undefined) throw error
      return { ...makeContext(requestedHost(host), cache.wiki), isLost: true }
    })
  /** Whether links lead to another host than the requested one, because BASE_URL is not set. */
  const isForeign = memoizeLast((host: string): boolean => {
    const url = `http://${host}`
    if (options.baseUrl !== undefined || requestedHost(host) !== '' || !URL.canParse(url)) return false
    return !isLoopbackName(new URL(url).hostname) && new URL(options.fallbackBase).host !== host
  })
  return { requestedHost, contextOf, lastContextOf, isForeign, invalidate: wikiInfo.invalidate }
}
