import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { BadRequest } from '../errors.ts'

/**
 * Refuses what a page of another site could make a browser send to an address that only this machine
 * or network can reach. A foreign page gives itself away by `Origin` or `Sec-Fetch-Site`; a page whose
 * own name was turned to this address (DNS rebinding) by `Host`, which then has a public name.
 * @param hosts names that are served besides addresses, `localhost` and names without a dot; lower case
 * @throws BadRequest 403
 */
export const checkOrigin = (request: IncomingMessage, hosts: readonly string[] = []): void => {
  if (!isInternalHost(request.headers.host, hosts)) throw foreignHost()
  checkSite(request)
}

/**
 * The same for probes and Prometheus, which come under any name that reaches this machine and may read what holds
 * no text of the wiki: a public name in `Host` is refused to browsers alone. Pages can change the value of
 * `Accept-Language`, but a browser never leaves it out (Fetch, 4.4), and neither kubelet nor Prometheus sends it.
 * @param hosts as for `checkOrigin`
 * @throws BadRequest 403
 */
export const checkProbe = (request: IncomingMessage, hosts: readonly string[] = []): void => {
  const isBrowser = BROWSER_HEADERS.some((name) => request.headers[name] !== undefined)
  if (isBrowser && !isInternalHost(request.headers.host, hosts)) throw foreignHost()
  checkSite(request)
}

const BROWSER_HEADERS = ['accept-language', 'sec-fetch-site', 'origin', 'referer'] as const

const foreignHost = (): BadRequest =>
  new BadRequest(
    'Host: is not a name of the internal listener; call it by an address, a name without a dot, or the name in INTERNAL_HOST.',
    403,
  )

/** Refuses what another site's page asks for. */
const checkSite = ({ headers }: IncomingMessage): void => {
  const { host = '', origin } = headers
  if (origin !== undefined && hostOf(origin) !== host.toLowerCase()) {
    throw new BadRequest('Origin: pages of other sites may not use the internal listener.', 403)
  }
  // `same-site` is another port of this machine, so another program's page; `none` is the address bar.
  const site = headers['sec-fetch-site']
  if (site === 'cross-site' || site === 'same-site') {
    throw new BadRequest('Sec-Fetch-Site: pages of other sites may not use the internal listener.', 403)
  }
}

/** Host and port of an origin, lower case; undefined for `null` and what is none. */
const hostOf = (origin: string): string | undefined =>
  /^https?:\/\/[^/]+$/i.test(origin) ? origin.slice(origin.indexOf('//') + 2).toLowerCase() : undefined

const isInternalHost = (host = '', hosts: readonly string[]): boolean => {
  const name = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d+)?$/i.exec(host)?.[1]?.toLowerCase()
  if (name === undefined) return false
  return isIP(name.replace(/[[\]]/g, '')) !== 0 || !name.includes('.') || hosts.includes(name)
}
