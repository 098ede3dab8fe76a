import { escapeDestination, escapeLineStart, escapeText, strong } from '@lectern/wiki/import/markdown'
import { toSingleLine } from '@lectern/wiki/import/wiki-record'
import { FIELD_BYTES_MAX, FRONT_MATTER_LIMITS } from '@lectern/wiki/limits'
import { inlineText } from '@lectern/wiki/plain-text/inline-text'
import { lineEnd } from '@lectern/wiki/text'
import { parse as parseToml } from 'smol-toml'
import { type FrontMatterEntry, HIDING_KEYS, readYaml } from './yaml.ts'

const NONE = {
  /** YAML values stay as written: `1.10`. */
  title: null as string | null,
  /** A title that only the layouts of a site show, such as `newstitle`. */
  otherTitle: null as string | null,
  /** Without tags, the categories. */
  tags: [] as string[],
  categories: [] as string[],
  aliases: [] as string[],
  address: {
    /** The address itself: `permalink` of Jekyll, `url` of Hugo. */
    permalink: null as string | null,
    /** The end of the address, or for Docusaurus the address itself. */
    slug: null as string | null,
    /** What Docusaurus has in the address for the name of the file. */
    id: null as string | null,
    /** Of which permalinks of Hugo have the words. */
    title: null as string | null,
    /** Further addresses: with a slash at the beginning, `aliases` of Hugo or `redirect_from` of Jekyll; else names of a note. */
    redirects: [] as string[],
    /** A short title that only the navigation shows, in Docusaurus, Nextra, Starlight, Hugo and Eleventy. */
    label: '',
    /** Titles of the pages above it, the outermost first, in Just the Docs; no links, as notes have them. */
    parents: [] as string[],
    /** The categories, of which Jekyll separates those in a text by spaces. */
    categories: [] as string[],
    /** Its place in its folder: smaller comes first. NaN: it says none. */
    weight: Number.NaN,
    /** What a site makes of it, and of what is in its folder: no page, a page in no list, or any other; null: it does not say. */
    build: null as 'none' | 'unlisted' | 'page' | null,
    folderBuild: null as 'none' | 'unlisted' | 'page' | null,
    /** Dates as written. */
    publishDate: null as string | null,
    date: null as string | null,
    expiryDate: null as string | null,
  },
  /** Names of authors, or their keys. */
  authors: [] as string[],
  /** Markdown that it shows on a home page; empty on other pages. */
  home: '',
  /** False for `published: false`, `draft: true` and the like, and if one of them may be intended. */
  published: true,
  /** Whether it says `publish: true` or the like. */
  marked: false,
  /** A field that may mean a draft, but hides nothing, such as `draft: yes maybe` or `status: draft`; null if there is none. */
  unclear: null as string | null,
  /** Why it could not be read: `line 3: …`; null if it could. */
  broken: null as string | null,
  /** Why the YAML is invalid that was read line by line; null if it was not. */
  invalid: null as string | null,
  /** Whether the block is too large or too deep for the YAML parser, and was read line by line. */
  large: false,
  /** Offset of the line after the block; 0 if there is no block. */
  end: 0,
}

/** The front matter of a text: YAML between lines of `---`, TOML between lines of `+++`, or a JSON object. */
export type FrontMatter = typeof NONE
export type AddressFields = FrontMatter['address']

/** Whether guests see a text. @param isExplicit whether only those that say so */
export const isPublic = ({ published, marked }: FrontMatter, isExplicit = false): boolean =>
  published && (marked || !isExplicit)

/** Reads the front matter at the start of a text. A text that starts with a thematic break has none. @param isReadBelow whether the tool reads it below blank lines, too */
export const readFrontMatter = (text: string, isReadBelow = false): FrontMatter => {
  const block = blockOf(text, isReadBelow)
  if (block === null) return misplaced(text)
  const frontMatter = readBlock(block)
  return frontMatter === NONE ? NONE : { ...frontMatter, end: block.end }
}

