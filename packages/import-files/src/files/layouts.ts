import { UsageError } from '@lectern/wiki/errors'
import { baseName } from '@lectern/wiki/folders'
import { makeWikiRecord } from '@lectern/wiki/import/wiki-record'
import { parseSourceLocale } from '@lectern/wiki/locales'
import type { PageKey, WikiRecord } from '@lectern/wiki/records'
import type { StoredContentQueries } from '@lectern/wiki/stored-content'
import { nfc, quote } from '@lectern/wiki/text'
import { parseInstant, type Timestamp, timestampFromInstant } from '@lectern/wiki/time'
import type { ConvertWikitext } from '../markups/markup.ts'
import { folderOf } from './file-tree.ts'

/**
 * A pattern of the files of pages: `apps/site/pages/{locale}/{path}.md`, `{path}.{locale:fr|de}.md`, `{path}.md@en`. A folder
 * in braces belongs to the path: of `{folder:docs}/{locale}/{path}.md`, it is `docs/tea`.
 */
export type Layout = ReturnType<typeof parseLayout>

const EXAMPLE =
  'Examples: {path}.md, docs/{path}.md@en, pages/{locale}/{path}.mdx, {path}.{locale:de|fr}.md, or obsidian, obsidian:notes or markdown alone'

/**
 * Chosen instead of layouts: `obsidian` takes the files as a vault, `obsidian:notes` those of a folder, `markdown` as texts of
 * no tool. Null: layouts, or none. @returns `folder`: empty for all, otherwise with a slash at the end
 */
export const chosenKind = (layouts: readonly string[]) => {
  const match = layouts.length === 1 ? /^(?:(markdown)|obsidian(?::([^{}]+?)\/?)?)$/.exec(layouts[0]!) : null
  if (match === null) return null
  const [, markdown, folder] = match
  return { isVault: markdown === undefined, folder: folder === undefined ? '' : `${folder}/` }
}

/** The folder that `--prefix` names, before the paths of all pages, without slashes at its ends; empty: none. @throws UsageError */
export const parsePrefix = (text = ''): string => {
  const prefix = nfc(text).replace(/^\/|\/$/g, '')
  if (/[{}\p{C}]|(?:^|\/)\.{0,2}(?:\/|$)/u.test(prefix) && text !== '')
    throw new UsageError(`--prefix must be a folder, such as wiki or team/notes, but is "${quote(text)}".`)
  return prefix
}

/** @param defaultLocale if the layout sets none @throws UsageError with what is wrong in the layout */
export const parseLayout = (text: string, defaultLocale: string) => {
  const refuse = (reason: string): never => {
    throw new UsageError(`The layout ${quote(text)} ${reason}. ${EXAMPLE}`)
  }
  // File names can contain an `@`, too: `@scope/…`, `…@2.md`.
  const [, template = text, suffix] = /^(.*)@([^@/.{}]*)$/s.exec(text) ?? []
  const locale = suffix === undefined ? null : parseSourceLocale(suffix)
  if (suffix !== undefined && locale === null) refuse('needs a locale code such as en or pt-br after its @')
  const [, prefix = '', normal = ''] = /^(?:\{prefix:([^{}]+)\})?(.*)$/s.exec(template.normalize('NFC'))!
  const parts = normal.split(/(\{(?:path|locale|folder)(?::[^{}]*)?\})/).map(parsePart)
  const named = (name: string) => parts.filter((part) => part.name === name)
  const [paths, locales, folders] = [named('path'), named('locale'), named('folder')]
  if (paths.length !== 1) refuse('must contain {path} once')
  if (locales.length > 1) refuse('must contain {locale} at most once')
  if (folders.length > 1 || folders.some(({ values }) => !values?.[0]))
    refuse('must contain {folder:…} at most once, with the name of a folder')
  if (locales.length === 1 && locale !== null) refuse('sets the language twice, with {locale} and with @')
  if (locales[0]?.values?.some((value) => parseSourceLocale(value) === null))
    refuse('needs locale codes after {locale:, such as {locale:en|pt_BR}; else set spanish/{path}.md@es')
  if (paths[0]?.values?.some((value) => value === '' || value.includes('/')))
    refuse('needs names of files without a folder and extension after {path:, such as {path:_index}')
  return {
    text,
    pattern: new RegExp(`^${parts.map(({ pattern }) => pattern).join('')}$`, 's'),
    /** The length of what all its files begin with. */
    start: normal.indexOf('{'),
    /** Before the paths of its pages, as of `parsePrefix`. */
    prefix,
    indexNames: new Set(['index', ...(paths[0]?.values ?? [])]),
    /** Language of its pages, unless it contains `{locale}`. */
    locale: locale ?? defaultLocale,
    /** Whether the layout sets the language. Then equal paths are translations of one page. */
    setsLocale: locale !== null || locales.length === 1,
  }
}

