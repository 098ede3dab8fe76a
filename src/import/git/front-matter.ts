import { LRUCache } from 'lru-cache'
import { parse as parseToml } from 'smol-toml'
import { parseDocument } from 'yaml'

/** What stands above a text, between lines of `---` (YAML) or `+++` (TOML). */
export interface FrontMatter {
  /** The values that matter, as texts; of YAML as they are written, so that `1.10` stays so. */
  title: string | null
  tags: string[]
  /** False by `published: false` or `draft: true`. */
  published: boolean
  /** Whether there is a block that cannot be read. */
  broken: boolean
  /** Offset of the line after the block; 0 where there is none. */
  end: number
}

const NONE: FrontMatter = { title: null, tags: [], published: true, broken: false, end: 0 }

/** Reads the block that a text begins with. A text that begins with a thematic break has none. */
export const readFrontMatter = (text: string): FrontMatter => {
  const block = blockOf(text)
  if (block === null) return NONE
  const { mark, inner, end } = block
  let said = known.get(mark + inner)
  if (!said) {
    said = readBlock(mark, inner)
    known.set(mark + inner, said)
  }
  return said === NONE ? NONE : { ...said, end }
}

/** Most edits of a page leave its front matter as it is, and reading YAML took a tenth of an import. */
const known = new LRUCache<string, FrontMatter>({
  max: 500,
  maxEntrySize: 4096,
  maxSize: 1 << 21,
  sizeCalculation: (_, block) => block.length + 1,
})

/** What a block says, but for where it ends. */
const readBlock = (mark: string, inner: string): FrontMatter => {
  const fields = mark === '+++' ? tomlFields(inner) : yamlFields(inner)
  if (fields === 'broken') {
    return { ...NONE, published: !HIDDEN.test(inner), broken: true }
  }
  if (fields === null) return NONE
  const tags = textsOf(fields.tags)
  return {
    title: textOf(fields.title),
    tags: tags.length > 0 ? tags : textsOf(fields.categories),
    published:
      !isWord(fields.published, ['false', 'no', 'off']) && !isWord(fields.draft, ['true', 'yes', 'on']),
    broken: false,
    end: 0,
  }
}

/** A block that cannot be read still hides its text: a slip in a title must not publish a draft. */
const HIDDEN =
  /^[ \t]*(?:published[ \t]*[:=][ \t]*["']?(?:false|no|off)|draft[ \t]*[:=][ \t]*["']?(?:true|yes|on))\b/im

type Fields = Record<string, unknown>

const blockOf = (text: string): { mark: string; inner: string; end: number } | null => {
  const mark = text.slice(0, 3)
  if (mark !== '---' && mark !== '+++') return null
  const start = nextLine(text, 0)
  if (text.slice(0, start).trim() !== mark) return null
  for (let from = start; from < text.length; ) {
    const end = nextLine(text, from)
    if (text.startsWith(mark, from) && text.slice(from, end).trim() === mark) {
      return { mark, inner: text.slice(start, from), end }
    }
    from = end
  }
  return null
}

const nextLine = (text: string, from: number): number => {
  const newline = text.indexOf('\n', from)
  return newline === -1 ? text.length : newline + 1
}

/** Null where it is no mapping: then the marks were thematic breaks around a paragraph. */
const yamlFields = (inner: string): Fields | null | 'broken' => {
  try {
    // The failsafe schema leaves every scalar the text that it is.
    const document = parseDocument(inner, { schema: 'failsafe', logLevel: 'silent' })
    if (document.errors.length > 0) return 'broken'
    const fields: unknown = document.toJS() ?? {}
    if (fields === '') return {}
    return typeof fields === 'object' && !Array.isArray(fields) ? (fields as Fields) : null
  } catch {
    return 'broken'
  }
}

const tomlFields = (inner: string): Fields | 'broken' => {
  try {
    return parseToml(inner)
  } catch {
    return 'broken'
  }
}

/** One value as text; null where it is none, or what YAML calls null. */
const textOf = (value: unknown): string | null => {
  if (typeof value === 'string') return /^(~|null|)$/i.test(value.trim()) ? null : value
  if (value instanceof Date) return value.toISOString()
  return ['number', 'bigint', 'boolean'].includes(typeof value) ? String(value) : null
}

/** An array of values, or one text with commas. */
const textsOf = (value: unknown): string[] => {
  const values = Array.isArray(value) ? value : (textOf(value)?.split(',') ?? [])
  return values.map(textOf).filter((text) => text !== null)
}

const isWord = (value: unknown, words: string[]): boolean =>
  words.includes(textOf(value)?.trim().toLowerCase() ?? '')
