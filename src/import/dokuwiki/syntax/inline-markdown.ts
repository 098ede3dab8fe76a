import { canFlank, codeSpan } from '../../markdown/markdown.ts'
import { bracesMarkdown } from './braces-markdown.ts'
import type { SyntaxConversion } from './conversion.ts'
import { linkMarkdown, urlMarkdown } from './link-markdown.ts'

import type { FormattingKind, InlineNode } from './nodes.ts'
import { textMarkdown } from './text-markdown.ts'

const TAGS: Record<FormattingKind, string> = {
  strong: 'b',
  emphasis: 'i',
  underline: 'u',
  monospace: 'code',
  subscript: 'sub',
  superscript: 'sup',
  deleted: 'del',
}
const MARKS: Partial<Record<FormattingKind, string>> = { strong: '**', emphasis: '*' }

/** Markdown of a text in one line, for list items and cells. */
export const lineMarkdown = (nodes: InlineNode[], conversion: SyntaxConversion): string =>
  inlineMarkdown(nodes, conversion)
    .replace(/[ \t]*\n\s*/g, ' ')
    .trim()

/** Markdown of a text within a paragraph. */
export const inlineMarkdown = (nodes: InlineNode[], conversion: SyntaxConversion): string =>
  joinNodes(nodes, conversion, false)

/** @param isNested whether the nodes are within formatting */
const joinNodes = (nodes: InlineNode[], conversion: SyntaxConversion, isNested: boolean): string => {
  const parts: string[] = []
  /** The last character so far. To ask the whole text for it would copy the text each time. */
  let last = ''
  const add = (part: string) => {
    if (part === '') return
    parts.push(part)
    last = part.at(-1)!
  }
  nodes.forEach((node, index) => {
    if (node.type === 'formatting') {
      const around = { before: last, next: nodes[index + 1], isNested }
      add(formattingMarkdown(node.kind, node.children, around, conversion))
      return
    }
    const markdown = nodeMarkdown(node, conversion)
    // Markdown reads a link after `!` as an image, and joins adjacent runs of backticks.
    if (markdown.startsWith('[') && last === '!') parts.push(`${parts.pop()!.slice(0, -1)}\\!`)
    if (markdown.startsWith('`') && last === '`') add(' ')
    add(markdown)
  })
  return parts.join('')
}

const nodeMarkdown = (
  node: Exclude<InlineNode, { type: 'formatting' }>,
  conversion: SyntaxConversion,
): string => {
  switch (node.type) {
    case 'text':
      return textMarkdown(node.text)
    case 'raw text':
      return textMarkdown(node.text).replace(/:\/\//g, ':\\//')
    case 'line break':
      return '<br>'
    case 'code':
      return node.text
        .split('\n')
        .map((line) => codeSpan(line))
        .filter((line) => line !== '')
        .join('<br>')
    case 'footnote': {
      const number = conversion.footnotes.push('')
      conversion.footnotes[number - 1] = lineMarkdown(node.children, conversion) || '…'
      return `<sup>\\[${number}\\]</sup>`
    }
    case 'url':
      return urlMarkdown(node.url, node.text)
    case 'title':
      conversion.title ??= node.text
      return ''
    case 'link':
      return linkMarkdown(node, conversion)
    case 'media':
      return bracesMarkdown(node.content, conversion)
  }
}

/** Uses tags where Markdown would not read marks as emphasis. Spaces at the ends stay outside. */
const formattingMarkdown = (
  kind: FormattingKind,
  children: InlineNode[],
  { before, next, isNested }: { before: string; next: InlineNode | undefined; isNested: boolean },
  conversion: SyntaxConversion,
): string => {
  const isCode = kind === 'monospace' && children.every(isText)
  if (isCode && before !== '`')
    return codeSpan(children.map((node) => (isText(node) ? node.text : '')).join(''))
  const whole = joinNodes(children, conversion, true).replace(/\n\s*\n/g, '\n')
  const content = whole.trim()
  if (content === '') return whole
  const start = whole.slice(0, whole.length - whole.trimStart().length)
  const end = whole.slice(whole.trimEnd().length)
  const mark = MARKS[kind]
  const isSafe =
    mark !== undefined &&
    before !== '*' &&
    next?.type !== 'formatting' &&
    // The renderer does not find the end of emphasis around emphasis that begins or ends with punctuation.
    (!isNested || /^[\p{L}\p{N}].*[\p{L}\p{N}]$|^[\p{L}\p{N}]$/su.test(content)) &&
    canSurround(start.at(-1) ?? (before || undefined), content[0]) &&
    canSurround(end[0] ?? (next && firstCharacter(next)), content.at(-1))
  const tag = TAGS[kind]
  return `${start}${isSafe ? `${mark}${content}${mark}` : `<${tag}>${content}</${tag}>`}${end}`
}

/** Stricter than Markdown: between two punctuation characters, renderers differ. */
const canSurround = (outside: string | undefined, inside: string | undefined): boolean =>
  canFlank(outside === undefined || /\s/.test(outside) ? outside : 'x', inside)

const isText = (node: InlineNode): node is Extract<InlineNode, { text: string; type: 'text' | 'raw text' }> =>
  node.type === 'text' || node.type === 'raw text'

/** A letter stands for any node that is not text: it never makes emphasis safe that is not. */
const firstCharacter = (node: InlineNode): string => (isText(node) ? (node.text[0] ?? 'x') : 'x')
