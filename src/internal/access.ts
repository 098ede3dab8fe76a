import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { BadRequest } from '@lectern/wiki/errors'

/**
 * Refuses requests that a page of another site makes a browser on this machine or network send. `Origin` or `Sec-Fetch-Site`
 * shows a foreign page, `Host` shows DNS rebinding: it then contains the public name of that page. (D10)
 * @param hosts allowed host names, besides IP addresses and names without a dot, in lower case
 * @param options.isProbe of an endpoint without text of the wiki, which probes and Prometheus request under any name of this
 * machine. So only browsers are refused for a public name in `Host`. `Accept-Language` identifies a browser: pages can
 * change its value, but a browser always sends it (Fetch, 4.4), and neither kubelet nor Prometheus does.
 * @throws BadRequest with status 403
 */
export const checkOrigin = (
  { headers }: IncomingMessage,
  hosts: readonly string[] = [],
  { isProbe = false }: { isProbe?: boolean } = {},
): void => {
  const { host = '', origin } = headers
  const isBrowser = BROWSER_HEADERS.some((name) => headers[name] !== undefined)
  if ((isBrowser || !isProbe) && !isInternalHost(host, hosts))
    throw new BadRequest(
      'Host: is not a name of the internal listener. Use an IP address, a name without a dot, or the name in INTERNAL_HOST.',
      403,
    )
  if (origin !== undefined && hostOf(origin) !== host.toLowerCase())
    throw new BadRequest('Origin: pages of other sites must not use the internal listener.', 403)
  // `same-site` is a page on another port of this machine, so of another program. `none` is the address bar.
  const site = headers['sec-fetch-site']
  if (site === 'cross-site' || site === 'same-site')
    throw new BadRequest('Sec-Fetch-Site: pages of other sites must not use the internal listener.', 403)
}

const BROWSER_HEADERS = ['accept-language', 'sec-fetch-site', 'origin', 'referer'] as const

/** Host and port of an origin, in lower case. Undefined for `null`, and for text that is not an origin. */
const hostOf = (origin: string): string | undefined =>
  /^https?:\/\/[^/]+$/i.test(origin) ? origin.slice(origin.indexOf('//') + 2).toLowerCase() : undefined

const isInternalHost = (host: string, hosts: readonly string[]): boolean => {
  const name = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d+)?$/i.exec(host)?.[1]?.toLowerCase()
  if (name === undefined) return false
  return isIP(name.replace(/[[\]]/g, '')) !== 0 || !name.includes('.') || hosts.includes(name)
}

/** The longest body of a webhook, bytes. Code hosts send at most 25 MB. */
const BODY_BYTES_MAX = 25 * 1024 ** 2

/**
 * Reads the request of a webhook, and checks that it knows the secret: by the signature of its body, as GitHub, Gitea
 * and Forgejo send it, by the token of GitLab, or by `Authorization: Bearer`. The body is not stored.
 * @param secret absent: every request that reaches the internal listener may ask
 * @throws BadRequest with status 401 if it does not, with status 413 for a long body
 */
export const checkWebhook = async (request: IncomingMessage, secret: string | undefined): Promise<void> => {
  const hmac = createHmac('sha256', secret ?? '')
  let bytes = 0
  // To its end: many clients read no response before they have sent all. The time of a request is bounded.
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= BODY_BYTES_MAX) hmac.update(chunk)
  }
  if (bytes > BODY_BYTES_MAX) throw new BadRequest('The body is too long.', 413)
  if (secret === undefined) return
  const signature = hmac.digest('hex')
  const accepted = {
    'x-hub-signature-256': `sha256=${signature}`,
    'x-gitea-signature': signature,
    'x-forgejo-signature': signature,
    'x-gitlab-token': secret,
    authorization: `Bearer ${secret}`,
  }
  if (!Object.entries(accepted).some(([name, expected]) => isEqual(request.headers[name], expected)))
    throw new BadRequest(
      'The request has no valid signature. Give the webhook the secret that FOLLOW_SECRET contains.',
      401,
    )
}

/** Compares without revealing by its time how much is equal. */
const isEqual = (actual: string | string[] | undefined, expected: string): boolean => {
  if (typeof actual !== 'string') return false
  const [a, b] = [actual, expected].map((text) => createHash('sha256').update(text).digest())
  return timingSafeEqual(a!, b!)
}
