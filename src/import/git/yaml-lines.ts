/** A key of a block's top level and its value, in the order in which they stand. */
export type FrontMatterEntry = readonly [key: string, value: unknown]

/**
 * The wanted entries of a block of YAML whose lines say all of them plainly; null where they do not, and only a
 * reader of all of YAML can tell. Where such a one reads the block, it finds the same.
 */
export const plainEntries = (inner: string, wanted: ReadonlySet<string>): FrontMatterEntry[] | null => {
  const entries: [string, unknown][] = []
  /** What the last key has beside it, and the indentation of its list's items. */
  let open: { isWanted: boolean; beside: string; indent: number | null } | null = null
  for (const raw of inner.split('\n')) {
    const line = raw.trimEnd()
    if (!isSpace(raw, line.length) || UNUSUAL.test(line)) return null
    const indent = indentOf(line)
    if (line === '' || line[indent] === '#') continue
    if (ITEM.test(line) && open !== null && open.beside === '') {
      if (!open.isWanted) continue
      const item = plainScalar(line.slice(indent + 1).trimStart())
      if (item === null || (open.indent ?? indent) !== indent) return null
      const entry = entries.at(-1)!
      if (open.indent === null) entry[1] = []
      open.indent = indent
      ;(entry[1] as string[]).push(item)
    } else if (indent > 0) {
      if (open === null || open.isWanted) return null
    } else {
      const [, key, beside = ''] = KEY.exec(line) ?? []
      if (key === undefined) return null
      const isWanted = wanted.has(key.toLowerCase())
      if (isWanted) {
        const value = plainList(beside) ?? plainScalar(beside)
        if (value === null) return null
        entries.push([key, value])
      } else if (!endsOnItsLine(beside)) return null
      open = { isWanted, beside, indent: null }
    }
  }
  return open === null ? null : entries
}

/**
 * The wanted entries of a block that is nearly YAML, as its lines look to a person: everything after a key's colon
 * is its value, whatever it begins with. Null where a line is neither a key, nor belongs to one.
 */
export const looseEntries = (inner: string, wanted: ReadonlySet<string>): FrontMatterEntry[] | null => {
  const found: { key: string; beside: string; items: string[]; more: string[] }[] = []
  for (const raw of inner.split('\n')) {
    const line = raw.trimEnd()
    const text = line.trimStart()
    const last = found.at(-1)
    if (text === '' || text.startsWith('#')) continue
    if (last !== undefined && last.beside === '' && ITEM.test(line)) last.items.push(text.slice(1).trim())
    else if (text.length < line.length || /^[\]}],?$/.test(line)) {
      if (last === undefined) return null
      last.more.push(text)
    } else {
      const colon = colonOf(line)
      if (colon === null || line.startsWith('- ')) return null
      const [key, beside] = [unquoted(line.slice(0, colon).trim()), line.slice(colon + 1).trim()]
      found.push({ key, beside, items: [], more: [] })
    }
  }
  if (found.length === 0) return null
  return found
    .filter(({ key }) => wanted.has(key.toLowerCase()))
    .map(({ key, beside, items, more }): FrontMatterEntry => {
      if (items.length > 0) return [key, items.map(unquoted)]
      const text = [beside.replace(/^[|>][-+\d]*$/, ''), ...more].join(' ').trim()
      if (!text.startsWith('[') || !text.endsWith(']')) return [key, unquoted(text)]
      return [key, text.slice(1, -1).split(',').map(unquoted)]
    })
}

/** A key of plain letters, its colon, and what is beside it. */
const KEY = /^([A-Za-z_][\w.-]*)[ \t]*:(?:[ \t]+(.*))?$/
const ITEM = /^[ \t]*-(?:[ \t]|$)/
/** Characters that end a line somewhere, or that not every reader takes. */
const UNUSUAL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff]/

const isSpace = (line: string, from: number): boolean => {
  for (let at = from; at < line.length; at += 1) if (!' \t\r'.includes(line[at]!)) return false
  return true
}

const indentOf = (line: string): number => {
  let at = 0
  while (line[at] === ' ' || line[at] === '\t') at += 1
  return at
}

/** What a scalar may not begin with, nor hold, to be plain in every place. */
const NOT_FIRST = /^[-?:,[\]{}#&*!|>'"%@`]/
const NOT_WITHIN = /:(?:[ \t]|$)|[ \t]#|\t/

/** A text on one line, plain or in quotes without escapes; null for everything else. */
const plainScalar = (text: string): string | null => {
  const quoted =
    /^"([^"\\]*)"$/.exec(text)?.[1] ?? /^'((?:[^']|'')*)'$/.exec(text)?.[1]?.replaceAll("''", "'")
  if (quoted !== undefined) return quoted
  return NOT_FIRST.test(text) || NOT_WITHIN.test(text) ? null : text
}

/** `[hot, green tea]`; null for everything else. */
const plainList = (text: string): string[] | null => {
  const inside = /^\[([^[\]{}"'#:]*)\]$/.exec(text)?.[1]
  if (inside === undefined) return null
  if (inside.trim() === '') return []
  const items = inside.split(',').map((item) => item.trim())
  return items.every((item) => item !== '' && plainScalar(item) === item) ? items : null
}

/** Whether a value that is not wanted is sure to have ended where the next key begins. */
const endsOnItsLine = (text: string): boolean =>
  !/^["'[{]/.test(text) ||
  /^"(?:[^"\\]|\\.)*"[ \t]*(?:#.*)?$/.test(text) ||
  /^'(?:[^']|'')*'[ \t]*(?:#.*)?$/.test(text) ||
  /^\[[^[\]{}"'#]*\]$|^\{[^[\]{}"'#]*\}$/.test(text)

/** Offset of the colon after a key: the first that a space or the line's end follows. */
const colonOf = (line: string): number | null => {
  for (let at = line.indexOf(':'); at > 0; at = line.indexOf(':', at + 1)) {
    const next = line[at + 1]
    if (next === undefined || next === ' ' || next === '\t') return at
  }
  return null
}

/** A value without its quotes, be they quite right or not, or without the comment behind it. */
const unquoted = (text: string): string => {
  const value = text.trim()
  const quote = value[0]
  if (quote !== '"' && quote !== "'") return value.replace(/[ \t]#.*$/, '').trim()
  const inside = value.length > 1 && value.endsWith(quote) ? value.slice(1, -1) : value.slice(1)
  return quote === '"' ? inside.replace(/\\(["\\])/g, '$1') : inside.replaceAll("''", "'")
}
