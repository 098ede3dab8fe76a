/** Where the API is, as seen from this page. */
const API = new URL(document.querySelector('.reader').dataset.api, document.baseURI).href

/** What the API answered instead of what was asked for. */
export class ApiError extends Error {
  /** @param {number | undefined} retryAfter seconds to wait before asking again, where the API says so */
  constructor(status, message, retryAfter) {
    super(message)
    this.status = status
    this.retryAfter = retryAfter
  }
}

/** No answer came at all. */
export class Unreachable extends Error {}

/**
 * @param {string} path under the API's base, its parts encoded
 * @param {Record<string, string | undefined>} query what is undefined or empty is left out
 * @param {AbortSignal} [signal]
 * @throws ApiError, Unreachable; AbortError when the reader has gone on
 */
export const get = async (path, query, signal) => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const parameters = new URLSearchParams(given)
  const address = `${API}${path}${parameters.size > 0 ? `?${parameters}` : ''}`
  const answer = await fetch(address, { signal }).catch((error) => {
    throw error.name === 'AbortError' ? error : new Unreachable('The wiki does not respond.')
  })
  const body = await answer.json().catch((error) => {
    if (error.name === 'AbortError') throw error
    // A server before the API has errors of its own kind.
    return undefined
  })
  if (answer.ok && body) return body
  const message = body?.error?.message ?? 'The response is not valid.'
  throw new ApiError(answer.status, message, secondsOf(answer.headers.get('Retry-After')))
}

/** A server before the API may name a date instead; then nothing is known, as without the header. */
const secondsOf = (wait) => (/^\d+$/.test(wait ?? '') ? Number(wait) : undefined)

let wiki

/** The wiki: its name, languages and license. Asked for once; a failure is not kept. */
export const getWiki = () => {
  wiki ??= get('/', {}).catch((error) => {
    wiki = undefined
    throw error
  })
  return wiki
}
