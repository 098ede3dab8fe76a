import { element } from '../../element.js'
import { ApiError, get, getWiki, NetworkError, titleOf } from '../api.js'
import { inLanguage, languageName } from '../language.js'
import { linkTo, viewOf } from '../links.js'
import { hintsOf } from '../names.js'
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

const MISSING = {
  category: 'There is no such category',
  difference: 'There is no such edit',
  edit: 'There is no such edit',
}

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
  const { view, locale } = target
  const isPage = view === 'page'
  const folder = (target.path ?? '').replace(/[^/]*$/, '')
  // The folders of a path seldom stand in the text.
  const words = (target.path ?? target.key ?? '')
    .replace(/^.*\/(?=.)/, '')
    .replace(/[-_/:]+/g, ' ')
    .trim()
  const all = linkTo({ view: 'pages', locale }, say('All pages'))
  const links = element('ul', { class: 'cards' }, element('li', {}, all))
  if (words) {
    const search = linkTo({ view: 'search', q: words, locale }, say('Search all texts for “{0}”', words))
    links.prepend(element('li', {}, search))
  }
  const offer = (path, title) =>
    links.prepend(element('li', {}, `${say('Did you mean')}: `, linkTo({ view, path, locale }, title)))
  const { meant, elsewhere } = hintsOf(isPage ? message : '')
  if (meant)
    titleOf(meant, locale, signal)
      .catch(() => meant)
      .then((title) => offer(meant, title))
  else if (isPage && words)
    get('/suggest', { q: words, locale, limit: '8' }, signal).then(
      ({ items }) => {
        const inFolder = ({ path }) => path.startsWith(folder)
        const near = items.find(inFolder) ?? items[0]
        if (near) offer(near.path, near.title)
      },
      () => {},
    )
  const name = target.path ?? target.key
  const missing = name ? [element('p', { class: 'lead' }, element('bdi', {}, name))] : []
  const offerIn = (wiki, locales) => {
    for (const other of locales) {
      const text = `${languageName(wiki, other)}: ${target.path}`
      links.prepend(element('li', {}, linkTo({ ...target, locale: other }, text, inLanguage(other))))
    }
  }
  if (elsewhere.length > 0)
    getWiki().then(
      (wiki) => offerIn(wiki, elsewhere),
      () => {},
    )
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
