import { ApiError, Unreachable } from '../api.js'
import { element, heading } from '../element.js'
import { linkTo } from '../links.js'
import { ASKED_A_LOT, seconds } from '../trouble.js'

/** Seconds before a service is asked again that does not say when. */
const WAIT = 5

/**
 * What is shown instead of what was asked for. Where waiting helps, it waits by itself.
 * @param {Error} error
 * @param {import('../places.js').Place} place
 * @param {{ retry: () => void, signal: AbortSignal }} how `signal` says that the reader has gone on
 */
export const failure = (error, place, { retry, signal }) => {
  if (error instanceof Unreachable) return unreachable(retry, signal)
  if (error.status === 404) return notFound(error, place)
  if (error.status === 429) return waiting('One moment, please', ASKED_A_LOT, error, retry, signal)
  if (error.status === 503)
    return waiting('The wiki is busy', 'It is overloaded, or under maintenance.', error, retry, signal)
  if (error.status === 400) return plain('Invalid request', error.message)
  if (!(error instanceof ApiError)) reportError(error)
  return plain(
    'Something went wrong',
    'The wiki could not process the request. Try again later.',
    tryAgain(retry),
  )
}

const plain = (title, text, ...more) => ({
  title,
  content: [heading(title), element('p', { class: 'lead' }, text), ...more],
})

const tryAgain = (retry) =>
  element('p', {}, element('button', { type: 'button', onclick: retry }, 'Try again'))

const notFound = (error, place) => {
  const words = (place.path ?? place.key ?? '').replace(/[-_/:]+/g, ' ').trim()
  const links = [
    ...(words
      ? [
          element(
            'li',
            {},
            linkTo({ view: 'search', q: words, locale: place.locale }, `Search for “${words}”`),
          ),
        ]
      : []),
    element('li', {}, linkTo({ view: 'home', locale: place.locale }, 'All pages')),
  ]
  return plain('There is no such page', error.message, element('ul', {}, ...links))
}

const waiting = (title, text, { retryAfter = WAIT }, retry, signal) => {
  const ends = Date.now() + retryAfter * 1000
  const left = element('span', {}, seconds(retryAfter))
  const timer = setInterval(() => {
    const ms = ends - Date.now()
    left.textContent = seconds(Math.max(0, Math.ceil(ms / 1000)))
    if (ms <= 0) again()
  }, 250)
  const again = () => {
    clearInterval(timer)
    if (!signal.aborted) retry()
  }
  signal.addEventListener('abort', () => clearInterval(timer))
  return plain(title, text, element('p', {}, 'This page retries in ', left, '.'), tryAgain(again))
}

const unreachable = (retry, signal) => {
  addEventListener('online', retry, { once: true, signal })
  const text = navigator.onLine
    ? 'The wiki does not respond. It may be down for a moment.'
    : 'This device is offline. The page loads as soon as the connection is back.'
  return plain('No connection', text, tryAgain(retry))
}
