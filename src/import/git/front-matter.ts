import { LRUCache } from 'lru-cache'
import { parse as parseToml } from 'smol-toml'
import { FRONT_MATTER_LIMITS } from '../../limits.ts'
import { jsonEnd } from './json-end.ts'
import { readYaml } from './yaml.ts'
import type { FrontMatterEntry } from './yaml-lines.ts'

/** What stands above a text, between lines of `---` (YAML) or `+++` (TOML), or as an object (JSON). */
interface FrontMatter {
  /** The values that matter, as texts; of YAML as they are written, so that `1.10` stays so. */
  title: string | null
  tags: string[]
  /** False by `published: false` or `draft: true`, and where one of them may be meant. */
  published: boolean
  /** Whether there is a block that cannot be read. */
  broken: boolean
  /** Whether the block is too large or too deep to be read by all the rules of YAML, so that it was read line by line. */
  large: boolean
  /** Offset of the line after the block; 0 where there is none. */
  end: number
}

const NONE: FrontMatter = { title: null, tags: [], published: true, broken: false, large: false, end: 0 }

/** Reads the block that a text begins with. A text that begins with a thematic break has none. */
export const readFrontMatter = (text: string): FrontMatter => {
  const block = blockOf(text)
  if (block === null) return hidesUnclosed(text) ? { ...NONE, published: false, broken: true } : NONE
  const { mark, inner, end } = block
  if (inner.length > FRONT_MATTER_LIMITS.characters) return { ...broken(inner), end }
  let said = known.get(mark + inner)
  if (!said) {
    said = readBlock(mark, inner)
    known.set(mark + inner, said)
  }
  return said === NONE ? said : { ...said, end }
}

/** Most edits of a page leave its front matter as it is, and reading it takes longer than finding it here. */
const known = new LRUCache<string, FrontMatter>({
  max: 500,
  maxEntrySize: 4096,
  maxSize: 1 << 21,
  sizeCalculation: (_, block) => block.length + 1,
})

/** What a block says, but for where it ends. */
const readBlock = (mark: string, inner: string): FrontMatter => {
  if (mark === '---') {
    const { entries, large } = readYaml(inner, (said) => !HIDDEN.test(inner) || said.some(hides))
    if (entries === 'broken') return broken(inner)
    return entries === null ? NONE : { ...saidBy(entries), large }
  }
  if (mark === '+++' && (inner.match(/[^\n][[{]/g)?.length ?? 0) > FRONT_MATTER_LIMITS.nesting)
    return broken(inner)
  try {
    const fields: object = mark === '+++' ? parseToml(inner) : JSON.parse(inner)
    return saidBy(Object.entries(fields))
  } catch {
    return broken(inner)
  }
}

/** A block that cannot be read still hides its text: a slip in a title must not publish a draft. */
const broken = (inner: string): FrontMatter => ({ ...NONE, published: !HIDDEN.test(inner), broken: true })

const HIDDEN =
  /(?:^|[{,])[ \t-]*["']?(?:published["']?[ \t]*[:=][ \t]*["']?(?:false|no|off)|draft["']?[ \t]*[:=][ \t]*["']?(?:true|yes|on))\b/im

/** Of keys that stand twice the last one counts, as most programs have it, but one that hides is not undone. */
const saidBy = (entries: readonly FrontMatterEntry[]): FrontMatter => {
  const fields = new Map(entries.map(([key, value]) => [key.toLowerCase(), value]))
  const tags = textsOf(fields.get('tags'))
  return {
    ...NONE,
    title: textOf(fields.get('title')),
    tags: tags.length > 0 ? tags : textsOf(fields.get('categories')),
    published: !entries.some(hides),
  }
}

const hides = ([key, value]: FrontMatterEntry): boolean =>
  (/^published$/i.test(key) && isWord(value, ['false', 'no', 'off'])) ||
  (/^draft$/i.test(key) && isWord(value, ['true', 'yes', 'on']))

/** Whether a text begins as with front matter, which does not end, but would hide it. */
const hidesUnclosed = (text: string): boolean => {
  const beginning = /^(?:---|\+\+\+)[ \t]*\r?\n((?:[^\r\n]+\r?\n?)+)/.exec(
    text.slice(0, FRONT_MATTER_LIMITS.characters),
  )
  return beginning !== null && HIDDEN.test(beginning[1]!)
}

interface Block {
  mark: '---' | '+++' | '{'
  inner: string
  end: number
}

const blockOf = (text: string): Block | null => {
  if (text.startsWith('{')) return jsonBlock(text)
  const mark = text.slice(0, 3)
  if (mark !== '---' && mark !== '+++') return null
  const start = nextLine(text, 0)
  if (text.slice(0, start).trim() !== mark) return null
  const marks = mark === '---' ? ['---', '...'] : ['+++']
  for (let from = start; from < text.length; ) {
    const end = nextLine(text, from)
    if (marks.includes(text.slice(from, from + 3)) && text.slice(from + 3, end).trim() === '')
      return { mark, inner: text.slice(start, from), end }
    from = end
  }
  return null
}

/** An object that ends its line, as Hugo has it; what does not read as one is text. */
const jsonBlock = (text: string): Block | null => {
  const end = jsonEnd(text, FRONT_MATTER_LIMITS.characters)
  if (end === null) return null
  const next = nextLine(text, end)
  const inner = text.slice(0, end)
  if (text.slice(end, next).trim() !== '' || !/^\{\s*"/.test(inner)) return null
  return { mark: '{', inner, end: next }
}

const nextLine = (text: string, from: number): number => {
  const newline = text.indexOf('\n', from)
  return newline === -1 ? text.length : newline + 1
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
