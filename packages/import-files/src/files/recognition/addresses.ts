/** The addresses that a site gives to its pages. Links in its texts lead to addresses, not to files. */
import { baseName, resolveSegments, segmentsOf } from '@lectern/wiki/folders'
import { FIELD_BYTES_MAX } from '@lectern/wiki/limits'
import { parseSourceLocale } from '@lectern/wiki/locales'
import { type FormerPath, type PageKey, pageKey } from '@lectern/wiki/records'
import { addToList, byteLength, nfc } from '@lectern/wiki/text'
import { folderOf, stemOf, stepsTo } from '../file-tree.ts'
import type { AddressFields } from '../front-matter.ts'
import { withPrefix } from '../layouts.ts'
import { SAME_NAME_MAX } from '../link-markup/links.ts'

/** How a generator makes the addresses of pages. Addresses here have no host and no language. */
export interface AddressRule {
  /** The address of a page, with a slash at its end if relative links start in it. @param path empty for the front page */
  addressOf(path: string, page: AddressedPage): string
  /** A further address that leads to a page. Absent: none does. */
  otherAddressOf?(address: string): string
  /** The path of the page that has an address, if no front matter says otherwise. @param address without slashes at its ends @param isFolder whether a folder has pages */
  pathOf(address: string, isFolder: (path: string) => boolean): string
}

export const PATH_RULE: AddressRule = {
  addressOf: (path, { isFolderPage }) => (isFolderPage ? `${path}/` : path),
  pathOf: (address) => address,
}

/** For a site whose pages are below a prefix. Its addresses have none. */
export const ruleBelow = (prefix: string, rule: AddressRule): AddressRule => {
  if (prefix === '') return rule
  const below = (path: string) => withPrefix(prefix, path)
  return {
    ...rule,
    addressOf: (path, page) => {
      const isFolderPage = page.isFolderPage || path === prefix
      return rule.addressOf(path.slice(prefix.length + 1), { ...page, isFolderPage })
    },
    pathOf: (address, isFolder) => below(rule.pathOf(address, (path) => isFolder(below(path)))),
  }
}

/** For pages whose addresses can begin with the folder in which they are. */
export const withoutStart = (start: string) => (address: string) =>
  `${address}/`.startsWith(start) ? address.slice(start.length) || 'index' : address

/** MkDocs: each page is a folder. */
export const FOLDER_RULE: AddressRule = { ...PATH_RULE, addressOf: (path) => `${path}/` }

/** Each page is a file. */
export const HTML_RULE: AddressRule = {
  ...PATH_RULE,
  addressOf: (path, { isFolderPage }) => (isFolderPage ? `${path}/` : `${path}.html`),
}

/** Starlight: each page is a folder, with names in lower case and without signs, or the `slug` in front matter. */
export const STARLIGHT_RULE: AddressRule = {
  addressOf: (path, { locale, fields: { slug } }) =>
    slug === null
      ? `${path.toLowerCase().replace(SIGN, (sign) => (sign === ' ' ? '-' : ''))}/`
      : `${withoutStart(`${locale}/`)(slug)}/`,
  pathOf: (address, isFolder) => (isFolder('docs') ? address : withoutStart('docs/')(address)),
}
const SIGN = /[^\p{L}\p{M}\p{N}_/-]/gu

