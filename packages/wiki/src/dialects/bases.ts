import { parse } from 'yaml'
import { baseName } from '../folders.ts'
import { escapeText, pageDestination, tableLines } from '../import/markdown.ts'
import { nestingOf } from '../nesting.ts'
import type { PageKey } from '../records.ts'
import type { NoteProperty } from './embeds.ts'

/** `terms`: filters, columns and sorts; `table`: characters. Each counts once for each note. */
const MAX = { characters: 20_000, nesting: 40, filter: 500, rows: 500, terms: 100, table: 100_000 } as const

/** A page that a base may list. `tags`: keys of its categories; `properties`: by their names in lower case. */
export type ListedNote = PageKey & { tags: string[]; properties: ReadonlyMap<string, NoteProperty> }

type Value = NoteProperty['value'] | undefined
type Test = (note: ListedNote) => boolean

/** @param id `note.rating` or `rating` */
const propertyOf = ({ properties }: ListedNote, id: string): NoteProperty | undefined =>
  properties.get(id.replace(/^note\./, '').toLowerCase())

/** @param id as above, or `file.name` @throws Error if it is something else, such as a formula */
const fieldOf = (id: string): ((note: ListedNote) => Value) => {
  if (/^(?:file\.|note\.)?tags$/.test(id)) return ({ tags }) => tags
  if (/^file\.(?:base)?name$/.test(id)) return ({ path }) => baseName(path)
  if (id === 'file.folder') return ({ path }) => folderOf(path)
  if (id === 'file.ext') return () => 'md'
  if (/^(?:note\.)?[^.]+$/.test(id)) return (note) => propertyOf(note, id)?.value
  throw new Error(`not understood: ${id}`)
}

const folderOf = (path: string): string => path.slice(0, -baseName(path).length - 1)
const isSame = (a: Value, b: Value): boolean => String(a ?? '') === String(b ?? '')

/** Below zero: the first comes first; empty ones come last. */
const order = (a: Value, b: Value, sign = 1): number => {
  const [isFirst, isSecond] = [isSame(a, ''), isSame(b, '')]
  if (isFirst || isSecond) return Number(isFirst) - Number(isSecond)
  const numbers = typeof a === 'number' && typeof b === 'number' ? a - b : undefined
  return sign * (numbers ?? String(a).localeCompare(String(b), 'en'))
}

const holds = (a: Value, operator: string, b: Value): boolean => {
  if (operator === 'contains')
    return Array.isArray(a) ? a.some((one) => isSame(one, b)) : String(a ?? '').includes(String(b))
  if (operator === 'isEmpty') return isSame(a, '')
  if (operator === '==' || operator === '!=') return isSame(a, b) === (operator === '==')
  const found = isSame(a, '') ? NaN : order(a, b)
  return found === 0 ? operator.endsWith('=') : operator.startsWith('<') ? found < 0 : found > 0
}

