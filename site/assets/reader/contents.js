import { element, headingText } from '../element.js'
import { followSections } from '../sections/current-section.js'
import { say } from './words.js'

/** A page with fewer headings has no table of contents. */
const HEADINGS_MIN = 2
/** A page with fewer headings has none where it would be above the text. */
const HEADINGS_ABOVE_MIN = 3
/** With more headings, only those of the upper level are listed. */
const HEADINGS_MAX = 60

/**
 * The table of contents of an article: its two upper levels of headings. Undefined if there are too few.
 * @param {Element} article
 */
export const tableOfContents = (article) => {
  const all = [...article.querySelectorAll(':is(h2, h3, h4, h5, h6)[id]')]
  if (all.length < HEADINGS_MIN) return undefined
  const [upper, lower = upper] = [...new Set(all.map(levelOf))].sort()
  const both = all.filter((heading) => levelOf(heading) <= lower)
  const listed = both.length > HEADINGS_MAX ? all.filter((heading) => levelOf(heading) === upper) : both
  const list = element(
    'ul',
    { lang: article.lang, dir: article.dir },
    ...listed.map((heading) =>
      element(
        'li',
        { class: levelOf(heading) === upper ? 'upper' : 'lower' },
        element('a', { href: `#${encodeURIComponent(heading.id)}` }, headingText(heading)),
      ),
    ),
  )
  return element(
    'nav',
    { class: all.length < HEADINGS_ABOVE_MIN ? 'contents few' : 'contents', 'aria-label': say('Contents') },
    element('details', {}, element('summary', {}, say('Contents')), list),
  )
}

const levelOf = ({ localName }) => Number(localName[1])

/**
 * Unfolds the contents where they have a column of their own, and marks the section that one reads. What is about the page
 * is in that column, too, or else below the text.
 * @param {Element} side @param {AbortSignal} signal ends it
 */
export const followSide = (side, signal) => {
  const page = side.parentElement
  const about = page.querySelector('aside')
  const contents = side.querySelector('details')
  const isBeside = () => getComputedStyle(side).position === 'sticky'
  let wasBeside
  const observer = new ResizeObserver(() => {
    // The list that somebody opens makes the page higher, too.
    if (isBeside() === wasBeside) return
    wasBeside = isBeside()
    if (about) (wasBeside ? side : page).append(about)
    if (contents) contents.open = wasBeside
  })
  observer.observe(page)
  signal.addEventListener('abort', () => observer.disconnect())
  if (!contents) return
  contents.addEventListener('click', ({ target }) => {
    if (!isBeside() && target.closest('a')) contents.open = false
  })
  followSections(contents, side, { signal })
}
