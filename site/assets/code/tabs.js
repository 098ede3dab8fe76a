/* Tabs as in the ARIA Authoring Practices: one stop of the Tab key, arrow keys between them. */

const ROOT = document.documentElement

const tabsOf = (list) => [...list.querySelectorAll('[role=tab]')].filter((tab) => !tab.hidden)

const mark = (list, selected) => {
  for (const tab of list.querySelectorAll('[role=tab]')) {
    tab.setAttribute('aria-selected', String(tab === selected))
    tab.tabIndex = tab === selected ? 0 : -1
  }
}

/** Marks the tab of the chosen language in a list. A list without that language shows its first one. */
const markLanguage = (list) => {
  const tabs = tabsOf(list)
  mark(list, tabs.find(({ dataset }) => dataset.language === ROOT.dataset.language) ?? tabs[0])
}

/** The same in all lists of an element. */
export const markLanguages = (root) => {
  for (const list of root.querySelectorAll('[role=tablist].languages')) markLanguage(list)
}

const chooseLanguage = (tab) => {
  const before = tab.getBoundingClientRect().top
  ROOT.dataset.language = tab.dataset.language
  markLanguages(document)
  // Examples above change their height. What the visitor looks at stays where it is.
  scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' })
  try {
    localStorage.setItem('lectern-language', tab.dataset.language)
  } catch {}
}

/** Selects a tab. The tabs of languages choose for the whole page; others show the panel that they control. */
export const select = (tab) => {
  if (tab.dataset.language) {
    chooseLanguage(tab)
    return
  }
  const list = tab.closest('[role=tablist]')
  mark(list, tab)
  for (const one of list.querySelectorAll('[role=tab]')) {
    const panel = document.getElementById(one.getAttribute('aria-controls'))
    // In tabs of a text, the browser finds words.
    panel.hidden = one !== tab && (panel.matches('.tab') ? 'until-found' : true)
  }
}

const STEPS = { ArrowRight: 1, ArrowLeft: -1 }

/** Where text runs from right to left, the next tab is on the left. */
const directionOf = (tab) => (getComputedStyle(tab).direction === 'rtl' ? -1 : 1)

document.addEventListener('click', ({ target }) => {
  const tab = target.closest('[role=tab]')
  if (tab) select(tab)
})

document.addEventListener('keydown', (event) => {
  const tab = event.target.closest('[role=tab]')
  if (!tab) return
  const tabs = tabsOf(tab.closest('[role=tablist]'))
  const to =
    event.key === 'Home'
      ? 0
      : event.key === 'End'
        ? tabs.length - 1
        : tabs.indexOf(tab) + STEPS[event.key] * directionOf(tab)
  const next = tabs[(to + tabs.length) % tabs.length]
  if (!next) return
  event.preventDefault()
  select(next)
  next.focus({ preventScroll: true })
  next.scrollIntoView({ block: 'nearest', inline: 'nearest' })
})

markLanguages(document)
