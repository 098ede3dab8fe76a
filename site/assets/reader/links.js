import { element } from './element.js'
import { dateText, inLanguage } from './language.js'
import { addressOf } from './places.js'
import { troubleOf } from './trouble.js'

/** A link within the reader. */
export const linkTo = (place, text, attributes = {}) =>
  element('a', { href: addressOf(place), ...attributes }, text)

export const pageLink = ({ path, locale, title }) =>
  linkTo({ view: 'page', path, locale }, title, inLanguage(locale))

/** Who made an edit, when, and what they said of it. */
export const editLine = ({ created_at, author, comment }) => [
  element('time', { datetime: created_at }, dateText(created_at)),
  ' · ',
  element('span', { class: 'author', dir: 'auto' }, author.name),
  ...(comment ? [' · ', element('span', { class: 'comment', dir: 'auto' }, comment)] : []),
]

/**
 * A list that grows part by part. Where a part cannot be had, what is there stays, and says why.
 * @param {(next: string) => Promise<{ items: object[], next: string }>} getPart
 * @param {(item: object, index: number) => Node} row an `li`
 */
export const growingList = (first, getPart, row, attributes = {}) => {
  const list = element('ul', { class: 'rows', ...attributes })
  let next = first.next
  let count = 0
  const add = (items) => {
    const rows = items.map((item) => row(item, count++))
    list.append(...rows)
    return rows[0]
  }
  const more = element('button', { type: 'button', class: 'more', hidden: next === '' }, 'More')
  const trouble = element('p', { role: 'alert' })
  more.addEventListener('click', async () => {
    more.disabled = true
    trouble.textContent = ''
    try {
      const part = await getPart(next)
      next = part.next
      more.hidden = next === ''
      add(part.items)?.querySelector('a, input')?.focus()
    } catch (error) {
      if (error.name !== 'AbortError') trouble.textContent = troubleOf(error)
    } finally {
      more.disabled = false
    }
  })
  add(first.items)
  return [list, more, trouble]
}
