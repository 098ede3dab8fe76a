import { element, withMarks } from '../../element.js'
import { get, newestEdits } from '../api.js'
import { inLanguage } from '../language.js'
import { numberedLines } from '../line-numbers.js'
import { editParts, lineOf, linkTo, viewOf } from '../links.js'
import { say, shellLanguage } from '../words.js'

/** What one edit changed, or the differences between two edits, as the API compares them. */
export const difference = async ({ from, to }, { signal }) => {
  const read = (id, part = '', query = {}) =>
    get(`/revisions/${encodeURIComponent(id)}${part}`, query, signal)
  const diff = await read(to, '/diff', { from })
  const [older, newer, edits] = await Promise.all([
    diff.from === null ? undefined : read(diff.from),
    read(diff.to),
    newestEdits(diff.page, signal),
  ])
  const { title, locale, path, ns } = diff.page
  const hunks = diff.truncated ? [] : diff.hunks
  const name = say('Changes to {0}', title)
  const after = edits[edits.findIndex(({ id }) => id === diff.to) - 1]
  const link = (edit, text) => (edit ? [linkTo({ view: 'difference', to: edit.id, locale }, say(text))] : [])
  return {
    title: name,
    locale,
    path: ns === 'main' ? path : undefined,
    content: viewOf(
      name,
      element(
        'dl',
        { class: 'edits' },
        element(
          'div',
          {},
          element('dt', {}, say('From')),
          lineOf(older ? editText(older) : [say('an empty page: this is the first edit')], { name: 'dd' }),
        ),
        element('div', {}, element('dt', {}, say('To')), lineOf(editText(newer), { name: 'dd' })),
      ),
      lineOf([
        ...summaryOf(diff),
        ...link(older, 'Older edit'),
        ...link(after, 'Newer edit'),
        linkTo({ view: 'history', path, locale }, say('History')),
        linkTo({ view: 'page', path, locale }, say('Current page')),
      ]),
      ...(hunks.length > 0
        ? [
            layoutSwitch(name),
            element('div', { class: 'difference', ...inLanguage(locale) }, ...hunks.flatMap(hunkElements)),
          ]
        : []),
    ),
  }
}

/** What somebody chose for this and the next comparisons. */
let isSplit = false

/** Where there is room, puts the older lines beside the newer ones. */
const layoutSwitch = (name) => {
  const choice = (text, isChosen) => {
    const onchange = () => {
      isSplit = isChosen
    }
    const attributes = { type: 'radio', name: 'layout', checked: isChosen === isSplit, onchange }
    return element('label', { class: isChosen && 'beside' }, element('input', attributes), say(text))
  }
  return element(
    'div',
    { class: 'layout', role: 'radiogroup', 'aria-label': name },
    choice('Unified', false),
    choice('Side by side', true),
  )
}

const editText = (edit) => [
  ...editParts(edit),
  linkTo({ view: 'edit', id: edit.id, locale: edit.page.locale }, say('View this version')),
]

/** If the API lists no lines, its only hunk covers every change, and the lines between two changes too. */
const summaryOf = ({ added, removed, truncated, hunks }) => {
  if (truncated)
    return [
      say(
        'The changes are too many or too long to show. They begin at line {0}. To read a whole text, open its edit.',
        hunks[0].to.line,
      ),
    ]
  if (added + removed === 0) return [say('The two texts are identical.')]
  const textOf = (sign, lines) => sign + say('{0, plural, one {# line} other {# lines}}', lines)
  const count = (sign, lines, name) =>
    lines === 0 ? [] : [element('span', { class: name, 'aria-hidden': 'true' }, textOf(sign, lines))]
  return [
    element('span', { class: 'unseen' }, say('Lines added: {0}. Lines removed: {1}.', added, removed)),
    ...count('+', added, 'lines-added'),
    ...count('−', removed, 'lines-removed'),
  ]
}

/**
 * A heading with the number of the first line, and the lines. Lines of one kind that follow each other are in one element.
 * Only side by side, lines that both texts have are there twice, and where one text has nothing, there is a gap.
 */
const hunkElements = (hunk) => {
  const runs = []
  for (const line of numberedLines(hunk)) {
    if (runs.at(-1)?.[0].kind === line.kind) runs.at(-1).push(line)
    else runs.push([line])
  }
  return [
    element('h2', inLanguage(shellLanguage), say('Line {0}', hunk.to.line)),
    ...runs.flatMap((run, i) => besides(run, runs[i - 1], runs[i + 1], hunk.lines)),
  ]
}

/** The element of a run, and what is only there side by side: both take as many rows. */
const besides = (run, before, after, hunkLines) => {
  const [{ kind }] = run
  const other = kind === 'removed' ? after : before
  const isPaired = kind !== 'context' && other && other[0].kind !== 'context'
  const elements = [runElement(run, hunkLines), ...(isPaired ? [] : [besideOf(run, hunkLines)])]
  const rows = isPaired ? Math.max(run.length, other.length) : run.length
  for (const one of elements) one.style.gridRow = `span ${rows}`
  return kind === 'removed' ? elements : elements.reverse()
}

const besideOf = (run, hunkLines) => {
  if (run[0].kind !== 'context') return element('p', { class: `gap ${run[0].kind}` })
  const older = runElement(
    run.map((line) => ({ ...line, number: line.older })),
    hunkLines,
  )
  older.classList.add('older')
  older.setAttribute('aria-hidden', 'true')
  return older
}

const CHANGES = { removed: ['del', say('Removed')], added: ['ins', say('Added')] }

const runElement = (lines, hunkLines) => {
  const [name, label] = CHANGES[lines[0].kind] ?? []
  const created = name
    ? element(
        name,
        { class: 'change' },
        element('span', { class: 'unseen', ...inLanguage(shellLanguage) }, `${label}: `),
      )
    : element('p', { class: 'same' })
  for (const line of lines) {
    const note = looksUnchanged(line, hunkLines) ? [noLineFeed()] : []
    // Browsers show no empty line without a line feed.
    const content = [...withMarks(line), ...note, '\n']
    created.append(element('span', { class: 'line', 'data-line': line.number }, ...content))
  }
  return created
}

/** Whether the missing line feed is all that differs from a line of the other text. */
const looksUnchanged = ({ kind, text, newline }, hunkLines) =>
  newline === false &&
  kind !== 'context' &&
  hunkLines.some((other) => other.kind !== kind && other.kind !== 'context' && other.text === text)

const noLineFeed = () =>
  element('em', { class: 'note', ...inLanguage(shellLanguage) }, say('no line feed at the end'))
