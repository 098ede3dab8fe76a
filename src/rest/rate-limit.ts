import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import proxyaddr from 'proxy-addr'
import { CLIENT_KEY_CACHE_SIZE, DOCS_SITE_REQUESTS_PER_MINUTE, RATE_WINDOW_MS } from '../limits.ts'
import { type Consume, type Consumption, makeFixedWindow } from '../rate/fixed-window.ts'
import type { HeaderList } from './send.ts'
import type { Site } from './site.ts'

/** The longest address is 45 characters; a zone, which IPv6 lets follow, is as long as its writer likes. */
const ADDRESS_LENGTH = 64

/**
 * The client's address, as many proxies back as are trusted; X-Forwarded-For counts for nothing else.
 * @param trustedProxies how many proxies stand before this server
 */
export const clientAddress = (request: IncomingMessage, trustedProxies: number): string => {
  if (trustedProxies === 0) return request.socket.remoteAddress ?? ''
  // A connection that was reset already has no address, which the types of proxy-addr do not say.
  const address: string = proxyaddr(request, (_, hop) => hop < trustedProxies) ?? ''
  return address.length <= ADDRESS_LENGTH && ipaddr.isValid(address)
    ? address
    : (request.socket.remoteAddress ?? '')
}

const clientKeys = new LRUCache<string, string>({ max: CLIENT_KEY_CACHE_SIZE })

/** One client: an IPv4 address, or the /64 of an IPv6 address, which one household or host has to itself. */
export const clientKey = (address: string): string => {
  const known = clientKeys.get(address)
  if (known !== undefined) return known
  const key = readClientKey(address)
  clientKeys.set(address, key)
  return key
}

const readClientKey = (address: string): string => {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${parsed.toByteArray().slice(0, 8).join('.')}/64`
}

/**
 * Seconds a refused client must wait: whole, at least 1.
 * @param ms time until the window opens again, milliseconds
 * @see contract, Errors: 429
 */
export const retryAfter = (ms: number): number => Math.max(1, Math.ceil(ms / 1000))

export interface RateLimitResult {
  /** What the answer says of the limit. */
  headers: HeaderList
  /** Whole seconds to wait, at least 1; absent: the request may go on. */
  retryAfterSeconds?: number
}

/** Counts a request of an IP address. Returns a promise only if another process counts. */
type RateLimit = (address: string) => RateLimitResult | Promise<RateLimitResult>

/**
 * The rate limits of the public listener: one for the API, and one for the documentation site. (D52)
 * @param perMinute requests per minute of the API; 0 turns both limits off
 */
export const makeRateLimits = (
  perMinute: number,
  consume: Consume,
  site: Pick<Site, 'owns'>,
): ((url: string, address: string) => RateLimitResult | Promise<RateLimitResult>) => {
  const limitApi = makeRateLimit(perMinute, consume)
  const sitePerMinute = perMinute === 0 ? 0 : DOCS_SITE_REQUESTS_PER_MINUTE
  let limitSite: RateLimit | undefined
  return (url, address) => {
    if (!site.owns(url)) return limitApi(address)
    limitSite ??= makeRateLimit(sitePerMinute, makeFixedWindow(), 'site') // its window takes 2 MB, and 16 ms to make
    return limitSite(address)
  }
}

/**
 * Fixed windows of a minute, one a client, beginning with its first request.
 * @param perMinute requests a minute; 0 turns it off
 * @param count keeps the windows
 * @param name by which the headers call it
 */
export const makeRateLimit = (
  perMinute: number,
  count: Consume = makeFixedWindow(),
  name = 'default',
): RateLimit => {
  if (perMinute === 0) return () => ({ headers: [] })
  const policy = `"${name}";q=${perMinute};w=${RATE_WINDOW_MS / 1000}`
  const admission = ({ requests, msLeft }: Consumption): RateLimitResult => {
    const retryAfterSeconds = retryAfter(msLeft)
    const headers = [
      'RateLimit-Policy',
      policy,
      'RateLimit',
      `"${name}";r=${Math.max(0, perMinute - requests)};t=${retryAfterSeconds}`,
    ]
    return requests > perMinute ? { headers, retryAfterSeconds } : { headers }
  }
  return (address) => {
    const used = count(clientKey(address))
    return used instanceof Promise ? used.then(admission) : admission(used)
  }
}
