import { element, heading } from '../../element.js'
import { get } from '../api.js'
import { contentOf } from '../content.js'
import { inLanguage } from '../language.js'
import { editLine, linkTo } from '../links.js'

/** A page after one edit. */
export const edit = async ({ id }, { wiki, signal }) => {
  const revision = await get(`/revisions/${encodeURIComponent(id)}`, { format: 'html' }, signal)
  const { title, locale, path } = revision.page
  return {
    title: `${title} (earlier edit)`,
    locale,
    content: [
      heading(title, inLanguage(locale)),
      element(
        'p',
        { class: 'lead' },
        'The page after this edit: ',
        ...editLine(revision),
        '. ',
        linkTo({ view: 'page', path, locale }, 'Current page'),
        ', ',
        linkTo({ view: 'history', path, locale }, 'its history'),
        ', ',
        linkTo({ view: 'difference', to: id }, 'what changed'),
        '.',
      ),
      element(
        'article',
        inLanguage(locale),
        ...contentOf(revision.html, { title, path, locale, locales: wiki.locales }),
      ),
    ],
  }
}
