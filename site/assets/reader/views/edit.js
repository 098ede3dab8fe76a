import { element } from '../../element.js'
import { get, newestEdits } from '../api.js'
import { articleOf } from '../content.js'
import { tableOfContents } from '../contents.js'
import { editParts, lineOf, linkTo } from '../links.js'
import { dateText, say } from '../words.js'

/** A page after one edit, at the places where the page itself has its text. */
export const edit = async ({ id }, { wiki, signal }) => {
  const revision = await get(`/revisions/${encodeURIComponent(id)}`, { format: 'html' }, signal)
  const { title, locale, path, ns } = revision.page
  const edits = await newestEdits(revision.page, signal)
  const place = edits.findIndex((one) => one.id === revision.id)
  const links = [
    linkTo({ view: 'page', path, locale }, say('Current page')),
    linkTo({ view: 'history', path, locale }, say('History')),
    linkTo({ view: 'difference', to: id, locale }, say('What changed')),
  ]
  const editLink = (other, text) => links.push(linkTo({ view: 'edit', id: other, locale }, say(text)))
  if (revision.parent) editLink(revision.parent, 'Older edit')
  if (place > 0) editLink(edits[place - 1].id, 'Newer edit')
  const isOld = place !== 0
  const date = dateText(revision.created_at)
  const banner = element(
    'div',
    { class: 'markdown-alert markdown-alert-warning' },
    element('p', {}, isOld ? say('This is an old edit of {0}, from {1}.', title, date) : say('This edit')),
    // The sentence has the date of an old one.
    lineOf(editParts(revision).slice(isOld ? 1 : 0), { quiet: true }),
    lineOf(links),
  )
  const { h1, article } = articleOf(revision.html, { title, path, locale, locales: wiki.locales })
  const contents = tableOfContents(article)
  return {
    title: `${title} (${date})`,
    locale,
    path: ns === 'main' ? path : undefined,
    content: [
      element(
        'div',
        { class: 'page' },
        element('header', {}, h1, banner),
        element('div', { class: 'side' }, ...(contents ? [contents] : [])),
        article,
      ),
    ],
  }
}
