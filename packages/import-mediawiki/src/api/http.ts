import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { FileLeftOut, ImportError, UsageError } from '@lectern/wiki/errors'
import { type RangeOf, WebClient, type WebResponse } from '@lectern/wiki/import/web-client'
import { quote } from '@lectern/wiki/text'

export interface HttpOptions {
  /** URL of the wiki, as the operator named it. */
  source: string
  userAgent: string
  /** Tests replace it. */
  rangeOf?: RangeOf
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
export class WikiUnreachable extends UsageError {
  override name = 'WikiUnreachable'
}

const NO_TLS = 'The server does not speak TLS there. If the URL is that of plain HTTP, begin it with http://.'

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
  EPROTO: NO_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
}

const REFUSED = 'It refuses the connection. Check the URL, and that the server runs.'

const CERTIFICATE_ADVICE =
  ' If you trust an authority of your own, name its certificate in NODE_EXTRA_CA_CERTS.'

/** Sends GET requests to a wiki, one at a time. Repeats those that may succeed later, with growing pauses. */
export class PoliteHttp {
  readonly #headers: Record<string, string>
  readonly #web: WebClient
  readonly pause: (ms: number) => Promise<unknown>
  /** Requests so far. */
  requests = 0

  constructor({ source, userAgent, rangeOf, pause = wait }: HttpOptions) {
    this.#web = new WebClient(source, rangeOf)
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
        failure = code === 'ECONNREFUSED' ? REFUSED : message
      }
      if (attempt >= attempts) throw new WikiUnreachable(unreachable(url, failure))
      await this.pause(Math.max(retryAfterMs, growingPause(attempt)))
    }
  }

  /** Reads a file as a stream. @throws ImportError if it cannot be read to its end */
  async *download(url: string): AsyncGenerator<Buffer> {
    try {
      for (let attempt = 1; ; attempt += 1) {
        const { status, headers, body } = await this.#open(url)
        if (status === 200) {
          yield* body as AsyncIterable<Buffer>
          return
        }
        body.destroy()
        if ((status !== 429 && status < 500) || attempt >= MEDIAWIKI_API.attempts)
          throw new FileLeftOut(`the wiki responds with status ${status}`)
        await this.pause(Math.max(retryAfterOf(headers), growingPause(attempt)))
      }
    } catch (error) {
      if (error instanceof ImportError) throw error
      throw new ImportError(`${quote(url)}: ${causeOf(error).message}`)
    }
  }

  async #send(start: string, maxBytes: number, isCut: boolean): Promise<HttpResponse> {
    const { body, ...response } = await this.#open(start)
    return { ...response, text: await readText(body, maxBytes, isCut) }
  }

  /** Sends a request, and follows redirects. */
  async #open(start: string): Promise<WebResponse & { url: string }> {
    const signal = AbortSignal.timeout(MEDIAWIKI_API.timeoutMs)
    let url = start
    for (let redirects = 0; ; redirects += 1) {
      this.requests += 1
      const response = await this.#web.get(new URL(url), { headers: this.#headers, signal })
      const location = response.headers.get('location')
      if (response.status < 300 || response.status >= 400 || location === null) return { ...response, url }
      response.body.destroy()
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

const readText = async (body: Readable, maxBytes: number, isCut: boolean): Promise<string> => {
  const chunks: Buffer[] = []
  let bytes = 0
  // Leaving the loop early destroys the response.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes && !isCut)
      throw new UsageError(`A response of the wiki has more than ${maxBytes} bytes.`)
    chunks.push(chunk)
    if (bytes > maxBytes) break
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

const causeOf = (error: unknown): { code: string; message: string } => {
  const { name, code = '', message, errors } = error as NodeJS.ErrnoException & { errors?: Error[] }
  if (name === 'AbortError')
    return { code: '', message: `It did not respond within ${MEDIAWIKI_API.timeoutMs / 1000} seconds.` }
  // An attempt of several addresses has a message for each, and none itself.
  const reason = message || (errors?.[0]?.message ?? code)
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

/**
 * Requests to the Action API of a MediaWiki. (D46)
 *
 * `revisions` with texts, `titles` and `listed` items without texts of one request are what MediaWiki allows guests.
 * `titlesLength`: characters of titles in one URL, because servers accept 8,000. `textBytes`: texts of one request. `responseBytes`: MediaWiki's own limit is 8 MB by default; in JSON, a byte can
 * become six. `htmlBytes`: how much of a web page is searched for the URL of the API.
 * `attempts` and `lagAttempts`: how often a request that fails, or that a busy server refuses, is sent.
 * Milliseconds: `timeoutMs` of one request; the pause after the first failure, which doubles up to the longest one;
 * and the longest pause that a server can ask for.
 */
export const MEDIAWIKI_API = {
  revisions: 50,
  titles: 50,
  titlesLength: 4_000,
  listed: 500,
  textBytes: 4 * 1024 * 1024,
  responseBytes: 64 * 1024 * 1024,
  htmlBytes: 1024 * 1024,
  redirects: 5,
  attempts: 8,
  lagAttempts: 60,
  timeoutMs: 120_000,
  firstPauseMs: 1_000,
  longestPauseMs: 60_000,
  longestRetryAfterMs: 300_000,
  /** Replication lag of the wiki's database at which it refuses requests of programs, seconds. */
  maxLag: 5,
} as const
/**
 * Following a MediaWiki. `overlapMs`: how far before the last reading the next one looks again, because events appear
 * late. `checkRequests`: requests of one round that compare older revisions. `comparedRevisions` of one request: what
 * MediaWiki allows guests. `wholeRevisions` and `changedRevisions`:
 * the most revisions of a complete reading and of a round, which memory holds as numbers. `logEvents`: events of the
 * overlap that the state names. `moves`: moves that a complete reading remembers. (D46)
 */
export const MEDIAWIKI_FOLLOWING = {
  overlapMs: 300_000,
  checkRequests: 2,
  comparedRevisions: 500,
  wholeRevisions: 10_000_000,
  changedRevisions: 200_000,
  logEvents: 2_000,
  moves: 100_000,
} as const

/** Limits of one round, which tests make smaller. */
export type RoundLimits = Record<'overlapMs' | 'checkRequests' | 'comparedRevisions', number>
