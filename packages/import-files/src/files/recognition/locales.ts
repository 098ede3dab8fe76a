import { baseName } from '@lectern/wiki/folders'
import { parseSourceLocale } from '@lectern/wiki/locales'
import { addToList } from '@lectern/wiki/text'
import { folderOf } from '../file-tree.ts'
import { parseLayout } from '../layouts.ts'
import { PATH_RULE, withoutStart } from './addresses.ts'
import type { ContentSite } from './sites.ts'

/** Pages that every folder has. That two folders have them says nothing. */
const COMMON_PAGE = /^(?:_?index|readme|home)$/i
/** Part of the files of an undeclared language that must be translations of other files. */
const TRANSLATED_SHARE = 0.3
/** Folders of languages side by side, at least, whose files need not be translations of each other by their names. */
const LANGUAGE_FOLDERS = 3

/**
 * Finds the languages in a folder. A folder or suffix that no configuration declares must be the code of a known
 * language, and nearly a third of its files must exist in another language, too: `io/` can be Ido or input and output.
 * Where most files are in folders of languages, the default language among them, all of these folders are languages.
 * @returns names of folders (`pt_BR/tea.md`) and suffixes of file names (`tea.pt_BR.md`), as they are spelled; and beginnings of layouts, also for languages in a folder (`{folder:docs}/{locale:fr|ja}/`)
 */
export const findLocales = (
  names: readonly string[],
  declared: readonly string[],
  defaultLocale?: string,
) => {
  const isDeclared = (text: string) =>
    declared.some((locale) => parseSourceLocale(locale) === parseSourceLocale(text))
  const isCandidate = (text: string) =>
    parseSourceLocale(text) !== null && (isDeclared(text) || isKnownLanguage(text))
  const byFolder = groupBy(names, /^(?<locale>[^/]+)\/(?<page>.*)$/s, isCandidate)
  const folders = translated(byFolder, defaultLocale, isDeclared)
  const outside = names.filter((name) => !folders.some((folder) => name.startsWith(`${folder}/`)))
  const bySuffix = groupBy(outside, WITH_SUFFIX, isCandidate)
  const found = translated(bySuffix, undefined, isDeclared)
  // The names of notes in a folder can be a hierarchy, `tea.bug` of `tea`. Those with numbers are versions.
  const inLanguage = outside.filter((name) => found.some((one) => name.endsWith(`.${one}`)))
  const beside = new Set(inLanguage.map(folderOf))
  const dotted = outside.filter((name) => /\.[^./\d]+$/.test(name) && beside.has(folderOf(name)))
  const isHierarchy = dotted.length > 2 * inLanguage.length && declared.length === 0
  const suffixes = isHierarchy ? found.filter((one) => /[-_]/.test(one)) : found
  const below = suffixes.length > 0 ? [] : languagesBelow(names, defaultLocale).map(({ stem }) => stem)
  return { folders, suffixes, stems: folders.length > 0 ? [`{locale:${folders.join('|')}}/`] : below }
}

