import { element } from '../element.js'
import { getWiki } from './api.js'
import { colorCode } from './code-colors.js'
import { settleImages } from './content.js'
import { followSide } from './contents.js'
import { drawDiagrams } from './diagrams.js'
import { languageMenu } from './language-menu.js'
import { keepPageInSight, showInTree, treeDialog } from './page-tree.js'
import { previewLinks } from './preview.js'
import { requestDrawer } from './request-drawer.js'
import { followScrollers } from './scrollers.js'
import { searchField } from './search-field.js'
import { showTabOf } from './tabs.js'
import { decoded, isViewLink, targetOf, urlOf } from './view-targets.js'
import { backlinks } from './views/backlinks.js'
import { categories } from './views/categories.js'
import { category } from './views/category.js'
import { difference } from './views/difference.js'
import { edit } from './views/edit.js'
import { failure, writtenMissing } from './views/failure.js'
import { history as edits } from './views/history.js'
import { home } from './views/home.js'
import { page } from './views/page.js'
import { pages } from './views/pages.js'
import { recent } from './views/recent.js'
import { search } from './views/search.js'

const VIEWS = {
  ...{ backlinks, categories, category, difference, edit, history: edits },
  ...{ home, page, pages, recent, search },
}

const main = document.querySelector('#main')
const status = document.querySelector('.reader > [role=status]')
const form = document.querySelector('form.search')
const showLanguages = languageMenu(document.querySelector('.languages'))
const shelf = document.querySelector('.shelf')
/** The name of the wiki leads to its main page. */
const homeLink = document.querySelector('.brand')
const drawer = requestDrawer(document.querySelector('.requests-button'))

/** Empty until the wiki has answered. */
let wikiName = ''

/** How long a view waits for its first images, milliseconds. */
const IMAGES_MS = 500

/** What is not in the HTML of a page. Without it, a view is as readable. */
const styles = new Promise((done) => {
  const href = new URL('views.css', import.meta.url).href
  document.head.append(element('link', { rel: 'stylesheet', href, onload: done, onerror: done }))
})

/** The view that is shown: its URL without the fragment, the controller that ends its requests, and its language. */
let current = { url: '', abort: new AbortController(), locale: undefined }

const currentUrl = () => location.pathname + location.search

/** @param {{ y?: number, focus: boolean }} options the scroll position, and whether the heading gets the focus */
const show = async ({ y, focus }) => {
  current.abort.abort()
  const abort = new AbortController()
  const { signal } = abort
  current = { ...current, url: currentUrl(), abort }
  const target = targetOf(new URL(location.href))
  const retry = () => show({ focus: true })
  // The service has sent the text of the page itself: it stays as it is until everything is there.
  if (focus || main.querySelector('.skeleton')) main.setAttribute('aria-busy', 'true')
  drawer.begin()
  try {
    const wiki = await getWiki()
    wikiName = wiki.name
    if (signal.aborted) return
    // An address can have a language that the wiki does not have.
    const locale = wiki.locales.some((one) => one.locale === target.locale) ? target.locale : wiki.locale
    setLanguage(wiki, locale, target)
    const written = focus ? undefined : writtenMissing(main)
    const view = written
      ? { ...written, locale, path: target.locale === locale ? target.path : undefined }
      : await VIEWS[target.view]({ ...target, locale: target.locale ?? wiki.locale }, { wiki, signal, go })
    await settleImages(view.complete ? [main] : view.content, IMAGES_MS)
    await styles
    if (signal.aborted) return
    if (view.url) {
      history.replaceState(history.state, '', view.url)
      current.url = currentUrl()
    }
    setLanguage(wiki, view.locale, target, view.translations)
    render(view, { y, focus })
    enrich(signal)
    view.shown?.()
    markList(target)
    showInTree(shelf, view.locale, view.path)
  } catch (error) {
    if (signal.aborted) return
    render(failure(error, target, { retry, signal }), { focus: true })
    // Of a page that does not exist, the folders above it do.
    if (current.locale) showInTree(shelf, current.locale, target.view === 'page' ? target.path : undefined)
  }
}

