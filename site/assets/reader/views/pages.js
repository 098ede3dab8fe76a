import { element, heading } from '../../element.js'
import { get } from '../api.js'
import { inLanguage, languageName } from '../language.js'
import { growingList, linkTo, rowByPath } from '../links.js'
import { say } from '../words.js'

/** All pages of one language, or those whose paths begin with `prefix`, in the order of their paths. */
export const pages = async ({ locale: requestedLocale, prefix }, { wiki, signal }) => {
  const locale = requestedLocale ?? wiki.locale
  const getPart = (after) => get('/pages', { locale, prefix, limit: '90', after }, signal)
  const first = await getPart('')
  const title = prefix ? say('Pages in {0}', prefix.slice(0, -1)) : say('All pages')
  return {
    title,
    locale,
    isEmpty: first.items.length === 0,
    content: [
      heading(title),
      element(
        'p',
        { class: 'lead' },
        element('span', inLanguage(locale), languageName(wiki, locale)),
        ` · ${say('by path')} · `,
        linkTo({ view: 'home', locale }, say('Main page')),
      ),
      ...(first.items.length > 0
        ? growingList(first, getPart, rowByPath, { class: 'rows columns' })
        : [element('p', {}, say('No pages yet'))]),
    ],
  }
}
