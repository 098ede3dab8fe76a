import { element } from '../../element.js'
import { ApiError, getUntil, getWiki, NetworkError } from '../api.js'
import { inLanguage } from '../language.js'
import { nearItems, viewOf } from '../links.js'
import { MISSING, Near } from '../near.js'
import { say, secondsText } from '../words.js'

/** Seconds before the next attempt, if the response does not name them. */
const DEFAULT_WAIT = 5

/**
 * The view of an error. If waiting helps, it waits and tries again by itself.
 * @param {Error} error
 * @param {import('../view-targets.js').ViewTarget} target
 * @param {{ retry: () => void, signal: AbortSignal }} options `signal` aborts when the user opens another view
 */
export const failure = (error, target, { retry, signal }) => {
  if (error instanceof NetworkError) return unreachable(retry, signal)
  if (error.status === 404) return notFound(target, error.message, signal)
  if (error.status === 429)
    return waiting(
      'Too many requests',
      'You have sent too many requests in a short time.',
      error,
      retry,
      signal,
    )
  if (error.status === 503)
    return waiting('The wiki is busy', 'It is overloaded or under maintenance.', error, retry, signal)
  if (error.status === 400)
    return errorView(
      say('Invalid request'),
      element('p', { class: 'lead', ...inLanguage('en') }, error.message),
    )
  if (!(error instanceof ApiError)) reportError(error)
  return plain('Something went wrong', 'The wiki could not process the request.', tryAgain(retry))
}

const errorView = (title, ...content) => ({ title, content: viewOf(title, ...content) })

const plain = (title, text, ...more) =>
  errorView(say(title), element('p', { class: 'lead' }, say(text)), ...more)

const tryAgain = (retry) =>
  element('p', {}, element('button', { type: 'button', onclick: retry }, say('Try again')))

/**
 * The view of what does not exist, as the service has written it for browsers without scripts: it costs no request. Undefined
 * if the service has written another one.
 * @param {Element} main
 */
export const writtenMissing = (main) => {
  const html = main.querySelector('noscript')?.textContent ?? ''
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const links = body.querySelector('[data-missing]')
  if (!links) return undefined
  for (const link of links.querySelectorAll('a')) link.setAttribute('href', link.href)
  const [h1, ...content] = body.children
  return errorView(h1.textContent, ...content)
}

/** @param {string} message of the API */
const notFound = (target, message, signal) => {
  const { view, path, key } = target
  const name = path ?? key
  const missing = name ? [element('p', { class: 'lead' }, element('bdi', {}, name))] : []
  const links = element('ul', { class: 'cards' })
  const show = async (wiki) => {
    const locale = target.locale ?? wiki.locale
    const near = new Near({ get: getUntil(signal), say, locale, locales: wiki.locales })
    links.append(...nearItems(await near.missing(target, message), locale))
  }
  getWiki()
    .then(show)
    .catch(() => {})
  return errorView(say(MISSING[view] ?? 'There is no such page'), ...missing, links)
}

const waiting = (title, text, { retryAfter = DEFAULT_WAIT }, retry, signal) => {
  const ends = Date.now() + retryAfter * 1000
  const left = element('p')
  const tell = (seconds) => {
    left.textContent = say('Next attempt: {0}', secondsText(seconds))
  }
  tell(retryAfter)
  const timer = setInterval(() => {
    const ms = ends - Date.now()
    tell(Math.max(0, Math.ceil(ms / 1000)))
    if (ms <= 0) again()
  }, 250)
  const again = () => {
    clearInterval(timer)
    if (!signal.aborted) retry()
  }
  signal.addEventListener('abort', () => clearInterval(timer))
  return plain(title, text, left, tryAgain(again))
}

const unreachable = (retry, signal) => {
  addEventListener('online', retry, { once: true, signal })
  const text = navigator.onLine
    ? 'The wiki does not respond. Try again in a moment.'
    : 'This device is offline. The page will load when the connection is back.'
  return plain('No connection', text, tryAgain(retry))
}
