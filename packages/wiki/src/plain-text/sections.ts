import { wellFormed } from '../text.ts'
import { type Block, blocksOf } from './blocks.ts'
import { htmlText, inlineText, type OnLink } from './inline-text.ts'

/**
 * A heading and the plain text under it. Line ends separate paragraphs. Before each line of a code block is a mark instead:
 * CODE before the first one, CODE_LINE before the others. They let passages begin and end with a line. (D114)
 */
export interface Section {
  /** Empty for the text before the first heading. */
  heading: string
  text: string
}

/** White space, so that they separate words. No other text contains them, because white space becomes spaces. */
const CODE = '\v'
const CODE_LINE = '\f'

/** Characters of Markdown that are read. Search finds a longer page only by its beginning. */
const READ_CHARACTERS = 1_000_000
/** The longest text of a section, because the cost of cutting a passage grows with its length. */
const SECTION_CHARACTERS = 4000
/** A longer underlined paragraph is not a heading. */
const HEADING_CHARACTERS = 400

/**
 * The Markdown of a page as plain text by section, in linear time. A long section is split into parts that repeat its heading. (D11)
 * @param onLink called for each link, in the order of the text
 */
export const sectionsOf = (markdown: string, onLink?: OnLink): Section[] =>
  wholeSections(markdown, onLink).flatMap(splitSection)

/** White space other than single spaces, which most of it is. */
const WHITE_SPACE = /\s{2,}|[^\S ]/g

const wholeSections = (markdown: string, onLink?: OnLink): Section[] => {
  const { blocks, definitions } = blocksOf(wellFormed(markdown.slice(0, READ_CHARACTERS)))
  const sections: Section[] = [{ heading: '', text: '' }]
  // A table above the text, such as properties, follows what is before the first heading: no passage begins with it.
  const table = { heading: '', text: '' }
  let isAbove = true
  for (const block of blocks) {
    const written = blockText(block, definitions, onLink)
    const text = block.kind === 'code' ? codeLines(written) : oneLine(written)
    if (text === '') continue
    isAbove &&= block.kind === 'row'
    const section = isAbove ? table : sections.at(-1)!
    if (block.kind === 'heading' && text.length <= HEADING_CHARACTERS)
      sections.push({ heading: text, text: '' })
    else section.text += section.text === '' || text.startsWith(CODE) ? text : `\n${text}`
  }
  sections[0]!.text = [sections[0]!.text, table.text].filter((text) => text !== '').join('\n')
  return sections.filter(({ heading, text }) => heading !== '' || text !== '')
}

const oneLine = (text: string): string => text.replace(WHITE_SPACE, ' ').trim()

const codeLines = (text: string): string => {
  const lines = text.split('\n').map(oneLine)
  const code = lines.filter((line) => line !== '').join(CODE_LINE)
  return code === '' ? '' : CODE + code
}

export const blockText = (
  { kind, text }: Block,
  definitions: ReadonlyMap<string, string>,
  onLink?: OnLink,
): string => {
  if (kind === 'code') return text
  if (kind === 'html') return htmlText(text, onLink)
  if (kind !== 'row') return inlineText(text, definitions, onLink)
  return cellsOf(text)
    .map((cell) => inlineText(cell, definitions, onLink).trim())
    .filter((cell) => cell !== '')
    .join(' · ')
}

/** The cells of a table row. `\|` is a vertical bar in the text, also within code. */
export const cellsOf = (row: string): string[] =>
  row.split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|'))

const splitSection = ({ heading, text }: Section): Section[] => {
  const parts: Section[] = []
  let start = 0
  while (text.length - start > SECTION_CHARACTERS) {
    const end = start + cutOffset(text.slice(start, start + SECTION_CHARACTERS + 1))
    parts.push({ heading, text: trimmed(text.slice(start, end)) })
    start = end
  }
  return [...parts, { heading, text: trimmed(text.slice(start)) }]
}

/** A mark of code at the beginning stays. */
const trimmed = (text: string): string => text.trimEnd().replace(/^[ \n]+/, '')

/** The best offset to cut a text that is one character too long: the last end of a paragraph, sentence or word. */
const cutOffset = (text: string): number => {
  const half = text.length >> 1
  for (const ends of ['\n', CODE, CODE_LINE, ' ', '。', '、']) {
    const end = text.lastIndexOf(ends)
    if (end > half) return ends.trim() === '' ? end : Math.min(end + 1, SECTION_CHARACTERS)
  }
  let end = SECTION_CHARACTERS
  while (end > half && WITHIN_CHARACTER.test(text.slice(end, end + 1))) end--
  return end
}

/** The second half of a surrogate pair, a combining mark, or a joiner. */
const WITHIN_CHARACTER = /^[\udc00-\udfff\p{M}\u200d]/u
