import { element, heading } from '../element.js'
import { errorMessage } from './error-messages.js'
import { inLanguage, languageName } from './language.js'
import { addressOf, rememberTitles, repeatedTitles } from './title-paths.js'
import { urlOf } from './view-targets.js'
import { dateText, formatLanguage, say } from './words.js'

/** The content of a view without an article: its heading, and what follows. */
export const viewOf = (title, ...content) => [typeof title === 'string' ? heading(title) : title, ...content]

/** A part beside a page. @param {string} title in English */
export const section = (title, ...content) =>
  element('section', {}, element('h2', {}, say(title)), ...content)

/** Links to categories, with the number of their pages if it is known. */
export const chipsOf = (categories, locale) => {
  const chip = (one) => {
    const link = categoryLink(one, locale)
    link.append(...pagesOf(one))
    return element('li', {}, link)
  }
  return element('ul', { class: 'chips' }, ...categories.map(chip))
}

export const categoryRow = (one, locale) => element('li', {}, categoryLink(one, locale), ...pagesOf(one))

const categoryLink = ({ key, name }, locale) =>
  linkTo({ view: 'category', key, locale }, name, inLanguage(locale))

const pagesOf = ({ pages }) => (pages === undefined ? [] : [element('span', { class: 'quiet' }, ` ${pages}`)])

/** A link to another view. */
export const linkTo = (target, text, attributes = {}) =>
  element('a', { href: urlOf(target), ...attributes }, text)

export const pageLink = ({ path, locale, title }) =>
  linkTo({ view: 'page', path, locale }, title, inLanguage(locale, title))

/** An item of a list of pages that link to one: a redirect to it is told apart. */
export const backlinkRow = (link) =>
  element(
    'li',
    {},
    pageLink(link),
    ...(link.redirect ? [element('span', { class: 'quiet' }, ` (${say('redirect')})`)] : []),
  )

/** Items of a list of what is near something that the wiki does not have, as `Near` has it. */
export const nearItems = (links, locale) =>
  links.map(({ target, text, language, isMeant }) => {
    const link = linkTo({ locale, ...target }, text, language && inLanguage(language))
    return element('li', {}, ...(isMeant ? [`${say('Did you mean')}: `] : []), link)
  })

/** The same page in another language. Without `target`, it leads to its URL on the wiki. */
export const translationLink = ({ locale, title, url, target }, wiki) => {
  const text = `${languageName(wiki, locale)}: ${title}`
  const attributes = { ...inLanguage(locale), hreflang: locale }
  return target ? linkTo(target, text, attributes) : element('a', { href: url, ...attributes }, text)
}

/** The time and author of an edit, more about it, and its comment. */
export const editParts = ({ created_at, author, comment }, textOf = dateText, ...more) => [
  element('time', { datetime: created_at, lang: formatLanguage() }, textOf(created_at)),
  ...(author.name.trim() ? [element('span', { class: 'author', dir: 'auto' }, author.name)] : []),
  ...more,
  ...(comment ? [element('span', { class: 'comment', dir: 'auto' }, comment)] : []),
]

/** Elements and texts in a line, in which each of them breaks as a whole. */
export const lineOf = (parts, { name = 'p', quiet = false } = {}) =>
  element(
    name,
    { class: quiet ? 'parts quiet' : 'parts' },
    ...parts.map((part) => (typeof part === 'string' ? element('span', {}, part) : part)),
  )

/** An entry of a list of edits, with the links to what it is about at its end. */
export const entryOf = (content, links) =>
  element('div', { class: 'entry' }, element('div', {}, ...content), lineOf(links, { quiet: true }))

/**
 * A list with a button that loads the next part. If a part fails to load, the list stays and shows the error. Pages
 * with the same title also show where they are. A part in columns is a list of its own: what one reads stays in place.
 * @param {(next: string) => Promise<{ items: object[], next: string }>} getPart
 * @param {(item: object, index: number) => Node} row creates an `li`
 */
export const growingList = (first, getPart, row, attributes = {}) => {
  const list = element('ul', { class: 'rows', ...attributes })
  let part = list
  let next = first.next
  let count = 0
  const addAddresses = addressesOf()
  const add = (items) => {
    rememberTitles(items.map((item) => item.page ?? item))
    const rows = items.map((item) => row(item, count++))
    if (part.matches('.columns') && part.hasChildNodes()) {
      part.after(part.cloneNode())
      part = part.nextSibling
    }
    part.append(...rows)
    addAddresses(items, rows)
    return rows[0]
  }
  const more = element('button', { type: 'button', class: 'more', hidden: next === '' }, say('More'))
  const error = element('p', { role: 'alert' })
  more.addEventListener('click', async () => {
    more.disabled = true
    error.textContent = ''
    try {
      const response = await getPart(next)
      next = response.next
      more.hidden = next === ''
      add(response.items)?.querySelector('a, input')?.focus()
    } catch (reason) {
      if (reason.name !== 'AbortError') error.textContent = errorMessage(reason)
    } finally {
      more.disabled = false
    }
  })
  add(first.items)
  return [list, more, error]
}

/** The same, or a sentence if it has no items. @param {string} none in English */
export const listOr = (none, first, ...list) =>
  first.items.length > 0 ? growingList(first, ...list) : [element('p', {}, say(none))]

/** Adds an address to the rows of all pages whose title is not theirs alone. */
const addressesOf = () => {
  const known = []
  return (items, rows) => {
    const pages = items.map((item) => item.page ?? item)
    // Lists of edits of one page have no titles.
    if (pages[0]?.title === undefined) return
    pages.forEach((page, i) => {
      known.push({ page, row: rows[i] })
    })
    const repeated = repeatedTitles(known.map(({ page }) => page))
    for (const { page, row } of known) {
      if (!repeated.has(page.title)) continue
      row.querySelector('.crumbs')?.remove()
      ;(row.querySelector('h2') ?? row.querySelector('a')).after(addressOf(page.path))
    }
  }
}
