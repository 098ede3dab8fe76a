import { get } from '../api.js'
import { element, heading } from '../element.js'
import { inLanguage } from '../language.js'
import { editLine, growingList, linkTo, pageLink } from '../links.js'

/** Recent edits and all pages of one language. */
export const home = async ({ locale: requestedLocale }, { wiki, signal }) => {
  const locale = requestedLocale ?? wiki.locale
  const name = wiki.locales.find((one) => one.locale === locale)?.name ?? locale
  const recent = await get('/recent', { locale, limit: '5' }, signal)
  const getPages = (after) => get('/pages', { locale, limit: '30', after }, signal)
  const pages = await getPages('')
  return {
    title: wiki.name,
    locale,
    content: [
      heading(wiki.name),
      element(
        'p',
        { class: 'lead' },
        'In ',
        element('span', inLanguage(locale), name),
        '. Search above, or choose a page.',
      ),
      element('h2', {}, 'Pages'),
      ...growingList(pages, getPages, (page) => element('li', {}, pageLink(page)), {
        class: 'rows columns',
      }),
      element('h2', {}, 'Recent edits'),
      element('ul', { class: 'rows' }, ...recent.items.map(recentRow)),
    ],
  }
}

const recentRow = (edit) =>
  element(
    'li',
    {},
    pageLink(edit.page),
    element(
      'p',
      { class: 'quiet' },
      ...editLine(edit),
      ' · ',
      linkTo({ view: 'difference', to: edit.id }, 'what changed'),
    ),
  )
