import type { ChangeItem, Included } from './changes.ts'
import { CHECK_BASE, toApiError } from './errors.ts'
import { makeRequester, type Reply, type RequestOptions } from './requests.ts'
import { apiUrl } from './wiki.ts'

/** Which changes are asked for. */
export interface ListOptions<Include extends Included = never> extends RequestOptions {
  /** URL of the API. It ends with `/api/v1`. */
  base: string | URL
  /** The cursor that you stored last, or `now`. Without it, you begin with an empty copy. */
  after?: string | null | undefined
  /** What each page contains besides its title and last revision, such as `markdown`. */
  include?: readonly Include[] | undefined
  /** Only pages of this language. Default: all. */
  locale?: string | undefined
  /** Only pages of this namespace. Default: all. */
  ns?: string | undefined
  /** How many pages a request may bring at most, 1 to 200. Default: 200. */
  limit?: number | undefined
}

/** Changes to apply, and what to store after that. */
export interface Batch<Include extends Included = never> {
  /** Each page at most once, in the state that it has now. Apply them, in any order. */
  items: ChangeItem<Include>[]
  /** Store it when the items are applied, if you can in the same transaction. */
  cursor: string
  /** Whether the copy is what the wiki was a moment ago: no more changes wait. */
  isCurrent: boolean
}

/** @returns the URL of what comes after a cursor, which can be empty */
export const makeUrlAfter = (options: ListOptions<Included>): ((cursor: string) => string) => {
  const { base, include = [], locale, ns, limit = 200 } = options
  const url = new URL(`${apiUrl(base)}/changes`)
  const parameters = { include: include.join(',') || undefined, locale, ns, limit: String(limit) }
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.set(name, value)
  return (cursor) => {
    if (cursor !== '') url.searchParams.set('after', cursor)
    return url.href
  }
}

/**
 * @param giveUpAfter for how long a request is sent again, seconds
 * @returns what reads the part of the list after a cursor. It throws UnknownCursor, ApiError, Unreachable, or the reason
 * of the signal
 */
export const makeListReader = <Include extends Included>(
  options: ListOptions<Include>,
  giveUpAfter: number,
): ((cursor: string) => Promise<Batch<Include>>) => {
  const request = makeRequester({ ...options, giveUpAfter, maxParallel: 1 })
  const urlAfter = makeUrlAfter(options)
  return async (cursor) => {
    const query = { url: urlAfter(cursor), signal: options.signal }
    return parseBatch(await request(query, (received) => parseBatch(received, cursor)), cursor)
  }
}

/**
 * @param before the cursor of the batch before, or empty
 * @throws ApiError if the response is an error, Error if it is not a part of the list
 */
const parseBatch = <Include extends Included>(reply: Reply, before: string): Batch<Include> => {
  if (reply.status !== 200) throw toApiError(reply, jsonOf(reply.text))
  const part = jsonOf(reply.text)
  if (part === undefined)
    throw new Error(`the response is not JSON: ${JSON.stringify(reply.text.slice(0, 100))}. ${CHECK_BASE}`)
  const { items, next, cursor } = Object(part)
  const isValid = Array.isArray(items) && typeof next === 'string' && typeof cursor === 'string'
  // A list that does not go on would never end.
  if (!isValid || cursor === '' || (next !== '' && next === before))
    throw new Error('the response is not a part of the list of changes')
  // A part can end before `limit`: `next` says where.
  return { items, cursor: next === '' ? cursor : next, isCurrent: next === '' }
}

/** The JSON of a text; undefined if it is none. */
const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
