import { escapeUTF8 } from 'entities'
import { isAlertType } from '../markup.ts'
import { withoutAttributes, withoutInlineMarks } from './attributes.ts'
import { type Line, trimBlank } from './lines.ts'

/** Where a block begins, and the white space before the lines that it becomes. */
export interface Place {
  start: Line
  indent: string
}

/** The title of an alert that has none. Without it, an alert has the name of its type. */
const NO_TITLE = '<!-- -->'

const line = (text: string, { number }: Line): Line => ({ text, number })

/** Writes what containers of dialects show in the Markdown that every text may have: alerts, details, titles in bold. */
export const alertLines = ({ start, indent }: Place, type: string, title: string, body: Line[]): Line[] => {
  const kind = /^[a-z][a-z-]{1,30}$/i.test(type) ? type.toLowerCase() : 'note'
  return [
    line('', start),
    line(`${indent}> [!${kind}]${title === '' ? '' : ` ${title}`}`, start),
    ...body.map(({ text, number }) => ({ text: `${indent}> ${text}`.trimEnd(), number })),
    line('', body.at(-1) ?? start),
  ]
}

/** Marks of Markdown in the title of details, which is HTML: a link becomes its text. */
const MARKS = /[`*]|\[([^[\]\n]{1,500})\]\([^()\n]{0,1000}\)/g

export const detailsLines = (
  { start, indent }: Place,
  title: string,
  body: Line[],
  isOpen = false,
): Line[] => [
  line('', start),
  line(`${indent}<details${isOpen ? ' open' : ''}>`, start),
  line(`${indent}<summary>${escapeUTF8(title.replace(MARKS, '$1') || 'Details')}</summary>`, start),
  line('', start),
  ...indented(body, indent),
  line('', body.at(-1) ?? start),
  line(`${indent}</details>`, body.at(-1) ?? start),
  line('', body.at(-1) ?? start),
]

export const titledLines = ({ start, indent }: Place, title: string, body: Line[]): Line[] => [
  line('', start),
  ...(title.trim() === '' ? [] : [line(`${indent}**${title.trim()}**`, start), line('', start)]),
  ...indented(body, indent),
  line('', body.at(-1) ?? start),
]

/** A section that begins with its title. Readers can show those that follow each other as tabs. */
export const tabLines = (place: Place, title: string, body: Line[]): Line[] => {
  const { start, indent } = place
  const end = body.at(-1) ?? start
  const content = titledLines(place, title, body)
  if (title.trim() === '') return content
  const [first, last] = [`${indent}<section class="tab">`, `${indent}</section>`]
  return [line('', start), line(first, start), ...content, line(last, end), line('', end)]
}

export const codeLines = ({ start, indent }: Place, language: string, body: readonly Line[]): Line[] => [
  line(`${indent}\`\`\`${language}`, start),
  ...trimBlank(body),
  line(`${indent}\`\`\``, start),
]

const indented = (body: readonly Line[], indent: string): Line[] =>
  body.map(({ text, number }) => ({ text: text === '' ? '' : indent + text, number }))

type ContainerHead = { type: string; title: string; isOpen?: boolean; isUntitled?: boolean }

/** A container by its type: folded details, an alert, or only its title and its content. */
export const containerLines = (
  place: Place,
  { type, title: written, isOpen, isUntitled }: ContainerHead,
  body: Line[],
): Line[] => {
  const title = withoutInlineMarks(withoutAttributes(written) ?? '').trim()
  if (type === 'details' || type === 'spoiler') return detailsLines(place, title, body, isOpen)
  if (type === 'tab') return tabLines(place, title, body)
  if (!isAlertType(type)) return titledLines(place, title, body)
  return alertLines(place, type, isUntitled ? NO_TITLE : title, body)
}
