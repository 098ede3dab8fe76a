/* The list of sections: it marks the one that one reads, and folds where there is no room beside the text. */
import { followSections, keepInSight } from './current-section.js'

const navigation = document.querySelector('.sections')
const list = navigation.querySelector('.list')
const opener = navigation.querySelector('.open-sections')
const here = opener.querySelector('.here')
// Without scripts, the browser itself opens the list.
opener.removeAttribute('popovertarget')
list.removeAttribute('popover')

const setOpen = (isOpen) => {
  navigation.toggleAttribute('data-open', isOpen)
  opener.setAttribute('aria-expanded', String(isOpen))
  const current = list.querySelector('[aria-current]')
  if (isOpen && current) keepInSight(current, list)
}

opener.addEventListener('click', () => setOpen(!navigation.hasAttribute('data-open')))
list.addEventListener('click', ({ target }) => {
  if (target.closest('a')) setOpen(false)
})
// Open, it covers the text.
for (const event of ['click', 'focusin'])
  addEventListener(event, ({ target }) => {
    if (!navigation.contains(target)) setOpen(false)
  })
addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape' || !navigation.hasAttribute('data-open')) return
  setOpen(false)
  opener.focus({ preventScroll: true })
})

followSections(list, navigation, {
  isFirstAtTop: true,
  onChange: (link) => {
    here.textContent = link?.textContent ?? ''
  },
})
