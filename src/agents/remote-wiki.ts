import { setTimeout as sleep } from 'node:timers/promises'
import { type ReadWiki, ToolFailure, type WikiAnswer } from '@lectern/mcp/wiki-api'
import { UsageError } from '@lectern/wiki/errors'
import { LRUCache } from 'lru-cache'
import { API_PATH } from '../paths.ts'

/**
 * Milliseconds: the longest time of one request, and the longest total wait that a 429 or 503 may cause. Bytes: the
 * longest response, and the cache of responses.
 */
const LIMITS = {
  timeoutMs: 30_000,
  waitMs: 20_000,
  bodyBytes: 64 * 1024 * 1024,
  cacheBytes: 32 * 1024 * 1024,
} as const

/** @returns the base URL of an API, of which a user may give the origin alone @throws UsageError */
export const remoteBase = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(
      `"${text}" is not a URL of a Lectern. Give a URL such as https://wiki.example${API_PATH}.`,
    )
  const path = url.pathname.replace(/\/+$/, '')
  return url.origin + (path.endsWith(API_PATH) ? path : path + API_PATH)
}

/**
 * Reads the API of a Lectern over HTTP. It waits as a 429 or 503 asks, but not for longer than an agent waits for a
 * tool, and keeps responses as long as the service allows: the parts of a long page then need one request.
 * @param version of Lectern
 */
export const makeRemoteWiki = (base: string, version: string, fetchFrom: typeof fetch = fetch): ReadWiki => {
  const answers = new LRUCache<string, WikiAnswer>({
    maxSize: LIMITS.cacheBytes,
    maxEntrySize: LIMITS.cacheBytes / 2,
  })
  const preferences = { Accept: 'application/json', Prefer: 'handling=strict' }
  const request = async (url: string): Promise<{ answer: WikiAnswer; bytes: number; maxAge: number }> => {
    const response = await fetchFrom(base + url, {
      headers: { ...preferences, 'User-Agent': `lectern-mcp/${version}` },
      signal: AbortSignal.timeout(LIMITS.timeoutMs),
    })
    const body = await readBounded(response)
    const { headers, status } = response
    const maxAge = Number(/max-age=(\d+)/.exec(headers.get('cache-control') ?? '')?.[1] ?? 0)
    const link = headers.get('link') ?? undefined
    const retryAfter = headers.get('retry-after') ?? undefined
    return { answer: { status, body: parseJson(body, base), link, retryAfter }, bytes: body.length, maxAge }
  }
  return async (url) => {
    if (DOT_SEGMENT.test(url)) return NOT_FOUND
    const known = answers.get(url)
    if (known) return known
    const deadline = performance.now() + LIMITS.waitMs
    for (;;) {
      const { answer, bytes, maxAge } = await request(url).catch((error: unknown) => {
        throw error instanceof ToolFailure ? error : unreachable(base, error)
      })
      const waitMs = waitOf(answer)
      if (waitMs === undefined || performance.now() + waitMs > deadline) {
        if (answer.status === 200 && maxAge > 0)
          answers.set(url, answer, { ttl: maxAge * 1000, size: bytes + url.length + 1 })
        return answer
      }
      await sleep(waitMs)
    }
  }
}

/** The path `..` of a page, with which `fetch` would request another endpoint. No URL can name such a page. */
const DOT_SEGMENT = /\/\.\.?(?=[/?]|$)/
const NOT_FOUND: WikiAnswer = {
  status: 404,
  body: { error: { code: 'not_found', message: 'There is nothing of this name.' } },
}

/** How long the service asks to wait, milliseconds; undefined if a retry does not help. */
const waitOf = ({ status, retryAfter }: WikiAnswer): number | undefined => {
  if (status !== 429 && status !== 503) return undefined
  const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : 1
  return Math.max(1, seconds) * 1000
}

const unreachable = (base: string, error: unknown): ToolFailure => {
  const { message, cause } = error as Error & { cause?: { message?: string; code?: string } }
  const reason = cause?.code ?? cause?.message ?? message
  return new ToolFailure(`The wiki at ${base} cannot be reached (${reason}). Try again later.`)
}

const readBounded = async (response: Response): Promise<string> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  // The types of Node know its iterator, but those of the DOM do not.
  for await (const chunk of (response.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > LIMITS.bodyBytes) throw new ToolFailure('The response of the wiki is too large.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const parseJson = (text: string, base: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new ToolFailure(`${base} does not answer as a Lectern does. Check the address of the wiki.`)
  }
}
