import { makeLimit, pauseUntil } from './waiting.ts'

/** How requests are sent, and what happens when one fails. All times are seconds. */
export interface RequestOptions {
  /** Replaces the global `fetch`, for example to use a proxy. */
  fetch?: ((url: string, init: { headers: Headers; signal: AbortSignal }) => Promise<Response>) | undefined
  /** Headers of every request, such as `User-Agent`. In a browser, each of them costs a preflight. */
  headers?: Record<string, string> | undefined
  /** Ends everything: the running request and all pauses. */
  signal?: AbortSignal | undefined
  /** Without a byte for this time, a request has failed. Default: 30. */
  idleTimeout?: number | undefined
  /** Pause after the first failure. It doubles with each further one, up to 60. Default: 1. */
  firstPause?: number | undefined
  /** For how long a request is sent again and again before it fails for good. */
  giveUpAfter?: number | undefined
  /** Called before each pause after a failure. */
  onRetry?: ((retry: Retry) => void) | undefined
}

/** Why a request is sent again, and when. */
export interface Retry {
  /** What failed, for people. */
  reason: string
  /** How often the request has failed. */
  attempts: number
  /** Pause until the next attempt, seconds. */
  pause: number
}

/** A GET request. */
export interface Query {
  url: string
  headers?: Headers | undefined
  /** Ends this request and its pauses. */
  signal?: AbortSignal | undefined
}

/** A response that was received to its end. */
export interface Reply {
  status: number
  headers: Headers
  bytes: Uint8Array
  /** The bytes as UTF-8. */
  readonly text: string
}

interface Failure {
  reason: string
  cause?: unknown | undefined
  /** Seconds that the service asked to wait. */
  retryAfter?: number | undefined
  reply?: Reply | undefined
}

type Attempt = { reply: Reply } | { failure: Failure }

/** No response, although the request was sent again for as long as it may be. */
export class Unreachable extends Error {
  override name = 'Unreachable'
}

/** No byte came for too long. */
export class Silence extends Error {}

const LONGEST_PAUSE = 60
/** Whether the same request can succeed after a response with this status. */
export const isTemporary = (status: number): boolean => status >= 500 || [408, 425, 429].includes(status)

/**
 * What sends GET requests until each has a response: after failures of the network, and after 429 and 5xx, it waits
 * and sends the request again. It waits as long as `Retry-After` says, and where `RateLimit` says that nothing is
 * left, until there is something left again. While one request waits, the others wait too.
 * @param isValid throws if a response with status 200 is not what was asked for, such as the page of a proxy
 * @returns for a request its response, whatever its status is
 * @throws Unreachable if there was none within `giveUpAfter`
 */
export const makeRequester = (
  options: RequestOptions & { maxParallel: number },
): ((query: Query, isValid: (reply: Reply) => void) => Promise<Reply>) => {
  const { firstPause = 1, giveUpAfter = 60, onRetry } = options
  const limit = makeLimit(options.maxParallel)
  let opensAt = 0
  const close = (seconds: number) => {
    opensAt = Math.max(opensAt, performance.now() + seconds * 1000)
  }
  return (query, isValid) =>
    limit(async () => {
      const startedAt = performance.now()
      for (let attempts = 1; ; attempts += 1) {
        while (performance.now() < opensAt) await pauseUntil(opensAt, query.signal)
        const attempt = await send(query, options, isValid)
        if ('reply' in attempt) {
          close(secondsUntilQuota(attempt.reply.headers))
          return attempt.reply
        }
        const { failure } = attempt
        const pause = pauseAfter(attempts, firstPause, failure.retryAfter)
        if (performance.now() + pause * 1000 > startedAt + giveUpAfter * 1000) {
          if (failure.reply) return failure.reply
          throw new Unreachable(`${query.url}: ${failure.reason}`, { cause: failure.cause })
        }
        onRetry?.({ reason: failure.reason, attempts, pause })
        close(pause)
      }
    })
}

