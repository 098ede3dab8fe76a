import { escapeUTF8 } from 'entities'
import { isAlertType } from '../markup.ts'
import { withoutAttributes, withoutInlineMarks } from './attributes.ts'
import { type Line, trimBlank } from './lines.ts'

/** Where a block begins, and the white space before the lines that it becomes. */
export type Place = { start: Line; indent: string }

/** The title of an alert that has none. Without it, an alert has the name of its type. */
const NO_TITLE = '<!-- -->'

/** A body with lines before it and after it, which all get the white space of its place. */
const enclosed = ({ start, indent }: Place, before: string[], body: Line[], after: string[]): Line[] => {
  const { number: last } = body.at(-1) ?? start
  const lineAt = (number: number) => (text: string) => ({ text, number })
  const lines = [...before.map(lineAt(start.number)), ...body, ...after.map(lineAt(last))]
  return lines.map(({ text, number }) => ({ text: text === '' ? '' : indent + text, number }))
}

/** Writes containers of dialects in the Markdown that every text may have: alerts, details, titles in bold. @param fold a reader can fold it; `+`: it begins open */
export const alertLines = (place: Place, type: string, title: string, body: Line[], fold = ''): Line[] => {
  const kind = /^[a-z][a-z-]{1,30}$/i.test(type) ? type.toLowerCase() : 'note'
  const first = `> [!${kind}]${fold}${title === '' ? '' : ` ${title}`}`
  const quoted = body.map(({ text, number }) => ({ text: `> ${text}`.trimEnd(), number }))
  return enclosed(place, ['', first], quoted, [''])
}

/** Marks of Markdown in the title of details, which is HTML: a link becomes its text. */
const MARKS = /[`*]|\[([^[\]\n]{1,500})\](?:\([^()\n]{0,1000}\)|\[[\w.]{0,300}\])/g

export const detailsLines = (place: Place, title: string, body: Line[], isOpen = false): Line[] => {
  const summary = `<summary>${escapeUTF8(title.replace(MARKS, '$1') || 'Details')}</summary>`
  const before = ['', `<details${isOpen ? ' open' : ''}>`, summary, '']
  return enclosed(place, before, body, ['', '</details>', ''])
}

export const titledLines = (place: Place, title: string, body: Line[]): Line[] => {
  const before = title.trim() === '' ? [''] : ['', `**${title.trim()}**`, '']
  return enclosed(place, before, body, [''])
}

/** A tab, a card or a grid (of Sphinx with its number of columns as title) is a section, for readers that show it so. */
export const sectionLines = (place: Place, kind: string, title: string, body: Line[]): Line[] => {
  const tab = /^tab(?:-item)?$/.test(kind) && title.trim() !== '' && 'tab'
  const grid = /^(?:grid|cards|card-?(?:grid|group|pane))$/.test(kind) && 'card-grid'
  const name = tab || grid || (/card$/.test(kind) && 'card')
  if (!name) return titledLines(place, title, body)
  const lines = titledLines({ ...place, indent: '' }, grid ? '' : title, body)
  return enclosed(place, ['', `<section class="${name}">`], lines, ['</section>', ''])
}

/** @param indent of the fence: the lines of the code keep theirs */
export const codeLines = (start: Line, language: string, body: readonly Line[], indent = ''): Line[] => {
  const marks = body.map(({ text }) => /^\s*(`*)/.exec(text)![1]!.length)
  const fence = indent + '`'.repeat(marks.reduce((most, count) => Math.max(most, count + 1), 3))
  return enclosed({ start, indent: '' }, [fence + language], trimBlank(body), [fence])
}

type ContainerHead = { type: string; title: string; isOpen?: boolean; isUntitled?: boolean; fold?: string }

/** A container by its type: folded details, an alert, or only its title and its content. */
export const containerLines = (
  place: Place,
  { type, title: written, isOpen, isUntitled, fold }: ContainerHead,
  body: Line[],
): Line[] => {
  const title = withoutInlineMarks(withoutAttributes(written) ?? '').trim()
  if (/^(?:details|spoiler|dropdown)$/.test(type)) return detailsLines(place, title, body, isOpen)
  const kind = type === 'admonition' ? 'note' : type
  if (!isAlertType(kind)) return sectionLines(place, kind, title, body)
  return alertLines(place, kind, isUntitled ? NO_TITLE : title, body, fold)
}
