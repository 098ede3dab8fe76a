import { element } from './element.js'
import { addressOf, wikiPlace } from './places.js'

/**
 * HTML of the API as elements. The API has cleaned it, and the page's policy lets nothing in it run. Links to
 * pages of the wiki lead to them in the reader; headings come under the view's own.
 * @param {string} html
 * @param {{ title: string, locales: { locale: string, url: string }[] }} about
 */
export const contentOf = (html, { title, locales }) => {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const first = body.firstElementChild
  if (first?.localName === 'h1' && first.textContent.trim() === title) first.remove()
  if (body.querySelector('h1')) lowerHeadings(body)
  for (const link of body.querySelectorAll('a[href]')) {
    const found = link.protocol.startsWith('http') ? wikiPlace(link.href, locales) : undefined
    if (found) link.href = addressOf(found.place) + found.hash
  }
  for (const image of body.querySelectorAll('img')) {
    image.addEventListener('error', () => {
      image.replaceWith(element('span', { class: 'missing' }, image.alt || 'Image not available'))
    })
  }
  for (const table of body.querySelectorAll('table')) {
    const scroller = element('div', {
      class: 'scroller',
      tabindex: '0',
      role: 'group',
      'aria-label': 'Table',
    })
    table.replaceWith(scroller)
    scroller.append(table)
  }
  for (const box of body.querySelectorAll('li > input[type="checkbox"]')) {
    box.setAttribute('aria-label', box.checked ? 'done' : 'to do')
  }
  return [...body.childNodes]
}

const lowerHeadings = (body) => {
  for (const old of body.querySelectorAll('h1, h2, h3, h4, h5')) {
    const lower = element(`h${Number(old.localName[1]) + 1}`, old.id ? { id: old.id } : {})
    lower.append(...old.childNodes)
    old.replaceWith(lower)
  }
}
