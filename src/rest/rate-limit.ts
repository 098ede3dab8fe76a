import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import proxyaddr from 'proxy-addr'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { RateLimited } from '../errors.ts'
import type { HeaderList } from './send.ts'

const WINDOW_SECONDS = 60

/**
 * The client's address, as many proxies back as are trusted; X-Forwarded-For counts for nothing else.
 * @param trustedProxies how many proxies stand before this server
 */
export const clientAddress = (request: IncomingMessage, trustedProxies: number): string => {
  if (trustedProxies === 0) return request.socket.remoteAddress ?? ''
  const address = proxyaddr(request, (_, hop) => hop < trustedProxies)
  return ipaddr.isValid(address) ? address : (request.socket.remoteAddress ?? '')
}

const clientKeys = new LRUCache<string, string>({ max: 10_000 })

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

export interface Admission {
  /** What the answer says of the limit. */
  headers: HeaderList
  /** Absent: the request may go on. */
  refusal?: RateLimited
}

/** Counts a request of an address. */
export type RateLimit = (address: string) => Promise<Admission>

/**
 * Fixed windows of a minute, one a client, beginning with its first request.
 * @param perMinute requests a minute; 0 turns it off
 */
export const makeRateLimit = (perMinute: number): RateLimit => {
  if (perMinute === 0) return async () => ({ headers: [] })
  const limiter = new RateLimiterMemory({ points: perMinute, duration: WINDOW_SECONDS })
  const policy = `"default";q=${perMinute};w=${WINDOW_SECONDS}`
  return async (address) => {
    const result = await limiter.consume(clientKey(address)).catch((refused: unknown) => {
      if (refused instanceof RateLimiterRes) return refused
      throw refused
    })
    const seconds = retryAfter(result.msBeforeNext)
    const headers = [
      'RateLimit-Policy',
      policy,
      'RateLimit',
      `"default";r=${result.remainingPoints};t=${seconds}`,
    ]
    return result.consumedPoints > perMinute ? { headers, refusal: new RateLimited(seconds) } : { headers }
  }
}
