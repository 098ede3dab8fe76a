import { element } from './element.js'
import { targetOfWikiUrl, urlOf } from './view-targets.js'

/**
 * Turns HTML of the API into elements. The API has sanitized it, and the Content-Security-Policy of this page stops all
 * scripts. Links to pages of the wiki open them in the demo reader. Headings are one level below that of the view.
 * @param {string} html
 * @param {{ title: string, locales: { locale: string, url: string }[] }} page
 */
export const contentOf = (html, { title, locales }) => {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const first = body.firstElementChild
  if (first?.localName === 'h1' && first.textContent.trim() === title) first.remove()
  if (body.querySelector('h1')) lowerHeadings(body)
  for (const link of body.querySelectorAll('a[href]')) {
    const wikiLink = link.protocol.startsWith('http') ? targetOfWikiUrl(link.href, locales) : undefined
    if (wikiLink) link.href = urlOf(wikiLink.target) + wikiLink.hash
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