const WITH_SUFFIX = /^(?<page>.+)\.(?<locale>[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*)$/s

const DEPTH_MAX = 4

/**
 * Finds folders of languages anywhere (`docs/ja/`, `pages.ko/`, `spanish/`) with the same pages as another one, or as none.
 * @returns the beginnings and ends of their layouts: `{folder:docs}/{locale:fr|ja}/` and nothing, `spanish/` and `@es`
 */
export const findLanguageFolders = (names: readonly string[], defaultLocale: string) => {
  const groups = new Map<string, PagesByLocale>()
  for (const name of names) {
    const segments = name.split('/')
    for (const [i, segment] of segments.slice(0, Math.min(DEPTH_MAX, segments.length - 1)).entries()) {
      const base = languageFolder(segment)
      if (base === null) continue
      const key = [...segments.slice(0, i), base].join('/')
      const group = groups.get(key) ?? noPages()
      groups.set(key, group)
      addPage(group, [segment, segments.slice(i + 1).join('/')])
    }
  }
  for (const name of names) {
    const segments = name.split('/')
    for (let depth = 0; depth <= DEPTH_MAX && depth < segments.length; depth += 1) {
      const key = segments.slice(0, depth).join('/')
      const page = segments.slice(depth).join('/')
      for (const folder of depth === 0 ? [''] : [key, `${key}/`]) {
        const group = groups.get(folder)
        const count = group?.languages.get(page)
        if (group) group.size += 1
        if (count !== undefined) group!.languages.set(page, count + 1)
      }
    }
  }
  return [...groups].flatMap(([key, group]) => stemsOf(key, translated(group, defaultLocale)))
}

/** The languages whose folders are side by side in one folder, with most pages: three, or the default language among them. */
const languagesBelow = (names: readonly string[], defaultLocale = 'en') =>
  findLanguageFolders(names, defaultLocale).flatMap((found) => {
    const [, folder = '', locales = ''] =
      /^\{folder:([^{}]*)\}\/(\{locale:[^{}]*\})\/$/.exec(found.stem) ?? []
    const { pattern } = parseLayout(`${found.stem}{path}`, defaultLocale)
    const inside = names.map((name) => pattern.exec(name)?.groups).filter((one) => one !== undefined)
    const own = inside.filter(({ locale }) => parseSourceLocale(locale ?? '') === defaultLocale)
    const isLevel = own.length > 0 || locales.split('|').length >= LANGUAGE_FOLDERS
    return isLevel && inside.length * 2 > names.length ? { ...found, folder, locales, own } : []
  })

/** The site that no configuration describes: most files are in such folders. Their folder is no part of paths. */
export const languageSites = (files: readonly string[], defaultLocale: string): ContentSite[] => {
  const stems = files.map((name) => name.slice(0, name.lastIndexOf('.')))
  const [found] = languagesBelow(stems, defaultLocale)
  if (found === undefined || found.own.length === 0) return []
  const { folder, locales, own } = found
  const hasOwnNames = own.some(({ path }) => /^(?:index|readme)$/i.test(path!))
  const folders = [{ prefix: `${folder}/${locales}/` }, { prefix: '', hasOwnNames }]
  const addresses = { ...PATH_RULE, pathOf: withoutStart(`${baseName(folder)}/`) }
  return [{ tool: 'plain Markdown', evidence: `${folder}/`, hasReadmePages: true, folders, addresses }]
}

/** The name of a folder without its language; empty for the language alone, and null for others. */
const languageFolder = (segment: string): string | null => {
  const dot = segment.lastIndexOf('.')
  const code = segment.slice(dot + 1)
  if (isKnownLanguage(code)) return segment.slice(0, Math.max(dot, 0))
  return codeOfLanguage(segment) === undefined ? null : ''
}

/** @param key the folder above, and the name without the language */
const stemsOf = (key: string, spellings: readonly string[]): { stem: string; end: string }[] => {
  const named = spellings.map((one) => [one, codeOfLanguage(one)] as const)
  const codes = named.flatMap(([one, code]) => (code === undefined ? one : []))
  const isDotted = !(key === '' || key.endsWith('/'))
  const folder = key.replace(/\/$/, '')
  if (/[{}|]/.test(folder)) return []
  const before = folder === '' ? '' : `{folder:${folder}}${isDotted ? '.' : '/'}`
  const list = codes.map((code) => (isDotted ? code.slice(code.lastIndexOf('.') + 1) : code)).join('|')
  return [
    ...(codes.length === 0 ? [] : [{ stem: `${before}{locale:${list}}/`, end: '' }]),
    ...named.flatMap(([one, code]) => (code ? { stem: `${before}${one}/`, end: `@${code}` } : [])),
  ]
}

const LANGUAGE_NAMES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz']
const CODES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
let languages: ReadonlyMap<string, string> | undefined
/** The code of a language by its English name. Most imports need none of the names, so they are read at the first use. */
const codeOfLanguage = (name: string): string | undefined => {
  languages ??= new Map(CODES.map((code) => [LANGUAGE_NAMES.of(code)?.toLowerCase() ?? '', code]))
  return languages.get(name.toLowerCase())
}

/** Names of folders of code, which are codes of Sardinian and Edo, too. */
const CODE_FOLDER = /^(?:src|bin)$/

/** Whether a text is a locale code, at most with script and region (not `es-module-syntax`), whose language has a name in English. Most two-letter words have none. */
const isKnownLanguage = (text: string): boolean => {
  const [, language] = /^([a-z]+)(?:-[a-z\d]{2,4}){0,2}$/.exec(parseSourceLocale(text) ?? '') ?? []
  return language !== undefined && !CODE_FOLDER.test(language) && LANGUAGE_NAMES.of(language) !== undefined
}

const noPages = () => ({
  byLocale: new Map<string, string[]>(),
  /** For each page, in how many languages it exists. Pages outside all languages count as one more language. */
  languages: new Map<string, number>(),
  /** How many pages are there, in languages and outside. */
  size: 0,
})

type PagesByLocale = ReturnType<typeof noPages>

const groupBy = (names: readonly string[], pattern: RegExp, isLocale: (text: string) => boolean) => {
  const pages = { ...noPages(), size: names.length }
  for (const name of names) {
    const { locale = '', page = '' } = pattern.exec(name)?.groups ?? {}
    addPage(pages, isLocale(locale) ? [locale, page] : [null, name])
  }
  return pages
}

const addPage = ({ byLocale, languages }: PagesByLocale, [locale, page]: [string | null, string]): void => {
  languages.set(page, (languages.get(page) ?? 0) + 1)
  if (locale !== null) addToList(byLocale, locale, page)
}

const translated = (
  { byLocale, languages, size }: PagesByLocale,
  defaultLocale?: string,
  isDeclared?: (text: string) => boolean,
): string[] => {
  const codes = [...byLocale].filter(([folder]) => isKnownLanguage(folder))
  const isLevel =
    codes.length >= LANGUAGE_FOLDERS &&
    codes.some(([folder]) => parseSourceLocale(folder) === defaultLocale) &&
    codes.reduce((sum, [, { length }]) => sum + length, 0) * 2 > size
  return [...byLocale]
    .filter(([locale, group]) => {
      if (isDeclared?.(locale) || (isLevel && isKnownLanguage(locale))) return true
      const telling = group.filter((page) => !COMMON_PAGE.test(page))
      const counted = telling.length > 0 ? telling : group
      const shared = counted.filter((page) => (languages.get(page) ?? 0) > 1).length
      return shared > 0 && shared >= counted.length * TRANSLATED_SHARE
    })
    .map(([locale]) => locale)
    .sort()
}

/** Sites that differ only in the name of a language: of `docs/en/docs/` and `docs/fr/docs/`, `docs/{locale:en|fr}/docs/`. */
export const combineLanguages = (sites: ContentSite[], markdown: readonly string[]): ContentSite[] => {
  const compared = new Set<string>()
  return sites.flatMap((site) => {
    const [folder, ...others] = site.folders
    if (folder === undefined || others.length > 0) return []
    const segments = folder.prefix.split('/')
    const index = segments.findIndex(isKnownLanguage)
    if (index === -1) return []
    const before = folderOf(segments.slice(0, index + 1).join('/'))
    const after = `/${segments.slice(index + 1).join('/')}`
    const key = `${site.tool}\0${before}\0${after}`
    if (compared.has(key)) return []
    compared.add(key)
    const names = markdown.flatMap((name) => {
      if (!name.startsWith(before)) return []
      const locale = name.slice(before.length).split('/', 1)[0]!
      const page = name.slice(before.length + locale.length)
      return page.startsWith(after) ? [`${locale}/${page.slice(after.length).replace(/\.\w+$/, '')}`] : []
    })
    const { folders } = findLocales(names, [])
    if (folders.length < 2) return []
    return [{ ...site, folders: [{ prefix: `${before}{locale:${folders.join('|')}}${after}` }] }]
  })
}
