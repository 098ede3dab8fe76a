import { getWiki } from './api.js'
import { element } from './element.js'
import { addressOf, decoded, placeOf } from './places.js'
import { category } from './views/category.js'
import { difference } from './views/difference.js'
import { edit } from './views/edit.js'
import { failure } from './views/failure.js'
import { history as pageHistory } from './views/history.js'
import { home } from './views/home.js'
import { page } from './views/page.js'
import { search } from './views/search.js'

const VIEWS = { category, difference, edit, history: pageHistory, home, page, search }

const main = document.querySelector('#main')
const status = document.querySelector('[role=status]')
const form = document.querySelector('form.search')

/** What is shown: its address without the fragment, and what ends when something else is. */
let shown = { address: '', abort: new AbortController() }

const here = () => location.pathname + location.search

/** @param {{ y?: number, focus: boolean }} how where to scroll to, and whether to put the focus on the heading */
const show = async ({ y, focus }) => {
  shown.abort.abort()
  const abort = new AbortController()
  const { signal } = abort
  shown = { address: here(), abort }
  const place = placeOf(new URL(location.href))
  const retry = () => show({ focus: true })
  main.setAttribute('aria-busy', 'true')
  try {
    const wiki = await getWiki()
    fillLanguages(wiki, place.locale ?? wiki.locale)
    const view = await VIEWS[place.view](place, { wiki, signal, go })
    if (signal.aborted) return
    fillLanguages(wiki, view.locale)
    put(
      { ...view, title: view.title === wiki.name ? view.title : `${view.title} · ${wiki.name}` },
      { y, focus },
    )
  } catch (error) {
    if (signal.aborted) return
    put(failure(error, place, { retry, signal }), { focus: true })
  }
}

const put = ({ title, content, q = '' }, { y, focus }) => {
  document.title = title
  form.q.value = q
  main.removeAttribute('aria-busy')
  main.replaceChildren(...content)
  status.textContent = title
  if (focus) main.querySelector('h1').focus({ preventScroll: true })
  const fragment = location.hash.slice(1)
  const target = fragment && document.getElementById(decoded(fragment) ?? fragment)
  if (y !== undefined) scrollTo(0, y)
  else if (target) target.scrollIntoView()
  else scrollTo(0, 0)
}

const fillLanguages = ({ locales }, chosen) => {
  const options = locales.map(({ locale, name }) =>
    element('option', { value: locale, lang: locale, selected: locale === chosen }, name),
  )
  form.locale.replaceChildren(...options)
}

/** Goes to another address of the reader; the one before remembers how far it was scrolled. */
const goTo = (address) => {
  history.replaceState({ y: scrollY }, '')
  history.pushState(null, '', address)
  show({ focus: true })
}

const go = (place) => goTo(addressOf(place))

addEventListener('popstate', ({ state }) => {
  // Only the fragment changed: the browser has scrolled there.
  if (here() === shown.address && !state) return
  show({ y: state?.y, focus: true })
})

document.addEventListener('click', (event) => {
  const link = event.target.closest?.('a[href]')
  const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
  if (!link || !isPlain || event.defaultPrevented) return
  const isReaders = link.origin === location.origin && link.pathname === location.pathname
  if (!isReaders || !link.closest('.reader') || link.pathname + link.search === here()) return
  event.preventDefault()
  goTo(link.href)
})

form.addEventListener('submit', (event) => {
  event.preventDefault()
  const q = form.q.value.trim()
  const locale = form.locale.value
  go(q === '' ? { view: 'home', locale } : { view: 'search', q, locale })
})

history.scrollRestoration = 'manual'
show({ focus: false })
