import type { DialectName } from '@lectern/wiki/dialects/dialect'
import { UsageError } from '@lectern/wiki/errors'
import { baseName } from '@lectern/wiki/folders'
import { toSingleLine } from '@lectern/wiki/import/wiki-record'
import { FIELD_BYTES_MAX, TEXT_BYTES_MAX } from '@lectern/wiki/limits'
import type { FormerPath, PageKey, PlacedPage } from '@lectern/wiki/records'
import { decodeSegment } from '@lectern/wiki/references'
import { forShell, quote } from '@lectern/wiki/text'
import type { IncludeSyntaxName } from '../../includes/directives.ts'
import type { Includes } from '../../includes/names.ts'
import { AMBIGUOUS_EXTENSIONS, extensionOf, isCanvas, OTHER_EXTENSIONS } from '../../markups/markup.ts'
import { type RstSite, readRstSite } from '../../markups/rst-site.ts'
import { withoutDrafts } from '../document.ts'
import { ancestorsOf, type FileTree, folderOf, isMarkdownFile } from '../file-tree.ts'
import { chosenKind, type Layout, layoutTarget, parseLayout, parsePrefix } from '../layouts.ts'
import { makeFileNames, type OwnWiki, WIKI_LINK } from '../link-markup/links.ts'
import { pageOfName } from '../link-markup/relative-links.ts'
import type { LeftOut } from '../name-patterns.ts'
import type { FileNoteKind } from '../notes.ts'
import { shownPages } from '../shown-pages.ts'
import {
  type AddressedPage,
  addressedPage,
  aliasPathsOf,
  PATH_RULE,
  ruleBelow,
  SiteAddresses,
} from './addresses.ts'
import { combineLanguages, findLanguageFolders, findLocales, languageSites } from './locales.ts'
import { inOrderOfSite, type NavigationTitles, readNavigation } from './navigation.ts'
import { type ContentSite, hasLinkedNotes, SITE_GROUPS, vaultIn, vaultSettings, vaultsOf } from './sites.ts'
import {
  configErrors,
  type FormerVaults,
  type RecognitionTree,
  readAuthors,
  readRecognitionTree,
} from './tree.ts'

type LinkKind = 'markdown' | 'gollum' | 'obsidian'

/** `message`: what was recognized and why, as one line for the user; null if the user has set layouts. */
export type Recognition = ReturnType<typeof plainContent> & { message: string | null }

/** The evidence of a vault that the user has set. */
const CHOSEN_VAULT = 'obsidian'

/** The dialect of Markdown that a tool reads, and how its texts include files. */
const TEXTS_OF_TOOL = new Map<string, { dialect?: DialectName; includes?: IncludeSyntaxName }>([
  ...['MkDocs', 'Zensical'].map((tool) => [tool, { dialect: 'mkdocs', includes: 'mkdocs' }] as const),
  ['Docusaurus', { dialect: 'docusaurus', includes: 'mdx' }],
  ['mdBook', { dialect: 'mdbook', includes: 'mdbook' }],
  ['Hugo', { dialect: 'hugo', includes: 'hugo' }],
  ['Zola', { dialect: 'zola' }],
  ['VitePress', { dialect: 'vitepress', includes: 'vitepress' }],
  ['VuePress', { dialect: 'vitepress', includes: 'vitepress' }],
  ...['Next.js', 'Nextra', 'Fumadocs'].map((tool) => [tool, { dialect: 'mdx', includes: 'mdx' }] as const),
  ['Starlight', { dialect: 'starlight', includes: 'mdx' }],
  ['Quarto', { dialect: 'quarto', includes: 'hugo' }],
  ...['Sphinx', 'Jupyter Book', 'MyST'].map((tool) => [tool, { dialect: 'myst', includes: 'myst' }] as const),
  ['Eleventy', { dialect: 'eleventy', includes: 'liquid' }],
  ['Jekyll', { dialect: 'jekyll', includes: 'liquid' }],
  ['Obsidian', { dialect: 'obsidian' }],
  ['Wiki.js', { dialect: 'wikijs' }],
  ['GitBook', { dialect: 'gitbook', includes: 'liquid' }],
  ['Gollum', { includes: 'gollum' }],
])

