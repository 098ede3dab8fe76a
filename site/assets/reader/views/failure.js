import { element, heading } from '../../element.js'
import { ApiError, get, getWiki, NetworkError } from '../api.js'
import { RATE_LIMITED, seconds } from '../error-messages.js'
import { linkTo, translationLink } from '../links.js'
import { say } from '../words.js'

/** Seconds before the next attempt, if the response does not name them. */
const DEFAULT_WAIT = 5

/** In how many other languages a page is looked for: each takes a request. */
const LANGUAGES_MAX = 10

/**
 * The view of an error. If waiting helps, it waits and tries again by itself.
 * @param {Error} error
 * @param {import('../view-targets.js').ViewTarget} target
 * @param {{ retry: () => void, signal: AbortSignal }} options `signal` aborts when the user opens another view
 */
export const failure = (error, target, { retry, signal }) => {
  if (error instanceof NetworkError) return unreachable(retry, signal)
  if (error.status === 404) return notFound(error, target, signal)
  if (error.status === 429) return waiting('Too many requests', RATE_LIMITED, error, retry, signal)
  if (error.status === 503)
    return waiting('The wiki is busy', 'It is overloaded or under maintenance.', error, retry, signal)
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
  language: 'en',
  content: [heading(title), element('p', { class: 'lead' }, text), ...more],
})

const tryAgain = (retry) =>
  element('p', {}, element('button', { type: 'button', onclick: retry }, 'Try again'))

/** For a page in the language of the shell; for the rest, the message of the API is the title. */
const notFound = (error, target, signal) => {
  const { view, locale } = target
  const isPage = view === 'page'
  const title = isPage ? say('There is no such page') : error.message.replace(/\.$/, '')
  const words = (target.path ?? target.key ?? '').replace(/[-_/:]+/g, ' ').trim()
  const links = element('ul', {}, element('li', {}, linkTo({ view: 'pages', locale }, say('All pages'))))
  if (words) {
    const search = linkTo({ view: 'search', q: words, locale }, say('Search all texts for “{0}”', words))
    links.prepend(element('li', {}, search))
  }
  const elsewhere = element('section', { hidden: true })
  // Without its answer, the view stays as it is.
  if (isPage) showOtherLanguages(elsewhere, target, signal).catch(() => {})
  return { title, language: isPage ? undefined : 'en', content: [heading(title), links, elsewhere] }
}

/** Looks for a page with the same path in other languages. @param {HTMLElement} section is shown if there is one */
const showOtherLanguages = async (section, { path, locale }, signal) => {
  const wiki = await getWiki()
  const missingIn = locale ?? wiki.locale
  const others = byPreference(wiki).filter((other) => other !== missingIn)
  const found = await Promise.allSettled(
    others
      .slice(0, LANGUAGES_MAX)
      .map((other) => get(`/pages/${encodeURIComponent(path)}`, { locale: other }, signal)),
  )
  const pages = found.flatMap(({ value }) => value ?? [])
  if (pages.length === 0) return
  section.append(
    element('h2', {}, say('Other languages')),
    element(
      'ul',
      {},
      ...pages.map((page) => {
        const target = { view: 'page', path: page.path, locale: page.locale }
        return element('li', {}, translationLink({ ...page, target }, wiki))
      }),
    ),
  )
  section.hidden = false
}

/** The languages of a wiki: first its own, then those of the user, then all others. */
const byPreference = (wiki) => {
  const preferred = [wiki.locale, ...navigator.languages.flatMap((tag) => [tag, tag.split('-', 1)[0]])]
  const known = wiki.locales.map(({ locale }) => locale)
  return [...new Set([...preferred.filter((locale) => known.includes(locale)), ...known])]
}

const waiting = (title, text, { retryAfter = DEFAULT_WAIT }, retry, signal) => {
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
    ? 'The wiki does not respond. Try again in a moment.'
    : 'This device is offline. The page will load when the connection is back.'
  return plain('No connection', text, tryAgain(retry))
}
