import { searchOf } from './folders.js'

/** Base URL of the API. */
const API = new URL(document.querySelector('.reader').dataset.api, document.baseURI).href

/** An error response of the API. */
export class ApiError extends Error {
  /**
   * @param {number | undefined} retryAfter seconds to wait before the next attempt, if the API names them
   * @param {string | undefined} successor URL of the page to which the requested one moved
   */
  constructor(status, message, retryAfter, successor) {
    super(message)
    this.status = status
    this.retryAfter = retryAfter
    this.successor = successor
  }
}

/** There was no response. */
export class NetworkError extends Error {}

/**
 * A request and its response. `body` is undefined if the response is not JSON.
 * @typedef {{ url: string, status: number, bytes: number, ms: number, body?: unknown }} ApiCall
 */

/** @type {((call: ApiCall) => void)[]} */
const listeners = []

/** Calls the listener after each response of the API. @param {(call: ApiCall) => void} listener */
export const onApiCall = (listener) => {
  listeners.push(listener)
}

/**
 * @param {string} path path below the base URL, with encoded segments
 * @param {Record<string, string | string[] | undefined>} query parameters, of a list one for each item; undefined and empty
 *   ones are omitted
 */
export const apiUrl = (path, query) => API + path + searchOf(query)

/**
 * Requests the URL of `apiUrl`.
 * @param {AbortSignal} [signal]
 * @param {RequestCache} [cache] `no-cache`: asks the service whether what the browser has is current
 * @throws ApiError, NetworkError; AbortError when the user has opened another view
 */
export const get = async (path, query, signal, cache = 'default') => {
  const url = apiUrl(path, query)
  const startedAt = performance.now()
  const response = await fetch(url, { signal, cache }).catch((error) => {
    throw error.name === 'AbortError' ? error : new NetworkError('The wiki does not respond.')
  })
  const bytes = await response.arrayBuffer().catch((error) => {
    if (error.name === 'AbortError') throw error
    return new ArrayBuffer(0)
  })
  const body = parsed(new TextDecoder().decode(bytes))
  const call = {
    url,
    status: response.status,
    bytes: bytes.byteLength,
    ms: performance.now() - startedAt,
    body,
  }
  for (const listener of listeners) listener(call)
  if (response.ok && body) return body
  const message = body?.error?.message ?? 'The response is not valid.'
  const [, successor] = /<([^>]*)>; rel="successor-version"/.exec(response.headers.get('Link') ?? '') ?? []
  throw new ApiError(response.status, message, secondsOf(response.headers.get('Retry-After')), successor)
}

/** `get` until a signal aborts. */
export const getUntil = (signal) => (path, query) => get(path, query, signal)

/** The newest edits of a page, at most 200. Empty without a page any more, or if something else fails: the edit is still there. */
export const newestEdits = async ({ path, locale }, signal) => {
  const query = { locale, limit: '200' }
  const answer = get(`/pages/${encodeURIComponent(path)}/history`, query, signal)
  const { items } = await answer.catch(() => ({ items: [] }))
  return items
}

/** A proxy before the API may respond with an error of its own, which is not JSON. */
const parsed = (text) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A proxy before the API may send a date instead. It counts as no header. */
const secondsOf = (wait) => (/^\d+$/.test(wait ?? '') ? Number(wait) : undefined)

let wiki

/** The wiki: its name on this site, languages and license. Requested once. An error is not cached. */
export const getWiki = () => {
  const { name } = document.querySelector('.reader').dataset
  wiki ??= get('/', {}).then(
    (found) => ({ ...found, name }),
    (error) => {
      wiki = undefined
      throw error
    },
  )
  return wiki
}
