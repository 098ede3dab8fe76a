import { API_PATH } from '../../api-path.ts'
import { PublicError } from '../../errors.ts'
import type { PageCountsQuery } from '../../generated/queries.ts'
import { memoizeFor } from '../../memoize.ts'
import type { RequestContext } from '../route.ts'
import { chooseValues } from './choose-values.ts'
import type { ExampleValues } from './example-values.ts'
import type { ReadOwnApi } from './own-answer.ts'

/** The API as its own documentation reads it: nothing but what every guest gets. */
export interface OwnApi {
  read: ReadOwnApi
  /** What the examples name. @throws PublicError when the service is overloaded */
  values(): Promise<ExampleValues>
  /** The languages, and how many pages of the main namespace each has. A number above `PAGES_COUNTED` means more. */
  pageCounts(): Promise<PageCount[]>
}

/** How many pages are counted in each language. */
export const PAGES_COUNTED = 100_000

export type PageCount = PageCountsQuery['wiki']['locales'][number]

/** How long values are used without a notice of a change, milliseconds. */
const VALUES_TTL_MS = 10 * 60_000

interface OwnApis {
  of(context: RequestContext): OwnApi
  /** The wiki changed: values are chosen anew when they are needed. */
  invalidate(): void
}

interface ReadResponse {
  status: number
  headers: Readonly<Record<string, string>>
  body: Buffer
}

/**
 * The API for each host of the wiki. Values are chosen once until the wiki changes. (D122)
 * @param readRoute reads a route within this process, within the limits of its class
 * @param readPageCounts the same for the counts of pages, which no route returns
 */
export const makeOwnApis = (
  readRoute: (url: string, host: string) => Promise<ReadResponse>,
  readPageCounts: () => Promise<PageCountsQuery>,
): OwnApis => {
  /** By host; all hosts that are not configured share one. */
  const apis = new Map<string, OwnApi & { invalidate(): void }>()
  const makeOwnApi = (host: string) => {
    const read: ReadOwnApi = async (url) => {
      const { status, headers, body } = await readRoute(API_PATH + url, host).catch(toResponse)
      return { status, text: body.toString('utf8'), link: headers.Link ?? '' }
    }
    const { get: values, invalidate } = memoizeFor(VALUES_TTL_MS, () => chooseValues(read))
    const pageCounts = async () => (await readPageCounts()).wiki.locales
    return { read, values, pageCounts, invalidate }
  }
  return {
    of: ({ host }) => {
      const api = apis.get(host) ?? makeOwnApi(host)
      apis.set(host, api)
      return api
    },
    invalidate: () => {
      for (const api of apis.values()) api.invalidate()
    },
  }
}

/** Refusals of a request are answers, too. What is wrong with the service is not. */
const toResponse = (error: unknown): ReadResponse => {
  if (!(error instanceof PublicError) || error.status >= 429) throw error
  const { status, code, message, headers } = error
  return { status, headers, body: Buffer.from(JSON.stringify({ error: { code, message } })) }
}
