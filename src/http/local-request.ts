import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { BadRequest } from '@lectern/wiki/errors'
import ipaddr from 'ipaddr.js'

/**
 * Refuses DNS rebinding: a page of another site that makes its own name lead to this machine, so that a browser here
 * sends it requests as if it was that site. Such a request arrives on the loopback interface, but names a public host.
 * Elsewhere, and behind proxies, every host and origin is allowed: the wiki is public there, and the API has no keys.
 * @param hosts host names of the wiki, in lower case
 * @throws BadRequest with status 403
 */
export const checkLocalRequest = (
  { socket, headers }: IncomingMessage,
  { trustedProxies, hosts }: { trustedProxies: number; hosts: ReadonlySet<string> },
): void => {
  if (trustedProxies > 0 || !isLoopbackAddress(socket.localAddress ?? '')) return
  const isAllowed = (host: string | undefined) =>
    host !== undefined && (isLoopbackName(host) || hosts.has(host))
  if (headers.host !== undefined && !isAllowed(hostName(`http://${headers.host}`)))
    throw new BadRequest(
      'Host: is not a name of this machine. If a proxy on this machine forwards requests, set TRUSTED_PROXIES or BASE_URL.',
      403,
    )
  if (headers.origin !== undefined && !isAllowed(hostName(headers.origin)))
    throw new BadRequest('Origin: pages of other sites must not use this MCP server.', 403)
}

/** In lower case; undefined for a text that is no origin, such as `null`. */
const hostName = (origin: string): string | undefined =>
  URL.canParse(origin) ? new URL(origin).hostname.toLowerCase() : undefined

export const isLoopbackName = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || isLoopbackAddress(host.replace(/^\[|\]$/g, ''))

const isLoopbackAddress = (address: string): boolean =>
  isIP(address) !== 0 && ipaddr.process(address).range() === 'loopback'