const readBlock = ({ mark, inner }: Block): FrontMatter => {
  if (inner.length > FRONT_MATTER_LIMITS.characters) return broken(inner, 'over 65,536 characters')
  if (mark === '---') {
    const hidden = (fields: FrontMatterEntry[]) => fields.some(hides)
    const isSafe = (fields: FrontMatterEntry[]) => !HIDING_FIELD.test(inner) || hidden(fields)
    const { entries, large, invalid = null, hides: isHidden } = readYaml(inner, isSafe, hidden)
    if (typeof entries === 'string')
      return isHidden ? { ...broken(inner, entries), published: false } : broken(inner, entries)
    // `publish:false` alone is a text in YAML.
    if (entries === null) return HIDING_FIELD.test(inner) ? broken(inner, 'no space after a colon') : NONE
    return { ...frontMatterOf(entries), large, invalid }
  }
  try {
    const fields: object = mark === '+++' ? parseTomlTable(inner) : JSON.parse(inner)
    return frontMatterOf(Object.entries(fields))
  } catch (error) {
    return broken(inner, (error as Error).message)
  }
}

/** Parses TOML. The parser is recursive, so values must not be nested too deeply. @throws if it is invalid */
export const parseTomlTable = (text: string): object => {
  if ((text.match(/[^\n][[{]/g)?.length ?? 0) > FRONT_MATTER_LIMITS.nesting)
    throw new RangeError('nested too deeply')
  return parseToml(text)
}

/** An invalid block can still hide its text: a typing error in a title must not publish a draft, or a text before its date. */
const broken = (inner: string, reason: string): FrontMatter => ({
  ...NONE,
  address: frontMatterOf([...inner.matchAll(DATE_FIELD)].map(([, key, date]) => [key!, date])).address,
  published: !HIDING_FIELD.test(inner),
  broken: reason.split('\n', 1)[0]!,
})

const HIDING = [...HIDING_KEYS].map(([key, words]) => `${key}["']?[ \\t]*[:=\uff1a][ \\t]*["']?(?:${words})`)
const HIDING_FIELD = new RegExp(`(?:^|[{,])[ \\t-]*["']?(?:${HIDING.join('|')})\\b`, 'im')

const DATE_FIELD = /^["']?(\w{0,9}date|published)["']?[ \t]*[:=][ \t]*["']?(\d[^"'\n]*)/gim

/** The last of duplicate keys counts, as in most programs. But if any of them hides the text, it stays hidden. */
const frontMatterOf = (entries: readonly FrontMatterEntry[]): FrontMatter => {
  const fields = new Map(entries.map(([key, value]) => [key.toLowerCase(), value]))
  const first = (...keys: string[]) =>
    keys.map((key) => textOf(fields.get(key))).find((text) => text !== null) ?? null
  const sidebar = Object(fields.get('eleventynavigation') ?? fields.get('sidebar'))
  const hero = Object(fields.get('hero'))
  const { main: _topBar, ...menus } = Object(fields.get('menu') ?? fields.get('menus')) // of Hugo
  const [menu] = Object.values(menus).map(Object)
  const isOther = (key: string) => OTHER_TITLE.test(key) && !isWord(fields.get(key), SETTINGS)
  const [tags, categories] = [textsOf(fields.get('tags')), textsOf(fields.get('categories'))]
  const aliases = textsOf(fields.get('aliases') ?? fields.get('alias'))
  return {
    ...NONE,
    title: first('title') ?? (plainOf(hero.name ?? hero.title ?? fields.get('herotext')) || null),
    otherTitle: first(...[...fields.keys()].filter(isOther)),
    tags: tags.length > 0 ? tags : categories,
    categories,
    aliases: aliases.slice(0, ALIASES_MAX),
    address: {
      permalink: first('permalink', 'url'),
      slug: first('slug'),
      id: first('id'),
      title: first('title'),
      redirects: [...aliases.filter(isKept), ...textsOf(fields.get('redirect_from'))],
      label: toSingleLine(
        first(...LABELS) ??
          textOf(sidebar.label ?? menu?.name) ??
          inlineText(textOf(sidebar.title ?? sidebar.key) ?? '', new Map()), // HTML in Eleventy
        FIELD_BYTES_MAX.title,
      ),
      parents: textsOf([fields.get('grand_parent'), fields.get('parent')]).filter((one) => !/[[/]/.test(one)),
      categories: categories.length === 1 ? categories[0]!.split(/\s+/) : categories,
      weight: Number.parseFloat(first(...WEIGHTS) ?? textOf(sidebar.order ?? menu?.weight) ?? ''),
      publishDate: first('publishdate', 'pubdate', 'published'),
      date: first('date') ?? textOf(Object(fields.get('date')).created), // of Material for MkDocs
      expiryDate: first('expirydate', 'unpublishdate'),
      build: buildIn(Object.fromEntries(fields)),
      folderBuild: buildIn(
        [fields.get('cascade')]
          .flat()
          .map(Object)
          .find(({ target, _target = target }) => !_target || JSON.stringify(_target) === PRODUCTION),
      ),
    },
    authors: [fields.get('authors') ?? fields.get('author')]
      .flat()
      .flatMap((one) => textOf(one) ?? textOf(Object(one).name) ?? textOf(Object(one).key) ?? [])
      .map((name) => name.replace(/\[([^[\]]+)\]\([^()]*\)/g, '$1')),
    home: homeOf(fields),
    published: !entries.some(hides),
    marked: [...HIDING_KEYS].some(([key, no]) => /^f/.test(no) && isWord(fields.get(key), ['true', 'yes'])),
    unclear: entries.find(isUnclear)?.join(': ') ?? null,
  }
}

/** Settings of Hugo, and `unlisted` of Docusaurus and others. Drawings are no pages. */
const buildIn = ({ build, _build = build, headless, ...others }: Readonly<Record<string, unknown>> = {}) => {
  const { render, list } = Object(_build)
  if (isWord(headless, ['true']) || 'excalidraw-plugin' in others || isWord(render, NEVER)) return 'none'
  if (isWord(others.unlisted, ['true']) || isWord(list, NEVER)) return 'unlisted'
  return _build === undefined ? null : 'page'
}
const NEVER = ['never', 'false', 'link']
const PRODUCTION = '{"environment":"production"}'

/** Not the title of another page, or one for other sites. */
const OTHER_TITLE = /^(?!sub|hide|meta|seo|og|social|twitter|next|prev|parent)[a-z]{1,50}title$/
/** Values of settings, such as `showTitle`. */
const SETTINGS = ['true', 'false', 'yes', 'no', 'on', 'off', '0', '1']
const ALIASES_MAX = 50 // names of a note
const isKept = (alias: string, i: number): boolean => i < ALIASES_MAX || alias.startsWith('/')

/** Of Docusaurus, Nextra, Hugo and its themes, MyST. */
const LABELS = ['sidebar_label', 'sidebartitle', 'linktitle', 'menutitle', 'short_title', 'nav_title']

/** Of Hugo, Docusaurus, Jekyll and VuePress. Starlight has it in `sidebar`. */
const WEIGHTS = ['weight', 'sidebar_position', 'nav_order', 'order']

/** The Markdown of a home page: `hero` of VitePress and Starlight, or the fields of VuePress, which can have HTML; or empty. */
const homeOf = (fields: ReadonlyMap<string, unknown>): string => {
  const hero = Object(fields.get('hero'))
  if (!isWord(fields.get('home'), ['true', 'yes']) && Object.keys(hero).length === 0) return ''
  const itemsOf = (value: unknown) => (Array.isArray(value) ? value.slice(0, HOME_MAX.items).map(Object) : [])
  const lines = [hero.text, hero.tagline ?? fields.get('tagline')].map(inlineOf)
  const actions = itemsOf(hero.actions ?? fields.get('actions'))
  const links = actions.map(({ link, text }) => linkTo(link, inlineOf(text)))
  const features = itemsOf(fields.get('features')).map(({ title, details, link }) =>
    joined([linkTo(link, strong(inlineOf(title))), inlineOf(details)], ': '),
  )
  const paragraphs = lines.map((line) => (STATEMENT.test(line) ? strong(line) : escapeLineStart(line)))
  const list = features.filter((feature) => feature !== '').map((feature) => `- ${feature}`)
  return joined([...paragraphs, joined(links, ' · '), list.join('\n')], '\n\n')
}

/** What dialects could read as a container or a statement. */
const STATEMENT = /^(?::|(?:im|ex)port\b)/

const HOME_MAX = { items: 50, bytes: 1000 } as const

const joined = (parts: readonly string[], between: string): string =>
  parts.filter((part) => part !== '').join(between)

const plainOf = (value: unknown): string =>
  toSingleLine((textOf(value) ?? '').replace(/<\/?[a-z][^<>]*>/gi, ''), HOME_MAX.bytes)

const inlineOf = (value: unknown): string => escapeText(plainOf(value))

const linkTo = (target: unknown, label: string): string =>
  label === '' || plainOf(target) === '' ? label : `[${label}](${escapeDestination(plainOf(target))})`

const hides = ([key, value]: FrontMatterEntry): boolean =>
  [value].flat().some((one) => isWord(one, HIDING_KEYS.get(key.toLowerCase())?.split('|') ?? []))

/** A number is no answer, either, but can be a date. */
const isUnclear = ([key, value]: FrontMatterEntry): boolean =>
  (key.toLowerCase() === 'status' && isWord(value, ['draft'])) ||
  (HIDING_KEYS.has(key.toLowerCase()) && /^[^\d\s]/.test(textOf(value) ?? '') && !isWord(value, SETTINGS))

/** A text without a block. Fields after a mark are front matter that has no end, or is not where it belongs; it can hide the text. */
const misplaced = (text: string): FrontMatter => {
  const start = text.slice(0, FRONT_MATTER_LIMITS.characters)
  const rest = text.slice(SPACE_OR_COMMENTS.exec(start)![0].length)
  const block = blockOf(rest)
  const [, mark = '', lines = ''] = LINES.exec(rest.slice(0, FRONT_MATTER_LIMITS.characters)) ?? []
  const isHidden = block ? !readBlock(block).published : HIDING_FIELD.test(lines)
  const isFirst = rest === text && MARKS.includes(mark)
  if (!isHidden && !(isFirst && FIELD.test(lines))) return NONE
  return { ...NONE, published: !isHidden, broken: isFirst ? 'no end' : 'it must begin with --- in line 1' }
}

const SPACE_OR_COMMENTS = /^(?:\s|<!--[\s\S]*?-->|\{\/\*[\s\S]*?\*\/\}|%%[\s\S]*?%%)*/
/** A mark, also of other signs or with a language, and the lines after it; or, without a mark, lines of which the first is a field. */
const LINES =
  /^(?:([-+*_=~\u2013\u2014]+[a-z]{0,4})[ \t]*(?:\r\n?|\n)|(?=[\w-]{1,50}[ \t]*:))((?:[^\r\n]+(?:\r\n?|\n)?)+)/
const FIELD = /^["']?[A-Za-z_][\w-]{0,100}["']?[ \t]*[:=](?:[ \t]|\r?$)/m
const MARKS = ['---', '+++']

type Block = { mark: '---' | '+++' | '{'; inner: string; end: number }

/** The block of the front matter. Null: the text has none, or it has no end. */
export const blockOf = (text: string, isReadBelow = false): Block | null => {
  if (text.startsWith('{')) return jsonBlock(text)
  // Before a line of hyphens, blank lines make it a thematic break in most tools.
  const first = (isReadBelow ? /^\s*/ : /^\s*(?=\+\+\+)/).exec(text)?.[0].length ?? 0
  const mark = text.slice(first, first + 3)
  if (mark !== '---' && mark !== '+++') return null
  const start = lineEnd(text, first)
  if (text.slice(first, start).trim() !== mark) return null
  const marks = mark === '---' ? ['---', '...'] : ['+++']
  for (let from = start; from < text.length; ) {
    const end = lineEnd(text, from)
    if (marks.includes(text.slice(from, from + 3)) && text.slice(from + 3, end).trim() === '')
      return { mark, inner: text.slice(start, from), end }
    from = end
  }
  return null
}

/** A JSON object that ends its line, as Hugo accepts it; its content need not be valid. Anything else is text. */
const jsonBlock = (text: string): Block | null => {
  let depth = 0
  for (const { 0: part, index } of text.slice(0, FRONT_MATTER_LIMITS.characters).matchAll(JSON_PARTS)) {
    depth += part === '{' ? 1 : part === '}' ? -1 : 0
    if (depth > 0) continue
    const inner = text.slice(0, index + 1)
    const end = lineEnd(text, inner.length)
    const isBlock = text.slice(inner.length, end).trim() === '' && /^\{\s*"/.test(inner)
    return isBlock ? { mark: '{', inner, end } : null
  }
  return null
}

/** Braces, and strings, in which braces do not count. */
const JSON_PARTS = /[{}]|"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)/g

/** A value as text; null for other types and for the null of YAML. */
const textOf = (value: unknown): string | null => {
  if (typeof value === 'string') return /^(~|null|)$/i.test(value.trim()) ? null : value
  if (value instanceof Date) return value.toISOString()
  return ['number', 'bigint', 'boolean'].includes(typeof value) ? String(value) : null
}

const textsOf = (value: unknown): string[] => {
  const values = Array.isArray(value) ? value : (textOf(value)?.split(',') ?? [])
  return values.map(textOf).filter((text) => text !== null)
}

const isWord = (value: unknown, words: string[]): boolean =>
  words.includes(textOf(value)?.trim().toLowerCase() ?? '')
