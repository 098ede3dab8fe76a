/** The titles that the navigation of a site gives to its pages. Navigation is read as data: nothing is executed. */

import { resolveSegments } from '@lectern/wiki/folders'
import { toSingleLine } from '@lectern/wiki/import/wiki-record'
import { FIELD_BYTES_MAX } from '@lectern/wiki/limits'
import { pageKey } from '@lectern/wiki/records'
import { decodeSegment } from '@lectern/wiki/references'
import { stripMarkup } from '../document.ts'
import { type FileTree, folderOf, type TreeFile } from '../file-tree.ts'
import { type Layout, layoutTarget } from '../layouts.ts'

type NavigationEntry = readonly [target: string, title: string]

export interface Navigation {
  isFile(name: string): boolean
  entriesOf(text: string): Iterable<NavigationEntry>
  /** The folder from which its targets start, empty or with a slash at the end; absent: the folder of the file. */
  folder?: string
}

export type NavigationTitles = ReadonlyMap<string, string>

/** Bytes of all files of a navigation, and characters of a line. What is larger is not read. */
const NAVIGATION_LIMITS = { bytes: 1024 * 1024, line: 2000 } as const

/** Reads the titles in a navigation. The first title of a page counts. */
export const readNavigation = async (
  tree: FileTree,
  { isFile, entriesOf, folder }: Navigation,
  layouts: Layout[],
): Promise<NavigationTitles> => {
  const files: TreeFile[] = []
  for (const file of tree.files()) if (file.kind === 'regular' && isFile(file.name)) files.push(file)
  const titles = new Map<string, string>()
  let total = 0
  for await (const [{ name }, bytes] of tree.readContents(files, NAVIGATION_LIMITS.bytes)) {
    total += bytes?.length ?? 0
    if (bytes === null || total > NAVIGATION_LIMITS.bytes) continue
    const base = folder ?? folderOf(name)
    for (const [target, written] of entriesOf(bytes.toString('utf8'))) {
      const key = pageAt(layouts, base, target)
      const title = toSingleLine(stripMarkup(written), FIELD_BYTES_MAX.title)
      if (key !== null && title !== '' && !titles.has(key)) titles.set(key, title)
    }
  }
  return titles
}

/** The key of the page to which a target leads; null if it leads to none. Which files exist does not count. */
const pageAt = (layouts: Layout[], base: string, target: string): string | null => {
  if (/^[a-z][a-z0-9+.-]*:|^\/\/|[?#]/i.test(target)) return null
  const segments = resolveSegments(base.split('/').slice(0, -1), target)
  if (segments === null) return null
  const path = segments.join('/').replace(/\.html$/, '')
  const names = /\.\w+$/.test(path)
    ? [path]
    : (target.endsWith('/') ? [`${path}/index`] : [path]).flatMap((one) => [`${one}.md`, `${one}.mdx`])
  const pages = names.map((name) => layoutTarget(layouts, name.replace(/^\//, '')))
  const page = pages.find((one) => one !== null)
  return page === undefined ? null : pageKey(page)
}

function* linesOf(text: string): Generator<string> {
  for (const line of text.split('\n')) if (line.length <= NAVIGATION_LIMITS.line) yield line.trimEnd()
}

const LISTED_LINK =
  /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(?:\*\*)?\[(.{1,300}?)\]\(\s*<?([^()<>"\s][^()<>"]{0,500}?)>?(?:\s+["'][^"']{0,300}["'])?\s*\)(?:\*\*)?$/

/** A list of links in Markdown: `SUMMARY.md`, `_sidebar.md`. */
export function* listEntries(text: string): Generator<NavigationEntry> {
  for (const line of linesOf(text)) {
    const [, title, target] = LISTED_LINK.exec(line) ?? []
    if (title !== undefined) yield [decodeSegment(target!), title]
  }
}

const YAML_ENTRY =
  /^\s*-\s+(?:"([^"]{1,300})"|'([^']{1,300})'|([^\s"'][^"]{0,300}?))\s*:\s+["']?([^"'\s#]+\.\w+)["']?$/

/** The list `nav` of YAML, as MkDocs has it: `- Title: page.md`. */
export function* yamlEntries(text: string): Generator<NavigationEntry> {
  let isInside = false
  for (const line of linesOf(text)) {
    if (/^[^\s#-]/.test(line)) isInside = /^nav\s*:$/.test(line)
    const match = isInside ? YAML_ENTRY.exec(line.replace(/\s#\s.*$/, '')) : null
    if (match) yield [match[4]!, match[1] ?? match[2] ?? match[3]!]
  }
}

/** Pairs of texts in TOML, as Zensical has them: `{ "Title" = "page.md" }`. */
export function* tomlEntries(text: string): Generator<NavigationEntry> {
  for (const line of linesOf(text))
    for (const [, title, target] of line.matchAll(/"([^"]{1,300})"\s*=\s*"([^"\s]{1,500}\.md)"/g))
      yield [target!, title!]
}

/** Comments, strings, names and signs of JavaScript. Each ends at the latest with the code. */
const TOKEN =
  /\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*|`(?:[^`\\]|\\[\s\S])*`?|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?|[A-Za-z_$][\w$]*|[{}[\]:,=]/g

interface ObjectLiteral {
  title?: string
  target?: string
  base: string
  /** Whether it is in a menu of the top bar, whose titles are those of sections. */
  isMenu: boolean
  key: string
}

const TITLE_KEYS: ReadonlySet<string> = new Set(['text', 'label'])
const TARGET_KEYS: ReadonlySet<string> = new Set(['link', 'id', 'slug'])

/** Objects in JavaScript or JSON that have a title and a target: `{ text: 'Tea', link: '/tea' }`. */
export function* objectEntries(code: string): Generator<NavigationEntry> {
  const open: ObjectLiteral[] = []
  let key = ''
  let last = ''
  for (const [token] of code.matchAll(TOKEN)) {
    const around = open.at(-1)
    if (token.startsWith('//') || token.startsWith('/*')) continue
    if (token === '{' || token === '[') {
      const isMenu = (around?.isMenu ?? false) || key === 'nav' || key === 'navbar'
      open.push({ base: around?.base ?? '', isMenu, key })
      key = ''
    } else if (token === '}' || token === ']') {
      const closed = open.pop()
      const outer = open.at(-1)
      if (closed?.target === undefined || closed.isMenu || outer?.key === 'locales') continue
      if (closed.title !== undefined) yield [closed.target, closed.title]
      else if (outer && closed.key === 'link') outer.target ??= closed.target
    } else if (token === ':' || token === '=') key = last
    else if (token === ',') key = ''
    else {
      last = /^["'`]/.test(token) ? token.slice(1, -1).replace(/\\(.)/g, '$1') : token
      if (around && last !== token) setProperty(around, key, last)
      key = ''
    }
  }
}

const setProperty = (object: ObjectLiteral, key: string, value: string): void => {
  if (value.includes('${')) return
  if (TITLE_KEYS.has(key)) object.title ??= value
  else if (TARGET_KEYS.has(key)) object.target ??= object.base + value
  else if (key === 'base') object.base = value
}
