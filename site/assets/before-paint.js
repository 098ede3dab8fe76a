/* A classic script in the head: it runs before anything is drawn, so that a page appears in the theme, and with examples
   in the language, that the visitor chose before, and nothing changes afterwards. It also serves the menu of themes, opens
   the search, and loads the module of the page. */
{
  const root = document.documentElement
  const LANGUAGE = { key: 'lectern-language', values: ['curl', 'javascript', 'python', 'go'] }
  const THEME = { key: 'lectern-theme', values: ['system', 'light', 'dark'] }

  /** What the visitor chose, or else the first value. */
  const chosen = ({ key, values: [first, ...others] }) => {
    let stored = null
    try {
      stored = localStorage.getItem(key)
    } catch {} // private windows, in which the browser may store nothing
    return others.includes(stored) ? stored : first
  }
  const showTheme = (theme) => {
    root.dataset.theme = theme
    const menu = document.querySelector('.theme select')
    if (menu) menu.value = theme
  }

  root.dataset.scripts = 'on'
  const { module } = document.currentScript.dataset
  /** The module of a page is for what one does there. Text, fonts and pictures come first; it waits for a slow one for half a second. */
  const start = async () => {
    await import(module)
    root.dataset.scripts = 'started'
  }
  const startSoon = () => {
    if (document.readyState === 'complete') start()
    addEventListener('load', start)
    setTimeout(start, 500)
  }
  if (module) new PerformanceObserver(startSoon).observe({ type: 'paint', buffered: true })
  root.dataset.language = chosen(LANGUAGE)
  showTheme(chosen(THEME))
  // The menu exists now; the page is shown again from the history; another tab has changed the theme.
  for (const event of ['DOMContentLoaded', 'pageshow', 'storage'])
    addEventListener(event, () => showTheme(chosen(THEME)))
  addEventListener('change', ({ target }) => {
    if (!target.matches('.theme select')) return
    showTheme(target.value)
    try {
      localStorage.setItem(THEME.key, target.value)
    } catch {}
  })

  /** The field of the reader, or else the dialog. The module, which may come later, searches for what is typed. */
  const openSearch = (event) => {
    const field = document.querySelector('#search-words, .docs-search input')
    if (!field) return
    event.preventDefault()
    field.closest('dialog:not([open])')?.showModal()
    field.focus()
    field.select()
  }
  const isTyping = ({ target }) => target.closest('input, textarea, select, [contenteditable]') !== null
  addEventListener('keydown', (event) => {
    const isShortcut =
      event.key === 'k'
        ? (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
        : event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event)
    if (isShortcut) openSearch(event)
  })
  addEventListener('click', (event) => {
    if (event.target.closest('.find')) openSearch(event)
  })
}
