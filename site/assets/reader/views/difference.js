import { element, heading, withMarks } from '../../element.js'
import { get } from '../api.js'
import { inLanguage } from '../language.js'
import { editLine, linkTo } from '../links.js'

/** What one edit changed, or the differences between two edits, as the API compares them. */
export const difference = async ({ from, to }, { signal }) => {
  const read = (id, part = '', query = {}) =>
    get(`/revisions/${encodeURIComponent(id)}${part}`, query, signal)
  const diff = await read(to, '/diff', { from })
  const [older, newer] = await Promise.all([diff.from === null ? undefined : read(diff.from), read(diff.to)])
  const { title, locale, path } = diff.page
  const hunks = diff.truncated ? [] : diff.hunks
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
      element('p', {}, summaryOf(diff)),
      ...(hunks.length > 0
        ? [element('div', { class: 'difference', ...inLanguage(locale) }, ...hunks.flatMap(hunkElements))]
        : []),
    ],
  }
}

const editText = (edit) => [...editLine(edit), ' · ', linkTo({ view: 'edit', id: edit.id }, 'this edit')]

const NUMBERS = new Intl.NumberFormat('en')

const linesText = (count) => (count === 1 ? '1 line' : `${NUMBERS.format(count)} lines`)

/** If the API lists no lines, its only hunk covers every change, and the lines between two changes too. (D106) */
const summaryOf = ({ added, removed, truncated, hunks }) => {
  if (truncated)
    return `The changes are too many or too long to show. They begin at line ${NUMBERS.format(hunks[0].to.line)}, with ${linesText(added)} in place of ${linesText(removed)}. Some of these lines may be the same in both texts. To read a whole text, open its edit.`
  if (added + removed === 0) return 'The two texts are identical.'
  return `${linesText(added)} added, ${linesText(removed)} removed.`
}

/** A heading with the number of the first line, and the lines. Lines of one kind that follow each other are one element. */
const hunkElements = ({ to, lines }) => {
  const runs = []
  for (const line of lines) {
    if (runs.at(-1)?.[0].kind === line.kind) runs.at(-1).push(line)
    else runs.push([line])
  }
  return [
    element('h2', { lang: 'en', dir: 'ltr' }, `Line ${NUMBERS.format(to.line)}`),
    ...runs.map((run) => runElement(run, lines)),
  ]
}

const CHANGES = { removed: ['del', 'Removed: '], added: ['ins', 'Added: '] }

const runElement = (run, hunkLines) => {
  const [name, label] = CHANGES[run[0].kind] ?? []
  const created = name
    ? element(name, { class: 'change' }, element('span', { class: 'unseen', lang: 'en' }, label))
    : element('p', { class: 'same' })
  for (const line of run) {
    created.append(...withMarks(line))
    if (looksUnchanged(line, hunkLines)) created.append(noLineFeed())
    // Also after the last line: browsers show no empty line without one.
    created.append('\n')
  }
  // One node instead of two for each line.
  created.normalize()
  return created
}

/** Whether the missing line feed is all that differs from a line of the other text. */
const looksUnchanged = ({ kind, text, newline }, hunkLines) =>
  newline === false &&
  kind !== 'context' &&
  hunkLines.some((other) => other.kind !== kind && other.kind !== 'context' && other.text === text)

const noLineFeed = () => element('em', { class: 'note', lang: 'en', dir: 'ltr' }, 'no line feed at the end')
