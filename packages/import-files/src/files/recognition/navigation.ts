/** What the navigation of a site says of its pages: titles, and an order. It is read as data: nothing is executed. */

import { resolveSegments } from '@lectern/wiki/folders'
import { FIELD_BYTES_MAX } from '@lectern/wiki/limits'
import { type PageKey, type PlacedPage, pageKey } from '@lectern/wiki/records'
import { decodeSegment } from '@lectern/wiki/references'
import { MAX_LINE_LENGTH, stripMarkup } from '../document.ts'
import { type FileTree, folderOf, stepsTo } from '../file-tree.ts'
import { type Layout, layoutTarget } from '../layouts.ts'
import { dayOfPost } from '../properties.ts'
import type { AddressedPage } from './addresses.ts'
import { FOLDER_NAVIGATION, parseConfig, textOf, tokensOf } from './tree.ts'

/** `groups`: the titles of those around it, the outermost first. */
type NavigationEntry = readonly [target: string, title?: string, groups?: readonly string[]]

export interface Navigation {
  isFile(name: string): boolean
  /** The target `*` stands for what its folder has besides, `**` for the group of all pages in it. */
  entriesOf(text: string, file: string): Iterable<NavigationEntry>
  /** Titles of groups in other languages, as `de Cups`; absent: groups have only pages of one language. */
  translations?: ReadonlyMap<string, string>
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
 * @returns `titles`; `labels`: those that settings give to folders; `groups`: titles of groups, the outermost first, by the keys of pages, without a language if it is that of all; `order`: the paths of pages and folders, where a file tells nothing of the folders around its own;
 * `weights`: the places that settings give to folders, by path; `named`: of pages whose files it names, the paths, and the
 * first name and where it is; `unread`: files that were not read
 */
export const readNavigation = async (
  tree: FileTree,
  { isFile, entriesOf, translations, folder }: Navigation = { isFile: () => false, entriesOf: () => [] },
  layouts: Layout[],
) => {
  const regular = [...tree.files()].filter(({ kind }) => kind === 'regular')
  const having = (test: (name: string) => boolean) => regular.filter(({ name }) => test(name))
  const files = [...having(isFile), ...having((name) => FOLDER_SETTINGS.test(name))]
  const titles = new Map<string, string>()
  const labels = new Map<string, string>()
  const groups = new Map<string, readonly string[]>()
  const order = new Set<string>()
  const weights = new Map<string, number>()
  const add = (to: Map<string, string>, key: string, written: string) =>
    to.set(key, to.get(key) || stripMarkup(written.slice(0, MAX_LINE_LENGTH)))
  const shownGroups = new Map<string, string>()
  const shownGroup = (title: string) => shownGroups.get(title) ?? add(shownGroups, title, title).get(title)!
  const named = new Map<string, string>()
  const unread: string[] = []
  let total = 0
  for await (const [{ name }, bytes] of tree.readContents(files, NAVIGATION_LIMITS.bytes)) {
    total += bytes?.length ?? 0
    if (bytes === null || total > NAVIGATION_LIMITS.bytes) {
      unread.push(name)
      continue
    }
    const [, described] = FOLDER_SETTINGS.exec(name) ?? []
    if (described !== undefined) {
      const page = bytes.length > NAVIGATION_LIMITS.settings ? null : pageAt(layouts, '', described)
      if (page === null) continue
      const { label, position } = parseConfig(name, bytes.toString('utf8'))
      weights.set(page.path, Number(position) || Number.MAX_VALUE)
      for (const to of textOf(label) ? [titles, labels] : []) add(to, pageKey(page), textOf(label)!)
      continue
    }
    const base = FOLDER_NAVIGATION.test(name) ? folderOf(name) : (folder ?? folderOf(name))
    const ofFolder = pageAt(layouts, base, 'index')?.path ?? 'index'
    for (const [target, title = '', around = []] of entriesOf(bytes.toString('utf8'), name)) {
      // Sites whose default language has a folder may show it without one.
      const page = pageAt(layouts, base, target) ?? pageAt(layouts, `${base}${layouts[0]?.locale}/`, target)
      if (page === null) continue
      if (NAMES_FILE.test(target) && !named.has(page.path)) named.set(page.path, `${target} in ${name}`)
      add(titles, pageKey(page), title)
      const all = [page, ...(translations ? [{ ...page, locale: '' }] : [])].map(pageKey)
      const keys = all.filter((key) => !groups.has(key))
      const shown = keys.length > 0 ? around.map(shownGroup).filter(Boolean) : []
      for (const key of shown.length > 0 ? keys : []) groups.set(key, shown.slice(-GROUPS_MAX))
      for (const step of stepsTo(page.path))
        if (ofFolder === 'index' || step.startsWith(`${ofFolder}/`)) order.add(step)
    }
  }
  return { titles, labels, groups, translations, order: [...order], weights, named, unread }
}

/** Groups around a page, at most: of more, the innermost ones count. */
export const GROUPS_MAX = 8

const NAMES_FILE = /^[^*$]*\.(?:mdx?|markdown|qmd|adoc|rst)$/i

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

/**
 * The lines of a text, each with the titles of the groups around it: of the last `item`s with less indentation (in AsciiDoc,
 * with fewer `*`), and of the last `heading`. A heading before all links is the title of the whole.
 */
export function* groupedLines(text: string, group: RegExp): Generator<[line: string, groups: string[]]> {
  const open: { indent: number; title: string }[] = []
  let hasLink = false
  for (const written of text.split('\n')) {
    if (written.length > NAVIGATION_LIMITS.line) continue
    const line = written.trimEnd()
    const { item, heading } = group.exec(line)?.groups ?? {}
    if (heading === undefined && /^\s*(?:#|$)/.test(line)) continue
    const indent = heading === undefined ? /^[\s*]*/.exec(line)![0].length : -1
    while (open.length > 0 && open.at(-1)!.indent >= indent) open.pop()
    yield [line, open.slice(-GROUPS_MAX).map(({ title }) => title)]
    const title = item ?? (hasLink || !line.startsWith('# ') ? heading : undefined)
    if (title !== undefined) open.push({ indent, title })
    hasLink ||= /\]\(|\[\[/.test(line)
  }
}

const inLines = (pattern: RegExp, group: RegExp): ((text: string) => Generator<NavigationEntry>) =>
  function* (text) {
    for (const [line, around] of groupedLines(text, group))
      for (const { groups } of line.matchAll(pattern))
        yield [decodeSegment(groups!.target!), groups!.title, around]
  }

/** A list of links in Markdown: `SUMMARY.md`, `_sidebar.md`. */
export const listEntries = inLines(
  /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(?:\*\*)?\[(?<title>.{1,300}?)\]\(\s*<?(?<target>[^()<>"\s](?:[^()<>"]{0,499}?[^()<>"\s])?)>?(?:\s+["'][^"']{0,300}["'])?\s*\)(?:\*\*)?$/g,
  /^(?:(?:#{1,6}\s+|-{3,}$)(?<heading>.*)|\s*[-*+]\s+(?<item>[^[\]\s][^[\]]*))$/,
)

/** The sidebar of Gollum, without the titles of pages: `[[Page]]`, `[[Label|Page]]` and `[Label](Page)`, several in a line. */
export const sidebarEntries = inLines(
  /(?:\[\[(?:[^[\]|]{0,300}\|)?|\]\([ \t]*<?)(?<target>[^\s[\]()|<>#"][^[\]()|<>#"]{0,299})/g,
  /^(?:(?:#{1,6}\s+|-{3,}$|(?=\*\*[^*[\]]+\*\*:?$))(?<heading>.*)|\s*[-*+]\s+(?<item>[^[\]\s][^[\]]*))$/,
)

const YAML_TITLE =
  /^\s*-\s+(?:(?:"([^"]{1,300})"|'([^']{1,300})'|([^\s"'](?:[^"]{0,299}?[^\s"])?))\s*:\s+)?["']?/
const YAML_GROUP = /^\s*-\s+(?<quote>["']?)(?<item>[^"'\s](?:[^"']{0,298}[^"'\s])?)\k<quote>\s*:(?:\s+#.*)?$/

/** The list `nav` of YAML, `- Title: page.md`, `- page.md`, and the title of its folder. */
const navEntries = (target: RegExp) => {
  const entry = new RegExp(`${YAML_TITLE.source}(${target.source})["']?$`)
  return function* (text: string): Generator<NavigationEntry> {
    let isInside = false
    for (const [line, groups] of groupedLines(text, YAML_GROUP)) {
      if (/^[^\s#-]/.test(line)) isInside = /^nav\s*:$/.test(line)
      const ofFolder = /^title:\s+["']?([^"']{1,300})/.exec(line)
      if (ofFolder) yield ['.', ofFolder[1]]
      const match = isInside ? entry.exec(line.replace(/\s#\s.*$/, '')) : null
      if (match) yield [match[4]!.replace(/^(?:\.\.\.|\*).*/, '*'), match[1] ?? match[2] ?? match[3], groups]
    }
  }
}

/** Of MkDocs. */
export const yamlEntries = navEntries(/[^"'\s#]+\.\w+/)

/** Files of its plugins have also folders, `...` and patterns, which stand for what the folder of the file has besides. */
export const folderEntries = navEntries(/[^"'\s#:][^"'#:]{0,300}/)

/** Pairs of texts in TOML, as Zensical has them: `{ "Title" = "page.md" }`. */
export const tomlEntries = inLines(
  /"(?<title>[^"]{1,300})"\s*=\s*"(?<target>[^"\s]{1,500}\.md)"/g,
  /^\s*\{\s*"(?<item>[^"]{1,300})"\s*=\s*\[$/,
)

/** Files in `_quarto.yml`: `- tea.qmd`, `href: tea/`. Of titles, only those of groups are read. */
export const quartoEntries = inLines(
  /^\s*(?:-\s+)?(?:(?:href|file|part):\s+)?["']?(?<target>[^\s"'#:]{1,500}(?:\.(?:[qr]?md|ipynb)|\/))["']?$/gi,
  /^\s*-\s+(?:section|part):\s+["']?(?<item>[^"'.\s][^"'.]{0,299})["']?$/,
)

/** `_toc.yml` of Jupyter Book: `root: intro`, `- file: tea/green`, and `- caption: Kinds` above its `chapters`. */
export const tocEntries = inLines(
  /^\s*(?:-\s+)?(?:file|root):\s+["']?(?<target>[^\s"'#:]{1,500})["']?$/g,
  /^\s*-\s+caption:\s+["']?(?<item>[^"'\s][^"']{0,299})["']?$/,
)

interface ObjectLiteral {
  title?: string
  target?: string | undefined
  base: string
  isList: boolean
  hasItems?: boolean
  /** Whether it is in a menu of the top bar, whose titles are those of sections, or in code that runs for each item of a list. */
  isMenu: boolean
  key: string
  groups: readonly string[]
}

/** Lists of what is in a group, and the keys of lists that are titles of groups: `{ Cups: ['cups/tall'] }`. */
const ITEMS_KEY = /^(?:items|children|autogenerate)$/
const TITLE_AS_KEY = /^\p{Lu}/u

/** Functions that run another for each item of a list, and the beginnings of statements. */
const REPEATING = /^(?:forEach|map|flatMap|reduce)$/
const DECLARATION = /^(?:const|let|export|function|return)$/

/** What is a title, and no name or path, if a function is called with it and its entries: `category('Cups', ['tall'])`. */
const TITLE_OF_CALL = /^\p{Lu}|[\s\P{ASCII}]/u

/** The call of a function whose entries have this base: `base: '/guide/', items: sidebarGuide()`. */
const BASE_OF_CALL = /\bbase:\s*(["'`])([^"'`\n]{0,200})\1,\s*items:\s*([\w$]{1,100})\(/g

/**
 * Objects in JavaScript or JSON that have a title and a target, `{ text: 'Tea', link: '/tea' }`, and texts in lists.
 * @param listKeys keys of the lists, if lists in objects can also be settings: `exclude: ['/tea']`
 */
export function* objectEntries(code: string, listKeys = /(?:)/): Generator<NavigationEntry> {
  const bases = new Map([...code.matchAll(BASE_OF_CALL)].map(([, , base, name]) => [name!, base!]))
  const open: ObjectLiteral[] = []
  let name = '' // of the function around
  let key = ''
  let last = ''
  let call = '' // of a function with another as its argument
  let title: string | undefined // with which a function is called
  let previous = ''
  for (const token of tokensOf(code)) {
    const around = open.at(-1)
    const isFirstArgument = /^[A-Za-z_$]/.test(previous) && /^["'`]/.test(token)
    previous = token
    if (token === '{' || token === '[') {
      const isRepeated = last === '=>' && REPEATING.test(call)
      const isMenu = (around?.isMenu ?? /^nav/i.test(name)) || isRepeated || key === 'nav' || key === 'navbar'
      const ofKey = ITEMS_KEY.test(key) ? around?.title : around && TITLE_AS_KEY.test(key) ? key : undefined
      const isList = token === '['
      const own = (isList ? title : undefined) ?? ofKey
      const groups = [...(around?.groups ?? []), ...(own ? [own] : [])].slice(-GROUPS_MAX)
      if (around && ITEMS_KEY.test(key)) {
        around.hasItems = true
        if (around.target !== undefined && !around.isMenu) yield entryOf(around) // before its items
        around.target = undefined
      }
      const base = around?.base ?? bases.get(name) ?? ''
      open.push({ base, isList, isMenu, key, groups, ...(title && !isList ? { title } : {}) })
      ;[key, title] = ['', undefined]
    } else if (token === '}' || token === ']') {
      const closed = open.pop()
      const outer = open.at(-1)
      if (closed?.target === undefined || closed.isMenu || outer?.key === 'locales') continue
      if (outer && closed.key === 'link' && closed.title === undefined) outer.target ??= closed.target
      else yield entryOf(closed)
    } else if (token === ':' || token.startsWith('=')) [key, last] = [last, token]
    else if (token === ',') key = ''
    else {
      if (REPEATING.test(token) || DECLARATION.test(token)) call = token
      if (around === undefined && last === 'function') name = token
      last = textOfToken(token)
      title = isFirstArgument && TITLE_OF_CALL.test(last) ? last : undefined
      if (around && isFirstArgument && key === '') around.title ??= around.isList ? undefined : title
      else if (around?.isList && !around.isMenu && last !== token) {
        if (open.length === 1 || listKeys.test(around.key))
          yield [around.base + last, undefined, around.groups]
      } else if (around && last !== token) setProperty(around, key, last)
      key = ''
    }
  }
}

/** The page of a group is in it, as in MkDocs, unless it is in another one. */
const entryOf = ({ target, title, groups, hasItems }: ObjectLiteral): NavigationEntry => [
  target!,
  title,
  hasItems && title ? [...groups, title] : groups,
]

export const textOfToken = (token: string): string =>
  /^["'`]/.test(token) ? token.slice(1, -1).replace(/\\(.)/g, '$1') : token

const setProperty = (object: ObjectLiteral, key: string, value: string): void => {
  if (value.includes('${')) return
  if (/^(?:text|label)$/.test(key)) object.title ??= value
  else if (/^(?:link|id|slug)$/.test(key)) object.target ??= object.base + value
  else if (/^(?:directory|dirName)$/.test(key))
    object.target ??= object.base + (value === '.' ? value : `${value}/**`)
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
    else if (token === ':' || (token.startsWith('=') && open.length === 0)) key = last
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

function* entriesOfTable(
  table: Table,
  folder: string,
  around: readonly string[] = [],
): Generator<NavigationEntry> {
  let groups = around
  for (const [name, value] of table) {
    if (name === '*' || folder.length > FIELD_BYTES_MAX.path) continue // `*`: settings of all
    const options: Table = typeof value === 'string' ? new Map([['title', value]]) : value
    const [title, items] = [options.get('title'), options.get('items')]
    if (options.get('type') === 'separator') groups = typeof title === 'string' ? [...around, title] : around
    // Others than `doc` are in the top bar, or no pages.
    const isTitle = typeof title === 'string' && (options.get('type') ?? 'doc') === 'doc'
    yield [folder + name, isTitle ? title : undefined, groups]
    if (typeof items === 'object')
      yield* entriesOfTable(
        items,
        `${folder}${name}/`,
        isTitle ? [...groups, title].slice(-GROUPS_MAX) : groups,
      )
  }
}

/** `meta.json` of Fumadocs: `{ "pages": ["index", "---Kinds---", "...green", "...", "!draft", "black"] }`. */
export function* fumadocsEntries(text: string): Generator<NavigationEntry> {
  const { pages, title } = parseConfig('meta.json', text)
  const around = [textOf(title) ?? '']
  let groups = around
  for (const page of Array.isArray(pages) ? pages : [])
    if (typeof page === 'string' && !/^(?:!|external:|\[)/.test(page)) {
      const separator = /^---(?:\[[^[\]]*\])?(.*?)-*$/.exec(page)
      if (separator) groups = [...around, separator[1]!]
      else yield [page.replace(/^(?:z\.\.\.a|\.\.\.)$/, '*').replace(/^\.\.\./, ''), undefined, groups]
    }
}

/**
 * The pages of a site in its order: in each folder those of the navigation, then those with a weight, then posts, then the others by name,
 * unless it has a place for these; without places if nothing tells an order, or a title of the navigation. A page in no group has the title of a folder without a page.
 * @param existing all pages, also those that guests do not see
 */
export const inOrderOfSite = (
  pages: readonly AddressedPage[],
  navigation: Omit<Awaited<ReturnType<typeof readNavigation>>, 'unread'>,
  existing: readonly PageKey[],
  sitePathOf: (page: AddressedPage) => string | undefined,
): PlacedPage[] => {
  const { order, weights, titles, labels, groups, translations, named } = navigation
  const places = new Map(weights)
  for (const [i, step] of order.entries()) places.set(step, i - 1e9) // before all weights
  for (const { path, fields } of pages) {
    const ofId = places.get(folderOf(path) + (fields.id ?? ''))
    const place = places.get(path) ?? (ofId && ofId - 0.5) ?? fields.weight // before a folder of this name
    if (!Number.isNaN(place)) places.set(path, place)
  }
  // Of a blog, the newest post, and the folder with it, are first of what has no place.
  for (const { path, fields } of pages)
    for (const step of stepsTo(path)) {
      const place = 1e15 - Date.parse(dayOfPost(step, fields.date ?? path) ?? '')
      if (place < (places.get(step) ?? Number.MAX_VALUE)) places.set(step, place)
    }
  if (places.size === 0 && pages.every(({ fields }) => fields.label === ''))
    return pages
      .map((page) => ({ locale: page.locale, path: page.path, position: null, sitePath: sitePathOf(page) }))
      .filter(({ sitePath }) => sitePath !== undefined)
  const { compare } = new Intl.Collator('en', { numeric: true })
  const placeOf = (step: string) =>
    places.get(step) ??
    (step === 'index' ? -Number.MAX_VALUE : (places.get(`${folderOf(step)}*`) ?? Number.MAX_VALUE))
  const steps = new Map(pages.map((page) => [page, stepsTo(page.path)]))
  const inOrder = pages.toSorted((one, other) => {
    const [a, b] = [steps.get(one)!, steps.get(other)!]
    const at = a.findIndex((step, i) => step !== b[i])
    const [first, second] = [a[at], b[at]]
    if (first === undefined || second === undefined) return a.length - b.length
    return placeOf(first) - placeOf(second) || compare(first, second)
  })
  const keys = new Set(pages.map(pageKey))
  const withFile = new Set(existing.map(pageKey))
  return inOrder.map((page) => {
    const { locale, path } = page
    const { id, label, parents } = page.fields
    const folder = folderOf(path)
    const names = [path, folder + (id ?? ''), `${folder}**`]
    const groupsIn = (locale: string) =>
      names.map((path) => groups.get(pageKey({ locale, path }))).find(Boolean)
    const translated = (title: string) => translations?.get(`${locale} ${title}`) ?? title
    const own =
      (groupsIn(locale) ?? (translations && groupsIn('')))?.map(translated) ??
      (parents.length > 0 ? parents : undefined)
    const above = pageKey({ locale, path: folder.slice(0, -1) })
    const isPage = withFile.has(above) || named.has(folder.slice(0, -1))
    const ofFolder = keys.has(above) ? undefined : (isPage ? labels : titles).get(above)
    const navTitle = titles.get(pageKey({ locale, path })) || label || undefined
    const groupTitles = own ?? (ofFolder ? [ofFolder] : undefined)
    return { locale, path, groupTitles, navTitle, sitePath: sitePathOf(page) }
  })
}
