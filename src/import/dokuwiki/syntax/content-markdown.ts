import { codeBlock, codeSpan, escapeLineStart } from '../../markdown/markdown.ts'
import type { SyntaxConversion } from './conversion.ts'
import { lineMarkdown } from './inline-markdown.ts'
import type { CodeNode, InlineNode } from './nodes.ts'

/** Markdown of a list item or a line of a quotation: text in one line, and code as blocks. */
export const contentMarkdown = (children: InlineNode[], conversion: SyntaxConversion): string => {
  const parts: string[] = []
  let line: InlineNode[] = []
  const endLine = () => {
    const text = escapeLineStart(lineMarkdown(line, conversion))
    if (text !== '') parts.push(text)
    line = []
  }
  for (const node of children) {
    if (isCodeBlock(node)) {
      endLine()
      parts.push(codeMarkdown(node))
    } else line.push(node)
  }
  endLine()
  return parts.join('\n')
}

export const isCodeBlock = (node: InlineNode | undefined): node is CodeNode =>
  node?.type === 'code' && !node.isInline

export const codeMarkdown = ({ text, language, fileName }: CodeNode): string => {
  const name = fileName === '' ? '' : `${codeSpan(fileName)}\n\n`
  return `${name}${codeBlock(text, language)}`
}
