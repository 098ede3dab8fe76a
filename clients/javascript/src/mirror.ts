import type { ChangeItem, Included } from './changes.ts'
import { makeRequester, type Reply, type RequestOptions } from './requests.ts'
import { makeWaitForChange } from './stream.ts'
import { apiUrl } from './wiki.ts'

/** Options of `mirror`. */
export interface MirrorOptions<Include extends Included = never> extends RequestOptions {
  /** URL of the API. It ends with `/api/v1`. */
  base: string | URL
  /** The cursor that you stored last. Without it, the mirror begins with an empty copy. */
  after?: string | null | undefined
  /** What each page contains besides its title and last revision, such as `markdown`. */
  include?: readonly Include[] | undefined
  /** Only pages of this language. Default: all. */
  locale?: string | undefined
  /** Only pages of this namespace. Default: all. */
  ns?: string | undefined
  /** How many pages a request may bring at most, 1 to 200. Default: 200. */
  limit?: number | undefined
  /**
   * Seconds from one look for changes to the next; from 5 on, a stream tells changes at once, if the service offers it.
   * With it, the mirror never ends. Without it, it ends as soon as the copy is current.
   */
  poll?: number | undefined
  /** Default: 900 without `poll`; with it, the mirror never gives up. */
  giveUpAfter?: number | undefined
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

/** The service answered that a request is wrong. Sending it again does not help. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  /** Such as `bad_parameter`. Empty if the response is not one of the API. */
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/**
 * The service does not know the cursor: its database is another one, or was restored from a backup. Begin again
 * without a cursor, and at the end remove what did not come.
 */
export class UnknownCursor extends ApiError {
  override name = 'UnknownCursor'
}

/**
 * Everything that changed in a wiki, as batches. Apply the items of a batch, then store its cursor. Start again with
 * this cursor after any interruption: at worst, the items of one batch come twice.
 * It sends one request at a time, and survives failures of the network and of the service.
 * @throws UnknownCursor, ApiError; Unreachable, or the ApiError of a 429 or 5xx, after `giveUpAfter`
 */
export async function* mirror<Include extends Included = never>(
  options: MirrorOptions<Include>,
): AsyncGenerator<Batch<Include>, void, void> {
  const { base, after, poll, signal } = options
  const request = makeRequester({
    ...options,
    giveUpAfter: options.giveUpAfter ?? (poll === undefined ? 900 : Number.POSITIVE_INFINITY),
    maxParallel: 1,
  })
  const url = new URL(`${apiUrl(base)}/changes`)
  for (const [name, value] of Object.entries(parametersOf(options)))
    if (value !== undefined) url.searchParams.set(name, value)
  const waitForChange = makeWaitForChange(options)
  let cursor = after ?? ''
  let wasCurrent = false
  for (;;) {
    if (cursor !== '') url.searchParams.set('after', cursor)
    const reply = await request({ url: url.href, signal }, (received) => parseBatch(received, cursor))
    const batch = parseBatch<Include>(reply, cursor)
    if (batch.items.length > 0 || batch.cursor !== cursor || batch.isCurrent !== wasCurrent) yield batch
    cursor = batch.cursor
    wasCurrent = batch.isCurrent
    if (!batch.isCurrent) continue
    if (poll === undefined) return
    url.searchParams.set('after', cursor)
    await waitForChange(url.href, poll)
  }
}

const parametersOf = ({ include = [], locale, ns, limit = 200 }: MirrorOptions<Included>) => ({
  include: include.length === 0 ? undefined : include.join(','),
  locale,
  ns,
  limit: String(limit),
})

/**
 * @param before the cursor of the batch before, or empty
 * @throws ApiError if the response is an error, Error if it is not a part of the list
 */
const parseBatch = <Include extends Included>({ status, text }: Reply, before: string): Batch<Include> => {
  if (status !== 200) throw errorOf(status, text)
  const { items, next, cursor } = JSON.parse(text)
  const isValid = Array.isArray(items) && typeof next === 'string' && typeof cursor === 'string'
  // A list that does not go on would never end.
  if (!isValid || cursor === '' || (next !== '' && next === before))
    throw new Error('the response is not a part of the list of changes')
  // A part can end before `limit`: `next` says where.
  return { items, cursor: next === '' ? cursor : next, isCurrent: next === '' }
}

const errorOf = (status: number, text: string): ApiError => {
  let code = ''
  let message = `status ${status}`
  try {
    const { error } = JSON.parse(text)
    code = String(error.code)
    message = String(error.message)
  } catch {
    // Something between this client and the service answered.
  }
  const isCursor = status === 400 && /^after\b/.test(message)
  return new (isCursor ? UnknownCursor : ApiError)(status, code, message)
}