/** Next.js: the names of folders in parentheses are no part of addresses. */
export const NEXT_RULE: AddressRule = {
  ...PATH_RULE,
  addressOf: (path, page) => PATH_RULE.addressOf(path, page).replace(/(?<![^/])\([^()/]+\)\//g, ''),
}

/** Hugo: letters in lower case, and each page is a folder. @param patterns of the permalinks of sections. One with a token that is unknown, or empty, does not count */
export const hugoRule = (patterns: ReadonlyMap<string, string>): AddressRule => ({
  addressOf: (path, { fields: { permalink, slug, title, date } }) => {
    const [section = '', ...below] = path.split('/')
    const own = slug === null ? path : folderOf(path) + slug
    const pattern = below.length === 0 ? undefined : patterns.get(section)
    const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)/.exec(date ?? '') ?? []
    const names = Object.fromEntries(HUGO_NAMES.map((key) => [key, baseName(own)]))
    const sections = folderOf(path).slice(0, -1)
    const ofTitle =
      (title ?? '')
        .replace(NOT_IN_TITLE, '')
        .trim()
        .replace(/\s*-\s*|\s+/g, '-') || names.slug
    const titles = { title: ofTitle, slug: slug ?? ofTitle }
    const values = new Map(Object.entries({ ...names, ...titles, section, sections, year, month, day }))
    const tokens = pattern?.match(HUGO_TOKEN) ?? []
    const isKnown = tokens.every((token) => values.get(token.slice(1)))
    const address = isKnown && pattern?.replace(HUGO_TOKEN, (token) => values.get(token.slice(1))!)
    return permalink ?? `${address || own}/`.toLowerCase().replace(/\s+/g, '-')
  },
  pathOf: (address) => address.toLowerCase(),
})

const NOT_IN_TITLE = /[^\p{L}\p{M}\p{N}\s./\\_#+~@-]/gu
const HUGO_TOKEN = /:\w+(?:\[[^\]]{0,20}\])?/g
const HUGO_NAMES = ['slug', 'filename', 'slugorfilename', 'contentbasename', 'slugorcontentbasename']

const POST = /^(?:.*\/)?(\d{4})-(\d{1,2})-(\d{1,2})-(.+)$/s
const DATED = /^(.*\/)?(\d{4})\/(\d{2})\/(\d{2})\/([^/]+)$/s
/** The names of permalinks of Jekyll that stand for patterns. */
const PERMALINKS: ReadonlyMap<string, string> = new Map([
  ['pretty', '/:categories/:year/:month/:day/:title/'],
  ['date', '/:categories/:year/:month/:day/:title:output_ext'],
  ['none', '/:categories/:title:output_ext'],
])

/** Jekyll: published collections (`_docs/tea.md`) and posts have patterns. @param patterns by beginnings of paths, the longest last; null: the usual one */
export const jekyllRule = (
  permalink: string,
  patterns: readonly (readonly [start: string, pattern: string | null])[],
): AddressRule => {
  const pattern = PERMALINKS.get(permalink) ?? permalink
  const end = /\/$/.test(pattern) ? '/' : '.html'
  const starts = new Set(patterns.map(([start]) => start))
  return {
    addressOf: (path, { fields, name: file, isFolderPage }) => {
      const [, categories = '', collection = '', rest = path] =
        /^(.*\/(?=_posts\/))?_(\w[^/]*)\/(.*)$/s.exec(path) ?? []
      const isUnder = (start: string) => path.startsWith(start) || path.startsWith(categories + start)
      const given = patterns.findLast(([start]) => isUnder(start))?.[1]
      const own = collection === 'posts' ? pattern : `/:collection/:path${end}`
      const chosen = fields.permalink ?? (given === null ? own : given)
      if (chosen === undefined) return `${path}${isFolderPage ? '/' : end}`
      const [, year = '', month = '', day = '', title = ''] = POST.exec(path) ?? []
      const name = fields.slug ?? (title || file)
      const around = [categories, ...fields.categories].join('/').toLowerCase()
      const names = { categories: around, collection, path: rest, name, title: name, slug: name }
      const values = new Map(Object.entries({ ...names, year, month, day, output_ext: '.html' }))
      return chosen.replace(/:([a-z_]+)/g, (_, key: string) => values.get(key) ?? '')
    },
    pathOf: (address, isFolder) => {
      const [, categories = '', year, month, day, title] = DATED.exec(address) ?? []
      const folder = isFolder(`${categories}_posts`) ? categories : ''
      if (title !== undefined) return `${folder}_posts/${year}-${month}-${day}-${title}`
      return starts.has(`_${address.split('/', 1)[0]}/`) ? `_${address}` : address
    },
  }
}

