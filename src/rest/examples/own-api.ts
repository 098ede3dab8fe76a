import { API_PATH } from '../../api-path.ts'
import { PublicError } from '../../errors.ts'
import type { PageCountsQuery } from '../../generated/queries.ts'
import { memoize } from '../../memoize.ts'
import type { RequestContext } from '../route.ts'
import type { ExampleValues } from './example-values.ts'
import { type KeptValues, makeKeptValues } from './kept-values.ts'
import type { ReadOwnApi } from './own-answer.ts'

/** The API as one page of its own documentation reads it: nothing but what every guest gets. */
export interface OwnApi {
  read: ReadOwnApi
  /** What the examples name. @throws PublicError when the service is overloaded */
  values(): Promise<ExampleValues>
  /** Whether `values` returned first values, because the choice is still being made: then no responses are shown. */
  readonly isFirst: boolean
  /** The languages, and how many pages of the main namespace each has. A number above `PAGES_COUNTED` means more. */
  pageCounts(): Promise<PageCount[]>
}

/** How many pages are counted in each language. */
export const PAGES_COUNTED = 100_000

export type PageCount = PageCountsQuery['wiki']['locales'][number]

export interface OwnApis {
  /** For one page, and not for several. */
  of(context: RequestContext): OwnApi
  /** Chooses what examples name, before anybody asks for them. @throws PublicError when the service is overloaded */
  choose(context: RequestContext): Promise<void>
  /** The wiki changed. */
  invalidate(): void
}

interface ReadResponse {
  status: number
  headers: Readonly<Record<string, string>>
  body: Buffer
}

/**
 * The API for each host of the wiki. (D122, D131)
 * @param readRoute reads a route within this process, within the limits of its class
 * @param readPageCounts the same for the counts of pages, which no route returns
 */
export const makeOwnApis = (
  readRoute: (url: string, host: string) => Promise<ReadResponse>,
  readPageCounts: () => Promise<PageCountsQuery>,
): OwnApis => {
  /** By host; all hosts that are not configured share one. */
  const hosts = new Map<string, { read: ReadOwnApi; kept: KeptValues }>()
  const makeHost = (host: string) => {
    const read: ReadOwnApi = async (url) => {
      const { status, headers, body } = await readRoute(API_PATH + url, host).catch(toResponse)
      return { status, text: body.toString('utf8'), link: headers.Link ?? '' }
    }
    return { read, kept: makeKeptValues(read) }
  }
  const hostOf = ({ host }: RequestContext) => {
    const known = hosts.get(host) ?? makeHost(host)
    hosts.set(host, known)
    return known
  }
  return {
    of: (context) => makeOwnApi(hostOf(context), async () => (await readPageCounts()).wiki.locales),
    choose: (context) => hostOf(context).kept.choose(),
    invalidate: () => {
      for (const { kept } of hosts.values()) kept.invalidate()
    },
  }
}

const makeOwnApi = (
  { read, kept }: { read: ReadOwnApi; kept: KeptValues },
  pageCounts: OwnApi['pageCounts'],
): OwnApi => {
  let isFirst = false
  const values = memoize(async () => {
    const got = await kept.get()
    isFirst = got.isFirst
    return got.values
  })
  return {
    read,
    values,
    pageCounts,
    get isFirst() {
      return isFirst
    },
  }
}

/** Refusals of a request are answers, too. What is wrong with the service is not. */
const toResponse = (error: unknown): ReadResponse => {
  if (!(error instanceof PublicError) || error.status >= 429) throw error
  const { status, code, message, headers } = error
  return { status, headers, body: Buffer.from(JSON.stringify({ error: { code, message } })) }
}
