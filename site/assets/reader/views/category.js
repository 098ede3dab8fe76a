import { element, heading } from '../../element.js'
import { get } from '../api.js'
import { inLanguage } from '../language.js'
import { growingList, linkTo, pageLink } from '../links.js'
import { say } from '../words.js'

/** The pages of a category. */
export const category = async ({ key, locale: requestedLocale }, { wiki, signal }) => {
  const locale = requestedLocale ?? wiki.locale
  const getPart = (after) =>
    get(`/categories/${encodeURIComponent(key)}`, { locale, limit: '50', after }, signal)
  const first = await getPart('')
  const { name } = first.category
  const pages =
    first.items.length > 0
      ? growingList(first, getPart, (page) => element('li', {}, pageLink(page)), {
          class: 'rows columns',
        })
      : [element('p', {}, say('This category has no pages.'))]
  return {
    title: name,
    locale,
    content: [
      element('p', { class: 'kind' }, linkTo({ view: 'categories', locale }, say('Categories'))),
      heading(name, inLanguage(locale)),
      ...pages,
    ],
  }
}