/** Pages of a Jekyll site in a subfolder, at least. Many projects have a folder for GitHub Pages with one page. */
const SUBFOLDER_PAGES = 3

type LocaleOf = (configured?: string) => string

/**
 * Recognizes the tool for which files were written, from their names and small configuration files, none of which is
 * executed. Layouts that the user has set take the place of those of the tool in whose folders most of their pages are.
 * @param localeOf the language of pages that name none, by that in the configuration, if there is one
 * @param former what the last import took as vaults, which stay vaults @param now milliseconds since 1970 @param writtenPrefix of `--prefix`
 */
export const recognizeFiles = async (
  files: FileTree,
  localeOf: LocaleOf = (own = 'en') => own,
  chosenLayouts: string[] = [],
  former?: FormerVaults,
  now = 0,
  writtenPrefix?: string,
  docsVersion?: string,
): Promise<Recognition> => {
  const prefix = parsePrefix(writtenPrefix)
  const kind = chosenKind(chosenLayouts)
  const isPlainChosen = kind?.isVault === false
  const chosen = kind === null ? chosenLayouts : []
  const texts = await withoutDrafts(files)
  const { written, commented, withPluginParts } = texts
  const open = await readRecognitionTree(written, former)
  const hasPages = open.markdown.length + open.otherMarkup.length > 0
  const read = hasPages ? open : await readRecognitionTree(files, former)
  // Without samples, links by name tell nothing.
  const tree = { ...read, ...(isPlainChosen && { samples: [] }), chosen, docsVersion }
  const plain = [...tree.markdown, ...tree.otherMarkup.filter(isPlain)]
  const tools = isPlainChosen ? [] : SITE_GROUPS
  const groups = [...tools, () => languageSites(plain, localeOf())]
  const found = (content: Recognition): Recognition => {
    const { message, linkMarkup, hasComments, dialect, docsVersions } = content
    if (docsVersion !== undefined && !docsVersions.includes(docsVersion))
      throw new UsageError(
        `--docs-version must be a version of Docusaurus (here: ${quote(docsVersions.join(', ')) || 'none'}), but is "${quote(docsVersion)}".`,
      )
    const hides = hasComments && linkMarkup !== 'obsidian' && commented.length > 0
    return {
      ...content,
      siteNotes: [
        ...content.siteNotes,
        ['kept settings', isPlainChosen ? [] : vaultSettings(tree).kept],
        [tree.isMarked ? 'vault comment' : 'hidden comment', hasComments ? commented : [], 'of pages'],
        ['plugin parts', dialect === 'mkdocs' ? withPluginParts : [], 'of pages'],
      ],
      isPlainChosen,
      unmarked: texts.unmarked,
      message: chosenLayouts.length > 0 ? null : message + (hides ? HIDES_COMMENTS : ''),
    }
  }
  for (const sitesOf of kind?.isVault ? [() => [vaultIn(tree, kind.folder, CHOSEN_VAULT)]] : groups) {
    const recognized = await recognizeSite(sitesOf(tree), { ...texts, tree, now, prefix }, localeOf, chosen)
    if (recognized !== null && (chosen.length === 0 || recognized.linkMarkup !== 'gollum'))
      return found(recognized)
  }
  const asPlain = kind?.isVault ? [`${kind.folder}{path}.md`] : plainLayouts(tree, localeOf())
  const layouts = (chosen.length > 0 ? chosen : asPlain).map((text) => prefixed(prefix, text))
  const message = messageOf(tree.markdown.length > 0 ? 'plain Markdown' : 'plain text', layouts)
  const leftOut = isPlainChosen ? null : leftOutOfVaults(tree, { ...texts, now })
  return found({ ...plainContent(tree, layouts, localeOf()), leftOut, message })
}

const prefixed = (prefix: string, layout: string) => (prefix === '' ? layout : `{prefix:${prefix}}${layout}`)

const HIDES_COMMENTS =
  ' Notes link others by name, as in Obsidian, so its comments (%%…%%) are hidden; if the files are none of Obsidian, set --layout markdown.'

