import { get } from '../api.js'
import { contentOf } from '../content.js'
import { element, heading } from '../element.js'
import { inLanguage } from '../language.js'
import { editLine, linkTo } from '../links.js'

/** A page as one edit left it. */
export const edit = async ({ id }, { wiki, signal }) => {
  const read = await get(`/revisions/${encodeURIComponent(id)}`, { format: 'html' }, signal)
  const { title, locale, path } = read.page
  return {
    title: `${title}, an earlier edit`,
    locale,
    content: [
      heading(title, inLanguage(locale)),
      element(
        'p',
        { class: 'lead' },
        'The page after this edit: ',
        ...editLine(read),
        '. ',
        linkTo({ view: 'page', path, locale }, 'Current page'),
        ', ',
        linkTo({ view: 'history', path, locale }, 'its history'),
        ', ',
        linkTo({ view: 'difference', to: id }, 'what changed'),
        '.',
      ),
      element('article', inLanguage(locale), ...contentOf(read.html, { title, locales: wiki.locales })),
    ],
  }
}
