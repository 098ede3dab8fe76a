import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import proxyaddr from 'proxy-addr'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { RATE_LIMIT_CLIENTS } from '../limits.ts'
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

const clientKeys = new LRUCache<string, string>({ max: RATE_LIMIT_CLIENTS })

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
  /** Whole seconds to wait, at least 1; absent: the request may go on. */
  wait?: number
}

/** Counts a request of an address; a promise only when the limiter has to be asked. */
export type RateLimit = (address: string) => Admission | Promise<Admission>

/** What is known here of a client's window. */
interface Window {
  /** Requests that were drawn from the limiter and not made yet. */
  drawn: number
  /** Requests that the limiter still had when it was last asked. */
  left: number
  /** When it ends, milliseconds since 1970. */
  ends: number
  /** The limiter is being asked; others of this client wait. */
  drawing?: Promise<void>
}

/** One draw takes this part of the limit, so that a busy client's requests rarely ask the limiter. (D47) */
const DRAWS = 60

/**
 * Fixed windows of a minute, one a client, beginning with its first request.
 * @param perMinute requests a minute; 0 turns it off
 */
export const makeRateLimit = (perMinute: number): RateLimit => {
  if (perMinute === 0) return () => ({ headers: [] })
  const limiter = new RateLimiterMemory({ points: perMinute, duration: WINDOW_SECONDS })
  const policy = `"default";q=${perMinute};w=${WINDOW_SECONDS}`
  const most = Math.ceil(perMinute / DRAWS)
  const windows = new LRUCache<string, Window>({ max: RATE_LIMIT_CLIENTS })

  const draw = async (client: string, window: Window): Promise<void> => {
    const wanted = Math.min(most, window.left)
    const result = await limiter.consume(client, wanted).catch((refused: unknown) => {
      if (refused instanceof RateLimiterRes) return refused
      throw refused
    })
    const before = result.consumedPoints - wanted
    window.drawn = Math.max(0, Math.min(wanted, perMinute - before))
    window.left = result.remainingPoints
    window.ends = Date.now() + result.msBeforeNext
  }

  const admission = (window: Window, now: number): Admission => {
    const wait = retryAfter(window.ends - now)
    const isRefused = window.drawn === 0
    if (!isRefused) window.drawn -= 1
    const headers = [
      'RateLimit-Policy',
      policy,
      'RateLimit',
      `"default";r=${window.drawn + window.left};t=${wait}`,
    ]
    return isRefused ? { headers, wait } : { headers }
  }

  const currentWindow = (client: string, now: number): Window => {
    const known = windows.get(client)
    if (known && known.ends > now) return known
    const window = { drawn: 0, left: perMinute, ends: now + WINDOW_SECONDS * 1000 }
    windows.set(client, window)
    return window
  }

  const count = (client: string): Admission | Promise<Admission> => {
    const now = Date.now()
    const window = currentWindow(client, now)
    if (window.drawn > 0 || (window.left === 0 && !window.drawing)) return admission(window, now)
    window.drawing ??= draw(client, window).finally(() => {
      window.drawing = undefined
    })
    return window.drawing.then(() => count(client))
  }
  return (address) => count(clientKey(address))
}
