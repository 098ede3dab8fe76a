import type { IncomingMessage } from 'node:http'
import { isIPv4 } from 'node:net'
import { RateLimited } from '@lectern/wiki/errors'
import ipaddr from 'ipaddr.js'
import proxyaddr from 'proxy-addr'
import { RATE_WINDOW_MS } from '../../limits/service.ts'
import type { Consume, Consumption } from '../../rate/fixed-window.ts'
import { getOrAdd, memoizeLast } from '../../shared/memoize.ts'
import type { HeaderList } from '../transport/responses.ts'

/** The longest IP address has 45 characters. An IPv6 zone after it could have any length. */
const ADDRESS_LENGTH_MAX = 64

/** What some proxies write, such as the gateways of Azure: `192.0.2.1:5555`, `[2001:db8::1]:443`. */
const WITH_PORT = /^(?:\[([\da-f:.]{1,45})\]|([\d.]{1,15}))(?::\d{1,5})?$/i

/**
 * The IP address of the client: the one that the first of the trusted proxies saw. All other entries of
 * X-Forwarded-For are ignored.
 * @param trustedProxies how many proxies stand before this server
 */
export const clientAddress = (request: IncomingMessage, trustedProxies: number): string => {
  if (trustedProxies === 0) return plainAddress(request.socket.remoteAddress)
  // The address is undefined after the connection was reset, against the types of proxy-addr.
  const written: string = proxyaddr(request, (_, hop) => hop < trustedProxies) ?? ''
  const [, ipv6, ipv4] = WITH_PORT.exec(written) ?? []
  const address = ipv6 ?? ipv4 ?? written
  return address.length <= ADDRESS_LENGTH_MAX && ipaddr.isValid(address)
    ? plainAddress(address)
    : plainAddress(request.socket.remoteAddress)
}

/** An IPv4 address as people write it: a socket that listens on IPv6, too, has it as `::ffff:192.0.2.1`. */
export const plainAddress = (address = ''): string =>
  address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address

/** A client as people write it: its IPv4 address, or the /64 network of its IPv6 address, which one household or host owns. */
export const clientKey = memoizeLast((address: string): string => {
  if (isIPv4(address) || !ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${new ipaddr.IPv6([...(parsed as ipaddr.IPv6).parts.slice(0, 4), 0, 0, 0, 0])}/64`
})

/**
 * How many seconds a refused client must wait: whole, at least 1.
 * @param ms time until the window ends, milliseconds
 * @see contract, Errors: 429
 */
export const retryAfter = (ms: number): number => Math.max(1, Math.ceil(ms / 1000))

const refusals = new Map<number, RateLimited>()

/** One error for each second of a window: a stack trace per refused request would add to the load. */
export const rateLimited = (seconds: number): RateLimited =>
  getOrAdd(refusals, seconds, () => new RateLimited(seconds))

export interface RateLimitResult {
  headers: HeaderList
  /** How long to wait: whole seconds, at least 1. Absent if the request is within the limit. */
  retryAfterSeconds?: number
}

/** Counts a request of a client, by its key. Returns a promise only if another process counts. */
type RateLimit = (client: string) => RateLimitResult | Promise<RateLimitResult>

/**
 * A rate limit with fixed windows of a minute. The window of a client begins with its first request.
 * @param perMinute requests per minute; 0 turns the limit off
 * @param consume counts requests in the windows
 * @param name name of the limit in the headers
 */
export const makeRateLimit = (perMinute: number, consume: Consume, name = 'default'): RateLimit => {
  if (perMinute === 0) return () => ({ headers: [] })
  const policy = `"${name}";q=${perMinute};w=${RATE_WINDOW_MS / 1000}`
  const toResult = ({ requests, msLeft }: Consumption): RateLimitResult => {
    const retryAfterSeconds = retryAfter(msLeft)
    const limit = `"${name}";r=${Math.max(0, perMinute - requests)};t=${retryAfterSeconds}`
    const headers = ['RateLimit-Policy', policy, 'RateLimit', limit]
    return requests > perMinute ? { headers, retryAfterSeconds } : { headers }
  }
  return (client) => {
    const consumption = consume(client)
    return consumption instanceof Promise ? consumption.then(toResult) : toResult(consumption)
  }
}
