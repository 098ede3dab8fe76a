import { convert, LoggerManager, NullLogger } from '@asciidoctor/core'
import { codeBlock, codeSpan, tableLines } from '@lectern/wiki/import/markdown'
import { slugOf } from '@lectern/wiki/markup'
// @ts-expect-error: it has no types.
import textile from 'textile-js'
import TurndownService from 'turndown'

/** The ids that a heading of Markdown can have, without those of parts that the converter makes. */
const ID = /^(?!preamble$|toc$|footnotes$)[\w:.-]{1,200}$/

/** Converts the HTML of a converter of markup to Markdown. Its elements without an equivalent become their text. */
const htmlToMarkdown = (html: string): string => service.turndown(html).replace(/[ \t]+$/gm, '')

const service = new TurndownService({
  headingStyle: 'atx',
  codeBlockStyle: 'fenced',
  bulletListMarker: '-',
  emDelimiter: '*',
  hr: '---',
  br: '\\',
})
service.remove(['script', 'style', 'noscript', 'iframe', 'object'])

/** By what they convert; the last one that fits counts. */
const RULES: Readonly<Record<string, TurndownService.Rule>> = {
  strikethrough: { filter: ['del', 's'], replacement: (content) => `~~${content}~~` },
  code: {
    filter: 'pre',
    replacement: (_, node) => {
      const code = node.firstElementChild
      const [, language = ''] = /(?:^|\s)language-(\S+)/.exec(code?.className ?? '') ?? []
      return `\n\n${codeBlock(node.textContent ?? '', language)}\n\n`
    },
  },
  // AsciiDoc puts the text of each item into a paragraph, which would make every list a loose one.
  'paragraph of an item': {
    filter: (node) =>
      node.nodeName === 'P' && node.parentNode?.nodeName === 'LI' && node.previousElementSibling === null,
    replacement: (content, node) => (node.nextElementSibling === null ? content : `${content}\n`),
  },
  'list of AsciiDoc in an item': {
    filter: (node) =>
      node.nodeName === 'DIV' && node.parentNode?.nodeName === 'LI' && /^[uo]list/.test(node.className),
    replacement: (content) => `\n${content.replace(/^\n+|\n+$/g, '')}\n`,
  },
  item: {
    filter: 'li',
    replacement: (content, node) => {
      const list = node.parentNode as HTMLElement
      const number = Number(list.getAttribute('start') ?? 1) + Array.from(list.children).indexOf(node)
      const mark = list.nodeName === 'OL' ? `${number}. ` : '- '
      const text = content.replace(/^\n+|\n+$/g, '').replace(/\n(?=[^\n])/g, `\n${' '.repeat(mark.length)}`)
      return `${mark}${text}${node.nextSibling === null ? '' : '\n'}`
    },
  },
  anchor: {
    filter: (node) => ID.test(node.id) && /^(?:DIV|A)$/.test(node.nodeName) && !node.hasAttribute('href'),
    replacement: (content, node) =>
      node.nodeName === 'A'
        ? `<a name="${node.id}"></a>${content}`
        : `\n\n${anchorOf(node)}${content.trimStart()}\n\n`,
  },
  heading: {
    filter: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
    replacement: (content, node) => {
      const { id, nodeName, textContent } = node as HTMLElement
      const own = ID.test(id) && id !== slugOf(textContent ?? '') ? ` {#${id}}` : ''
      return `\n\n${'#'.repeat(Number(nodeName[1]))} ${content}${own}\n\n`
    },
  },
  admonition: {
    filter: (node) => node.nodeName === 'DIV' && node.classList.contains('admonitionblock'),
    replacement: (_, node) => {
      const [title, content] = ['icon', 'content'].map((name) => node.querySelector(`td.${name}`))
      const text = htmlToMarkdown(content?.innerHTML ?? '')
      const [, kind = ''] = /admonitionblock (\w+)/.exec(node.className) ?? []
      const caption = title?.textContent?.trim() ?? ''
      const mark = `[!${kind.toUpperCase()}]${caption.toLowerCase() === kind ? '' : ` ${caption}`}`
      return `\n\n${anchorOf(node)}${`${mark}\n${text}`.replace(/^/gm, '> ')}\n\n`
    },
  },
  term: { filter: 'dt', replacement: (content) => `\n\n**${content.trim()}**\n\n` },
  table: { filter: 'table', replacement: (_, node) => tableOf(node as HTMLTableElement) },
}
for (const [name, rule] of Object.entries(RULES)) service.addRule(name, rule)

/** A block to which links with the id of an element lead; empty if it has none. */
const anchorOf = ({ id }: { id: string }): string => (ID.test(id) ? `<a name="${id}"></a>\n\n` : '')

/** Cells of a table, at most. A larger table becomes its text. */
const MAX_CELLS = 20_000

/** A table of Markdown. Its first row is the head, and a cell is one line. */
const tableOf = (table: HTMLTableElement): string => {
  const rows = Array.from(table.querySelectorAll('tr')).filter((row) => row.closest('table') === table)
  const cells = rows.map((row) => Array.from(row.children))
  const count = cells.reduce((sum, row) => sum + row.length, 0)
  if (count === 0) return ''
  if (count > MAX_CELLS) return `\n\n${codeBlock(table.textContent ?? '')}\n\n`
  const caption = table.querySelector('caption')?.textContent?.trim()
  const written = cells.map((row) => row.map(cellOf))
  return `\n\n${anchorOf(table)}${caption ? `${caption}\n\n` : ''}${tableLines(written, true).join('\n')}\n\n`
}

/** Code, admonitions, items of lists and breaks are lines of the cell. */
const cellOf = (cell: Element): string =>
  htmlToMarkdown(cell.innerHTML)
    .replace(/^ *(`{3,})[^`\n]*\n([\s\S]*?)\n *\1$/gm, (_, _fence, code: string) =>
      code.replace(/.+/g, codeSpan),
    )
    .replace(/^> (?:\[!(\w+)\].*\n> )?/gm, (_, kind?: string) =>
      kind ? `**${kind[0]}${kind.slice(1).toLowerCase()}:** ` : '',
    )
    .replace(/^ *- /gm, '• ')
    .replace(/(?<!\\)\\$/gm, '')
    .trim()
    .replace(/\s*\n+\s*/g, '<br>')
    .replace(/(?<!\\)\|/g, '\\|')

export type ConversionTask = { markup: 'asciidoc' | 'textile'; text: string }

/** `secure`: nothing is included, no file is read, and the text cannot change these settings. */
const ASCIIDOC = {
  safe: 'secure',
  standalone: false,
  attributes: { showtitle: true, idprefix: '', idseparator: '-', relfilesuffix: '', 'sectanchors!': '' },
}

/** The library loses the text of such items, except the first of a list. */
const INDENTED_ITEM = /^ +(?=[*#]+ )/gm

LoggerManager.logger = NullLogger.create()

export default async ({ markup, text }: ConversionTask): Promise<string> => {
  const isTextile = markup === 'textile'
  const html = isTextile ? textile(text.replace(INDENTED_ITEM, '')) : await convert(text, ASCIIDOC)
  return htmlToMarkdown(String(html))
}
