/** What the navigation of a site says of its pages: titles, and an order. It is read as data: nothing is executed. */

import { resolveSegments } from '@lectern/wiki/folders'
import { toSingleLine } from '@lectern/wiki/import/wiki-record'
import { FIELD_BYTES_MAX } from '@lectern/wiki/limits'
import { type PageKey, pageKey } from '@lectern/wiki/records'
import { decodeSegment } from '@lectern/wiki/references'
import { quote } from '@lectern/wiki/text'
import { stripMarkup } from '../document.ts'
import { type FileTree, folderOf, stepsTo } from '../file-tree.ts'
import { type Layout, layoutTarget } from '../layouts.ts'
import type { AddressedPage } from './addresses.ts'
import { parseConfig, textOf, tokensOf } from './tree.ts'

type NavigationEntry = readonly [target: string, title?: string]

export interface Navigation {
  isFile(name: string): boolean
  /** The target `*` stands for what its folder has besides. */
  entriesOf(text: string, file: string): Iterable<NavigationEntry>
  /** The folder from which its targets start, empty or with a slash at the end; absent: the folder of the file. */
  folder?: string
}

/** By the keys of pages; empty: the navigation has the page without a title. */
export type NavigationTitles = ReadonlyMap<string, string>

/** Bytes of all files of a navigation, characters of a line, and of settings of a folder. What is larger is not read. */
const NAVIGATION_LIMITS = { bytes: 1024 * 1024, line: 2000, settings: 4096 } as const

/** The settings of a folder of Docusaurus: `label` is the title of its page, if the navigation has none. */
const FOLDER_SETTINGS = /^(.*)\/_category_\.(?:json|ya?ml)$/

/**
 * Reads a navigation, and the settings of folders. The first title of a page counts.
 * @returns `titles`; `order`: the paths of pages and folders, where a file tells nothing of the folders around its own;
 * `weights`: the places that settings give to folders, by path; `unread`: a sentence that names a file that was not read
 */
export const readNavigation = async (
  tree: FileTree,
  { isFile, entriesOf, folder }: Navigation = { isFile: () => false, entriesOf: () => [] },
  layouts: Layout[],
) => {
  const regular = [...tree.files()].filter(({ kind }) => kind === 'regular')
  const named = (test: (name: string) => boolean) => regular.filter(({ name }) => test(name))
  const files = [...named(isFile), ...named((name) => FOLDER_SETTINGS.test(name))]
  const titles = new Map<string, string>()
  const order = new Set<string>()
  const weights = new Map<string, number>()
  const addTitle = (page: PageKey, written: string) => {
    const title = toSingleLine(stripMarkup(written), FIELD_BYTES_MAX.title)
    titles.set(pageKey(page), titles.get(pageKey(page)) || title)
  }
  let unread = ''
  let total = 0
  for await (const [{ name }, bytes] of tree.readContents(files, NAVIGATION_LIMITS.bytes)) {
    total += bytes?.length ?? 0
    if (bytes === null || total > NAVIGATION_LIMITS.bytes) {
      unread ||= ` ${quote(name)} is not read: it is unreadable, or the navigation has more than 1 MiB.`
      continue
    }
    const [, described] = FOLDER_SETTINGS.exec(name) ?? []
    if (described !== undefined) {
      const page = bytes.length > NAVIGATION_LIMITS.settings ? null : pageAt(layouts, '', described)
      if (page === null) continue
      const { label, position } = parseConfig(name, bytes.toString('utf8'))
      weights.set(page.path, Number(position) || Number.MAX_VALUE)
      if (textOf(label)) addTitle(page, textOf(label)!)
      continue
    }
    const base = folder ?? folderOf(name)
    const own = pageAt(layouts, base, 'index')?.path ?? 'index'
    for (const [target, written = ''] of entriesOf(bytes.toString('utf8'), name)) {
      // Sites whose default language has a folder may show it without one.
      const page = pageAt(layouts, base, target) ?? pageAt(layouts, `${base}${layouts[0]?.locale}/`, target)
      if (page === null) continue
      addTitle(page, written)
      for (const step of stepsTo(page.path))
        if (own === 'index' || step.startsWith(`${own}/`)) order.add(step)
    }
  }
  return { titles, order: [...order], weights, unread }
}

