import { get } from '../api.js'
import { compare } from '../compare.js'
import { element, heading } from '../element.js'
import { inLanguage } from '../language.js'
import { editLine, linkTo } from '../links.js'

/** Unchanged lines that are shown before and after a change. Longer runs of unchanged lines are folded. */
const CONTEXT_LINES = 3

/** The changes of one edit, or between two edits. */
export const difference = async ({ from, to }, { signal }) => {
  const read = (id) => get(`/revisions/${encodeURIComponent(id)}`, {}, signal)
  const newer = await read(to)
  const olderId = from ?? newer.parent
  const older = olderId === null ? undefined : await read(olderId)
  const { title, locale, path } = newer.page
  const parts = await compare(older?.markdown ?? '', newer.markdown, locale)
  return {
    title: `Changes to ${title}`,
    locale,
    content: [
      heading(`Changes to ${title}`),
      element(
        'dl',
        { class: 'edits' },
        element(
          'div',
          {},
          element('dt', {}, 'From'),
          element('dd', {}, ...(older ? editText(older) : ['an empty page: this is the first edit'])),
        ),
        element('div', {}, element('dt', {}, 'To'), element('dd', {}, ...editText(newer))),
      ),
      element(
        'p',
        {},
        linkTo({ view: 'history', path, locale }, 'History of the page'),
        ' · ',
        linkTo({ view: 'page', path, locale }, 'Current page'),
      ),
      parts.some(({ kind }) => kind !== 'same')
        ? element('div', { class: 'difference', ...inLanguage(locale) }, ...parts.map(partElement))
        : element('p', {}, 'The two texts are identical.'),
    ],
  }
}

const editText = (edit) => [...editLine(edit), ' · ', linkTo({ view: 'edit', id: edit.id }, 'this edit')]

const partElement = (part, index, all) =>
  part.kind === 'same' ? unchanged(part.text, index === 0, index === all.length - 1) : changed(part)

const KINDS = { removed: ['del', 'Removed: '], added: ['ins', 'Added: '] }

const changed = ({ kind, pieces }) => {
  const [name, label] = KINDS[kind]
  const texts = pieces.map(({ text, marked }) => (marked ? element('mark', {}, text) : text))
  return element(name, { class: 'change' }, element('span', { class: 'unseen', lang: 'en' }, label), ...texts)
}

const unchanged = (text, isFirst, isLast) => {
  const lines = text.replace(/\n$/, '').split('\n')
  const before = isFirst ? 0 : CONTEXT_LINES
  const after = isLast ? 0 : CONTEXT_LINES
  const folded = lines.length - before - after
  if (folded < 2) return element('p', { class: 'same' }, lines.join('\n'))
  const paragraph = (texts) => (texts.length > 0 ? [element('p', { class: 'same' }, texts.join('\n'))] : [])
  return element(
    'div',
    {},
    ...paragraph(lines.slice(0, before)),
    element(
      'details',
      {},
      element('summary', { lang: 'en', dir: 'ltr' }, `${folded} unchanged lines`),
      ...paragraph(lines.slice(before, lines.length - after)),
    ),
    ...paragraph(lines.slice(lines.length - after)),
  )
}
