import { select } from '../code/tabs.js'
import { element } from '../element.js'

const TAB = '.tab:has(> p:first-child > strong:only-child)'

let panels = 0

/**
 * Makes tabs of sections that follow each other and begin with their titles. A title that comes again begins other tabs.
 * Of those that are not shown, the browser finds the text, and links lead to their headings.
 * @param {Element} body
 */
export const makeTabs = (body) => {
  for (const first of body.querySelectorAll(TAB)) {
    if (first.hasAttribute('role')) continue
    const list = element('div', { class: 'tabs', role: 'tablist' })
    first.before(list)
    const names = new Set()
    for (let panel = first; panel?.matches(TAB); panel = panel.nextElementSibling) {
      const title = panel.firstElementChild
      const name = title.textContent
      if (names.has(name)) break
      names.add(name)
      panels += 1
      const [tabId, panelId] = [`tab:${panels}`, `panel:${panels}`]
      const state = { 'aria-selected': String(panel === first), tabindex: panel === first ? '0' : '-1' }
      list.append(
        element(
          'button',
          { type: 'button', role: 'tab', id: tabId, 'aria-controls': panelId, ...state },
          name,
        ),
      )
      title.remove()
      panel.id = panelId
      panel.dataset.title = name
      panel.setAttribute('role', 'tabpanel')
      panel.setAttribute('aria-labelledby', tabId)
      if (panel !== first) panel.hidden = 'until-found'
    }
  }
}

/** Shows the tab that contains an element. @param {Element} target */
export const showTabOf = (target) => {
  for (
    let panel = target.closest('[role=tabpanel]');
    panel;
    panel = panel.parentElement.closest('[role=tabpanel]')
  )
    select(document.getElementById(panel.getAttribute('aria-labelledby')))
}

document.addEventListener('beforematch', ({ target }) => showTabOf(target))
