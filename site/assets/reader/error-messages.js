import { ApiError, NetworkError } from './api.js'
import { say, secondsText } from './words.js'

/** A short text about an error that concerns only a part of the page. @param {Error} error */
export const errorMessage = (error) => {
  if (error instanceof NetworkError) return say('The wiki does not respond. Try again in a moment.')
  if (!(error instanceof ApiError)) reportError(error)
  if (error.status !== 429 && error.status !== 503) return say('The wiki could not process the request.')
  const { status, retryAfter } = error
  const text = say(status === 429 ? 'Too many requests' : 'The wiki is busy')
  return retryAfter ? `${text}. ${say('Next attempt: {0}', secondsText(retryAfter))}` : text
}
