import { compile, type FormatCallback, type HtmlToTextOptions } from 'html-to-text'

/**
 * The plain text of sanitized HTML: links and emphasis without markup, images as their alternative texts, a line for
 * each item of a list and each row of a table. Code keeps its lines. (D102)
 */
export const htmlAsText = (html: string): string => convert(html).trim()

const isCell = (name: string | undefined): boolean => name === 'td' || name === 'th'

/** What the types of the package leave out. */
interface Sibling {
  prev?: Sibling | null
  type?: string
  name?: string
}

const alternativeText: FormatCallback = ({ attribs }, _, builder) => builder.addInline(attribs?.alt ?? '')

const cell: FormatCallback = (element, walk, builder) => {
  let before = (element as Sibling).prev
  while (before && before.type !== 'tag') before = before.prev
  if (isCell(before?.name)) builder.addInline(' | ', { noWordTransform: true })
  walk(element.children, builder)
}

const checkbox: FormatCallback = ({ attribs }, _, builder) =>
  builder.addInline(attribs && 'checked' in attribs ? '[x] ' : '[ ] ')

const lines = (count: number) => ({ leadingLineBreaks: count, trailingLineBreaks: count })

const block = (selector: string, lineBreaks: number) => ({
  selector,
  format: 'block',
  options: lines(lineBreaks),
})

const options: HtmlToTextOptions = {
  wordwrap: false,
  formatters: { alternativeText, cell, checkbox },
  selectors: [
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'img', format: 'alternativeText' },
    { selector: 'input', format: 'checkbox' },
    { selector: 'hr', format: 'skip' },
    { selector: 'ul', options: { itemPrefix: '- ', ...lines(2) } },
    { selector: 'ol', options: lines(2) },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'table'].map((tag) => block(tag, 2)),
    block('tr', 1),
    { selector: 'td', format: 'cell' },
    { selector: 'th', format: 'cell' },
  ],
}

const convert = compile(options)
