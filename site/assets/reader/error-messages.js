import { ApiError, NetworkError } from './api.js'

export const RATE_LIMITED = 'You have sent too many requests in a short time.'

export const seconds = (count) => (count === 1 ? '1 second' : `${count} seconds`)

/** One line about an error that concerns only a part of the page. @param {Error} error */
export const errorMessage = (error) => {
  if (error instanceof NetworkError) return 'The wiki does not respond. Try again in a moment.'
  if (!(error instanceof ApiError)) reportError(error)
  if (error.status === 404) return error.message
  if (error.status !== 429 && error.status !== 503) return 'The wiki could not process the request.'
  const busy = error.status === 429 ? RATE_LIMITED : 'The wiki is busy.'
  return `${busy} Try again in ${error.retryAfter ? seconds(error.retryAfter) : 'a moment'}.`
}
