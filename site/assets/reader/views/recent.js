import { element } from '../../element.js'
import { get } from '../api.js'
import { editParts, entryOf, growingList, lineOf, linkTo, pageLink, viewOf } from '../links.js'
import { bytesText, dayText, differenceText, say, timeText } from '../words.js'

/** The accepted edits of all pages of one language, newest first, by day. */
export const recent = async ({ locale }, { signal }) => {
  const getPart = (before) => get('/recent', { locale, limit: '50', include: 'parent', before }, signal)
  const first = await getPart('')
  const title = say('Recent edits')
  let day
  const row = (edit) => {
    const before = day
    day = dayText(edit.created_at)
    return element('li', {}, ...(day === before ? [] : [element('h2', {}, day)]), editRow(edit))
  }
  return { title, locale, content: viewOf(title, ...growingList(first, getPart, row)) }
}

const editRow = (edit) => {
  const { id, size, parent_size: before, page } = edit
  const { path, locale } = page
  const sizes = `${bytesText(size)} (${differenceText(size - before)})`
  return entryOf(
    [pageLink(page), lineOf(editParts(edit, timeText, sizes), { quiet: true })],
    [
      linkTo({ view: 'difference', to: id, locale }, say('What changed')),
      linkTo({ view: 'history', path, locale }, say('History')),
    ],
  )
}
