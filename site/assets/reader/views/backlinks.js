import { element } from '../../element.js'
import { get, getUntil } from '../api.js'
import { backlinkRow, linkTo, listOr, viewOf } from '../links.js'
import { titleOf } from '../near.js'
import { say } from '../words.js'

/** The pages that link to a page. */
export const backlinks = async ({ path, locale }, { signal }) => {
  const getPart = (after) => get('/links', { to: path, locale, after }, signal)
  const [first, name] = await Promise.all([getPart(''), titleOf(path, locale, getUntil(signal))])
  const title = say('Pages that link to {0}', name)
  const content = listOr('No page links to this page.', first, getPart, backlinkRow)
  return {
    title,
    locale,
    path,
    content: viewOf(
      title,
      element('p', {}, linkTo({ view: 'page', path, locale }, say('Current page'))),
      ...content,
    ),
  }
}
