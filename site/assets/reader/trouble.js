import { ApiError, Unreachable } from './api.js'

export const ASKED_A_LOT = 'You have sent too many requests in a short time.'

export const seconds = (count) => (count === 1 ? '1 second' : `${count} seconds`)

/** What to tell a reader, in a line, of what could not be had while the rest stays. @param {Error} error */
export const troubleOf = (error) => {
  if (error instanceof Unreachable) return 'The wiki does not respond. Try again in a moment.'
  if (!(error instanceof ApiError)) reportError(error)
  if (error.status === 404) return error.message
  if (error.status !== 429 && error.status !== 503) return 'The wiki could not process the request.'
  const busy = error.status === 429 ? ASKED_A_LOT : 'The wiki is busy.'
  return `${busy} Try again in ${error.retryAfter ? seconds(error.retryAfter) : 'a moment'}.`
}