const linksTo = (markdown: string, name: string): boolean =>
  Array.from(markdown.matchAll(/\[\[([^[\]|#]{1,500})/g)).some(
    ([, to]) => baseName(to!.trim()).toLowerCase() === baseName(name).toLowerCase(),
  )

const TEXT = String.raw`"[^"\\]*"|'[^'\\]*'`
const OF_FILE = new RegExp(String.raw`^file\.(hasTag|inFolder)\((${TEXT})\)$`)
const OF_FIELD = new RegExp(
  String.raw`^(?:list\()?((?:(?:file|note)\.)?[\p{L}_][\p{L}\p{N}_]*)\)?(?:\s*([=!<>]=|[<>])\s*|\.(contains|isEmpty)\()(?:(link\()?(${TEXT})|(-?\d+(?:\.\d+)?|true|false)|(this)(?:\.file)?)?\)*$`,
  'u',
)

/** A filter such as `!file.hasTag("tea")`, `rating >= 4` or `categories.contains(link("Teas"))`. @param own the page that shows the base */
const expressionOf = (filter: string, own: PageKey): Test => {
  if (/^![^=]/.test(filter)) {
    const test = expressionOf(filter.slice(1), own)
    return (note) => !test(note)
  }
  const [, ofFile, quoted = ''] = OF_FILE.exec(filter) ?? []
  const name = quoted.slice(1, -1).replace(/^#|\/$/g, '')
  if (ofFile)
    return ({ tags, path }) =>
      ofFile === 'hasTag' ? tags.includes(name.toLowerCase()) : path.startsWith(`${name}/`)
  const [, id = '', sign, method = '', link, text = '', data, self] = OF_FIELD.exec(filter) ?? []
  const [field, literal, operator] = [fieldOf(id), text.slice(1, -1), sign ?? method]
  if (link || self) {
    const isWanted = operator !== '!='
    return (note) => linksTo(propertyOf(note, id)?.markdown ?? '', self ? own.path : literal) === isWanted
  }
  const value = data ? JSON.parse(data) : literal
  return (note) => holds(field(note), operator, value)
}

const filterOf = (filter: unknown, own: PageKey): Test => {
  if (filter == null) return () => true
  if (typeof filter === 'string' && filter.length < MAX.filter) return expressionOf(filter.trim(), own)
  const [[kind = '', list] = [], ...others] = Object.entries(filter)
  if (others.length > 0 || !/^(?:and|or|not)$/.test(kind)) throw new Error(`not understood: ${kind}`)
  const tests = (list as unknown[]).map((one) => filterOf(one, own))
  if (kind === 'and') return (note) => tests.every((test) => test(note))
  return (note) => tests.some((test) => test(note)) === (kind === 'or')
}

/**
 * A view of a base of Obsidian as a table in Markdown; groups follow each other. @param viewName empty: the first @param own the page that shows it
 * @returns null if there is no such view, it is too long, or something in it is not understood, such as a formula
 */
export const tableOfBase = (yaml: string, viewName: string, notes: readonly ListedNote[], own: PageKey) => {
  if (yaml.length > MAX.characters || nestingOf(yaml) > MAX.nesting) return null
  try {
    // What has another form throws an error.
    const { filters, properties, views } = parse(yaml)
    const view = views.find(({ name }: { name?: string }) => viewName === '' || name === viewName)
    if (!/^(?:table|cards|list)$/.test(view.type)) return null
    // It throws if an alias leads to what contains it.
    const terms = JSON.stringify([filters, view.filters, view.order, view.groupBy, view.sort]).split(',')
    if (terms.length > MAX.terms) return null
    const tests = [filters, view.filters].map((filter) => filterOf(filter, own))
    const columns: string[] = view.order ?? ['file.name']
    const fields = columns.map(fieldOf)
    const sorts = [view.groupBy ?? [], view.sort ?? []].flat().map(({ property, direction }) => {
      return { field: fieldOf(property), sign: direction === 'DESC' ? -1 : 1 }
    })
    const listed = notes.filter((note) => tests.every((test) => test(note)))
    listed.sort((a, b) => sorts.map(({ field, sign }) => order(field(a), field(b), sign)).find(Boolean) ?? 0)
    const head = columns.map((id) => {
      const { displayName = id.replace(/^(?:file|note)\./, '') } =
        properties?.[id] ?? properties?.[`note.${id}`] ?? {}
      return escapeCell(displayName)
    })
    const rows: string[][] = []
    let characters = 0
    const limit = view.limit > 0 ? Math.min(view.limit, MAX.rows) : MAX.rows
    for (const note of listed.slice(0, limit)) {
      const row = columns.map((id, i) => shownField(note, id, fields[i]!(note)))
      characters += row.join().length
      if (characters > MAX.table) break
      rows.push(row)
    }
    return rows.length === 0 && listed.length > 0 ? null : tableLines([head, ...rows], true).join('\n')
  } catch {
    return null
  }
}

const escapeCell = (text: string): string => escapeText(text).replaceAll('|', '\\|')

/** The name of a note is a link to it. A property is as the table of its note has it. */
const shownField = (note: ListedNote, id: string, value: Value): string => {
  const text = escapeCell([value ?? ''].flat().join(', '))
  if (/^file\.(?:base)?name$/.test(id)) return `[${text}](${pageDestination(note.locale, note.path, '')})`
  return propertyOf(note, id)?.markdown.replaceAll('|', '\\|').trim() ?? text
}