/** A Markdown link to a note by its name or the end of its path. Most vaults have none, so a new note changes no other. */
const NOTE_LINK = /\]\((?![a-z][a-z0-9+.-]*:|[#/.])/i

/** The sites that have pages, that with the most first, with their layouts: of those that the user has set, the files that match. */
const usedSites = (sites: ContentSite[], tree: RecognitionTree, localeOf: LocaleOf, chosen: string[]) => {
  const parsed = chosen.map((text) => parseLayout(text, 'en'))
  const isChosen = (name: string) => parsed.length === 0 || layoutTarget(parsed, name) !== null
  const texts = [...tree.markdown, ...tree.otherMarkup].filter(isChosen)
  const found = sites.filter(({ evidence }) => evidence !== CHOSEN_VAULT)
  return [...sites, ...combineLanguages(found, tree.markdown)]
    .map((site) => {
      const defaultLocale = localeOf(site.defaultLocale)
      const mayBePage = (name: string) =>
        isPlain(name) || (site.tool === 'Obsidian' ? isCanvas(name) : site.tool === 'Gollum')
      const files = texts.filter(mayBePage)
      return { site, defaultLocale, ...layoutsOfSite(site, files, defaultLocale, chosen) }
    })
    .filter(({ site: { tool, folders }, pages }) => {
      const isSmall = tool === 'Jekyll' && folders[0]?.prefix !== '' && pages < SUBFOLDER_PAGES
      return pages > 0 && !isSmall
    })
    .sort((a, b) => b.pages - a.pages)
}

type DatedFiles = Awaited<ReturnType<typeof withoutDrafts>> & { now: number }
type SiteRules = Pick<DatedFiles, 'all' | 'addresses' | 'now'> & { tree: RecognitionTree }
type SiteFiles = DatedFiles & { tree: RecognitionTree; prefix: string }

/** The site with the most pages; null if none has a page. */
const recognizeSite = async (
  sites: ContentSite[],
  { tree, now, prefix, all, published, addresses, references }: SiteFiles,
  localeOf: LocaleOf,
  chosen: string[],
): Promise<Recognition | null> => {
  const [best, ...others] = usedSites(sites, tree, localeOf, chosen)
  if (best === undefined) return null
  const { site, defaultLocale } = best
  const layouts = best.layouts.map((text) => prefixed(prefix, text))
  const vaults = foldersOf([...vaultsOf(tree), ...(site.evidence === CHOSEN_VAULT ? [site] : [])])
  const linkMarkup = linkMarkupOf(site, vaults)
  const parsed = layouts.map((text) => parseLayout(text, defaultLocale))
  const { navigation, addresses: rule = PATH_RULE } = site
  const { leftOut, shown } = rulesOf(site, { tree, all, addresses, now }, chosen)
  const pageOf = pageOfName(parsed, leftOut)
  const pages = [...addresses].flatMap(([file, fields]) => {
    const page = shown.heldBack(file, fields) === null ? pageOf(file) : null
    return page === null ? [] : [addressedPage(page, file, fields, site.redirects?.get(file))]
  })
  const dialect = dialectIn(site.tool, linkMarkup === 'obsidian')
  const isGollum = linkMarkup === 'gollum'
  const hasNotes = (isGollum || dialect === 'obsidian') && tree.samples.some((text) => NOTE_LINK.test(text))
  const readSite = (tree: FileTree) => readNavigation(tree, navigation, parsed)
  const read = await readSite(published)
  const targets = Array.from(all.files(), ({ name }) => layoutTarget(parsed, name) ?? []).flat()
  const includes = includesOf(site)
  const named = hasNotes ? null : dialect === 'hugo' ? references : namesOfSeveral(linkMarkup, pages)
  const siteAddresses = new SiteAddresses(ruleBelow(prefix, rule), pages, defaultLocale, named)
  const rstSite = /myst|quarto/.test(`${dialect}`) ? await readRstSite(published, pageOf, includes) : null
  const inNavigation = { ...read, ...(site.tool === 'Sphinx' && rstSite?.navigation) }
  const sitePathOf = (page: AddressedPage) =>
    site.addresses && siteAddresses.sitePathOf(page, site.isOtherVersion ? '' : prefix)
  return {
    ...plainContent(tree, layouts, defaultLocale),
    docsVersions: site.versions ?? [],
    siteName: toSingleLine(site.name ?? '', FIELD_BYTES_MAX.title) || null,
    ...{ leftOut, shown, linkMarkup, vaults, dialect, includes, config: site.evidence },
    authors: dialect === null ? new Map() : await readAuthors(published),
    ownWiki: isGollum ? await ownWikiIn(published, addresses, pages) : null,
    hasComments:
      linkMarkup === 'obsidian' || (chosen.length > 0 && vaults.length > 0) || mayHaveComments(tree),
    titles: read.titles,
    readTitles: async (tree) => (await readSite(tree)).titles,
    order: inOrderOfSite(pages, inNavigation, targets, sitePathOf),
    rstSite,
    addresses: isGollum && !hasNotes && !prefix ? null : siteAddresses,
    aliasPaths: aliasPathsOf(pages, linkMarkup === 'markdown' ? siteAddresses : isGollum, prefix),
    hasOwnIds: site.hasOwnIds ?? false,
    siteNotes: [
      ['broken configuration', configErrors(site.evidence, tree.configs.get(site.evidence))],
      ['missing page', missingIn(read.named, targets)],
      ['unread filter', site.unreadFilters ?? []],
      ['unread navigation', read.unread],
    ],
    message:
      messageOf(site.tool, best.layouts, site.evidence) +
      (versionHint(site) || folderHint(site, best.layouts, [...addresses.keys()]) || otherHint(site, others)),
  }
}

const includesOf = (site: ContentSite): Includes => {
  const { tool, evidence, includeFolders: configured = [], around } = site
  const base = folderOf(evidence).replace(CONFIG_FOLDER, '')
  const folders = { base, content: contentFolderOf(site), configured }
  return { syntax: TEXTS_OF_TOOL.get(tool)?.includes ?? null, folders, ...around }
}

/** The names, in lower case, that several notes of a vault have; none of other pages. */
const namesOfSeveral = (kind: LinkKind, pages: readonly PageKey[]): ReadonlySet<string> => {
  if (kind !== 'obsidian') return new Set()
  const names = pages.map(({ path }) => baseName(path).toLowerCase())
  const seen = new Set<string>()
  return new Set(names.filter((name) => seen.has(name) || !seen.add(name)))
}

/** Hugo has no links by name, so a vault that it publishes has other Markdown (Quartz). */
const dialectIn = (tool: string, isVault: boolean): DialectName | null => {
  const own = isVault && tool === 'Hugo' ? undefined : TEXTS_OF_TOOL.get(tool)?.dialect
  return own ?? (isVault ? 'obsidian' : null)
}

/** Entries of a navigation whose pages have no file. @param named as of `readNavigation` */
const missingIn = (named: ReadonlyMap<string, string>, pages: readonly PageKey[]): string[] => {
  const existing = new Set(pages.map(({ path }) => path))
  return [...named].flatMap(([path, example]) => (existing.has(path) ? [] : example))
}

/** The wiki of the repository to which most links lead, of those that name a page; null if there are none. */
const ownWikiIn = async (tree: FileTree, texts: ReadonlyMap<string, unknown>, keys: readonly PageKey[]) => {
  const paths = keys.map(({ locale, path }) => `${locale}/${path}`)
  const pages = makeFileNames(paths, true)
  const counts = new Map<string, number>()
  const files = [...tree.files()].filter(({ name }) => texts.has(name))
  for await (const [, bytes] of tree.readContents(files, TEXT_BYTES_MAX))
    for (const [, , name, page = ''] of String(bytes ?? '').matchAll(WIKI_LINK)) {
      const key = name!.toLowerCase()
      if (counts.size < 100 && pages.find(decodeSegment(page))) counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  const [best] = [...counts].sort(([, a], [, b]) => b - a)
  return best ? { repository: best[0], pages } : null
}

/** Pages of a vault of which a folder can have nearly all, and of another site that is named, at least. */
const HINT_PAGES = 10

/** How to import the folder that has nine of ten pages of a vault; empty if there is none. @param files those of pages and others */
const folderHint = ({ tool, folders, leftOut }: ContentSite, layouts: string[], files: string[]): string => {
  const start = folders[0]!.prefix
  if (tool !== 'Obsidian' || layouts.some((one) => !one.startsWith(`${start}{path}`))) return ''
  const pages = files.filter((name) => name.startsWith(start) && !leftOut?.test(name))
  const [middle = ''] = pages.toSorted().slice(pages.length / 2)
  const [folder, below] = middle.slice(start.length).split('/')
  const inFolder = pages.filter((name) => name.startsWith(`${start}${folder}/`))
  if (below === undefined || pages.length < HINT_PAGES || inFolder.length < pages.length * 0.9) return ''
  const option = quote(`obsidian:${start}${folder}`)
  return ` Nearly all pages are in ${quote(start + folder)}; to import it alone, set --layout ${forShell(option)}.`
}

/** Which version the pages are, and how to import another; empty if there is none. */
const versionHint = ({ versions = [], isOtherVersion }: ContentSite): string => {
  const [shown, other] = versions.map((name) => quote(name))
  if (isOtherVersion || other === undefined) return ''
  return ` The site shows the version ${shown} first; to import another, set --docs-version, such as ${other}.`
}

const layoutOptions = (layouts: string[]): string =>
  layouts.map((text) => `--layout ${forShell(quote(text))}`).join(' ')

/** How to import the largest site in other folders; empty if there is none. */
const otherHint = (site: ContentSite, others: ReturnType<typeof usedSites>): string => {
  const starts = startsOf(site)
  const isApart = (start: string) => !starts.some((one) => start.startsWith(one) || one.startsWith(start))
  const other = others.find((one) => one.pages >= HINT_PAGES && startsOf(one.site).every(isApart))
  if (other === undefined) return ''
  return ` Also found: ${other.site.tool} in ${quote(contentFolderOf(other.site))}; to import it instead, set ${layoutOptions(other.layouts)}.`
}

/** Leaves out no file of a chosen layout that itself names such files, as `_drafts/{path}.md`; of a vault, all stay left out. */
const unlessNamed = (leftOut: LeftOut | null = null, chosen: string[]): LeftOut | null => {
  if (leftOut?.isOfVault) return leftOut
  const nameOf = (text: string) => text.replace(/@[^@/.{}]*$/, '').replace(/\{[^{}]*\}/g, '~')
  const naming = chosen.filter((text) => leftOut?.test(nameOf(text))).map((text) => parseLayout(text, 'en'))
  if (leftOut === null || naming.length === 0) return leftOut
  const test = (name: string) => leftOut.test(name) && layoutTarget(naming, name) === null
  return { test, toString: () => String(leftOut) }
}

/** Leaves out the drawings of a vault, too, and what Hugo shows nowhere: as a text says, or the page of the nearest folder that says it. */
const shownIn = (site: ContentSite, { all, addresses, now }: Omit<SiteRules, 'tree'>) => {
  const { tool, leftOut = null, shown = {} } = site
  const inBundles = new Set(tool === 'Hugo' ? textsInBundles(all, startsOf(site)) : [])
  const own = [...addresses].flatMap(([name, { build }]) => (build === null ? [] : [[name, build]]))
  const folders = [...addresses]
    .filter(([name, { folderBuild }]) => folderBuild && /(?:^|\/)_index\.[^/]*$/.test(name))
    .map(([name, { folderBuild }]) => [folderOf(name), folderBuild] as const)
    .sort(([a], [b]) => b.length - a.length)
  const folderOfFile = (name: string) => folders.find(([folder]) => name.startsWith(folder))
  const buildOf = (name: string) => addresses.get(name)?.build ?? folderOfFile(name)?.[1] ?? null
  const unbuilt: LeftOut | null = leftOut && {
    ...leftOut,
    test: (name) => leftOut.test(name) || inBundles.has(name) || buildOf(name) === 'none',
    toString: () => JSON.stringify([String(leftOut), own, folders, [...inBundles]]),
  }
  return {
    leftOut: /^(?:Hugo|Obsidian)$/.test(tool) ? unbuilt : leftOut,
    shown: shownPages(shown, addresses, now, buildOf),
  }
}

/** Texts that are parts of pages of Hugo: beside or below an `index.md`, in any folder but those of the site and of its languages. */
const textsInBundles = (tree: FileTree, starts: string[]): string[] => {
  const names = Array.from(tree.files(), ({ name }) => name).filter(isMarkdownFile)
  const isIndex = (name: string) => /(?:^|\/)index(?:\.[\w-]+)?\.\w+$/.test(name)
  const startOf = (name: string) => starts.find((one) => name.startsWith(one)) ?? name // folders of languages first
  const bundles = new Set(
    names.filter((name) => isIndex(name) && BUNDLE.test(name.slice(startOf(name).length))).map(folderOf),
  )
  const around = (name: string) => ancestorsOf(name).slice(isIndex(name) ? 1 : 0)
  return names.filter((name) => around(name).some((folder) => bundles.has(`${folder}/`)))
}
const BUNDLE = /^(?![a-z]{2,3}(?:-\w+)?\/index\.)[^/]+\//i

/** Which files of a site are no pages, also of vaults beside it that chosen layouts name, and when pages are shown. */
const rulesOf = (site: ContentSite, files: SiteRules, chosen: string[]) => {
  const { leftOut, shown } = shownIn({ ...site, leftOut: unlessNamed(site.leftOut, chosen) }, files)
  if (chosen.length === 0 || site.tool === 'Obsidian') return { leftOut, shown }
  return { leftOut: eitherOf(leftOut, leftOutOfVaults(files.tree, files, startsOf(site))), shown }
}

/** What the rules of vaults leave out, also if most pages are no notes. @param except folders of a site, which has rules of its own */
const leftOutOfVaults = (
  tree: RecognitionTree,
  files: Omit<SiteRules, 'tree'>,
  except: string[] = [],
): LeftOut | null => {
  const vaults = vaultsOf(tree)
  const leftOut = vaults.length === 0 ? null : shownIn(vaults[0]!, files).leftOut
  const isNote = (name: string) =>
    foldersOf(vaults).some((folder) => name.startsWith(folder)) &&
    !except.some((folder) => name.startsWith(folder))
  return leftOut && { ...leftOut, test: (name) => isNote(name) && leftOut.test(name) }
}

const eitherOf = (one: LeftOut | null, other: LeftOut | null): LeftOut | null =>
  one && other
    ? { test: (name) => one.test(name) || other.test(name), toString: () => `${one} ${other}` }
    : (one ?? other)

/** What is known of texts for which no tool was recognized. */
const plainContent = (tree: RecognitionTree, layouts: string[], defaultLocale: string) => ({
  siteName: null as string | null,
  docsVersions: [] as string[],
  layouts,
  leftOut: null as LeftOut | null,
  shown: shownPages({}, new Map(), 0),
  linkMarkup: 'markdown' as LinkKind,
  ownWiki: null as OwnWiki | null,
  /** Whether the texts can have comments of Obsidian, which must not be published. */
  hasComments: vaultsOf(tree).length > 0 || mayHaveComments(tree),
  /** The default language, and the layouts with it, if they were recognized; after those of earlier imports. */
  recognized: [] as string[][],
  formerLayouts: [] as Layout[][],
  /** Kinds of notes, and examples. `of pages`: files of texts, which count if they are pages. */
  siteNotes: [] as (readonly [FileNoteKind, readonly string[], 'of pages'?])[],
  /** Whether the user says that the texts are of no tool. */
  isPlainChosen: false,
  /** Texts that guests see, although they do not say `publish: true`. */
  unmarked: [] as string[],
  /** The folders of vaults, also of those that the last import found. The next import must know them. */
  vaults: foldersOf(vaultsOf(tree)),
  /** What their settings exclude. */
  settings: vaultSettings(tree).settings,
  /** The dialect of Markdown that the tool reads; null for plain Markdown. (D140) */
  dialect: null as DialectName | null,
  includes: { syntax: null, folders: { base: '', content: '', configured: [] } } as Includes,
  defaultLocale,
  titles: new Map() as NavigationTitles,
  authors: new Map() as ReadonlyMap<string, string>,
  readTitles: async (_tree: FileTree): Promise<NavigationTitles> => new Map(),
  /** The pages that guests see, in the order of the site; empty: it is unknown. */
  order: [] as PlacedPage[],
  /** What texts of Sphinx know of each other; null in other sites. */
  rstSite: null as RstSite | null,
  /** The addresses of pages on the site; null if its links are not to addresses, or if there is no site. */
  addresses: null as SiteAddresses | null,
  /** Further paths, by the keys of the pages. */
  aliasPaths: new Map() as ReadonlyMap<string, FormerPath[]>,
  /** Whether a function of the site makes the ids of headings. It is not executed, so the case of ids is unknown. */
  hasOwnIds: false,
  /** The evidence of the site, mostly its configuration file; empty if that is invalid. */
  config: '',
  /** As of the function of this name, of a file that exists now. */
  configErrors: (file: string): string[] => configErrors(file, tree.configs.get(file)),
})

const mayHaveComments = (tree: RecognitionTree): boolean => tree.former?.hasComments || hasLinkedNotes(tree)

const contentFolderOf = (site: ContentSite): string =>
  (site.folders.findLast((one) => !one.isMounted)?.prefix ?? '').split('{')[0]!

/** The folder of a configuration, of which a part of the name is a folder of its own. */
const CONFIG_FOLDER = /\.v(?:ite|ue)press\/(?:config\/)?$|config\/_default\/$/

const foldersOf = (vaults: ContentSite[]): string[] => [
  ...new Set(vaults.map(({ folders: [folder] }) => folder!.prefix)),
]

const linkMarkupOf = (site: ContentSite, vaults: string[]): LinkKind => {
  if (site.tool === 'Gollum') return 'gollum'
  const prefix = contentFolderOf(site)
  const isInVault = vaults.some((folder) => prefix.startsWith(folder) || folder.startsWith(prefix))
  return isInVault ? 'obsidian' : 'markdown'
}

const isPlain = (name: string): boolean => !AMBIGUOUS_EXTENSIONS.includes(extensionOf(name).toLowerCase())

/** Every text is a page, in whatever markup. */
const plainLayouts = ({ markdown, otherMarkup }: RecognitionTree, defaultLocale: string): string[] => {
  const files = [...markdown, ...otherMarkup.filter(isPlain)]
  const names = readmeNames(files)
  const path = names.length === 0 ? '{path}' : `{path:${names.join('|')}}`
  const found = new Set(files.length === 0 ? ['md'] : files.map(extensionOf))
  const extensions = [...(found.delete('md') ? ['md'] : []), ...[...found].sort()]
  const stems = files.map((name) => name.slice(0, name.lastIndexOf('.')))
  const folders = findLanguageFolders(stems, defaultLocale)
  // Where folders are languages, a suffix such as `.sh` or `.io` is part of a name.
  const { suffixes } = folders.length > 0 ? { suffixes: [] } : findLocales(stems, [])
  const languages = [
    ...folders.map(({ stem, end }) => ({ stem: `${stem}${path}`, end })),
    ...(suffixes.length === 0 ? [] : [{ stem: `${path}.{locale:${suffixes.join('|')}}`, end: '' }]),
  ]
  const end = languages.length === 0 ? '' : `@${defaultLocale}`
  const candidates = [...languages, { stem: path, end }].flatMap((one) =>
    extensions.map((extension) => `${one.stem}.${extension}${one.end}`),
  )
  return languages.length === 0 ? candidates : usedLayouts(candidates, files, defaultLocale).layouts
}

/** Those of some layouts that are the first to match a file, and how many files match one. */
const usedLayouts = (texts: string[], files: readonly string[], defaultLocale: string) => {
  const layouts = texts.map((text) => parseLayout(text, defaultLocale))
  const matched = files.flatMap((file) => layoutTarget(layouts, file)?.layout ?? [])
  const used = new Set(matched)
  return { layouts: texts.filter((_, i) => used.has(i)), pages: matched.length }
}

const SHOWN_LAYOUTS = 4

const messageOf = (tool: string, layouts: string[], evidence?: string): string => {
  const shown = layouts.slice(0, SHOWN_LAYOUTS).map((layout) => abbreviate(layout))
  const more = layouts.length > SHOWN_LAYOUTS ? ` and ${layouts.length - SHOWN_LAYOUTS} more` : ''
  const noun = layouts.length === 1 ? 'layout' : 'layouts'
  const why = evidence === undefined ? '' : ` (${quote(evidence)})`
  return `Recognized ${tool} with the ${noun} ${shown.join(', ')}${more}${why}. Override it with --layout, or the language alone with --locale de.`
}

const abbreviate = (layout: string): string =>
  layout.length <= 80 ? quote(layout) : quote(layout.replace(/(\{locale:[^{}]{20}[^{}|]*)[^{}]*\}/, '$1|…}'))

const EXTENSIONS = [...'md mdx markdown mkd mkdn mdown MD Rmd qmd canvas'.split(' '), ...OTHER_EXTENSIONS]

const startsOf = ({ folders }: ContentSite): string[] =>
  folders.map(({ prefix }) => prefix.replace(/\{folder:([^{}]*)\}/, '$1').split('{')[0]!)

/**
 * The layouts of a site, and how many files they match: none if most files of chosen layouts are outside of it. Of these,
 * files that the site leaves out count, too: its rules hold even if they leave out most of them.
 * @param markdown all files; only those that match, if layouts are chosen
 */
const layoutsOfSite = (
  site: ContentSite,
  markdown: readonly string[],
  defaultLocale: string,
  chosen: string[],
): { layouts: string[]; pages: number } => {
  const starts = startsOf(site)
  const isInside = (file: string) => starts.some((start) => file.startsWith(start))
  const inside = markdown.filter(isInside)
  if (chosen.length > 0)
    return { layouts: chosen, pages: inside.length * 2 >= markdown.length ? inside.length : 0 }
  const files = inside.filter((file) => !site.leftOut?.test(file))
  const candidates = site.folders.flatMap((folder) => layoutsOfFolder(folder, site, files, defaultLocale))
  return usedLayouts(candidates, files, defaultLocale)
}

const layoutsOfFolder = (
  { prefix, locale: ownLocale, fileName, hasOwnNames }: ContentSite['folders'][number],
  site: ContentSite,
  files: readonly string[],
  defaultLocale: string,
): string[] => {
  const locale = ownLocale ?? defaultLocale
  const readmes = site.hasReadmePages && !hasOwnNames ? readmeNames(files) : []
  const indexNames = [...(site.indexNames ?? []), ...readmes]
  const path = indexNames.length === 0 ? '{path}' : `{path:${indexNames.join('|')}}`
  const present = EXTENSIONS.filter((extension) => files.some((file) => file.endsWith(`.${extension}`)))
  const layouts = (stem: string, end = '') => present.map((extension) => `${stem}.${extension}${end}`)
  if (/\{(?:locale|folder:[^{}|]+\})/.test(prefix)) return layouts(`${prefix}${path}`)
  // A brace would be read as a part of the layout.
  if (/[{}]/.test(prefix)) return []
  const suffix = `@${locale}`
  if (fileName !== undefined) return layouts(`${prefix}${path}/${fileName}`, suffix)
  const names = files
    .filter((file) => file.startsWith(prefix))
    .map((file) => file.slice(prefix.length, file.lastIndexOf('.')))
  const { stems, suffixes } = findLocales(names, site.declaredLocales ?? [], locale)
  return [
    ...stems.flatMap((stem) => layouts(`${prefix}${stem}${path}`)),
    ...(suffixes.length === 0 ? [] : layouts(`${prefix}${path}.{locale:${suffixes.join('|')}}`)),
    ...layouts(`${prefix}${path}`, suffix),
  ]
}

/**
 * The names of the files `README`, in any case, that can be the pages of their folders. Empty if one of these folders
 * has another page: the file `index` in it, or a file of its name next to it. Then each of them is a page of its own.
 */
const readmeNames = (files: readonly string[]): string[] => {
  const stems = new Set(files.map((file) => file.replace(/(?<=[^/])\.\w+$/, '')))
  const readmes = [...stems].filter((stem) => /(?:^|\/)readme$/i.test(stem))
  const folders = readmes.map((stem) => stem.slice(0, -'readme'.length))
  const isTaken = (folder: string) => stems.has(`${folder}index`) || stems.has(folder.slice(0, -1))
  if (new Set(folders).size < folders.length || folders.some(isTaken)) return []
  return [...new Set(readmes.map((stem) => stem.slice(stem.lastIndexOf('/') + 1)))].sort()
}
