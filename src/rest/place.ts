import { API_PATH } from './base.ts'
import type { AnyRoute, Place, Settings, WikiInfo } from './route.ts'

export interface PlaceOptions {
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

export interface Places {
  /** The host that was called, if it is one of the wiki's; else empty: all others mean the same. */
  called(host: string | undefined): string
  at(host: string | undefined, wiki: WikiInfo): Place
}

/**
 * What the address that was called decides: the default language and the links to this API. Only hosts
 * that are configured count; any other Host header changes nothing, so that it cannot plant links.
 */
export const makePlaces = (options: PlaceOptions): Places => {
  const templates = options.routes.map((route) => [route.name, uriTemplate(route)] as const)
  const byHost = new Map<string, { origin: string; locales: string[] }>()
  for (const [locale, address] of Object.entries(options.wikiAddresses)) {
    const { host, port, protocol, origin } = new URL(address)
    const locales = [...(byHost.get(host)?.locales ?? []), locale]
    byHost.set(host, { origin, locales })
    // Some clients write the port that the scheme implies.
    if (port === '') byHost.set(`${host}:${protocol === 'https:' ? 443 : 80}`, { origin, locales })
  }
  const calledHost = (host = '') => {
    if (byHost.size === 0) return ''
    const name = host.toLowerCase().replace(/:$/, '') // an empty port is none
    return byHost.has(name) ? name : ''
  }
  /** Places by host, of the wiki as it was read last. */
  const made = { of: undefined as WikiInfo | undefined, places: new Map<string, Place>() }
  const at = (host: string | undefined, wiki: WikiInfo): Place => {
    if (made.of !== wiki) {
      made.of = wiki
      made.places.clear()
    }
    const name = calledHost(host)
    const known = made.places.get(name)
    if (known) return known
    const place = makePlace(name, wiki)
    made.places.set(name, place)
    return place
  }
  const makePlace = (name: string, wiki: WikiInfo): Place => {
    const called = byHost.get(name)
    const ownLocale = called?.locales.length === 1 ? called.locales[0] : undefined
    const isKnown = wiki.locales.some(({ locale }) => locale === ownLocale)
    const locale = ownLocale !== undefined && isKnown ? ownLocale : wiki.defaultLocale
    const base = options.baseUrl ?? (called ? called.origin + API_PATH : options.fallbackBase)
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
  return { called: calledHost, at }
}
