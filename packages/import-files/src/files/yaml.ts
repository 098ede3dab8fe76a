import { FRONT_MATTER_LIMITS } from '@lectern/wiki/limits'
import { nestingOf } from '@lectern/wiki/nesting'
import { isMap, isNode, isScalar, parseDocument, visit } from 'yaml'

export type FrontMatterEntry = readonly [key: string, value: unknown]

/** Characters that end a line in some parsers, or that some parsers refuse. */
const UNUSUAL = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ufeff'
/** A scalar on one line: plain in every context, or in quotes without escapes. */
const SCALAR = `(?:[^-?:,[\\]{}#&*!|>'"%@\`\\s${UNUSUAL}](?:[^\\s:#${UNUSUAL}]| |:(?!\\s)|(?<! )#)*|"[^"\\\\${UNUSUAL}]*"|'[^'${UNUSUAL}]*')`
const WORD = ` *[^-?:,[\\]{}#&*!|>'"%@\`\\s${UNUSUAL}](?:[^\\s:,#[\\]{}'"${UNUSUAL}]| )*`
const LINE_END = '\\r?\\n'
const ITEMS = `( *)- +${SCALAR}${LINE_END}(?:\\1- +${SCALAR}${LINE_END})*`
const VALUE = `(?: +(?:${SCALAR}|\\[${WORD}(?:,${WORD})*\\])${LINE_END}|${LINE_END}(?:${ITEMS})?)`
/** A block of simple lines. Whoever reads it line by line reads the same as the YAML library. */
const PLAIN = new RegExp(`^(?:[A-Za-z_][\\w.-]*:${VALUE}|(?:#[^${UNUSUAL}]*)?${LINE_END})*$`)

/**
 * Reads a block that is nearly YAML as a person would: everything after the colon of a key is its value.
 * @returns also the keys of values with an open bracket; null if a line is neither a key nor part of a value
 */
export const looseEntries = (inner: string, isUsed: (key: string) => boolean) => {
  const fields: { key: string; beside: string; items: string[]; more: string[] }[] = []
  for (const raw of inner.split('\n')) {
    const line = raw.trimEnd()
    const text = line.trimStart()
    const last = fields.at(-1)
    if (text === '' || text.startsWith('#')) continue
    if (last !== undefined && last.beside === '' && ITEM.test(line)) last.items.push(text.slice(1).trim())
    else if (text.length < line.length || /^[\]}],?$/.test(line) || isInQuotes(last, line)) {
      if (last === undefined) return null
      last.more.push(text)
    } else {
      const colon = line.startsWith(':') ? -1 : line.search(/:(?:[ \t]|$)/)
      if (colon === -1 || line.startsWith('- ')) return null
      const [key, beside] = [unquoted(line.slice(0, colon).trim()), line.slice(colon + 1).trim()]
      fields.push({ key, beside, items: [], more: [] })
    }
  }
  if (fields.length === 0) return null
  const used = fields
    .filter(({ key }) => isUsed(key.toLowerCase()))
    .map(({ key, beside, items, more }) => {
      const text = [beside.replace(/^[|>][-+\d]*$/, ''), ...more].join(' ').trim()
      return { key, text, items }
    })
  return {
    entries: used.map(({ key, text, items }): FrontMatterEntry => {
      if (items.length > 0) return [key, items.map(unquoted)]
      if (!text.startsWith('[') || !text.endsWith(']')) return [key, unquoted(text)]
      return [key, text.slice(1, -1).split(',').map(unquoted)]
    }),
    unclosed: used.filter(({ text, items }) => [text, ...items].some(isUnclosed)).map(({ key }) => key),
  }
}

