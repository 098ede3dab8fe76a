import { element, heading } from '../../element.js'
import { get } from '../api.js'
import { inLanguage, languageName } from '../language.js'
import { growingList, linkTo, rowByPath } from '../links.js'
import { say } from '../words.js'

/** All pages of one language, in the order of their paths. */
export const pages = async ({ locale: requestedLocale }, { wiki, signal }) => {
  const locale = requestedLocale ?? wiki.locale
  const getPart = (after) => get('/pages', { locale, limit: '90', after }, signal)
  const first = await getPart('')
  return {
    title: say('All pages'),
    locale,
    content: [
      heading(say('All pages')),
      element(
        'p',
        { class: 'lead' },
        element('span', inLanguage(locale), languageName(wiki, locale)),
        ` · ${say('by path')} · `,
        linkTo({ view: 'home', locale }, say('Main page')),
      ),
      ...growingList(first, getPart, rowByPath, { class: 'rows columns' }),
    ],
  }
}