const setLanguage = (wiki, locale, target, translations) => {
  current.locale = locale
  homeLink.href = urlOf({ view: 'home', locale })
  showLanguages(wiki, locale, target, translations)
}

/** Marks the link to the list that is shown. */
const markList = ({ view, prefix }) => {
  for (const link of shelf.querySelectorAll('.tree + ul a')) {
    const isCurrent = isViewLink(link) && !prefix && targetOf(new URL(link.href)).view === view
    link.setAttribute('aria-current', isCurrent ? 'page' : 'false')
  }
}

/** What follows the view while it is shown. @param {AbortSignal} signal */
const enrich = (signal) => {
  followScrollers(main, signal)
  colorCode(main, signal)
  drawDiagrams(main, signal)
  previewLinks(main, signal)
  const side = main.querySelector('.side')
  if (side) followSide(side, signal)
}

/** @param view `url` replaces the requested one; `shown` is called afterwards; `complete` completes what the service has written, instead of `content` */
const render = ({ title, content, complete, q = '' }, { y, focus }) => {
  document.title = title === wikiName || wikiName === '' ? title : `${title} · ${wikiName}`
  // Somebody may type before the first view is complete.
  if (focus || document.activeElement !== form.q) form.q.value = q
  main.removeAttribute('aria-busy')
  if (complete) complete()
  else main.replaceChildren(...content)
  status.textContent = document.title
  if (focus) main.querySelector('h1').focus({ preventScroll: true })
  const fragment = location.hash.slice(1)
  const target = fragment && anchorNamed(decoded(fragment) ?? fragment)
  if (target) showTabOf(target)
  if (y !== undefined) scrollTo(0, y)
  else if (target) target.scrollIntoView()
  else if (focus) scrollTo(0, 0)
}

/** A heading, or an element that the author of the page has named. */
const anchorNamed = (name) =>
  document.getElementById(name) ?? main.querySelector(`a[name="${CSS.escape(name)}"]`)

/**
 * Opens another URL of the reader. The history entry of the current view stores its scroll position. In another
 * language, everything around the view is different, too.
 */
const goTo = (url) => {
  const isElsewhere = (one) =>
    (targetOf(new URL(one, location.href)).locale ?? current.locale) !== current.locale
  if ([url, location.href].some(isElsewhere)) {
    location.assign(url)
    return
  }
  // They describe the page that was loaded.
  for (const link of document.head.querySelectorAll('[rel=canonical], [hreflang]')) link.remove()
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
  if (
    !isViewLink(link) ||
    !link.closest('.site-header, .reader') ||
    link.pathname + link.search === currentUrl()
  )
    return
  event.preventDefault()
  goTo(link.href)
})

// Until here, the tree opens as the browser does it.
const openTree = document.querySelector('.open-tree')
openTree.removeAttribute('popovertarget')
shelf.removeAttribute('popover')
treeDialog(openTree, shelf)
keepPageInSight(shelf)
searchField(form, {
  locale: () => current.locale,
  open: goTo,
  search: (q) => {
    const { locale } = current
    go(q === '' ? { view: 'home', locale } : { view: 'search', q, locale })
  },
})

// From the address of another view, relative links would lead elsewhere.
for (const link of document.querySelectorAll(':is(a, [rel=icon], [rel=alternate])[href^="."]'))
  link.setAttribute('href', link.href)
// What is printed names where it is.
addEventListener('beforeprint', () => {
  const url = new URL((document.head.querySelector('[rel=canonical]') ?? location).href)
  // That of a list or a comparison has no query, and the host of the wiki.
  if (url.pathname === location.pathname) url.search = location.search
  document.querySelector('.address').textContent = url.href
})
history.scrollRestoration = 'manual'
show({ focus: false })
