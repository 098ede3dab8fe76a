import { compile, type FormatCallback, type HtmlToTextOptions } from 'html-to-text'

/** Sanitized HTML as plain text: each item and row on a line, images as alternative texts, code with its lines. (D102) */
export const htmlAsText = (html: string): string => convert(html).trim()

const alternativeText: FormatCallback = ({ attribs }, _, builder) => builder.addInline(attribs?.alt ?? '')

const nextCell: FormatCallback = (element, walk, builder) => {
  builder.addInline(' | ', { noWordTransform: true })
  walk(element.children, builder)
}

const reference: FormatCallback = (element, _, builder) =>
  builder.addInline(`[${element.children[0]?.data ?? ''}]`)

/** A footnote begins with its number in the page. */
const footnotes: FormatCallback = (element, walk, builder) => {
  const items = element.children.find(({ name }) => name === 'ol')?.children ?? []
  builder.openList({ leadingLineBreaks: 2, interRowLineBreaks: 1 })
  for (const item of items.filter(({ name }) => name === 'li')) {
    builder.openListItem({ prefix: `[${item.attribs?.value ?? ''}] ` })
    walk(item.children, builder)
    builder.closeListItem()
  }
  builder.closeList({ trailingLineBreaks: 2 })
}

const checkbox: FormatCallback = ({ attribs }, _, builder) =>
  builder.addInline(attribs && 'checked' in attribs ? '[x] ' : '[ ] ')

const lines = (count: number) => ({ leadingLineBreaks: count, trailingLineBreaks: count })

const block = (selector: string, count: number) => ({ selector, format: 'block', options: lines(count) })

const options: HtmlToTextOptions = {
  wordwrap: false,
  formatters: { alternativeText, checkbox, footnotes, nextCell, reference },
  selectors: [
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'a[name^="fnref:"]', format: 'reference' },
    { selector: 'a[href*="#fnref:"]', format: 'skip' },
    { selector: 'section.footnotes', format: 'footnotes' },
    { selector: 'nav.table-of-contents', format: 'skip' },
    // Of a formula, what it is made from; without that, its letters.
    { selector: 'semantics > *', format: 'skip' },
    { selector: 'semantics > annotation', format: 'inline' },
    { selector: 'math', format: 'inline' },
    block('math[display="block"]', 1),
    { selector: 'img', format: 'alternativeText' },
    { selector: 'input', format: 'checkbox' },
    { selector: 'hr', format: 'skip' },
    { selector: 'ul', options: { itemPrefix: '- ', ...lines(2) } },
    { selector: 'ol', options: lines(2) },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'table', 'dl'].map((tag) => block(tag, 2)),
    ...['tr', 'dt', 'dd'].map((tag) => block(tag, 1)),
    ...['td', 'th'].map((selector) => ({ selector, format: 'inline' })),
    ...['td + td', 'td + th', 'th + td', 'th + th'].map((selector) => ({ selector, format: 'nextCell' })),
  ],
}

const convert = compile(options)
