import { element, withMarks } from '../element.js'
import { get } from './api.js'
import { inLanguage } from './language.js'
import { crumbsOf, repeatedTitles } from './title-paths.js'
import { say } from './words.js'

/** A pause in typing after which suggestions are requested, milliseconds. */
const PAUSE_MS = 120

/**
 * The search field: a combobox that suggests pages while somebody types, as the ARIA Authoring Practices describe it.
 * The arrow keys choose a suggestion, and Enter opens its page; without a choice, Enter searches. A search works
 * without suggestions, so an error of theirs is not shown.
 * @param {HTMLFormElement} form with the field `q`
 * @param {{ locale: () => string, open: (target: object) => void, search: (q: string) => void }} actions
 */
export const searchField = (form, { locale, open, search }) => {
  const field = form.q
  const list = form.querySelector('[role=listbox]')
  const status = form.querySelector('[role=status]')
  let abort = new AbortController()
  let timer
  /** @type {{ option: HTMLElement, choose: () => void }[]} */
  let options = []
  let active = -1

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
  const addOption = (choose, attributes, ...content) => {
    const option = element(
      'div',
      { role: 'option', id: `suggestion-${options.length}`, 'aria-selected': 'false', ...attributes },
      ...content,
    )
    // Before the field loses the focus.
    option.addEventListener('mousedown', (event) => event.preventDefault())
    option.addEventListener('click', () => {
      close()
      choose()
    })
    options.push({ option, choose })
  }
  const request = async () => {
    abort = new AbortController()
    const q = field.value.trim()
    const { items: all } = await get('/suggest', { q, locale: locale(), limit: '8' }, abort.signal)
    // Few look for a template.
    const articles = all.filter(({ ns }) => ns === 'main')
    const items = articles.length > 0 ? articles : all
    const repeated = repeatedTitles(items)
    options = []
    for (const page of items) {
      const title = withMarks({ text: page.title, highlights: page.highlights })
      const crumbs = repeated.has(page.title) ? crumbsOf(page, { isWhole: true }) : []
      const target = { view: 'page', path: page.path, locale: page.locale }
      addOption(() => open(target), inLanguage(page.locale), ...title, ...crumbs)
    }
    addOption(() => search(q), { class: 'all' }, say('Search all texts for “{0}”', q))
    list.replaceChildren(...options.map(({ option }) => option))
    setOpen(document.activeElement === field)
    setActive(-1)
    status.textContent = say('Suggestions: {0}', items.length)
  }

  // The suggestions stay until there are others, so that the list does not flicker while somebody types.
  field.addEventListener('input', () => {
    clearTimeout(timer)
    abort.abort()
    setActive(-1)
    status.textContent = ''
    if (field.value.trim() !== '') timer = setTimeout(() => request().catch(() => {}), PAUSE_MS)
    else {
      options = []
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
      if (chosen) chosen.choose()
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
