import { baseName } from '@lectern/wiki/folders'
import { Drop, IncludeTag, Liquid, type LiquidOptions, type Template } from 'liquidjs'
import { LRUCache } from 'lru-cache'
import { parse as parseYaml } from 'yaml'
import { csvRows } from './rst-tables.ts'

export type LiquidFile = { name: string; text: string }

/** `path`: its name in the folder of the site. `files`: those that the text names, by `wanted` keys; null: there is none. */
export type LiquidTask = { text: string; path: string; files: ReadonlyMap<string, LiquidFile | null> }

/** `wanted`: `_config`, `page`, `_data/a/b` or names of includes, if the task does not have them. */
export type LiquidResult = { text: string; wanted: string[]; isIncomplete: boolean }

/** Tags, values and texts between them that may be rendered, and units of memory of the library. */
const LIMITS = { templateLimit: 100_000, memoryLimit: 10_000_000 } as const
const MOST_CHARACTERS = 1_000_000

/** Evaluates a text of Jekyll as far as its files tell what it shows. @throws if it is invalid, or takes more than the limits */
export default ({ text, path, files }: LiquidTask): LiquidResult => {
  state = { files, wanted: new Set(), parts: new Map(), isIncomplete: false }
  let site: object | undefined
  const scope = {
    get site() {
      // Lists of pages are none of the configuration, and links lead from the root.
      site ??= { ...valuesOf('_config'), collections: [], url: '', baseurl: '', data: dataIn('_data') }
      return site
    },
    get page() {
      return { path, name: baseName(path), ...valuesOf('page') }
    },
  }
  const rendered: string = liquid.renderSync(templates.memo(text), scope, LIMITS)
  if (rendered.length > MOST_CHARACTERS) throw new RangeError('too long')
  const wanted = [...state.wanted]
  return { text: wanted.length > 0 ? '' : asMarkdown(rendered), wanted, isIncomplete: state.isIncomplete }
}

/** Of the text that is evaluated. */
let state = {
  files: new Map() as LiquidTask['files'],
  wanted: new Set<string>(),
  /** What is included, by name. */
  parts: new Map<string, Template[]>(),
  isIncomplete: false,
}

const fileOf = (key: string): LiquidFile | null => {
  if (!state.files.has(key)) state.wanted.add(key)
  return state.files.get(key) ?? null
}

/** What texts have in common is kept. */
const CACHE = { maxSize: 4_000_000, sizeCalculation: (_: object, { length }: string) => length + 1 }

const templates = new LRUCache<string, Template[]>({
  ...CACHE,
  memoMethod: (text) => liquid.parse(withKnownTags(text)),
})

const values = new LRUCache<string, object>({
  ...CACHE,
  memoMethod: (file) => {
    const [name = ''] = file.split('\n', 1)
    const text = file.slice(name.length + 1)
    if (!/\.[ct]sv$/.test(name))
      return Object(parseYaml(text, { merge: true, uniqueKeys: false, logLevel: 'silent' }) ?? {})
    const lines = (name.endsWith('.tsv') ? text.replaceAll('\t', ',') : text).split(/\r?\n/)
    const [head = [], ...rows] = csvRows(lines).map((row) => row.map((cell) => cell.lines.join('\n')))
    return rows.map((row) => Object.fromEntries(head.map((key, i) => [key, row[i] ?? ''])))
  },
})

/** The values in a file; null if there is none. @throws if it is invalid */
const valuesOf = (key: string): object | null => {
  const file = fileOf(key)
  return file && values.memo(`${file.name}\n${file.text}`)
}

class Folder extends Drop {}

/** A folder of data, whose keys name files or folders. */
const dataIn = (folder: string): object =>
  Object.assign(new Folder(), {
    valueOf: () => undefined,
    liquidMethodMissing: (key: unknown) => {
      const path = `${folder}/${key}`
      return /^[\w/-]{1,200}$/.test(path) ? (valuesOf(path) ?? dataIn(path)) : undefined
    },
  })

/** Scripts and comments of included HTML show nothing. */
const HIDDEN = /<!--[\s\S]*?-->|<(script|style)\b[\s\S]*?<\/\1\s*>/gi

/** An included text; empty for what is not there, or not known yet. */
const partOf = (name: string): string => {
  const file = fileOf(name)
  state.isIncomplete ||= file === null
  const text = file?.text ?? ''
  return withKnownTags(/\.(?:md|markdown)$/.test(file?.name ?? '') ? text : text.replace(HIDDEN, ''))
}

