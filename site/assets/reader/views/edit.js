import { element, heading } from '../../element.js'
import { get } from '../api.js'
import { contentOf } from '../content.js'
import { inLanguage } from '../language.js'
import { editLine, linkTo } from '../links.js'
import { dateText, say } from '../words.js'

/** A page after one edit. */
export const edit = async ({ id }, { wiki, signal }) => {
  const revision = await get(`/revisions/${encodeURIComponent(id)}`, { format: 'html' }, signal)
  const { title, locale, path } = revision.page
  return {
    title: `${title} (${dateText(revision.created_at)})`,
    locale,
    content: [
      heading(title, inLanguage(locale)),
      element('p', { class: 'lead' }, `${say('This edit')}: `, ...editLine(revision)),
      element(
        'p',
        {},
        linkTo({ view: 'page', path, locale }, say('Current page')),
        ' · ',
        linkTo({ view: 'history', path, locale }, say('History')),
        ' · ',
        linkTo({ view: 'difference', to: id, locale }, say('What changed')),
      ),
      element(
        'article',
        inLanguage(locale),
        ...contentOf(revision.html, { title, path, locale, locales: wiki.locales }),
      ),
    ],
  }
}
