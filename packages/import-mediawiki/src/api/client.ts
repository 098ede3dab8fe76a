import { ImportError, UsageError } from '@lectern/wiki/errors'
import { quote } from '@lectern/wiki/text'
import { z } from 'zod'
import { growingPause, MEDIAWIKI_API, type PoliteHttp, retryAfterOf } from './http.ts'

export type ApiParameters = Record<string, string | number>

export const apiFlag = z.boolean().default(false)

/** What lists, and pages, tell of a revision. */
export const apiRevision = z.object({
  revid: z.int().positive(),
  parentid: z.int().default(0),
  timestamp: z.string(),
  user: z.string().default(''),
  userhidden: apiFlag,
  comment: z.string().default(''),
  commenthidden: apiFlag,
  sha1hidden: apiFlag,
})

const envelope = z.object({
  error: z.object({ code: z.string(), info: z.string().default('') }).optional(),
  continue: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
})

/** Errors of MediaWiki that pass. */
const TRANSIENT =
  /^(ratelimited|readonly|internal_api_error_(DBQueryError|DBQueryTimeoutError|DBConnectionError|DBUnexpectedError|DBTransactionSizeError|DBReadOnlyError))$/

/** The wiki exists, but its API does not give what is asked for. */
class ApiRefused extends UsageError {
  override name = 'ApiRefused'
}

/** The Action API of a MediaWiki: reads only, as a guest. (D46) */
export class MediawikiApi {
  /** URL of `api.php`. */
  readonly url: string
  readonly #http: PoliteHttp

  constructor(url: string, http: PoliteHttp) {
    this.url = url
    this.#http = http
  }

  get requests(): number {
    return this.#http.requests
  }

  /**
   * One request of `action=query`.
   * @param attempts how often to try it
   * @throws UsageError if the wiki refuses it; ImportError if the response is not what MediaWiki sends
   */
  async query<Schema extends z.ZodType>(
    schema: Schema,
    parameters: ApiParameters,
    attempts: number = MEDIAWIKI_API.attempts,
  ): Promise<{ data: z.output<Schema>; next: ApiParameters | null }> {
    const url = `${this.url}?${queryText(parameters)}`
    let lags = 0
    for (let attempt = 1; ; ) {
      const { status, headers, text } = await this.#http.get(url, { attempts })
      const json = parseJson(text)
      const { data: outer } = envelope.safeParse(json)
      if (outer === undefined || json === null) {
        if (status >= 400) throw refusedByStatus(this.url, status)
        // A proxy or a PHP that ran out of memory can cut a response.
        if (attempt >= attempts)
          throw new ApiRefused(`${quote(this.url)} does not respond as a MediaWiki API does.`)
      } else if (outer.error === undefined) {
        return { data: parse(schema, json, this.url), next: outer.continue ?? null }
      } else if (outer.error.code === 'maxlag') {
        lags += 1
        if (lags >= MEDIAWIKI_API.lagAttempts)
          throw new ApiRefused('The wiki is too busy: its database servers lag behind. Try again later.')
        await this.#http.pause(Math.max(retryAfterOf(headers), growingPause(1)))
        continue
      } else if (!TRANSIENT.test(outer.error.code) || attempt >= attempts) throw refused(outer.error)
      await this.#http.pause(Math.max(retryAfterOf(headers), growingPause(attempt)))
      attempt += 1
    }
  }

  /** Reads a file of the wiki. @throws ImportError if it cannot be read */
  download(url: string): AsyncGenerator<Buffer> {
    return this.#http.download(new URL(url, this.url).href)
  }

  /** Requests one part of a list after the other. @throws as `query` */
  async *list<Schema extends z.ZodType>(
    schema: Schema,
    parameters: ApiParameters,
    start: ApiParameters | null = null,
  ): AsyncGenerator<{ data: z.output<Schema>; next: ApiParameters | null }> {
    let next: ApiParameters | null = start
    do {
      const part = await this.query(schema, { ...parameters, ...next })
      if (part.next !== null && JSON.stringify(part.next) === JSON.stringify(next))
        throw new ImportError('The wiki does not continue its list. A text may be too long for its API.')
      yield part
      next = part.next
    } while (next !== null)
  }
}

const queryText = (parameters: ApiParameters): string =>
  new URLSearchParams({
    action: 'query',
    format: 'json',
    formatversion: '2',
    maxlag: String(MEDIAWIKI_API.maxLag),
    ...Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)])),
  })
    .toString()
    // MediaWiki accepts it as it is, and 50 numbers need it 49 times.
    .replaceAll('%7C', '|')

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const parse = <Schema extends z.ZodType>(schema: Schema, json: unknown, url: string): z.output<Schema> => {
  const result = schema.safeParse(json)
  if (result.success) return result.data
  const { path, message } = result.error.issues[0]!
  throw new ImportError(`${quote(url)} gives an unexpected response: ${path.join('.')}: ${quote(message)}`)
}

const refused = ({ code, info }: { code: string; info: string }): UsageError => {
  if (code === 'readapidenied' || code === 'permissiondenied')
    return new ApiRefused(
      'The wiki is private: its API lets nobody read without a login. Import a dump of it instead (dumpBackup.php --full).',
    )
  return new ApiRefused(`The API of the wiki refuses the request: ${quote(info)} (${quote(code)})`)
}

const refusedByStatus = (url: string, status: number): UsageError => {
  if (status === 401) return new ApiRefused(`${quote(url)} needs a login. Import a dump of the wiki instead.`)
  if (status === 403)
    return new ApiRefused(
      `${quote(url)} refuses the request with status 403. Its API may be disabled, or it wants to know who reads: set --contact to your e-mail address or web page.`,
    )
  return new ApiRefused(`${quote(url)} responds with status ${status}. It is not the API of a MediaWiki.`)
}

/**
 * Divides items into batches, one per request.
 * @param max items of a batch, and their size in all. A larger item is a batch of its own
 */
export function* requestBatches<Item>(
  items: Iterable<Item>,
  max: { items: number; size: number },
  sizeOf: (item: Item) => number,
): Generator<Item[]> {
  let batch: Item[] = []
  let total = 0
  for (const item of items) {
    const size = sizeOf(item)
    if (batch.length > 0 && (batch.length === max.items || total + size > max.size)) {
      yield batch
      batch = []
      total = 0
    }
    batch.push(item)
    total += size
  }
  if (batch.length > 0) yield batch
}