/** No file of the system is read. */
const files: NonNullable<LiquidOptions['fs']> = {
  existsSync: () => true,
  exists: async () => true,
  readFileSync: partOf,
  readFile: async (name) => partOf(name),
  resolve: (_folder, name) => name,
}

const liquid = new Liquid({
  fs: files,
  cache: {
    read: (name) => state.parts.get(name),
    write: (name, part) => {
      if (Array.isArray(part)) state.parts.set(name, part)
    },
    remove: (name) => {
      state.parts.delete(name)
    },
  },
  ...{ jekyllInclude: true, jekyllWhere: true, dynamicPartials: false, ownPropertyOnly: true },
  ...{ relativeReference: false, timezoneOffset: 0, locale: 'en-US' },
  outputEscape: (value) => (Object.prototype.toString.call(value) === '[object Object]' ? '' : value),
})

const addressOf = (path: unknown = ''): unknown =>
  /^(?:[a-z][\w+.-]*:|\/|#)/i.test(`${path}`) ? path : `/${path}`

for (const name of ['relative_url', 'absolute_url']) liquid.registerFilter(name, addressOf)
liquid.registerFilter('markdownify', (text = '') => `\n\n${text}\n\n`)
// What is another text each time would be an edit.
liquid.registerFilter('sample', () => '')
for (const [name, filter] of Object.entries(liquid.filters))
  if (name.startsWith('date') && typeof filter === 'function')
    liquid.registerFilter(name, function (value, ...options) {
      return /^(?:now|today)$/.test(value) ? '' : filter.call(this, value, ...options)
    })

/** The first sign of a tag that stays: a link to a page, code, or one of a plugin. The dialect shows it. No text has this character. */
const TAG = '\ufdd0'

const OTHER: Exclude<Parameters<Liquid['registerTag']>[1], { new (...options: never): unknown }> = {
  parse(token) {
    this.text = TAG + token.getText().slice(1)
  },
  render(_, emitter) {
    emitter.write(this.text)
  },
}
const known = new Set(Object.keys(liquid.tags))
/** Names of tags of plugins. @throws after so many */
const OTHERS_MAX = 10_000

/** Registers the tags of a text that the library does not have: it would refuse the text. */
const withKnownTags = (text: string): string => {
  for (const [, name = ''] of text.matchAll(/\{%-?\s*(\w+)/g)) {
    if (known.has(name)) continue
    if (known.size > OTHERS_MAX) throw new RangeError('too many tags')
    known.add(name)
    liquid.registerTag(name, OTHER)
  }
  return text
}
for (const name of ['layout', 'render', 'block']) liquid.registerTag(name, OTHER)
liquid.registerTag('include_relative', IncludeTag) // Its names are looked for in the folder of the page, too.
known.add('include_relative')

/** Code; a tag that the text shows; the mark of a block in HTML; another mark over several lines; what would make HTML code. */
const PARTS =
  /^[ \t]*(?:`{3}|~{3})[\s\S]*?^[ \t]*(?:`{3}|~{3})|<(?:pre|script|style)\b[\s\S]*?<\/(?:pre|script|style)>|\ufdd0%-?\s*highlight\b[\s\S]*?\ufdd0%-?\s*endhighlight|`[^`\n]*`|\{(?=%|\{-?[ \t]*(?:["']|site\.))|(^[ \t]*|)<(\/?)(?:div|section|article|aside|main|header|footer|nav|figure|details|form|[uod]l|table)\b[^<>]*>|<[a-z][^<>\n]*\n[^<>]*>|^[ \t]+(?=<)|(?<=^[ \t]*\n)[ \t]{4,}(?=[^\s*+\-\d])/gim

/** Writes what is rendered so that the dialect leaves tags that it shows. As in kramdown, indented lines in an element that begins a line are no code. */
const asMarkdown = (rendered: string): string => {
  let [depth, base] = [0, '']
  return rendered
    .replace(PARTS, (part, indent: string, end: string | undefined, at: number, text: string) => {
      if (part === '{') return '&#123;'
      if (part.trim() === '') return depth > 0 ? base : part
      const mark = /^\s*<[a-z][^<>]*>$/i.test(part) ? part.replace(/[ \t]*\n\s*/g, ' ') : part
      const isFirst = at === 0 || text[at - 1] === '\n'
      if (end === undefined || (depth === 0 && !isFirst)) return mark
      if (depth === 0) base = indent
      depth = Math.max(0, depth + (end === '' ? 1 : -1))
      return isFirst ? base + mark.trimStart() : mark
    })
    .replaceAll(TAG, '{')
}
