import { element, headingText } from '../element.js'
import { followSections, keepInSight } from '../sections/current-section.js'
import { closeWhenLeft } from './closing.js'
import { contentsOf } from './headings.js'
import { say } from './words.js'

/**
 * The table of contents of an article. Undefined if there are too few headings.
 * @param {Element} article
 */
export const tableOfContents = (article) => {
  const headings = [...article.querySelectorAll(':is(h2, h3, h4, h5, h6)[id]')]
  const contents = contentsOf(headings.map((heading) => ({ level: Number(heading.localName[1]), heading })))
  if (!contents) return undefined
  const list = element(
    'ul',
    { lang: article.lang, dir: article.dir },
    ...contents.listed.map(({ place, heading }) =>
      element(
        'li',
        { class: place },
        element('a', { href: `#${encodeURIComponent(heading.id)}` }, headingText(heading)),
      ),
    ),
  )
  return element(
    'nav',
    { class: contents.name, 'aria-label': say('Contents') },
    element('details', {}, element('summary', {}, say('Contents')), list),
  )
}

/**
 * Unfolds the contents where they have a column of their own, and marks the section that one reads. What is about the page
 * is in that column, too, or else below the text.
 * @param {Element} side @param {AbortSignal} signal ends it
 */
export const followSide = (side, signal) => {
  const page = side.parentElement
  const about = page.querySelector(':scope > aside, .side > aside')
  const contents = side.querySelector('details')
  const isBeside = () => getComputedStyle(side).position === 'sticky'
  let wasBeside
  const footer = document.querySelector('.site-footer')
  const bottomOf = (one) => one.getBoundingClientRect().bottom
  const observer = new ResizeObserver(() => {
    // As long as one reads, the column stays where it is.
    page.style.setProperty('--end', `${bottomOf(footer) - bottomOf(page.parentElement)}px`)
    // The list that somebody opens makes the page higher, too.
    if (isBeside() === wasBeside) return
    wasBeside = isBeside()
    if (about) (wasBeside ? side : page).append(about)
    if (contents) contents.open = wasBeside
  })
  observer.observe(page)
  observer.observe(footer)
  signal.addEventListener('abort', () => observer.disconnect())
  if (!contents) return
  const list = contents.querySelector('ul')
  contents.addEventListener('toggle', () => {
    const current = list.querySelector('[aria-current]')
    if (current) keepInSight(current, list)
  })
  closeWhenLeft(contents, { signal, covers: () => !isBeside() })
  const here = element('span', { class: 'here', lang: list.lang, dir: list.dir })
  contents.querySelector('summary').append(' ', here)
  const onChange = (link) => here.replaceChildren(link?.textContent ?? '')
  followSections(list, list, { signal, onChange })
}
