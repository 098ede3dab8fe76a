import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { BadRequest } from '../errors.ts'

/**
 * Refuses requests that a page of another site makes a browser send. A browser on this machine or network can reach
 * the internal listener, although such a page cannot. `Origin` or `Sec-Fetch-Site` shows a foreign page. `Host` shows
 * DNS rebinding, because it then contains the public name of that page. (D12)
 * @param hosts allowed host names, besides IP addresses and names without a dot, in lower case
 * @throws BadRequest with status 403
 */
export const checkOrigin = (request: IncomingMessage, hosts: readonly string[] = []): void => {
  if (!isInternalHost(request.headers.host, hosts)) throw foreignHost()
  checkSite(request)
}

/**
 * The same check for endpoints without text of the wiki, which probes and Prometheus request under any name of this
 * machine. So only browsers are refused for a public name in `Host`. `Accept-Language` identifies a browser: pages can
 * change its value, but a browser always sends it (Fetch, 4.4), and neither kubelet nor Prometheus does.
 * @param hosts as for `checkOrigin`
 * @throws BadRequest with status 403
 */
export const checkProbe = (request: IncomingMessage, hosts: readonly string[] = []): void => {
  const isBrowser = BROWSER_HEADERS.some((name) => request.headers[name] !== undefined)
  if (isBrowser && !isInternalHost(request.headers.host, hosts)) throw foreignHost()
  checkSite(request)
}

const BROWSER_HEADERS = ['accept-language', 'sec-fetch-site', 'origin', 'referer'] as const

const foreignHost = (): BadRequest =>
  new BadRequest(
    'Host: is not a name of the internal listener. Use an IP address, a name without a dot, or the name in INTERNAL_HOST.',
    403,
  )

/** @throws BadRequest with status 403 for a request from a page of another site */
const checkSite = ({ headers }: IncomingMessage): void => {
  const { host = '', origin } = headers
  if (origin !== undefined && hostOf(origin) !== host.toLowerCase()) {
    throw new BadRequest('Origin: pages of other sites must not use the internal listener.', 403)
  }
  // `same-site` is a page on another port of this machine, so of another program. `none` is the address bar.
  const site = headers['sec-fetch-site']
  if (site === 'cross-site' || site === 'same-site') {
    throw new BadRequest('Sec-Fetch-Site: pages of other sites must not use the internal listener.', 403)
  }
}

/** Host and port of an origin, in lower case. Undefined for `null`, and for text that is not an origin. */
const hostOf = (origin: string): string | undefined =>
  /^https?:\/\/[^/]+$/i.test(origin) ? origin.slice(origin.indexOf('//') + 2).toLowerCase() : undefined

const isInternalHost = (host = '', hosts: readonly string[]): boolean => {
  const name = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d+)?$/i.exec(host)?.[1]?.toLowerCase()
  if (name === undefined) return false
  return isIP(name.replace(/[[\]]/g, '')) !== 0 || !name.includes('.') || hosts.includes(name)
}