/** Whether a value has no end yet: other parsers accept lines in quotes that are not indented. */
const isInQuotes = (last: { beside: string; more: string[] } | undefined, line: string): boolean =>
  /^["']/.test(last?.beside ?? '') &&
  !/["']$/.test(last!.more.at(-1) ?? last!.beside.slice(1)) &&
  !KEY.test(line)
const KEY = /^["']?[\w.-]+["']?[ \t]*:/

/** Whether a value begins with a bracket, and has more opening brackets than closing ones. */
const isUnclosed = (text: string): boolean =>
  /^[[{]/.test(text) && text.replace(/[^[{]/g, '').length > text.replace(/[^\]}]/g, '').length

const ITEM = /^[ \t]*-(?:[ \t]|$)/

/** A value without its quotes, even if they are not balanced, or without the comment after it. */
const unquoted = (text: string): string => {
  const value = text.trim()
  const quote = value[0]
  if (quote !== '"' && quote !== "'") return value.replace(/[ \t]#.*$/, '').trim()
  const inside = value.length > 1 && value.endsWith(quote) ? value.slice(1, -1) : value.slice(1)
  return quote === '"' ? inside.replace(/\\(["\\])/g, '$1') : inside.replaceAll("''", "'")
}

/** Keys that hide a text, and with which words. `hidden` and `bookHidden` only take a page out of menus. */
export const HIDING_KEYS = new Map([
  ...['published', 'publish', 'dg-publish', 'dg-published'].map((key) => [key, 'false|no|off|0'] as const),
  ...['draft', 'private'].map((key) => [key, 'true|yes|on|1'] as const),
])

/** Keys whose values are used, also those of titles (`newstitle`). For other keys, only the end of the value matters. */
const USED_KEYS: ReadonlySet<string> = new Set([
  ...HIDING_KEYS.keys(),
  ...`tags categories aliases alias sidebar_label short_title nav_title sidebar permalink url slug id redirect_from weight order sidebar_position
  eleventynavigation nav_order menu menus parent grand_parent home layout hero herotext tagline actions features date publishdate pubdate expirydate
  unpublishdate author authors unlisted build _build headless cascade status excalidraw-plugin`.split(/\s+/),
])

const isUsed = (key: string): boolean => USED_KEYS.has(key) || key.endsWith('title')

/** Icons in a line, of home pages: nobody sees them here, and they can be longer than all the rest. */
const SVG = /<svg\b(?:(?!<svg\b)[^\n])*<\/svg>/g

/**
 * Reads the used keys at the top level of a block of YAML. Nearly all blocks are plain lines, read at a fortieth of the cost of the
 * library. What it refuses although its lines are clear (`title: Tea: a guide`, tabs, `@`) is read line by line; an open bracket breaks.
 * @param isSafe false if the entries do not hide the text, but something in the block may be intended to
 * @param hides whether entries hide the text @param isRead which keys, in lower case, are read
 * @returns `entries`: null if the marks are thematic breaks around a paragraph. A text: why the block is broken;
 * `invalid`: why the library refuses what was read line by line; `hides`: whether entries of a broken block hide the text, or may be intended to
 */
export const readYaml = (
  written: string,
  isSafe: (entries: FrontMatterEntry[]) => boolean,
  hides: (entries: FrontMatterEntry[]) => boolean,
  isRead = isUsed,
) => {
  const mayHide = (icon: string) => [...HIDING_KEYS.keys()].some((key) => icon.toLowerCase().includes(key))
  const inner = written.replace(SVG, (icon) => (mayHide(icon) ? icon : 'svg'))
  const plain = PLAIN.test(inner) ? looseEntries(inner, isRead)?.entries : undefined
  if (plain !== undefined && isSafe(plain)) return { entries: plain, large: false }
  const large =
    inner.length > FRONT_MATTER_LIMITS.yamlCharacters || nestingOf(inner) > FRONT_MATTER_LIMITS.nesting
  const entries = large ? 'too long or too deep' : parsedEntries(inner, isRead)
  if (typeof entries !== 'string') return { entries, large: false }
  const loose = looseEntries(inner, isRead)
  if (loose === null) return { entries, large }
  const { entries: read, unclosed } = loose
  const isHiding = unclosed.some((key) => HIDING_KEYS.has(key.toLowerCase()))
  if (unclosed.length > 0 || !isSafe(read)) return { entries, large, hides: isHiding || hides(read) }
  return { entries: read, large, invalid: large ? null : entries }
}

/** With the failsafe schema, every scalar stays a text. The check for unique keys would take quadratic time. */
export const parseYaml = (text: string) =>
  parseDocument(text, { schema: 'failsafe', logLevel: 'silent', prettyErrors: false, uniqueKeys: false })

const parsedEntries = (inner: string, isRead: typeof isUsed): FrontMatterEntry[] | null | string => {
  try {
    const document = parseYaml(inner)
    const [error] = document.errors
    if (error) {
      let [at] = error.pos
      // A quote without an end is missed where the text ends: the mistake is where it begins.
      visit(document, {
        Scalar: (_, { type, range }) => {
          if (type?.startsWith('QUOTE') && range?.[1] === error.pos[0]) at = range[0]
        },
      })
      // The mark before the block is the first line.
      return `line ${inner.slice(0, at).split('\n').length + 1}: ${error.message}`
    }
    const { contents } = document
    if (contents === null || (isScalar(contents) && contents.value === '')) return []
    if (!isMap(contents)) return null
    return contents.items.flatMap(({ key, value }): FrontMatterEntry[] => {
      const name = isScalar(key) ? String(key.value) : ''
      if (!isRead(name.toLowerCase())) return []
      return [[name, isNode(value) ? value.toJS(document) : value]]
    })
  } catch (error) {
    return (error as Error).message
  }
}