/** A part of a layout: a name in braces, perhaps with values, or text. */
const parsePart = (text: string) => {
  const [, name, list] = /^\{(path|locale|folder)(?::(.*))?\}$/s.exec(text) ?? []
  const values = list?.split('|')
  const choice = values?.map(escapePattern).join('|') ?? '[^/]+?'
  const pattern = name === undefined ? escapePattern(text) : `(?<${name}>${name === 'path' ? '.+' : choice})`
  return { name, values, pattern }
}

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** A name without the dot of a file, as `.NET.md`: in Gollum, whose layouts name `Home`, such files are pages, but not `._tea.md`. */
export const withoutDot = (name: string): string => name.replace(/(?<=^|\/)\.(?=[\p{L}\p{N}][^/]*$)/u, '')

/** Whether a file is hidden, of an installed package, or a template of GitHub: no page, unless a layout names its hidden folder. */
export const isNoPage = (name: string): boolean =>
  /(?:^|\/)(?:\.|node_modules\/|(?:issue|pull_request)_template(?:\/|\.\w+$))/i.test(name)

/** The path of a page below a prefix, of which the page `index` is the folder. */
export const withPrefix = (prefix: string, path: string): string =>
  prefix === '' ? path : path === 'index' ? prefix : `${prefix}/${path}`

/**
 * The page of a file by the first layout that matches, or null. The file `index` of a folder is the page of the folder;
 * in the top folder, it is the page `index`. With `{path:_index}`, this holds for files of the name `_index`, too.
 */
export const layoutTarget = (layouts: Layout[], file: string): (PageKey & { layout: number }) | null => {
  const name = nfc(file)
  for (const [index, layout] of layouts.entries()) {
    const groups = layout.pattern.exec(name)?.groups
    const rest = name.slice(layout.start)
    if (!groups || isNoPage(layout.indexNames.has('Home') ? withoutDot(rest) : rest)) continue
    const locale = groups.locale === undefined ? layout.locale : parseSourceLocale(groups.locale)
    const named = groups.folder === undefined ? groups.path! : `${groups.folder}/${groups.path!}`
    const path = layout.indexNames.has(baseName(named)) ? folderOf(named).slice(0, -1) || 'index' : named
    if (locale !== null) return { layout: index, locale, path: withPrefix(layout.prefix, path) }
  }
  return null
}

/** Parses `--history`; null: all edits; none: those after the first import. Before a time, the last edit of each page is imported. @throws UsageError */
export const historyOf = (text = 'all'): Timestamp | 'none' | null => {
  if (text === 'all') return null
  const [, date, time = 'T00:00:00Z'] = /^since=([\d-]{10})(T.*)?$/i.exec(text) ?? []
  const instant = date === undefined ? null : parseInstant(date + time)
  if (text === 'none' || instant !== null) return instant === null ? 'none' : timestampFromInstant(instant)
  throw new UsageError(
    `--history must be all, none or since= and a date, such as since=2024-01-31, not "${quote(text)}".`,
  )
}

