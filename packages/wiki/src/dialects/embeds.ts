import { type RewriteMark, rewriteMarkdown } from '../import/rewrite.ts'
import { wikilinkAt } from '../markup.ts'
import { inlineText } from '../plain-text/inline-text.ts'
import { cellsOf } from '../plain-text/sections.ts'
import { blockIdsIn, fenceAt, linesWithCode } from './lines.ts'
import { noteHeadingId } from './slugs.ts'

/** A note, or a part of it, that a text of Obsidian shows on a line of its own, at the end of one, or alone in a quotation or item: `![[Note#Section]]`. */
export type Embed = ReturnType<typeof embedsIn>[number]

/** Notes in one text, and characters of each of them. More are links. (D142) */
const EMBED_LIMITS = { notes: 50, characters: 50_000 } as const

/** Alone after marks of quotations and items, or at the end of a line of a paragraph. */
const EMBED =
  /^((?: {0,3}>)*(?:[ \t]*(?:[-*+]|\d{1,9}[.)])(?=[ \t]))? {0,3})((?![-*+>#<:|]|\d+[.)])\S[^|\n]{0,2000}[ \t])?!\[\[([^[\]|#^\n]{1,300})(?:#?(\^[\w-]{1,100})|#([^[\]|\n]{1,300}))?(?:\|[^[\]\n]{0,300})?\]\][ \t]*$/

/**
 * `before`: marks of a quotation or item; `isAfterText`: with text after them. `name`: of a page, as `wikilinkNames` returns it, or of a base (`tea.base`). `part`: the text of a
 * heading, `^id` of a block, or the view of a base; empty for the whole note. `base`: the text of a base in a block of code; empty for one in a file
 */
export const embedsIn = (markdown: string) => {
  const embeds: {
    before: string
    isAfterText?: boolean
    name: string
    part: string
    base?: string
    start: number
    end: number
  }[] = []
  if (!/!\[\[|(?:```|~~~)base\b/.test(markdown)) return embeds
  let base: (typeof embeds)[number] | undefined
  for (const { line, start, isCode, isFence } of linesWithCode(markdown)) {
    const end = start + line.length
    const fence = isFence ? fenceAt(line) : null
    if (!isCode || isFence) base = undefined
    if (base) {
      base.end = end
      base.base += `${line.slice(base.before.length).replace(/^[`~]{3,}\s*$/, '')}\n`
    } else if (fence?.info === 'base') {
      base = { before: fence.before, name: '', part: '', base: '', start, end }
      embeds.push(base)
    }
    const [, before = '', text = '', name, block, heading = ''] = (!isCode && EMBED.exec(line)) || []
    if (embeds.length >= EMBED_LIMITS.notes && !base) break
    if (name === undefined) continue
    const part = block ?? heading.slice(heading.lastIndexOf('#') + 1).trim()
    const isAfterText = text !== ''
    const place = { start: isAfterText ? start + before.length + text.length : start, end, isAfterText }
    const ofFile = /\.base$/i.test(name) && { base: '' }
    embeds.push({ before, name: name.trim().replace(/\.md$/i, ''), part, ...place, ...ofFile })
  }
  return embeds
}

/**
 * Shows notes where a text embeds them: as quotations, which begin with a link to the note. Their embeds stay.
 * @param noteOf the text of a note by its name, or the table of a base; undefined if guests do not see it: then nothing changes
 * @param hidden what the text does not show, before the first embed
 */
export const withEmbeds = (
  markdown: string,
  embeds: readonly Embed[],
  noteOf: (name: string, embed: Embed) => string | undefined,
  hidden: { start: number; end: number } = { start: 0, end: 0 },
) => {
  const pieces = [markdown.slice(0, hidden.start)]
  const shifts = [{ end: hidden.end, added: hidden.start - hidden.end }]
  let at = hidden.end
  for (const embed of embeds) {
    const note = noteOf(embed.name, embed)
    const content = note === undefined || embed.base !== undefined ? note : partOf(note, embed.part)
    if (content == null) continue
    const quotation = embed.base !== undefined ? inFrame(embed, content.split('\n')) : quoted(embed, content)
    pieces.push(markdown.slice(at, embed.start), quotation)
    shifts.push({ end: embed.end, added: quotation.length - (embed.end - embed.start) })
    at = embed.end
  }
  return {
    markdown: pieces.join('') + markdown.slice(at),
    /** Where an offset of the text without them is. */
    offsetOf: (offset: number): number =>
      shifts.reduce((shifted, { end, added }) => (end <= offset ? shifted + added : shifted), offset),
  }
}

const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$/

/** The section of a heading, the paragraph or item of a block, or all; null if the note has no such part. */
const partOf = (note: string, part: string): string | null => {
  const found =
    part === ''
      ? note.replace(PROPERTIES, '')
      : part.startsWith('^')
        ? blockOf(note, part)
        : sectionOf(note, part)
  return found?.slice(0, EMBED_LIMITS.characters) ?? null
}

/** A table without a head, as an import writes the properties of a note. */
const PROPERTIES = /^\| {2}\| {2}\|\n\| --- \| --- \|\n((?:\|.*\n)+)/

/** The row of the description of a note, which is its summary, in such a table; or the table, if it has no other. */
export const descriptionIn = (markdown: string) => {
  const [table = '', rows = ''] = PROPERTIES.exec(markdown) ?? []
  const row = /^\| description \|.*\n/m.exec(rows)
  const first = table.length - rows.length + (row?.index ?? 0)
  return row ? { start: row[0] === rows ? 0 : first, end: first + row[0].length } : undefined
}

/** What is between the items of a list in a cell, and before the end of the cell; in an item, the comma is escaped. */
export const LIST_SIGNS = { between: ', ', end: ' ' } as const
const BETWEEN_ITEMS = /(?<!\\), (?![^[\]]*\])/

type Scalar = string | number | boolean
export type NoteProperty = { name: string; value: Scalar | Scalar[]; markdown: string }

/** The properties in such a table: plain text, numbers and checkboxes, and the Markdown of the cell. @param markdown a text of Obsidian, or its beginning */
export const propertiesIn = (markdown: string): NoteProperty[] => {
  const rows = PROPERTIES.exec(markdown)?.[1]?.trimEnd().split('\n') ?? []
  return rows.map((row) => {
    const [, name = '', value = ''] = cellsOf(row)
    const isList = value.endsWith(`${LIST_SIGNS.end} `)
    return {
      name: inlineText(name, new Map()).trim(),
      value: isList ? value.split(BETWEEN_ITEMS).map(scalarOf) : scalarOf(value),
      markdown: value,
    }
  })
}

const scalarOf = (markdown: string): Scalar => {
  const text = inlineText(markdown, new Map()).trim()
  if (text === '☑' || text === '☐') return text === '☑'
  return String(Number(text)) === text && Number.isFinite(Number(text)) ? Number(text) : text
}

const sectionOf = (note: string, heading: string): string | null => {
  const id = noteHeadingId(heading)
  let open: { level: number; start: number } | null = null
  for (const { line, start, isCode } of linesWithCode(note)) {
    const [, marks = '', text = ''] = HEADING.exec(line.slice(0, 2_000)) ?? []
    if (isCode || marks === '') continue
    if (open !== null && marks.length <= open.level) return note.slice(open.start, start)
    if (open === null && noteHeadingId(text) === id) open = { level: marks.length, start }
  }
  return open === null ? null : note.slice(open.start)
}

const blockOf = (note: string, id: string): string | null => {
  const lines = [...linesWithCode(note)]
  for (const { id: found, first, at, index } of blockIdsIn(lines))
    if (`^${found}` === id) return note.slice(lines[first]!.start, lines[at]!.start + index).trim()
  return null
}

/** Headings become bold, and links to a part of the note name it, so that they are no sections of the page. */
const quoted = (embed: Embed, content: string): string => {
  const { name, part } = embed
  const target = part === '' || part.startsWith('^') ? name : `${name}#${part}`
  const ownLink: RewriteMark = (text, at) => {
    const link = wikilinkAt(text, at)
    return link?.name === '' ? { text: `[[${name}#${link.heading}\\|${link.label}]]`, end: link.end } : null
  }
  const linked = rewriteMarkdown(content.trim(), '[', ownLink)
  const lines = Array.from(linesWithCode(linked), ({ line, isCode }) => {
    if (isCode) return line
    const heading = HEADING.exec(line.slice(0, 2_000))?.[2]
    return heading ? `**${heading}**` : line
  })
  return inFrame(embed, [`> [[${target}]]`, ...['', ...lines].map((line) => `> ${line}`.trimEnd())])
}

/** Lines as blocks of their own behind the marks of a quotation or item, or after its text. */
const inFrame = ({ before, isAfterText }: Embed, lines: readonly string[]): string => {
  const frame = before.replace(/[^\s>]/g, ' ')
  const blank = frame.trimEnd()
  const start = isAfterText ? [''] : frame === before ? [blank] : []
  const shown = lines.map((line, i) => `${i === 0 && !isAfterText ? before : frame}${line}`)
  return [...start, ...shown, blank].join('\n')
}
