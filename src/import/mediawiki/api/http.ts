import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as wait } from 'node:timers/promises'
import { UsageError } from '../../../errors.ts'
import { quote } from '../../../wiki/text.ts'
import { MEDIAWIKI_API } from './limits.ts'

export interface HttpOptions {
  userAgent: string
  /** Waits; tests replace it. */
  pause?: (ms: number) => Promise<unknown>
}

interface HttpResponse {
  /** Where the response came from, after redirects. */
  url: string
  status: number
  headers: Headers
  text: string
}

/** A wiki cannot be reached. */
class WikiUnreachable extends UsageError {
  override name = 'WikiUnreachable'
}

/** Retrying does not help against these, unlike a connection that breaks. */
const PERMANENT: Record<string, string> = {
  ENOTFOUND: 'No server has this name. Check the URL.',
  CERT_HAS_EXPIRED: 'Its certificate has expired.',
  CERT_NOT_YET_VALID: 'Its certificate is not valid yet. Check the clock of this machine.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Its certificate is not signed by a known authority.',
  SELF_SIGNED_CERT_IN_CHAIN: 'Its certificate is not signed by a known authority.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'Its certificate is not signed by a known authority.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'Its certificate is not signed by a known authority.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another name.',
}

const CERTIFICATE_ADVICE =
  ' If you trust an authority of your own, name its certificate in NODE_EXTRA_CA_CERTS.'

/** Sends GET requests to a wiki, one at a time. Repeats those that may succeed later, with growing pauses. */
export class PoliteHttp {
  readonly #headers: Record<string, string>
  readonly pause: (ms: number) => Promise<unknown>
  /** Requests so far. */
  requests = 0

  constructor({ userAgent, pause = wait }: HttpOptions) {
    this.#headers = { 'user-agent': userAgent }
    this.pause = pause
  }

  /**
   * @param maxBytes of the response, decompressed; a longer one is an error, or cut if `isCut`
   * @throws WikiUnreachable if the wiki cannot be reached, after several attempts
   */
  async get(
    url: string,
    {
      maxBytes = MEDIAWIKI_API.responseBytes as number,
      isCut = false,
      attempts = MEDIAWIKI_API.attempts as number,
    } = {},
  ): Promise<HttpResponse> {
    for (let attempt = 1; ; attempt += 1) {
      let failure: string
      let retryAfterMs = 0
      try {
        const response = await this.#send(url, maxBytes, isCut)
        if (response.status !== 429 && response.status < 500) return response
        failure = `It responds with status ${response.status}.`
        // Some errors of MediaWiki come with status 5xx, and say more in their JSON.
        if (attempt >= attempts || response.headers.has('mediawiki-api-error')) return response
        retryAfterMs = retryAfterOf(response.headers)
      } catch (error) {
        if (error instanceof UsageError) throw error
        const { code, message } = causeOf(error)
        const permanent = PERMANENT[code]
        const advice = /CERT|SIGNATURE/.test(code) ? CERTIFICATE_ADVICE : ''
        if (permanent !== undefined) throw new WikiUnreachable(unreachable(url, permanent + advice))
        failure = message
      }
      if (attempt >= attempts) throw new WikiUnreachable(unreachable(url, failure))
      await this.pause(Math.max(retryAfterMs, growingPause(attempt)))
    }
  }

  async #send(start: string, maxBytes: number, isCut: boolean): Promise<HttpResponse> {
    const signal = AbortSignal.timeout(MEDIAWIKI_API.timeoutMs)
    let url = start
    for (let redirects = 0; ; redirects += 1) {
      this.requests += 1
      const response = await fetch(url, { headers: this.#headers, redirect: 'manual', signal })
      const location = response.headers.get('location')
      if (response.status < 300 || response.status >= 400 || location === null) {
        const text = await readText(response, maxBytes, isCut)
        return { url, status: response.status, headers: response.headers, text }
      }
      await response.body?.cancel()
      if (redirects === MEDIAWIKI_API.redirects) throw new UsageError(`${quote(start)} redirects too often.`)
      const next = parseUrl(location, url)
      if (next === null)
        throw new UsageError(`${quote(start)} redirects to ${quote(location)}, which is not a web address.`)
      url = next.href
    }
  }
}

/** The pause after an attempt that failed, milliseconds. */
export const growingPause = (attempt: number): number =>
  Math.min(MEDIAWIKI_API.firstPauseMs * 2 ** (attempt - 1), MEDIAWIKI_API.longestPauseMs)

/** How long the server asks to wait, milliseconds; 0 if it does not ask. */
export const retryAfterOf = (headers: Headers): number => {
  const text = headers.get('retry-after') ?? ''
  const ms = /^\d+$/.test(text)
    ? Number(text) * 1000
    : Date.parse(text) - Date.parse(headers.get('date') ?? '')
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), MEDIAWIKI_API.longestRetryAfterMs) : 0
}

const readText = async (response: Response, maxBytes: number, isCut: boolean): Promise<string> => {
  if (response.body === null) return ''
  const chunks: Uint8Array[] = []
  let bytes = 0
  // Leaving the loop early cancels the response.
  for await (const chunk of Readable.fromWeb(response.body as ReadableStream)) {
    bytes += chunk.length
    if (bytes > maxBytes && !isCut)
      throw new UsageError(`A response of the wiki has more than ${maxBytes} bytes.`)
    chunks.push(chunk)
    if (bytes > maxBytes) break
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

const causeOf = (error: unknown): { code: string; message: string } => {
  const { name, message, cause } = error as Error
  const { code = '', message: reason = message } = (cause ?? {}) as { code?: string; message?: string }
  if (name === 'TimeoutError')
    return { code: '', message: `It did not respond within ${MEDIAWIKI_API.timeoutMs / 1000} seconds.` }
  return { code, message: `${reason}${reason.endsWith('.') ? '' : '.'}` }
}

const unreachable = (url: string, reason: string): string =>
  `Cannot reach ${quote(parseUrl(url)?.host ?? url)}. ${reason}`

/** @returns null if it is not a URL with http or https */
export const parseUrl = (text: string, base?: string): URL | null => {
  if (!URL.canParse(text, base)) return null
  const url = new URL(text, base)
  return /^https?:$/.test(url.protocol) ? url : null
}