/** One attempt. @throws the reason of `signal` when it is aborted */
const send = async (
  query: Query,
  options: RequestOptions,
  isValid: (reply: Reply) => void,
): Promise<Attempt> => {
  let reply: Reply
  try {
    reply = await receive(query, options)
  } catch (cause) {
    query.signal?.throwIfAborted()
    return { failure: { reason: messageOf(cause), cause } }
  }
  if (isTemporary(reply.status))
    return {
      failure: {
        reason: `status ${reply.status}`,
        retryAfter: retryAfterOf(reply.headers),
        reply,
      },
    }
  try {
    if (reply.status === 200) isValid(reply)
  } catch (cause) {
    return { failure: { reason: messageOf(cause), cause } }
  }
  return { reply }
}

/** Sends a request, and receives its response to the end. */
const receive = async (query: Query, options: RequestOptions): Promise<Reply> => {
  const { response, next, close } = await openExchange(query, options)
  try {
    const chunks: Uint8Array[] = []
    for (let chunk = await next(); chunk !== undefined; chunk = await next()) chunks.push(chunk)
    const bytes = joined(chunks)
    return {
      status: response.status,
      headers: response.headers,
      bytes,
      get text() {
        return new TextDecoder().decode(bytes)
      },
    }
  } finally {
    close()
  }
}

/** A response whose body has not been read. */
export interface Exchange {
  response: Response
  /**
   * The next bytes of the body, undefined at its end.
   * @param idle seconds to wait for them @throws Silence if none come
   */
  next(idle?: number): Promise<Uint8Array | undefined>
  /** Ends the request. */
  close(): void
}

/** Sends a request. @throws Silence if nothing comes for `idleTimeout`, the reason of `signal` */
export const openExchange = async (
  { url, headers, signal }: Query,
  options: RequestOptions,
): Promise<Exchange> => {
  const { idleTimeout = 30, fetch = (...values) => globalThis.fetch(...values) } = options
  const sent = new Headers(headers)
  for (const [name, value] of Object.entries(options.headers ?? {})) sent.set(name, value)
  const controller = new AbortController()
  const stop = () => controller.abort(signal?.reason)
  signal?.throwIfAborted()
  signal?.addEventListener('abort', stop, { once: true })
  const close = () => {
    signal?.removeEventListener('abort', stop)
    controller.abort()
  }
  // While the caller works on what came, no time runs.
  const within = async <Result>(idle: number, received: Promise<Result> | undefined) => {
    const lost = () => controller.abort(new Silence(`nothing came for ${idle} s`))
    const timer = setTimeout(lost, idle * 1000)
    return Promise.resolve(received).finally(() => clearTimeout(timer))
  }
  try {
    const response = await within(idleTimeout, fetch(url, { headers: sent, signal: controller.signal }))
    const reader = response!.body?.getReader()
    const next = async (idle = idleTimeout) => (await within(idle, reader?.read()))?.value
    return { response: response!, next, close }
  } catch (error) {
    close()
    throw error
  }
}

const joined = (chunks: readonly Uint8Array[]): Uint8Array => {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/** `fetch failed` alone says nothing; its cause names the host or the port. */
export const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? error.cause.message : ''
  return cause === '' ? error.message : `${error.message}: ${cause}`
}

/**
 * Pause before the next attempt, seconds. Its random part keeps clients apart that were refused at the same time.
 * @param told what `Retry-After` says
 */
export const pauseAfter = (attempts: number, first: number, told = 0): number => {
  if (told >= 1) return told + Math.random() * Math.min(told / 10, 5)
  const longest = Math.min(first * 2 ** (attempts - 1), LONGEST_PAUSE)
  return longest * (0.5 + Math.random() / 2)
}

/** Seconds in `Retry-After`, which may also be a date. */
export const retryAfterOf = (headers: Headers): number | undefined => {
  const value = headers.get('Retry-After') ?? ''
  if (/^\s*\d{1,9}\s*$/.test(value)) return Number(value)
  const seconds = (Date.parse(value) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : seconds
}

/** Seconds until the service answers again, from a header such as `RateLimit: "default";r=0;t=12`. */
const secondsUntilQuota = (headers: Headers): number => {
  const value = headers.get('RateLimit') ?? ''
  return /;\s*r=0\b/.test(value) ? Number(/;\s*t=(\d{1,6})\b/.exec(value)?.[1] ?? 0) : 0
}
