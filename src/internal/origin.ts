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
  const { host = '', origin } = request.headers
  if (!isInternalHost(host, hosts)) throw new BadRequest('Host: is not a name of the internal listener.', 403)
  if (origin !== undefined && hostOf(origin) !== host.toLowerCase()) {
    throw new BadRequest('Origin: pages of other sites may not use the internal listener.', 403)
  }
  // `same-site` is another port of this machine, so another program's page; `none` is the address bar.
  const site = request.headers['sec-fetch-site']
  if (site === 'cross-site' || site === 'same-site') {
    throw new BadRequest('Sec-Fetch-Site: pages of other sites may not use the internal listener.', 403)
  }
}

/** Host and port of an origin, lower case; undefined for `null` and what is none. */
const hostOf = (origin: string): string | undefined =>
  /^https?:\/\/[^/]+$/i.test(origin) ? origin.slice(origin.indexOf('//') + 2).toLowerCase() : undefined

const isInternalHost = (host: string, hosts: readonly string[]): boolean => {
  const name = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d+)?$/i.exec(host)?.[1]?.toLowerCase()
  if (name === undefined) return false
  return isIP(name.replace(/[[\]]/g, '')) !== 0 || !name.includes('.') || hosts.includes(name)
}
