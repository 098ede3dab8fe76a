import { element, heading } from '../../element.js'
import { get } from '../api.js'
import { inLanguage } from '../language.js'
import { linkTo, listOr, pageLink } from '../links.js'
import { say } from '../words.js'

/** The pages of a category. */
export const category = async ({ key, locale }, { signal }) => {
  const getPart = (after) =>
    get(`/categories/${encodeURIComponent(key)}`, { locale, limit: '50', after }, signal)
  const first = await getPart('')
  const { name } = first.category
  const row = (page) => element('li', {}, pageLink(page))
  const pages = listOr('This category has no pages.', first, getPart, row, { class: 'rows columns' })
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