export interface FileSourceOptions {
  /** The first match counts: `pages/{locale}/{path}.md`, `{path}.md@en`; or a kind, see `chosenKind`. Empty: recognized. */
  layouts: string[]
  /** Files that are no pages: names and folders, in which `*` also stands for slashes. */
  exclude?: string[]
  /** Whether guests see only texts whose front matter has `publish: true`. */
  explicitPublish?: boolean | undefined
  /** The folder below which the pages are, such as `wiki`. */
  prefix?: string
  /** Of Docusaurus: `next`, or one that is released. Default: that which the site shows first. */
  docsVersion?: string
  /** Language of files whose layout sets none. Default: as recognized, or en. */
  defaultLocale?: string
  /** The main language of the wiki, which other sources name: a source in this language has its region, too. */
  wikiLocale?: string
  /** The license that an earlier import stored. */
  wikiLicense?: string
  name?: string
  license?: string
  /** Which edits are imported: `all` (the default), `none` or, of git, `since=DATE`. See `historyOf`. */
  history?: string
  /** The time of the import, in milliseconds since 1970. Default: now. */
  now?: number
  /** Queries for the content of the wiki, while records are read: texts that it has are not read again. */
  stored?: () => StoredContentQueries
  /** Converts pages that are texts of MediaWiki. Absent: they become blocks of code. */
  wikitext?: ConvertWikitext
}

/** Checks the options before anything is read. @returns the language that the user has set @throws UsageError */
export const checkedLocaleOf = (options: FileSourceOptions): string | undefined => {
  const { defaultLocale, name = 'Wiki', license } = options
  if (chosenKind(options.layouts) === null) for (const text of options.layouts) parseLayout(text, 'en')
  wikiRecordOf(new Map(), 'en', { name, license })
  if (defaultLocale === undefined) return undefined
  const locale = parseSourceLocale(defaultLocale)
  if (locale !== null) return locale
  throw new UsageError(`${quote(defaultLocale)} is not a locale code. Use a code such as en or pt-br.`)
}

/** @param used numbers of the layouts that match a file @throws UsageError if one that the user has set matches none */
export const refuseUnusedLayouts = (
  texts: readonly string[],
  used: ReadonlySet<number>,
  samples: string[],
  place: string,
): void => {
  const unused = texts.find((_, index) => !used.has(index))
  if (unused === undefined) return
  const examples =
    samples.length > 0 ? ` ${place} has files such as ${samples.map((one) => quote(one)).join(', ')}` : ''
  const [unknown] = /\{(?!(?:path|locale|folder)[:}])\w+/.exec(unused) ?? []
  const hint = unknown ? ` ${unknown}} is no {locale}, {path} or {folder:…}, but text.` : ''
  throw new UsageError(
    `The layout ${quote(unused)} matches no file${texts.length > 1 ? ' that no layout before it matches' : ''}.${hint}${examples}`,
  )
}

/** The wiki record, after all pages are read: its languages are those with pages that guests see. @throws UsageError */
export const wikiRecordOf = (
  livePages: ReadonlyMap<string, number>,
  defaultLocale: string,
  { name, license }: { name: string; license: string | undefined },
): WikiRecord => {
  const locales = livePages.size === 0 ? [defaultLocale] : [...livePages.keys()].sort()
  const largest = [...locales].sort((a, b) => (livePages.get(b) ?? 0) - (livePages.get(a) ?? 0))[0]
  const defaultIn = [defaultLocale, 'en'].find((locale) => locales.includes(locale)) ?? largest!
  return makeWikiRecord({ name, defaultLocale: defaultIn, license, locales })
}

/** The extensions of files, the most frequent first, for messages: `.rst (12), .txt (3)`. Empty without files. */
export const extensionsText = (names: readonly string[]): string => {
  const counts = new Map<string, number>()
  for (const name of names) {
    const extension = /[^/](\.[^./]{1,12})$/.exec(name)?.[1]?.toLowerCase() ?? 'no extension'
    counts.set(extension, (counts.get(extension) ?? 0) + 1)
  }
  const sorted = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  const shown = sorted.slice(0, 5).map(([extension, count]) => `${quote(extension)} (${count})`)
  return shown.join(', ') + (sorted.length > shown.length ? ', …' : '')
}
