import { element, withMarks } from '../element.js'
import { get } from './api.js'
import { inLanguage } from './language.js'
import { headingOf, passagesOf, urlOfPassage } from './passages.js'
import { addressOf, repeatedTitles } from './title-paths.js'
import { urlOf } from './view-targets.js'
import { say } from './words.js'

/** Pauses in typing after which pages are suggested, and texts searched, milliseconds. */
const PAUSE_MS = { pages: 120, texts: 350 }
const PAGES_MAX = 5
const MATCHES_MAX = 5

const pause = (ms) => new Promise((done) => setTimeout(done, ms))

/** Of two letters, a text has a word without a search for it. A sign of other scripts can be a word. */
const isSearchable = (q) => q.length > 2 || /[^\p{Script=Latin}\p{N}\p{P}\s]/u.test(q)

/** Pages whose titles begin so. Few look for a template. */
const readPages = async (q, locale, signal) => {
  const { items } = await get('/suggest', { q, locale, limit: '8' }, signal)
  const articles = items.filter(({ ns }) => ns === 'main')
  return (articles.length > 0 ? articles : items).slice(0, PAGES_MAX)
}

/** Passages with a match. The request is that of the results, which then are in the cache of the browser. */
const readMatches = async (q, locale, signal) => {
  if (!isSearchable(q)) return []
  const { items } = await get('/search', { q, locale, ns: 'main', limit: '10' }, signal)
  const matches = items.flatMap((hit) => passagesOf(hit).map((passage) => ({ hit, passage })))
  return matches.filter(({ passage }) => passage.highlights.length > 0).slice(0, MATCHES_MAX)
}

/**
 * The search field: a combobox that suggests pages while somebody types, and then passages of texts, as the ARIA Authoring
 * Practices describe it. The arrow keys choose a suggestion, and Enter opens it; without a choice, Enter searches. A
 * search works without suggestions, so an error of theirs is not shown.
 * @param {HTMLFormElement} form with the field `q`
 * @param {{ locale: () => string, open: (url: string) => void, search: (q: string) => void }} actions
 */
export const searchField = (form, { locale, open, search }) => {
  const field = form.q
  const list = form.querySelector('[role=listbox]')
  const status = form.querySelector('[role=status]')
  let abort = new AbortController()
  let timer
  /** @type {{ option: HTMLElement, url: string }[]} */
  let options = []
  let active = -1
  /** Until there are others, they stay. */
  let matches = []

  const setActive = (index) => {
    active = index
    options.forEach(({ option }, i) => {
      option.setAttribute('aria-selected', String(i === index))
    })
    const option = options[index]?.option
    if (option) field.setAttribute('aria-activedescendant', option.id)
    else field.removeAttribute('aria-activedescendant')
    option?.scrollIntoView({ block: 'nearest' })
  }
  const isOpen = () => !list.hidden
  const setOpen = (isListOpen) => {
    list.hidden = !isListOpen || options.length === 0
    field.setAttribute('aria-expanded', String(isOpen()))
    if (!isOpen()) setActive(-1)
  }
  const close = () => {
    clearTimeout(timer)
    abort.abort()
    setOpen(false)
  }
  const optionOf = (url, attributes, ...content) => {
    const id = `suggestion-${options.length}`
    const option = element('div', { role: 'option', id, 'aria-selected': 'false', ...attributes }, ...content)
    // Before the field loses the focus.
    option.addEventListener('mousedown', (event) => event.preventDefault())
    option.addEventListener('click', () => {
      close()
      open(url)
    })
    options.push({ option, url })
    return option
  }
  const pageOption = (page, repeated) => {
    const title = withMarks({ text: page.title, highlights: page.highlights })
    const crumbs = repeated.has(page.title) ? [addressOf(page.path)] : []
    const url = urlOf({ view: 'page', path: page.path, locale: page.locale })
    return optionOf(url, inLanguage(page.locale, page.title), ...title, ...crumbs)
  }
  const matchOption = ({ hit, passage }) => {
    const heading = headingOf(hit, passage)
    const section = heading ? [element('span', {}, ` › ${heading}`)] : []
    return optionOf(
      urlOfPassage(hit, passage, urlOf),
      { class: 'match', ...inLanguage(hit.locale, passage.text) },
      element('strong', {}, hit.title, ...section),
      element('span', { class: 'passage' }, ...withMarks(passage)),
    )
  }
  const groupOf = (id, title, members) => {
    const name = element('div', { role: 'presentation', id }, say(title))
    return members.length > 0
      ? [element('div', { role: 'group', 'aria-labelledby': id }, name, ...members)]
      : []
  }
  const show = (q, pages) => {
    const chosen = options[active]?.url
    const repeated = repeatedTitles(pages)
    options = []
    list.replaceChildren(
      ...groupOf(
        'suggested-pages',
        'Pages',
        pages.map((page) => pageOption(page, repeated)),
      ),
      ...groupOf('suggested-matches', 'In texts', matches.map(matchOption)),
      optionOf(
        urlOf({ view: 'search', q, locale: locale() }),
        { class: 'all' },
        say('Search all texts for “{0}”', q),
      ),
    )
    setOpen(document.activeElement === field)
    setActive(options.findIndex(({ url }) => url === chosen))
    status.textContent = say('Suggestions: {0}', options.length - 1)
  }
  /** One request after the other, and none for what is typed no more. */
  const request = async () => {
    abort = new AbortController()
    const { signal } = abort
    const q = field.value.trim()
    const pages = await readPages(q, locale(), signal)
    show(q, pages)
    await pause(PAUSE_MS.texts - PAUSE_MS.pages)
    if (signal.aborted) return
    const found = await readMatches(q, locale(), signal).catch(() => [])
    if (signal.aborted) return
    matches = found
    show(q, pages)
  }

  // The suggestions stay until there are others, so that the list does not flicker while somebody types.
  field.addEventListener('input', () => {
    clearTimeout(timer)
    abort.abort()
    setActive(-1)
    status.textContent = ''
    if (field.value.trim() !== '') timer = setTimeout(() => request().catch(() => {}), PAUSE_MS.pages)
    else {
      options = []
      matches = []
      close()
    }
  })
  const move = (step) => {
    if (!isOpen()) setOpen(true)
    if (!isOpen()) return
    // One place more than there are options: none of them.
    const places = options.length + 1
    setActive(((active + 1 + step + places) % places) - 1)
  }
  const KEYS = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Escape: () => isOpen() && close(),
    Enter: () => {
      const chosen = options[active]
      close()
      if (chosen) open(chosen.url)
      return chosen !== undefined
    },
  }
  field.addEventListener('keydown', (event) => {
    if (event.isComposing || !Object.hasOwn(KEYS, event.key)) return
    const wasOpen = isOpen()
    const isHandled = KEYS[event.key]() ?? true
    if (isHandled && (wasOpen || isOpen())) event.preventDefault()
  })
  field.addEventListener('blur', close)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    close()
    search(field.value.trim())
  })
}
