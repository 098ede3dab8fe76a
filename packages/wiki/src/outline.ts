import { decodeHTML } from 'entities'
import type { Token, Tokens } from 'marked'
import { cleanAttributes } from './allowed-html.ts'
import { dialectOf } from './dialects/dialect.ts'
import { normalizeDialect } from './dialects/normalize.ts'
import { withoutReferences } from './extensions/footnotes.ts'
import { headingHtml, parseMarkdown, tokensAsHtml } from './html.ts'
import { htmlAsText } from './html-text.ts'
import type { LinkContext } from './references.ts'

/** A heading and what belongs to it, up to the next heading of its level or a higher one. */
export interface PageSection {
  /** Id of the heading in the HTML of the text. Empty for what stands before the first heading. */
  id: string
  /** 1 to 6; 0 for what stands before the first heading. */
  level: number
  title: string
  /** Offsets in the Markdown, UTF-16 code units: the start of the heading's line, and the end of the section. */
  start: number
  end: number
}

/** Tokens of one container (the text, a quotation or a list item) and the lines that it takes. */
interface Container {
  tokens: Token[]
  firstLine: number
  endLine: number
  depth: number
}

type FoundHeading = { token: Tokens.Heading; container: Container; index: number; line: number }

/** The sanitizer drops elements that are nested deeper. */
const DEPTH_MAX = 96

/** A section of a text that is being read. `position`: how many headings are before it. */
type OpenSection = PageSection & Omit<FoundHeading, 'token'> & { tokens: Token[]; position: number }

/**
 * The sections of a text, in the order of their headings, from the tokens that give the HTML. One in a quotation or a list item ends
 * with it; a heading without an id in the HTML has none. (D102) Takes as long as rendering, and runs in the same processes.
 * @throws RangeError as `boundedHtml`
 */
export const outlineOf = (markdown: string, context: LinkContext): PageSection[] => {
  const { sections } = parseSections(markdown, context)
  return sections.map(({ id, level, title, start, end }) => ({ id, level, title, start, end }))
}

/** The HTML of a section with its subsections, as within that of the whole text; null if there is none. @throws as `boundedHtml` */
export const sectionHtml = (markdown: string, id: string, context: LinkContext, maxBytes: number) => {
  const { sections, headings } = parseSections(markdown, context)
  const section = sections.find((one) => one.id === id)
  if (section === undefined) return null
  return tokensAsHtml(section.tokens, { headings, before: section.position }, context, maxBytes)
}

const parseSections = (markdown: string, context: LinkContext) => {
  const text = normalizeDialect(markdown, dialectOf(context.dialect))
  const starts = lineStarts(text.markdown)
  const tokens = parseMarkdown(text.markdown, context)
  const writtenStarts = text.lines ? lineStarts(markdown) : starts
  const offsetOf = (line: number): number =>
    writtenStarts[text.lines ? (text.lines[line] ?? Number.NaN) : line] ?? markdown.length
  const root: Container = { tokens, firstLine: 0, endLine: starts.length, depth: 0 }
  const lead: PageSection = { id: '', level: 0, title: '', start: 0, end: 0 }
  const sections: OpenSection[] = [{ ...lead, tokens, container: root, index: 0, line: 0, position: 0 }]
  const headings: Token[] = []
  let least = 0
  for (const found of headingsIn(root)) {
    const position = headings.push(found.token) - 1
    const { id, title } = readHeading(headingHtml(found.token), found.token.depth, context)
    const line = headingLine(found, text.markdown, starts, least)
    least = line + 1
    if (id === undefined) continue
    const start = offsetOf(line)
    const { depth: level } = found.token
    sections.push({ ...found, id, level, title, start, end: 0, tokens: [], position, line })
  }
  endSections(sections, offsetOf)
  const hasLead = markdown.slice(0, sections[0]!.end).trim() !== ''
  return { sections: hasLead ? sections : sections.slice(1), headings }
}

/** Sets the end and the tokens of each section: up to the next heading of its container that is not below it. */
const endSections = (sections: OpenSection[], offsetOf: (line: number) => number): void => {
  const open = new Map<Container, OpenSection[]>()
  for (const section of sections) {
    const above = open.get(section.container) ?? []
    open.set(section.container, above)
    // What stands before the first heading ends at any.
    while (above.length > 0 && (above.at(-1)!.level || 6) >= section.level)
      endSection(above.pop()!, section.start, section.index)
    above.push(section)
  }
  for (const [{ endLine }, above] of open)
    for (const section of above) endSection(section, offsetOf(Math.max(endLine, section.line + 1)))
}

const endSection = (section: OpenSection, end: number, index?: number): void => {
  section.end = end
  section.tokens = section.container.tokens.slice(section.index, index)
}

function* headingsIn(container: Container): Generator<FoundHeading> {
  for (const [index, token, firstLine] of withLines(container.tokens, container.firstLine)) {
    if (token.type === 'heading') yield { token: token as Tokens.Heading, container, index, line: firstLine }
    if (container.depth >= DEPTH_MAX) continue
    const endLine = firstLine + lineEndsIn(token.raw) + (token.raw.endsWith('\n') ? 0 : 1)
    if (token.type === 'blockquote')
      yield* headingsIn({ tokens: token.tokens ?? [], firstLine, endLine, depth: container.depth + 1 })
    if (token.type !== 'list') continue
    const items = [...withLines((token as Tokens.List).items, firstLine)]
    for (const [i, { tokens }, line] of items) {
      const end = items[i + 1]?.[2] ?? endLine
      yield* headingsIn({ tokens, firstLine: line, endLine: end, depth: container.depth + 2 })
    }
  }
}

/** Blocks with their indexes and lines. Each begins on a line of its own, though the one before may lack its line end. */
function* withLines<Block extends { raw: string }>(blocks: readonly Block[], firstLine: number) {
  let line = firstLine
  let before = '\n'
  for (const [index, block] of blocks.entries()) {
    if (!before.endsWith('\n') && !/^[ \t]*\n/.test(block.raw)) line += 1
    yield [index, block, line] as const
    line += lineEndsIn(block.raw)
    before = block.raw
  }
}

const lineEndsIn = (raw: string): number => raw.split('\n').length - 1

const lineStarts = (text: string): number[] => [
  0,
  ...Array.from(text.matchAll(/\r\n|\r|\n/g), ({ 0: end, index }) => index + end.length),
]

/** The line of a heading: the next to the counted one that ends as it does. The parser miscounts what follows some quotations. */
const headingLine = ({ token, line }: FoundHeading, markdown: string, starts: number[], least: number) => {
  const [text = ''] = token.raw.trim().split('\n', 1)
  const isAt = (at: number) => {
    if (at < least || at >= starts.length) return false
    const written = markdown.slice(starts[at], starts[at + 1])
    return written.trimEnd().endsWith(text.trimEnd())
  }
  for (let distance = 0; distance < LINES_SEARCHED; distance++) {
    if (isAt(line + distance)) return line + distance
    if (isAt(line - distance)) return line - distance
  }
  return Math.max(least, Math.min(line, starts.length - 1))
}

const LINES_SEARCHED = 100

const HEADING_ID = /^<h[1-6] id="([^"]*)">/

const readHeading = (html: string, level: number, context: LinkContext) => {
  const id = decodeHTML(HEADING_ID.exec(html)?.[1] ?? '')
  const kept = cleanAttributes(`h${level}`, { id }, context).id
  return { id: kept, title: htmlAsText(withoutReferences(html)).replace(/\s+/g, ' ') }
}
