import { type Block, blocksOf } from './blocks.ts'
import { htmlText, inlineText } from './inline-text.ts'

/** What stands under a heading, as plain text: paragraphs apart by line ends. */
export interface Section {
  /** Empty for what stands before the first heading. */
  heading: string
  text: string
}

/** Characters of Markdown that are read; a page of more is found by its beginning. */
const READ_CHARACTERS = 1_000_000
/** The longest text of a section: cutting a passage out of one costs by its length. */
const SECTION_CHARACTERS = 4000
/** A longer "heading" is a paragraph that somebody underlined. */
const HEADING_CHARACTERS = 400

/**
 * A page's Markdown as plain text by section, in time linear in its length whatever it holds. A heading with
 * nothing under it is a section with an empty text; a long section comes in parts that repeat its heading.
 */
export const sectionsOf = (markdown: string): Section[] => wholeSections(markdown).flatMap(inParts)

/** The whole page as plain text, each heading on a line of its own. */
export const plainText = (markdown: string): string =>
  wholeSections(markdown)
    .flatMap(({ heading, text }) => [heading, text])
    .filter((text) => text !== '')
    .join('\n')

const wholeSections = (markdown: string): Section[] => {
  const { blocks, defined } = blocksOf(
    markdown.slice(0, READ_CHARACTERS).toWellFormed().replaceAll('\u0000', '\ufffd'),
  )
  const found: { heading: string; paragraphs: string[] }[] = [{ heading: '', paragraphs: [] }]
  for (const block of blocks) {
    const text = textOf(block, defined).replace(/\s+/g, ' ').trim()
    if (text === '') continue
    if (block.kind === 'heading' && text.length <= HEADING_CHARACTERS)
      found.push({ heading: text, paragraphs: [] })
    else found.at(-1)!.paragraphs.push(text)
  }
  return found
    .map(({ heading, paragraphs }) => ({ heading, text: paragraphs.join('\n') }))
    .filter(({ heading, text }) => heading !== '' || text !== '')
}

const textOf = ({ kind, text }: Block, defined: ReadonlySet<string>): string => {
  if (kind === 'code') return text
  if (kind === 'html') return htmlText(text)
  if (kind !== 'row') return inlineText(text, defined)
  return cellsOf(text)
    .map((cell) => inlineText(cell, defined).trim())
    .filter((cell) => cell !== '')
    .join(' · ')
}

/** Cells of a table's row; `\|` is a bar of the text, in code too. */
const cellsOf = (row: string): string[] => row.split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|'))

const inParts = ({ heading, text }: Section): Section[] => {
  const parts: Section[] = []
  let start = 0
  while (text.length - start > SECTION_CHARACTERS) {
    const end = start + cutAt(text.slice(start, start + SECTION_CHARACTERS + 1))
    parts.push({ heading, text: text.slice(start, end).trim() })
    start = end
  }
  return [...parts, { heading, text: text.slice(start).trim() }]
}

/** Where a text that is one character too long is best cut: the last end of a paragraph, sentence or word. */
const cutAt = (text: string): number => {
  const half = text.length >> 1
  for (const ends of ['\n', ' ', '。', '、']) {
    const end = text.lastIndexOf(ends)
    if (end > half) return ends.trim() === '' ? end : Math.min(end + 1, SECTION_CHARACTERS)
  }
  let end = SECTION_CHARACTERS
  while (end > half && WITHIN_CHARACTER.test(text.slice(end, end + 1))) end--
  return end
}

/** The second half of a surrogate pair, a combining mark, or a joiner. */
const WITHIN_CHARACTER = /^[\udc00-\udfff\p{M}\u200d]/u
