import { LIST_SIGNS } from '@lectern/wiki/dialects/embeds'
import { codeSpan, escapeText, tableLines } from '@lectern/wiki/import/markdown'
import { toSingleLine } from '@lectern/wiki/import/wiki-record'
import { blockOf } from './front-matter.ts'
import { readYaml } from './yaml.ts'

const MAX = { properties: 50, authors: 10, items: 100, keyBytes: 100, valueBytes: 1000 } as const

/** What is used otherwise, or tells how a note is shown, as `key: value`. `published` can be a date. */
const HIDDEN =
  /^(?:title|tags?|alias(?:es)?|categories(?!.*\[\[)|css-?class(?:es)?|permalink|publish|draft|private|position|published(?=: \D|: \d$)|dg-.+|(?:kanban|excalidraw)-.+):/i

/** A value that is the path of a picture, which a note need not link. */
const PICTURE = /^(?!\w+:)[^[\]()|<>]{1,300}\.(?:png|jpe?g|gif|svg|webp|avif)$/i

/** A link by name or of Markdown, or a URL. Pictures are links here. */
const LINK =
  /!?(\[\[[^[\]]{1,600}\]\]|\[[^[\]]{0,300}\]\([^\s()<>]{1,1000}\))|(https?:\/\/[^\s<>]*[^\s<>.,;:!?'"])/

/** The properties of a note of Obsidian as a table without a head; empty if it has none to show. @param text that begins with valid front matter */
export const propertiesOf = (text: string): string => {
  const block = blockOf(text)
  if (block?.mark !== '---') return ''
  const { entries } = readYaml(
    block.inner,
    () => true,
    () => false,
    () => true,
  )
  if (!Array.isArray(entries)) return ''
  const shown = entries.map(([key, value]) => [toSingleLine(key, MAX.keyBytes), shownValue(value)] as const)
  const rows = shown
    .filter(([key, value]) => value !== '' && !HIDDEN.test(`${key}: ${value}`))
    .map(([key, value]) => [escapeCell(key), value])
  return tableLines(rows.slice(0, MAX.properties), false).join('\n')
}

/** The day of a post of a blog, `2024-05-01`: in its front matter, or its name; undefined for other pages. @param name of the file, or path of the page */
export const dayOfPost = (name: string, written: string | null): string | undefined =>
  POST.test(name) ? /\d{4}-\d\d-\d\d/.exec(written ?? name)?.[0] : undefined
const POST = /(?:^|\/)(?:_?posts?|blog|news)\//

/** The text of a post with its day and authors below the heading with which it begins, and without the mark after its teaser. */
export const withByline = (markdown: string, day: string, authors: readonly string[]): string => {
  const names = authors.slice(0, MAX.authors).map((name) => escapeText(toSingleLine(name, MAX.valueBytes)))
  const line = [day, names.join(', ')].filter((part) => part !== '').join(' · ')
  return markdown
    .replace(TEASER, '\n')
    .replace(HEADING, (heading) => `${heading.trimEnd()}\n\n${line}\n\n`.trimStart())
}
const TEASER =
  /(?<![ \t])[ \t]*(?:<!--[ \t]*(?:more|truncate)[ \t]*-->|\{\/\*[ \t]*truncate[ \t]*\*\/\})[ \t]*(?:\r?\n|$)/m
const HEADING = /^(?:(?:\s*\n)? {0,3}(?:#{1,6}[ \t].*|[^\s#].*\n=+[ \t]*$)\n*)?/m

/** Markdown of a cell. A link without quotes, `[[Tea]]`, is a list in a list for YAML. */
const shownValue = (value: unknown): string => {
  if (!Array.isArray(value)) return shownItem(value)
  const items = value.slice(0, MAX.items).map((one) => (Array.isArray(one) ? `[[${one.join(', ')}]]` : one))
  const shown = items.map((item) => shownItem(item, true)).filter((item) => item !== '')
  const isLink = value.length === 1 && Array.isArray(value[0])
  return shown.length > 0 && !isLink ? shown.join(LIST_SIGNS.between) + LIST_SIGNS.end : shown.join('')
}

const shownItem = (value: unknown, isInList = false): string => {
  if (typeof value !== 'string')
    return value ? codeSpan(toSingleLine(jsonOf(value), MAX.valueBytes)).replaceAll('|', '\\|') : ''
  const text = toSingleLine(value, MAX.valueBytes).replace(PICTURE, '[[$&]]')
  if (/^(?:~|null)?$/i.test(text)) return ''
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true' ? '☑' : '☐'
  const parts = text.split(LINK)
  const escaped = (part: string) =>
    isInList ? escapeCell(part).replaceAll(LIST_SIGNS.between, `\\${LIST_SIGNS.between}`) : escapeCell(part)
  return parts.map((part = '', i) => (i % 3 === 0 ? escaped(part) : shownLink(part))).join('')
}

/** What contains itself, as `a: &a { b: *a }`, has no JSON. */
const jsonOf = (value: unknown): string => {
  try {
    return JSON.stringify(value)
  } catch {
    return '…'
  }
}

const shownLink = (link: string): string =>
  link.startsWith('http') ? `<${link.replaceAll('|', '%7C')}>` : link.replace(/\\?\|/g, '\\|')

/** Also what would be a tag, a formula, a comment or a mark in a vault. */
const escapeCell = (text: string): string => escapeText(text).replace(/[#$|]|(?<=%)%|(?<==)=/g, '\\$&')
