import { OTHER_EXTENSIONS } from '../../markups/markup.ts'
import { layoutTarget, parseLayout } from '../layouts.ts'
import { findLocales } from './locales.ts'
import type { ContentFolder, ContentSite } from './site.ts'

/** Extensions of pages, in the order of their layouts. */
const EXTENSIONS = [
  ...['md', 'mdx', 'markdown', 'mkd', 'mkdn', 'mdown', 'MD', 'Rmd', 'qmd'],
  ...OTHER_EXTENSIONS,
]

/** The layouts of a site, and how many files of a tree they match. */
interface SiteLayouts {
  layouts: string[]
  pages: number
}

/**
 * Describes a site with layouts, one for each way in which its files are named. Layouts that match no file are left
 * out.
 * @param markdown names of the files of a tree that can be pages
 * @param defaultLocale the language if the site declares none
 */
export const layoutsOfSite = (
  site: ContentSite,
  markdown: readonly string[],
  defaultLocale: string,
): SiteLayouts => {
  const prefixes = site.folders.map(({ prefix }) => prefix.split('{')[0]!)
  const files = markdown.filter(
    (file) => prefixes.some((prefix) => file.startsWith(prefix)) && !site.leftOut?.test(file),
  )
  const candidates = site.folders.flatMap((folder) => layoutsOfFolder(folder, site, files, defaultLocale))
  const layouts = candidates.map((text) => parseLayout(text, defaultLocale))
  const counts = candidates.map(() => 0)
  for (const file of files) {
    const target = layoutTarget(layouts, file)
    if (target !== null) counts[target.layout]! += 1
  }
  return {
    layouts: candidates.filter((_, i) => counts[i]! > 0),
    pages: counts.reduce((sum, count) => sum + count, 0),
  }
}

const layoutsOfFolder = (
  { prefix, locale, fileName }: ContentFolder,
  {
    declaredLocales = [],
    defaultLocale: siteLocale,
    indexNames: siteNames = [],
    hasReadmePages,
  }: ContentSite,
  files: readonly string[],
  defaultLocale: string,
): string[] => {
  const indexNames = hasReadmePages ? [...siteNames, ...readmeNames(files)] : siteNames
  const path = indexNames.length === 0 ? '{path}' : `{path:${indexNames.join('|')}}`
  const present = EXTENSIONS.filter((extension) => files.some((file) => file.endsWith(`.${extension}`)))
  const layouts = (stem: string, end = '') => present.map((extension) => `${stem}.${extension}${end}`)
  if (prefix.includes('{locale')) return layouts(`${prefix}${path}`)
  // A brace would be read as a part of the layout.
  if (/[{}]/.test(prefix)) return []
  const suffix = `@${locale ?? siteLocale ?? defaultLocale}`
  if (fileName !== undefined) return layouts(`${prefix}${path}/${fileName}`, suffix)
  const names = files
    .filter((file) => file.startsWith(prefix))
    .map((file) => file.slice(prefix.length, file.lastIndexOf('.')))
  const { folders, suffixes } = findLocales(names, declaredLocales)
  return [
    ...(folders.length === 0 ? [] : layouts(`${prefix}{locale:${folders.join('|')}}/${path}`)),
    ...(suffixes.length === 0 ? [] : layouts(`${prefix}${path}.{locale:${suffixes.join('|')}}`)),
    ...layouts(`${prefix}${path}`, suffix),
  ]
}

/**
 * The names of the files `README`, in any case, that can be the pages of their folders. Empty if one of these folders
 * has another page: the file `index` in it, or a file of its name next to it. Then each of them is a page of its own.
 */
export const readmeNames = (files: readonly string[]): string[] => {
  const stems = new Set(files.map((file) => file.replace(/(?<=[^/])\.\w+$/, '')))
  const readmes = [...stems].filter((stem) => /(?:^|\/)readme$/i.test(stem))
  const folders = readmes.map((stem) => stem.slice(0, -'readme'.length))
  const isTaken = (folder: string) => stems.has(`${folder}index`) || stems.has(folder.slice(0, -1))
  if (new Set(folders).size < folders.length || folders.some(isTaken)) return []
  return [...new Set(readmes.map((stem) => stem.slice(stem.lastIndexOf('/') + 1)))].sort()
}
