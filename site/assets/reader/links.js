import { element } from './element.js'
import { errorMessage } from './error-messages.js'
import { dateText, inLanguage } from './language.js'
import { urlOf } from './view-targets.js'

/** A link to another view. */
export const linkTo = (target, text, attributes = {}) =>
  element('a', { href: urlOf(target), ...attributes }, text)

export const pageLink = ({ path, locale, title }) =>
  linkTo({ view: 'page', path, locale }, title, inLanguage(locale))

/** The time, author and comment of an edit. */
export const editLine = ({ created_at, author, comment }) => [
  element('time', { datetime: created_at }, dateText(created_at)),
  ' · ',
  element('span', { class: 'author', dir: 'auto' }, author.name),
  ...(comment ? [' · ', element('span', { class: 'comment', dir: 'auto' }, comment)] : []),
]

/**
 * A list with a button that loads the next part. If a part fails to load, the list stays and shows the error.
 * @param {(next: string) => Promise<{ items: object[], next: string }>} getPart
 * @param {(item: object, index: number) => Node} row creates an `li`
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
  const error = element('p', { role: 'alert' })
  more.addEventListener('click', async () => {
    more.disabled = true
    error.textContent = ''
    try {
      const part = await getPart(next)
      next = part.next
      more.hidden = next === ''
      add(part.items)?.querySelector('a, input')?.focus()
    } catch (reason) {
      if (reason.name !== 'AbortError') error.textContent = errorMessage(reason)
    } finally {
      more.disabled = false
    }
  })
  add(first.items)
  return [list, more, error]
}