/** Docs or a blog of Docusaurus: the beginnings of the paths of their pages, and of the addresses (`docs/`). */
export interface DocusaurusPart {
  folder: string
  route: string
  isBlog: boolean
}

/**
 * Docusaurus: an `id` or `slug` can replace the name of a file, numbers at the beginning order it, and a file with the name
 * of its folder is the page of the folder. In the address of a post, the date of its file is three folders.
 * @param parts the docs whose paths have no folder first; last, the version that the site shows first, whose addresses lead to these
 * @param trailingSlash the setting of the site; undefined: only pages of folders have one
 */
export const docusaurusRule = (
  parts: readonly DocusaurusPart[],
  trailingSlash: boolean | undefined,
): AddressRule => {
  const longest = (key: 'folder' | 'route') => parts.toSorted((a, b) => b[key].length - a[key].length)
  const [byFolder, byRoute] = [longest('folder'), longest('route')]
  const [own, shown] = [parts[0]!.route, parts.at(-1)!.route]
  return {
    otherAddressOf: (address) =>
      own.startsWith(shown) && address.startsWith(own) ? shown + address.slice(own.length) : address,
    addressOf: (path, { fields: { slug, id }, isFolderPage }) => {
      const { folder, route, isBlog } = byFolder.find((part) => `${path}/`.startsWith(part.folder))!
      const own = path.slice(folder.length)
      const ending = trailingSlash ? '/' : ''
      if (slug?.startsWith('/')) return route + slug.slice(1) + ending
      if (isBlog) return route + (slug ?? own.replace(DATE_OF_POST, '$2/$3/$4/$1')) + ending
      const segments = own.split('/').map((segment) => segment.replace(/^\d+[-_.]+(?=.)/, ''))
      const [last, above] = [segments.at(-1)!, segments.at(-2)]
      const isFolder = isFolderPage || last.toLowerCase() === above?.toLowerCase()
      if (slug !== null || !isFolder)
        segments.splice(isFolderPage ? segments.length : -1, 1, slug ?? id ?? last)
      else if (last === above) segments.pop()
      return route + segments.join('/') + ((trailingSlash ?? (isFolder && slug === null)) ? '/' : '')
    },
    pathOf: (written, isFolder) => {
      // Sites whose docs have no route are often below `/docs/`, by their `baseUrl`.
      const isBelowDocs = parts[0]!.route === '' && !isFolder('docs')
      const address = isBelowDocs ? withoutStart('docs/')(written) : written
      const { folder, route, isBlog } = byRoute.find((part) => address.startsWith(part.route)) ?? parts[0]!
      const own = address.startsWith(route) ? address.slice(route.length) : address
      return folder + (isBlog ? own.replace(DATED, '$2-$3-$4-$5') : own.replace(/^next\//, ''))
    },
  }
}

/** A folder with the number of a year. New posts have new ones, which must not change the links of other pages. */
const YEAR = /(?:^|\/)\d{4}(?:\/|$)/
const DATE_OF_POST = /^(.*\/)?(\d{4})[-/](\d\d?)[-/](\d\d?)[-/]?/

export type AddressedPage = ReturnType<typeof addressedPage>

/** @param redirects further addresses that led to it */
export const addressedPage = (page: PageKey, file: string, own: AddressFields, redirects: string[] = []) => {
  const { locale, path } = page
  const folder = nfc(file.split('/').at(-2) ?? '')
  const last = baseName(path)
  /** Whether the page is that of the folder of its file, as `tea/index.md`. */
  const isFolderPage =
    path === 'index' || (folder === last && nfc(stemOf(file).replace(/\..*$/, '')) !== last)
  const fields = { ...own, redirects: [...own.redirects, ...redirects] }
  return { locale, path, name: stemOf(file), isFolderPage, fields }
}

/** The paths of a note by its aliases, in its folder, or with a slash or as `permalink` from the root. @param isFlat of Gollum: GitHub serves pages without their folders, too */
const pathsOfNote = (page: AddressedPage, isFlat: boolean, prefix: string): string[] => {
  const { path, isFolderPage, fields } = page
  if (isFlat) return [withPrefix(prefix, path === (prefix || 'index') ? 'Home' : baseName(path))]
  const folder = isFolderPage && path !== 'index' ? `${path}/` : folderOf(path)
  const names = [...fields.redirects, `/${fields.permalink ?? ''}`].map((one) => one.trim())
  const fromRoot = (name: string): string[] => {
    const path = name.includes('//') ? '' : (resolveSegments([], name) ?? []).join('/')
    return path === '' ? [] : [withPrefix(prefix, path)]
  }
  return names.flatMap((name) => (name === '' || name.includes('/') ? fromRoot(name) : folder + name))
}

const isFit = (path: string): boolean =>
  /^[^\p{C}]+$/u.test(path) && byteLength(nfc(path)) <= FIELD_BYTES_MAX.path

/**
 * Further paths of pages, by the keys of the pages: addresses on the site, or aliases of notes. None is the path of a page
 * that guests see, or of several pages. @param from a site; or of notes, whether they are of Gollum
 */
export const aliasPathsOf = (
  pages: readonly AddressedPage[],
  from: SiteAddresses | boolean,
  prefix = '',
): Map<string, FormerPath[]> => {
  const addresses = typeof from === 'boolean' ? null : from.paths()
  const pathsOf = (page: AddressedPage): FormerPath[] => {
    const own = addresses?.get(pageKey(page))?.map((path) => withPrefix(prefix, path)) ?? []
    const paths = addresses ? own : pathsOfNote(page, from === true, prefix)
    const { locale } = page
    return [...new Set(paths.filter(isFit).map(nfc))].map((path) => ({ locale, path, revisions: 'any' }))
  }
  const all = pages.map((page) => [pageKey(page), pathsOf(page)] as const)
  const counts = new Map<string, number>()
  for (const key of [...pages, ...all.flatMap(([, paths]) => paths)].map(pageKey))
    counts.set(key, (counts.get(key) ?? 0) + 1)
  const single = (paths: FormerPath[]) => paths.filter((one) => counts.get(pageKey(one)) === 1)
  const found = all.map(([key, paths]) => [key, single(paths)] as const)
  return new Map(found.filter(([, { length }]) => length > 0))
}

type Names = ReadonlySet<string> | null

export class SiteAddresses {
  readonly #rule: AddressRule
  readonly #locales: ReadonlySet<string>
  /** The folders of all addresses and paths, in lower case. */
  readonly #folders: ReadonlySet<string>
  readonly #foldersOfPaths: ReadonlySet<string>
  /** The pages that the rule does not find. Most sites have few, so a new page seldom changes them. */
  readonly #found = new Map<string, PageKey>()
  /** The pages by their addresses; by those with a date, or in the front matter, also with `.html`. */
  readonly #kept = new Map<string, PageKey>()
  readonly #defaultLocale: string
  /** The keys of translations that do not exist, or that guests do not see, of pages and folders in the default language. */
  readonly #untranslated: ReadonlySet<string>

  /** The notes of a vault, or pages of Hugo, in whose links the beginning of a path can be missing, by their names. */
  readonly #notes = new Map<string, PageKey[]>()
  /** Whether only references of Hugo lead so. */
  readonly hasReferences: boolean

  /** @param pages those that guests see @param named names of pages to which references lead (Hugo); null: links lead to all, by the ends of their paths */
  constructor(rule: AddressRule, pages: readonly AddressedPage[], defaultLocale: string, named: Names) {
    this.hasReferences = named !== null
    this.#rule = rule
    this.#defaultLocale = defaultLocale
    this.#locales = new Set(pages.map(({ locale }) => locale))
    const keys = new Set(pages.map(pageKey))
    const originals = pages.filter(({ locale }) => locale === defaultLocale)
    const keysIn = (locale: string) => originals.map(({ path }) => pageKey({ locale, path }))
    const stepsIn = (locale: string, { path }: PageKey) =>
      stepsTo(path).map((step) => pageKey({ locale, path: step }))
    const known = new Set(pages.flatMap((page) => stepsIn(page.locale, page)))
    const foldersIn = (locale: string) => originals.flatMap((page) => stepsIn(locale, page))
    this.#untranslated = new Set([
      ...[...this.#locales].flatMap(keysIn).filter((key) => !keys.has(key)),
      ...[...this.#locales].flatMap(foldersIn).filter((key) => !known.has(key)),
    ])
    const own = pages.map((page) => [this.#addressOf(page), page] as const)
    const foldersOf = (names: string[]) => names.map((name) => folderKey(segmentsOf(name).slice(0, -1)))
    this.#foldersOfPaths = new Set(foldersOf(pages.map(({ path }) => path)))
    const undated = foldersOf(own.map(([one]) => one)).filter((folder) => !YEAR.test(folder))
    this.#folders = new Set([...this.#foldersOfPaths, ...undated])
    const redirects = pages.flatMap((page) => page.fields.redirects.map((one) => [one, page] as const))
    const others = own.map(([address, page]) => [rule.otherAddressOf?.(address) ?? address, page] as const)
    const all = [...own, ...others, ...redirects.filter(([address]) => address.startsWith('/'))]
    for (const [address, { locale, path }] of all) {
      const key = pageKey({ locale, path: cleanAddress(address) })
      if (!this.#found.has(key)) this.#found.set(key, { locale, path })
    }
    const isNamed = ({ path }: PageKey) => named?.has(baseName(path).toLowerCase()) ?? true
    for (const { locale, path } of pages.filter(isNamed))
      addToList(this.#notes, pageKey({ locale, path: baseName(path).toLowerCase() }), { locale, path })
    for (const [key, page] of this.#found) {
      const address = key.slice(page.locale.length + 1)
      const path = rule.pathOf(address, this.#isFolder)
      if (path === page.path || (path === address && YEAR.test(address))) this.#found.delete(key)
    }
    for (const [written, { locale, path, fields }] of all) {
      const address = segmentsOf(written).join('/')
      const isWhole = DATED.test(address) || fields.permalink !== null
      for (const one of [...(isWhole ? [address] : []), cleanAddress(address)]) {
        const key = pageKey({ locale, path: one })
        if (one !== path && !this.#kept.has(key)) this.#kept.set(key, { locale, path })
      }
    }
  }

  /** The addresses of pages as paths, other than their own, by the keys of the pages. */
  paths(): Map<string, string[]> {
    const paths = new Map<string, string[]>()
    for (const [key, page] of this.#kept) addToList(paths, pageKey(page), key.slice(page.locale.length + 1))
    return paths
  }

  /** The path in the URL of a page on its site; undefined if it is its own path. @param prefix of all paths */
  sitePathOf(page: AddressedPage, prefix: string): string | undefined {
    const address = `/${withPrefix(prefix, this.#addressOf(page))}`.replace(/\/{2,}/g, '/')
    const isPath = isFit(address) && !/[?#\\]|\/\.\.?(?:\/|$)/.test(address)
    return isPath && address !== `/${page.path}` ? nfc(address) : undefined
  }

  get digest(): string {
    const found = [...this.#found].map(([key, { path }]) => [key, path])
    const notes = [...this.#notes.values()].flat().map(pageKey)
    const sets = [this.#folders, this.#foldersOfPaths, this.#untranslated, notes]
    return JSON.stringify([found, ...sets.map((set) => [...set])].map((values) => values.sort()))
  }

  /**
   * The page of a relative link, from the address of its page; if that leads into no folder, from beside the page, or the top (Hugo).
   * @param from resolves the link from a folder; null: it leads out of the site
   */
  pageOfLink(page: AddressedPage, from: (folder: string[]) => string[] | null): PageKey | null {
    const address = this.#addressOf(page)
    const own = segmentsOf(address)
    const folders = [address.endsWith('/') ? own : own.slice(0, -1), own.slice(0, -1), []]
    const targets = folders.map(from).filter((target) => target !== null)
    const beside = folderKey(own.slice(0, -1))
    const isFolder = (folder: string) => folder === beside || this.#folders.has(folder)
    const target = targets.find((one) => isFolder(folderKey(one.slice(0, -1)))) ?? targets[0]
    return target === undefined ? null : this.pageAt(page.locale, target)
  }

  /** The page of a link to a file, from the folders in which it can start: the first that is in a folder with pages. */
  ofFile([own = null, ...others]: (PageKey | null)[]): PageKey | null {
    const isInFolder = ({ path }: PageKey) => this.#isFolder(folderOf(path).slice(0, -1))
    if (own === null || isInFolder(own)) return own
    return others.find((one) => one !== null && isInFolder(one)) ?? own
  }

  /** The note whose path ends like a link to none: the one at the top, else one below the folder of the text, else the shortest path. */
  noteOf(found: PageKey | null, { locale, path }: PageKey, name: string): PageKey | null {
    const end = `/${name}`.toLowerCase()
    const named = this.#notes.get(pageKey({ locale, path: baseName(end) })) ?? []
    const notes = named.filter((one) => `/${one.path}`.toLowerCase().endsWith(end))
    const rank = (one: PageKey) => {
      if (one.path === found?.path) return -2
      if (one.path.toLowerCase() === found?.path.toLowerCase()) return -1
      if (one.path.length < end.length) return 0
      return one.path.length + (one.path.startsWith(folderOf(path)) ? 0 : FIELD_BYTES_MAX.path)
    }
    const [best] = notes.sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1))
    return best ?? found
  }

  /** The note of a link by name, as `noteOf`, if several have the name; null also if too many have it. */
  noteOfSeveral(page: PageKey, name: string): PageKey | null {
    const key = pageKey({ locale: page.locale, path: baseName(name).toLowerCase() })
    const { length } = this.#notes.get(key) ?? []
    return length > 1 && length <= SAME_NAME_MAX ? this.noteOf(null, page, name) : null
  }

  /** The page that has an address, whether it exists or not; null for the front page. */
  pageAt(locale: string, segments: readonly string[]): PageKey | null {
    const [first = ''] = segments
    const isFolder = segments.length > 1 && this.#folders.has(folderKey(segments.slice(0, -1)))
    const code = parseSourceLocale(first) ?? ''
    const named = this.#locales.has(code) && !isFolder ? code : null
    const address = cleanAddress((named === null ? segments : segments.slice(1)).join('/'))
    const key = pageKey({ locale: named ?? locale, path: address })
    const found = this.#found.get(key) ?? this.#found.get(key.toLowerCase())
    if (found !== undefined || address === '') return found ?? null
    return { locale: named ?? locale, path: this.#rule.pathOf(address, this.#isFolder) }
  }

  /** The page itself, or the page of the default language that a site shows instead if there is no translation. */
  translationOf(page: PageKey): PageKey {
    return this.#untranslated.has(pageKey(page)) ? { ...page, locale: this.#defaultLocale } : page
  }

  readonly #isFolder = (path: string): boolean => this.#foldersOfPaths.has(path.toLowerCase())

  #addressOf(page: AddressedPage): string {
    return this.#rule.addressOf(page.path === 'index' ? '' : page.path, page)
  }
}

const folderKey = (segments: readonly string[]): string => segments.join('/').toLowerCase()

const cleanAddress = (address: string): string =>
  address
    .replace(/\/{2,}/g, '/')
    .replace(/^\/|\/$/g, '')
    .replace(/(?<=[^/])\.html?$/i, '')
    .replace(/(?:^|\/)index$/, '')
