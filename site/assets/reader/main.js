import { getWiki } from './api.js'
import { element } from './element.js'
import { suggestTitles } from './suggestions.js'
import { decoded, targetOf, urlOf } from './view-targets.js'
import { backlinks } from './views/backlinks.js'
import { category } from './views/category.js'
import { difference } from './views/difference.js'
import { edit } from './views/edit.js'
import { failure } from './views/failure.js'
import { history as pageHistory } from './views/history.js'
import { home } from './views/home.js'
import { page } from './views/page.js'
import { search } from './views/search.js'

const VIEWS = { backlinks, category, difference, edit, history: pageHistory, home, page, search }

const main = document.querySelector('#main')
const status = document.querySelector('[role=status]')
const form = document.querySelector('form.search')

/** The view that is shown: its URL without the fragment, and the controller that ends its requests. */
let current = { url: '', abort: new AbortController() }

const currentUrl = () => location.pathname + location.search

/** @param {{ y?: number, focus: boolean }} options the scroll position, and whether the heading gets the focus */
const show = async ({ y, focus }) => {
  current.abort.abort()
  const abort = new AbortController()
  const { signal } = abort
  current = { url: currentUrl(), abort }
  const target = targetOf(new URL(location.href))
  const retry = () => show({ focus: true })
  main.setAttribute('aria-busy', 'true')
  try {
    const wiki = await getWiki()
    fillLanguages(wiki, target.locale ?? wiki.locale)
    const view = await VIEWS[target.view](target, { wiki, signal, go })
    if (signal.aborted) return
    fillLanguages(wiki, view.locale)
    render(
      { ...view, title: view.title === wiki.name ? view.title : `${view.title} · ${wiki.name}` },
      { y, focus },
    )
  } catch (error) {
    if (signal.aborted) return
    render(failure(error, target, { retry, signal }), { focus: true })
  }
}

const render = ({ title, content, q = '' }, { y, focus }) => {
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

/** Opens another URL of the demo reader. The history entry of the current view stores its scroll position. */
const goTo = (url) => {
  history.replaceState({ y: scrollY }, '')
  history.pushState(null, '', url)
  show({ focus: true })
}

const go = (target) => goTo(urlOf(target))

addEventListener('popstate', ({ state }) => {
  // Only the fragment changed, and the browser has scrolled there.
  if (currentUrl() === current.url && !state) return
  show({ y: state?.y, focus: true })
})

document.addEventListener('click', (event) => {
  const link = event.target.closest?.('a[href]')
  const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
  if (!link || !isPlain || event.defaultPrevented) return
  const isReaderLink = link.origin === location.origin && link.pathname === location.pathname
  if (!isReaderLink || !link.closest('.reader') || link.pathname + link.search === currentUrl()) return
  event.preventDefault()
  goTo(link.href)
})

form.addEventListener('submit', (event) => {
  event.preventDefault()
  const q = form.q.value.trim()
  const locale = form.locale.value
  go(q === '' ? { view: 'home', locale } : { view: 'search', q, locale })
})

suggestTitles(form)
history.scrollRestoration = 'manual'
show({ focus: false })
