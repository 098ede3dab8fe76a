import { quote } from '../../../wiki/text.ts'
import { PLAIN_EXTENSIONS } from '../../markups/markup.ts'
import type { FileTree } from '../file-tree.ts'
import { generatedSites, gitbookSites } from './generators.ts'
import { combineLanguages } from './language-sites.ts'
import type { ContentSite } from './site.ts'
import { layoutsOfSite, readmeNames } from './site-layouts.ts'
import { type RecognitionTree, readRecognitionTree } from './tree.ts'
import { gollumSites, jekyllSites, obsidianSites, summarySites, wikijsSites } from './wikis.ts'

/** The markup of links in Markdown texts. */
type LinkMarkup = 'markdown' | 'gollum' | 'obsidian'

/** What a tree of files was recognized as. */
export interface Recognition {
  /** As `--layout` takes them. */
  layouts: string[]
  /** Names of Markdown files that are not pages. */
  leftOut: RegExp | null
  linkMarkup: LinkMarkup
  /** The folder of the pages, empty or with a slash at the end. */
  contentFolder: string
  /** The language of pages that name none. */
  defaultLocale: string
  /** What was recognized and why, as one line for the user. */
  message: string
}

/**
 * Groups of tools, the most specific first. A tool of a later group counts only if no tool before it has a page: a
 * vault of Obsidian can be the content of MkDocs, and any repository can have a `_config.yml`. (D88)
 */
const GROUPS: ((tree: RecognitionTree) => ContentSite[])[] = [
  generatedSites,
  gitbookSites,
  wikijsSites,
  obsidianSites,
  gollumSites,
  summarySites,
  jekyllSites,
]

/** Pages of a Jekyll site in a subfolder, at least. Many projects have a folder for GitHub Pages with one page. */
const SUBFOLDER_PAGES = 3

/**
 * Recognizes the tool for which files were written, from the names of its files and from small configuration
 * files, none of which is executed.
 * @param chosenLocale the language that the user has set for pages whose layout names none
 */
export const recognizeFiles = async (files: FileTree, chosenLocale?: string): Promise<Recognition> => {
  const tree = await readRecognitionTree(files)
  for (const sitesOf of GROUPS) {
    const sites = sitesOf(tree)
    const pageFiles = (site: ContentSite) =>
      site.hasOtherMarkups ? [...tree.markdown, ...tree.otherMarkup] : tree.markdown
    const [best] = [...sites, ...combineLanguages(sites, tree.markdown)]
      .map((site) => {
        const described = chosenLocale === undefined ? site : { ...site, defaultLocale: chosenLocale }
        return { site, ...layoutsOfSite(described, pageFiles(site), chosenLocale ?? 'en') }
      })
      .filter(({ site, pages }) => pages > 0 && (site.tool !== 'Jekyll' || isMain(site, pages)))
      .sort((a, b) => b.pages - a.pages)
    if (best === undefined) continue
    const { site, layouts } = best
    return {
      layouts,
      leftOut: site.leftOut ?? null,
      linkMarkup: linkMarkupOf(site, tree),
      contentFolder: contentFolderOf(site),
      defaultLocale: chosenLocale ?? site.defaultLocale ?? 'en',
      message: messageOf(site.tool, layouts, site.evidence),
    }
  }
  const layouts = plainLayouts(tree)
  return {
    ...chosenContent(layouts, chosenLocale),
    message: messageOf(tree.markdown.length > 0 ? 'plain Markdown' : 'plain text', layouts),
  }
}

/** What layouts alone describe: Markdown files, without a tool. */
export const chosenContent = (layouts: string[], chosenLocale?: string): Recognition => ({
  layouts,
  leftOut: null,
  linkMarkup: 'markdown',
  contentFolder: '',
  defaultLocale: chosenLocale ?? 'en',
  message: '',
})

const isMain = (site: ContentSite, pages: number): boolean =>
  site.folders[0]?.prefix === '' || pages >= SUBFOLDER_PAGES

const contentFolderOf = (site: ContentSite): string => (site.folders.at(-1)?.prefix ?? '').split('{')[0]!

const linkMarkupOf = (site: ContentSite, { markers }: RecognitionTree): LinkMarkup => {
  if (site.tool === 'Gollum') return 'gollum'
  const prefix = contentFolderOf(site)
  const isInVault = [...markers].some((name) => {
    if (!name.endsWith('.obsidian')) return false
    const vault = name.slice(0, -'.obsidian'.length)
    return prefix.startsWith(vault) || vault.startsWith(prefix)
  })
  return isInVault ? 'obsidian' : 'markdown'
}

/** Every `.md` file is a page. If there is none, other Markdown files are; if there is none, other markups are. */
const plainLayouts = ({ markdown, otherMarkup }: RecognitionTree): string[] => {
  const extensionsOf = (names: string[]) =>
    new Set(names.map((name) => name.slice(name.lastIndexOf('.') + 1)))
  const others = [...extensionsOf(otherMarkup)].filter((one) => PLAIN_EXTENSIONS.includes(one.toLowerCase()))
  const extensions = markdown.length > 0 ? extensionsOf(markdown) : new Set(others)
  const names = readmeNames(markdown.length > 0 ? markdown : otherMarkup)
  const path = names.length === 0 ? '{path}' : `{path:${names.join('|')}}`
  if (extensions.has('md') || extensions.size === 0) return [`${path}.md`]
  return [...extensions].sort().map((extension) => `${path}.${extension}`)
}

/** Layouts that a message shows. */
const SHOWN_LAYOUTS = 4

const messageOf = (tool: string, layouts: string[], evidence?: string): string => {
  const shown = layouts.slice(0, SHOWN_LAYOUTS).map((layout) => abbreviate(layout))
  const more = layouts.length > SHOWN_LAYOUTS ? ` and ${layouts.length - SHOWN_LAYOUTS} more` : ''
  const noun = layouts.length === 1 ? 'layout' : 'layouts'
  const why = evidence === undefined ? '' : ` (${quote(evidence)})`
  return `Recognized ${tool} with the ${noun} ${shown.join(', ')}${more}${why}. Override it with --layout.`
}

const abbreviate = (layout: string): string =>
  layout.length <= 80 ? quote(layout) : quote(layout.replace(/(\{locale:[^{}]{20}[^{}|]*)[^{}]*\}/, '$1|…}'))
