import { API_PATH } from '../api-path.ts'
import type { AnyRoute, RequestContext, Settings, WikiInfo } from './route.ts'

export interface RequestContextOptions {
  /** Start of links to this API; absent: the wiki address that was called, else `fallbackBase`. */
  baseUrl?: string
  fallbackBase: string
  /** Address of each language's wiki, where configured: `https://en.wiki.example`. */
  wikiAddresses: Readonly<Record<string, string>>
  /** Before what the wiki itself says. */
  licenseUrl?: string
  settings: Settings
  routes: readonly AnyRoute[]
}

/** RFC 6570: `{path}` in the path, `{?a,b}` for what may follow. */
const uriTemplate = ({ path, parameters }: AnyRoute): string => {
  const inQuery = Object.keys(parameters).filter((name) => parameters[name].in === 'query')
  return `${path}${inQuery.length > 0 ? `{?${inQuery.join(',')}}` : ''}`
}

interface RequestContexts {
  /** The host that was called, if it is one of the wiki's; else empty: all others mean the same. */
  requestedHost(host: string | undefined): string
  contextFor(host: string | undefined, wiki: WikiInfo): RequestContext
}

/**
 * What the address that was called decides: the default language and the links to this API. Only hosts
 * that are configured count; any other Host header changes nothing, so that it cannot plant links.
 */
export const makeRequestContexts = (options: RequestContextOptions): RequestContexts => {
  const templates = options.routes.map((route) => [route.name, uriTemplate(route)] as const)
  const addressesByHost = new Map<string, { origin: string; locales: string[] }>()
  for (const [locale, address] of Object.entries(options.wikiAddresses)) {
    const { host, port, protocol, origin } = new URL(address)
    const locales = [...(addressesByHost.get(host)?.locales ?? []), locale]
    addressesByHost.set(host, { origin, locales })
    // Some clients write the port that the scheme implies.
    if (port === '') addressesByHost.set(`${host}:${protocol === 'https:' ? 443 : 80}`, { origin, locales })
  }
  const requestedHost = (host = '') => {
    if (addressesByHost.size === 0) return ''
    const name = host.toLowerCase().replace(/:$/, '') // an empty port is none
    return addressesByHost.has(name) ? name : ''
  }
  /** Places by host, of the wiki as it was read last. */
  const cache = { of: undefined as WikiInfo | undefined, places: new Map<string, RequestContext>() }
  const contextFor = (host: string | undefined, wiki: WikiInfo): RequestContext => {
    if (cache.of !== wiki) {
      cache.of = wiki
      cache.places.clear()
    }
    const name = requestedHost(host)
    const known = cache.places.get(name)
    if (known) return known
    const context = makeContext(name, wiki)
    cache.places.set(name, context)
    return context
  }
  const makeContext = (name: string, wiki: WikiInfo): RequestContext => {
    const address = addressesByHost.get(name)
    const ownLocale = address?.locales.length === 1 ? address.locales[0] : undefined
    const isKnown = wiki.locales.some(({ locale }) => locale === ownLocale)
    const locale = ownLocale !== undefined && isKnown ? ownLocale : wiki.defaultLocale
    const base = options.baseUrl ?? (address ? address.origin + API_PATH : options.fallbackBase)
    return {
      wiki,
      locale,
      base,
      // As a URL writes it: ASCII, fit for a header.
      license: new URL(options.licenseUrl ?? wiki.license ?? wiki.locales[0]?.url ?? base).href,
      settings: options.settings,
      endpoints: Object.fromEntries(templates.map(([name, template]) => [name, base + template])),
    }
  }
  return { requestedHost: requestedHost, contextFor }
}
