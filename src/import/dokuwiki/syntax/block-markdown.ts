import { escapeLineStart } from '../../markdown/markdown.ts'
import { codeMarkdown, contentMarkdown, isCodeBlock } from './content-markdown.ts'
import type { SyntaxConversion } from './conversion.ts'
import { inlineMarkdown } from './inline-markdown.ts'
import { listMarkdown } from './list-markdown.ts'
import type { BlockNode, InlineNode, QuoteLine } from './nodes.ts'
import { tableMarkdown } from './table-markdown.ts'
import { textMarkdown } from './text-markdown.ts'

export const blocksToMarkdown = (blocks: BlockNode[], conversion: SyntaxConversion): string => {
  const out: string[] = []
  /** Marks of the last list, if it is the last block. Markdown would join a list with the same marks. */
  let isLastAlternative: boolean | undefined
  for (const block of blocks) {
    const isAlternative: boolean | undefined = block.type === 'list' ? isLastAlternative === false : undefined
    const markdown =
      block.type === 'list'
        ? listMarkdown(block.items, conversion, isAlternative === true)
        : blockMarkdown(block, conversion)
    if (markdown === '') continue
    isLastAlternative = isAlternative
    out.push(markdown)
  }
  return out.join('\n\n')
}

const blockMarkdown = (block: Exclude<BlockNode, { type: 'list' }>, conversion: SyntaxConversion): string => {
  if (block.type === 'heading') return headingMarkdown(block.level, block.title)
  if (block.type === 'paragraph') return paragraphMarkdown(block.children, conversion)
  if (block.type === 'table') return tableMarkdown(block, conversion)
  if (block.type === 'quote') return quoteMarkdown(block.lines, conversion)
  if (block.type === 'code') return codeMarkdown(block)
  return '---'
}

/** A heading has no markup. Markdown removes `#` from its end. */
const headingMarkdown = (level: number, title: string): string =>
  title === '' ? '' : `${'#'.repeat(level)} ${textMarkdown(title).replace(/#$/, '\\#')}`

/** Joins a tag that is alone on its line with the next line. Otherwise it starts an HTML block without Markdown. */
const paragraphMarkdown = (children: InlineNode[], conversion: SyntaxConversion): string =>
  inlineMarkdown(children, conversion)
    .split('\n')
    .map((line) => escapeLineStart(line.trim()))
    .filter((line) => line !== '')
    .join('\n')
    .replace(/^((?:<[^<>]{1,300}>)+)\n/gm, '$1 ')

/** Deeper levels of quotations become this level. */
const MAX_QUOTE_LEVELS = 12

/** Each line of DokuWiki is a line for readers. An empty line separates levels, because Markdown continues a level. */
const quoteMarkdown = (lines: QuoteLine[], conversion: SyntaxConversion): string => {
  const out: string[] = []
  lines.forEach(({ depth, children }, index) => {
    const level = Math.min(depth, MAX_QUOTE_LEVELS)
    const next = lines[index + 1]
    const content = contentMarkdown(children, conversion)
    const isContinued = next?.depth === depth && content !== '' && !isCodeBlock(children.at(-1))
    for (const line of `${content}${isContinued ? '<br>' : ''}`.split('\n'))
      out.push(`${'> '.repeat(level)}${line}`.trimEnd())
    if (next && next.depth !== depth) out.push('> '.repeat(Math.min(next.depth, level)).trimEnd())
  })
  return out.join('\n')
}
