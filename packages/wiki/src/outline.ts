import { decodeHTML } from 'entities'
import { type Token, type Tokens, walkTokens } from 'marked'
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

/** The sanitizer drops elements that are nested deeper. */
const DEPTH_MAX = 96

/** A section of a text that is being read: its tokens, the index of its heading in its container, and the line. */
type OpenSection = PageSection & { tokens: Token[]; index: number; line: number }

/**
 * The sections of a text, in the order of their headings, from the tokens that give the HTML. One in a quotation or a list item ends
 * with it; a heading without an id in the HTML has none. (D102) Takes as long as rendering, and runs in the same processes.
 * @throws RangeError as `boundedHtml`
 */
export const outlineOf = (markdown: string, context: LinkContext): PageSection[] =>
  parseSections(markdown, context).map(({ tokens, index, line, ...section }) => section)

/** The HTML of a section with its subsections, as within that of the whole text; null if there is none. @throws as `boundedHtml` */
export const sectionHtml = (markdown: string, id: string, context: LinkContext, maxBytes: number) => {
  const section = parseSections(markdown, context).find((one) => one.id === id)
  return section === undefined ? null : tokensAsHtml(section.tokens, context, maxBytes)
}

const parseSections = (markdown: string, context: LinkContext): OpenSection[] => {
  const text = normalizeDialect(markdown, dialectOf(context.dialect))
  const starts = lineStarts(text.markdown)
  const tokens = parseMarkdown(text.markdown, context)
  const writtenStarts = text.lines ? lineStarts(markdown) : starts
  const offsetOf = (line: number): number =>
    writtenStarts[text.lines ? (text.lines[line] ?? Number.NaN) : line] ?? markdown.length
  // In the order of the text, because equal ids of headings and terms get a number.
  walkTokens(tokens, (token: Token) => {
    if (token.type === 'heading' || token.type === 'term') headingHtml(token)
  })
  const lead = { id: '', level: 0, title: '', start: 0, end: 0, tokens: [], index: 0, line: 0 }
  const sections: OpenSection[] = [lead]
  /** @param open the sections of the container that have no end yet: a section ends at the next heading that is not below it */
  const read = ({ tokens, firstLine, endLine, depth }: Container, open: OpenSection[]): void => {
    const close = (section: OpenSection, end: number, index?: number) =>
      Object.assign(section, { end, tokens: tokens.slice(section.index, index) })
    for (const [index, token, line] of withLines(tokens, firstLine)) {
      if (token.type === 'heading') {
        const { id, title } = readHeading(headingHtml(token), token.depth, context)
        if (id === undefined) continue
        const section = { ...lead, id, level: token.depth, title, start: offsetOf(line), index, line }
        // What stands before the first heading ends at any.
        while (open.length > 0 && (open.at(-1)!.level || 6) >= section.level)
          close(open.pop()!, section.start, index)
        open.push(section)
        sections.push(section)
      } else if (depth < DEPTH_MAX) for (const one of containersIn(token, line, depth)) read(one, [])
    }
    for (const section of open) close(section, offsetOf(Math.max(endLine, section.line + 1)))
  }
  read({ tokens, firstLine: 0, endLine: starts.length, depth: 0 }, [lead])
  return markdown.slice(0, lead.end).trim() === '' ? sections.slice(1) : sections
}

/** Tokens of the text, a quotation or a list item, and the lines that it takes. */
type Container = { tokens: Token[]; firstLine: number; endLine: number; depth: number }

const containersIn = (token: Token, firstLine: number, depth: number): Container[] => {
  const endLine = firstLine + lineEndsIn(token.raw) + (token.raw.endsWith('\n') ? 0 : 1)
  if (token.type === 'blockquote')
    return [{ tokens: token.tokens ?? [], firstLine, endLine, depth: depth + 1 }]
  const items = token.type === 'list' ? [...withLines((token as Tokens.List).items, firstLine)] : []
  return items.map(([i, { tokens }, line]) => {
    const end = items[i + 1]?.[2] ?? endLine
    return { tokens, firstLine: line, endLine: end, depth: depth + 2 }
  })
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

const HEADING_ID = /^<h[1-6] id="([^"]*)">/

const readHeading = (html: string, level: number, context: LinkContext) => {
  const id = decodeHTML(HEADING_ID.exec(html)?.[1] ?? '')
  const kept = cleanAttributes(`h${level}`, { id }, context).id
  return { id: kept, title: htmlAsText(withoutReferences(html)).replace(/\s+/g, ' ') }
}