/** The page to which a target leads; null if it leads to none. Which files exist does not count. */
const pageAt = (layouts: Layout[], base: string, target: string): PageKey | null => {
  if (/^[a-z][a-z0-9+.-]*:|^\/\/|[?#]/i.test(target)) return null
  const segments = resolveSegments(base.split('/').slice(0, -1), target)
  if (segments === null) return null
  const path = segments.join('/').replace(/\.html$/, '')
  const names = /\.\w+$/.test(path)
    ? [path]
    : ['.md', '.mdx', '.qmd', '/page.mdx'].map((end) => path + (target.endsWith('/') ? '/index' : '') + end)
  const pages = names.map((name) => layoutTarget(layouts, name.replace(/^\//, '')))
  return pages.find((one) => one !== null) ?? null
}

function* linesOf(text: string): Generator<string> {
  for (const line of text.split('\n')) if (line.length <= NAVIGATION_LIMITS.line) yield line.trimEnd()
}

/** Entries by a pattern in lines. */
const inLines = (pattern: RegExp): ((text: string) => Generator<NavigationEntry>) =>
  function* (text) {
    for (const line of linesOf(text))
      for (const { groups } of line.matchAll(pattern)) yield [decodeSegment(groups!.target!), groups!.title]
  }

/** A list of links in Markdown: `SUMMARY.md`, `_sidebar.md`. */
export const listEntries = inLines(
  /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(?:\*\*)?\[(?<title>.{1,300}?)\]\(\s*<?(?<target>[^()<>"\s][^()<>"]{0,500}?)>?(?:\s+["'][^"']{0,300}["'])?\s*\)(?:\*\*)?$/g,
)

const YAML_ENTRY =
  /^\s*-\s+(?:(?:"([^"]{1,300})"|'([^']{1,300})'|([^\s"'][^"]{0,300}?))\s*:\s+)?["']?([^"'\s#]+\.\w+)["']?$/

/** The list `nav` of YAML, as MkDocs has it: `- Title: page.md`, `- page.md`. */
export function* yamlEntries(text: string): Generator<NavigationEntry> {
  let isInside = false
  for (const line of linesOf(text)) {
    if (/^[^\s#-]/.test(line)) isInside = /^nav\s*:$/.test(line)
    const match = isInside ? YAML_ENTRY.exec(line.replace(/\s#\s.*$/, '')) : null
    if (match) yield [match[4]!, match[1] ?? match[2] ?? match[3]]
  }
}

/** Pairs of texts in TOML, as Zensical has them: `{ "Title" = "page.md" }`. */
export const tomlEntries = inLines(/"(?<title>[^"]{1,300})"\s*=\s*"(?<target>[^"\s]{1,500}\.md)"/g)

/** Files in `_quarto.yml`: `- tea.qmd`, `href: tea/`. Only their order is read. */
export const quartoEntries = inLines(
  /^\s*(?:-\s+)?(?:(?:href|file|part):\s+)?["']?(?<target>[^\s"'#:]{1,500}(?:\.(?:[qr]?md|ipynb)|\/))["']?$/gi,
)

interface ObjectLiteral {
  title?: string
  target?: string
  base: string
  isList: boolean
  /** Whether it is in a menu of the top bar, whose titles are those of sections. */
  isMenu: boolean
  key: string
}

const TITLE_KEYS: ReadonlySet<string> = new Set(['text', 'label'])
const TARGET_KEYS: ReadonlySet<string> = new Set(['link', 'id', 'slug', 'directory', 'dirName'])

/** The call of a function whose entries have this base: `base: '/guide/', items: sidebarGuide()`. */
const BASE_OF_CALL = /\bbase:\s*(["'`])([^"'`\n]{0,200})\1,\s*items:\s*([\w$]{1,100})\(/g

/** Objects in JavaScript or JSON that have a title and a target, `{ text: 'Tea', link: '/tea' }`, and texts in lists. */
export function* objectEntries(code: string): Generator<NavigationEntry> {
  const bases = new Map([...code.matchAll(BASE_OF_CALL)].map(([, , base, name]) => [name!, base!]))
  const open: ObjectLiteral[] = []
  let name = '' // of the function around
  let key = ''
  let last = ''
  for (const token of tokensOf(code)) {
    const around = open.at(-1)
    if (token === '{' || token === '[') {
      const isMenu = (around?.isMenu ?? /^nav/i.test(name)) || key === 'nav' || key === 'navbar'
      open.push({ base: around?.base ?? bases.get(name) ?? '', isList: token === '[', isMenu, key })
      key = ''
    } else if (token === '}' || token === ']') {
      const closed = open.pop()
      const outer = open.at(-1)
      if (closed?.target === undefined || closed.isMenu || outer?.key === 'locales') continue
      if (outer && closed.key === 'link' && closed.title === undefined) outer.target ??= closed.target
      else yield [closed.target, closed.title]
    } else if (token === ':' || token === '=') key = last
    else if (token === ',') key = ''
    else {
      if (around === undefined && last === 'function') name = token
      last = textOfToken(token)
      if (around?.isList && last !== token) yield [around.base + last]
      else if (around && last !== token) setProperty(around, key, last)
      key = ''
    }
  }
}

const textOfToken = (token: string): string =>
  /^["'`]/.test(token) ? token.slice(1, -1).replace(/\\(.)/g, '$1') : token

const setProperty = (object: ObjectLiteral, key: string, value: string): void => {
  if (value.includes('${')) return
  if (TITLE_KEYS.has(key)) object.title ??= value
  else if (TARGET_KEYS.has(key)) object.target ??= object.base + value
  else if (key === 'base') object.base = value
}

/** An object of JavaScript. A value that is neither a text nor an object is an empty text. */
type Table = Map<string, string | Table>

/** The object that a file of JavaScript or JSON exports. Constants stand in it where it names them, each once. */
const exportedTable = (code: string): Table => {
  const tables = new Map<string, Table>()
  const open: Table[] = []
  let name = 'default' // of the constant around
  let key = ''
  let last = ''
  for (const token of tokensOf(code)) {
    const around = open.at(-1)
    if (token === '{' || token === '[') {
      const table: Table = new Map()
      if (around && key !== '') around.set(key, table)
      else if (!around && /^(?:=|default)?$/.test(last)) tables.set(name, table)
      open.push(table)
    } else if (token === '}' || token === ']') open.pop()
    else if (token === ':' || (token === '=' && open.length === 0)) key = last
    else if (around && key !== '' && token !== ',') {
      around.set(key, token === textOfToken(token) ? (tables.get(token) ?? '') : textOfToken(token))
      tables.delete(token)
    } else if (!around && (last === 'const' || token === 'default')) name = token
    else if (!around && last === 'default') tables.set('default', tables.get(token) ?? new Map())
    if (token !== ':') key = ''
    last = token === ',' ? '' : textOfToken(token)
  }
  return tables.get('default') ?? new Map()
}

/** `_meta.ts` of Nextra: pages and folders by name, `{ tea: 'Green tea', cups: { title: 'Cups', items: { … } } }`. */
export const nextraEntries = (code: string): Generator<NavigationEntry> =>
  entriesOfTable(exportedTable(code), '')

function* entriesOfTable(table: Table, folder: string): Generator<NavigationEntry> {
  for (const [name, value] of table) {
    if (name === '*' || folder.length > FIELD_BYTES_MAX.path) continue // `*`: settings of all
    const options: Table = typeof value === 'string' ? new Map([['title', value]]) : value
    const [title, items] = [options.get('title'), options.get('items')]
    // Others than `doc` are in the top bar, or no pages.
    const isTitle = typeof title === 'string' && (options.get('type') ?? 'doc') === 'doc'
    yield [folder + name, isTitle ? title : undefined]
    if (typeof items === 'object') yield* entriesOfTable(items, `${folder}${name}/`)
  }
}

/** `meta.json` of Fumadocs: `{ "pages": ["index", "---Kinds---", "...green", "...", "!draft", "black"] }`. */
export function* fumadocsEntries(text: string): Generator<NavigationEntry> {
  const { pages } = parseConfig('meta.json', text)
  for (const page of Array.isArray(pages) ? pages : [])
    if (typeof page === 'string' && !/^(?:!|---|external:|\[)/.test(page))
      yield [page.replace(/^(?:z\.\.\.a|\.\.\.)$/, '*').replace(/^\.\.\./, '')]
}

/**
 * The pages of a site in its order. In each folder, pages and folders of the navigation come first, then those with a
 * weight, then the others by name, unless the navigation has a place for these. The front page is the first if nothing
 * tells its place. Empty if nothing tells an order.
 * @param order as `readNavigation` returns it
 */
export const inOrderOfSite = (
  pages: readonly AddressedPage[],
  order: readonly string[],
  weights: ReadonlyMap<string, number>,
): PageKey[] => {
  const places = new Map(weights)
  for (const [i, step] of order.entries()) places.set(step, i - 1e9) // before all weights
  for (const { path, fields } of pages) {
    const place = places.get(path) ?? places.get(folderOf(path) + (fields.id ?? '')) ?? fields.weight
    if (!Number.isNaN(place)) places.set(path, place)
  }
  if (places.size === 0) return []
  const { compare } = new Intl.Collator('en', { numeric: true })
  const placeOf = (step: string) =>
    places.get(step) ??
    (step === 'index' ? -Number.MAX_VALUE : (places.get(`${folderOf(step)}*`) ?? Number.MAX_VALUE))
  const steps = new Map(pages.map((page) => [page, stepsTo(page.path)]))
  return pages.toSorted((one, other) => {
    const [a, b] = [steps.get(one)!, steps.get(other)!]
    const at = a.findIndex((step, i) => step !== b[i])
    const [first, second] = [a[at], b[at]]
    if (first === undefined || second === undefined) return a.length - b.length
    return placeOf(first) - placeOf(second) || compare(first, second)
  })
}
