import { baseName, resolveSegments, segmentsOf } from '@lectern/wiki/folders'
import { FIELD_BYTES_MAX } from '@lectern/wiki/limits'
import { parseSourceLocale } from '@lectern/wiki/locales'
import { addToList, nfc } from '@lectern/wiki/text'
import type { Includes } from '../../includes/names.ts'
import { ANTORA_PAGE, antoraEntries, attributeLines } from '../../markups/antora.ts'
import { hasOtherMarkup, isCanvas } from '../../markups/markup.ts'
import { ancestorsOf, folderOf, isMarkdownFile } from '../file-tree.ts'
import { makeFileNames } from '../link-markup/links.ts'
import { isNameOrFolder, type LeftOut } from '../name-patterns.ts'
import { type ShowRule, START_DATES } from '../shown-pages.ts'
import {
  type AddressRule,
  type DocusaurusPart,
  docusaurusRule,
  FOLDER_RULE,
  HTML_RULE,
  hugoRule,
  jekyllRule,
  NEXT_RULE,
  PATH_RULE,
  STARLIGHT_RULE,
  withoutStart,
} from './addresses.ts'
import {
  folderEntries,
  fumadocsEntries,
  listEntries,
  type Navigation,
  nextraEntries,
  objectEntries,
  quartoEntries,
  sidebarEntries,
  textOfToken,
  tocEntries,
  tomlEntries,
  yamlEntries,
} from './navigation.ts'
import {
  arrayOf,
  type ConfigValues,
  configErrors,
  entryOf,
  FOLDER_NAVIGATION,
  isNavigationFile,
  parseConfig,
  type RecognitionTree,
  stringsOf,
  tableOf,
  tablesOf,
  textOf,
  titleIn,
  tokensOf,
  VAULT_SETTINGS,
  withoutComments,
} from './tree.ts'

interface ContentFolder {
  /** Empty for the top folder, otherwise with a slash at the end. It can contain `{locale:…}`. */
  prefix: string
  locale?: string
  /** Name of the files that are pages, without extension. Their folder is the page. Absent: all files are pages. */
  fileName?: string
  /** Whether it is in another part of the repository than the content of the site. */
  isMounted?: boolean
  /** Whether its files `README` are no pages of their folders. */
  hasOwnNames?: boolean
}

/** What a repository contains, as its configuration or the names of its files say. */
export interface ContentSite {
  tool: string
  evidence: string
  name?: string
  folders: ContentFolder[]
  /** The versions of its docs by name, that which the site shows first before others. */
  versions?: string[]
  /** Whether its pages are those of another version, whose addresses tell it. */
  isOtherVersion?: boolean
  /** Languages that the configuration declares, as folders and file names spell them. */
  declaredLocales?: string[]
  defaultLocale?: string
  indexNames?: string[]
  hasReadmePages?: boolean
  /** Names of Markdown files that are not pages, such as a table of contents. */
  leftOut?: LeftOut | null
  /** Settings of what is no page that are not read. */
  unreadFilters?: string[]
  around?: Pick<Includes, 'header' | 'footer' | 'hasMacros' | 'hidden'>
  includeFolders?: string[]
  hasOwnIds?: boolean
  /** How it makes the addresses of its pages. Default: the path of a page. */
  addresses?: AddressRule
  navigation?: Navigation
  shown?: ShowRule | undefined
  /** Former addresses by the names of the files that the configuration names for them. */
  redirects?: ReadonlyMap<string, string[]>
}

const listIn = (name: RegExp): Navigation => ({ isFile: (file) => name.test(file), entriesOf: listEntries })

const isTrue = (value: unknown): boolean => /^true$/i.test(String(value))

/** A folder as configuration files write it (`../docs`), with a slash at the end; empty for the top, null outside. */
const resolveFolder = (base: string, relative: string): string | null => {
  const segments = resolveSegments(segmentsOf(base), relative.replaceAll('\\', '/'))
  return segments?.map((segment) => `${segment}/`).join('') ?? null
}

const WIKIJS_FRONT_MATTER = /^---\r?\n(?=(?:[^\n]*\n){0,20}?editor: )(?=(?:[^\n]*\n){0,20}?dateCreated: )/

/** Wiki.js with git storage. Versions before 2.4 wrote shorter front matter, so not every sample must have it. */
const wikijsSites = ({ samples }: RecognitionTree): ContentSite[] => {
  const count = samples.filter((text) => WIKIJS_FRONT_MATTER.test(text)).length
  const evidence = 'front matter with editor and dateCreated'
  const site = { tool: 'Wiki.js', evidence, folders: [{ prefix: '' }] }
  return count === 0 || count * 5 < samples.length ? [] : [site]
}

/** What the settings of vaults exclude: those that can be read, and formerly those that are missing or broken now. */
export const vaultSettings = ({ configs, former }: RecognitionTree) => {
  const textsOf = (...values: unknown[]) =>
    values.flat().flatMap((one) => textOf(one)?.slice(0, FIELD_BYTES_MAX.path) ?? [])
  const isRead = ([file, text]: [string, string]) =>
    VAULT_SETTINGS.test(file) && text !== '' && configErrors(file, text).length === 0
  const unread: string[] = []
  const own = [...configs].filter(isRead).map(([file, text]) => {
    const { userIgnoreFilters, folder, templates_folder: ofTemplater } = parseConfig(file, text)
    const templates = textsOf(folder, ofTemplater).map((one) => `${one}/`.replace(/\/+$/, '/'))
    const filters = textsOf(userIgnoreFilters)
    unread.push(...filters.filter((one) => REGULAR_EXPRESSION.test(one)))
    const starts = [...templates, ...filters.filter((one) => !REGULAR_EXPRESSION.test(one))]
      .map((one) => nfc(one.replace(/^\/+/, '')))
      .filter((one) => one !== '')
    const base = nfc(folderOf(file).replace(/\.obsidian\/.*$/, ''))
    return [file, starts.slice(0, PATTERNS_MAX).map((one) => base + one)] as const
  })
  const settings: Record<string, string[]> = Object.fromEntries(own)
  const kept = Object.entries(former?.settings ?? {}).filter(
    ([file, { length }]) => length && !settings[file],
  )
  return { settings: { ...settings, ...Object.fromEntries(kept) }, kept: kept.map(([file]) => file), unread }
}

/**
 * A vault of Obsidian, without templates, and the notes that the settings of vaults exclude. Pictures are shown from excluded
 * folders, too.
 * @param prefix its folder, empty or with a slash at the end
 */
export const vaultIn = (tree: RecognitionTree, prefix: string, evidence: string): ContentSite => {
  const { settings, unread } = vaultSettings(tree)
  const excluded = Object.values(settings).flat()
  const isStart = (name: string) => excluded.some((one) => name.startsWith(one))
  return {
    tool: 'Obsidian',
    evidence,
    folders: [{ prefix }],
    unreadFilters: unread,
    leftOut: {
      test: (name) => (isMarkdownFile(name) || hasOtherMarkup(name) || isCanvas(name)) && isStart(nfc(name)),
      toString: () => JSON.stringify(excluded),
      isOfVault: true,
    },
  }
}

const REGULAR_EXPRESSION = /^\/.+\/$/s

export const vaultsOf = (tree: RecognitionTree): ContentSite[] => {
  const vaults = [...tree.markers]
    .filter((name) => name.endsWith('.obsidian'))
    .map((evidence) => vaultIn(tree, folderOf(evidence), evidence))
  // Many vaults are published without their settings. What was imported as another site stays one.
  const isVault = vaults.length === 0 && tree.former === undefined && hasLinkedNotes(tree, VAULT_SAMPLES)
  return isVault ? [vaultIn(tree, '', 'links by name to notes')] : vaults
}

const NAMED_LINK = /\[\[([^[\]\n|#]{1,200})/g
/** One sample of so many must link a note by its name. */
const SAMPLES_WITH_LINKS = 10
/** Plain repositories do not have so many of them. */
const VAULT_SAMPLES = 3

/** Whether notes link others by name, as in a vault: then their comments must not be published. @param least such samples */
export const hasLinkedNotes = (tree: RecognitionTree, least = 1): boolean => {
  const { samples } = tree
  const names = noteNames(tree)
  const isNote = ([, name = '']: string[]) => names.has(noteName(name.replace(/\.md$/i, '')))
  const linking = samples.filter((text) => [...text.matchAll(NAMED_LINK)].some(isNote))
  const isShare = linking.length >= least && linking.length * SAMPLES_WITH_LINKS >= samples.length
  return isShare && gollumSites(tree).length === 0
}

const noteName = (path: string): string => baseName(path).trim().toLowerCase()

const noteNames = ({ markdown }: RecognitionTree): ReadonlySet<string> =>
  new Set(markdown.map((file) => noteName(file.replace(/\.\w+$/, ''))))

const LINK_WITH_TEXT = /\[\[([^[\]\n|]{1,200}?)\\?\|([^[\]\n|]{1,200})\]\]/g

/** Whether links have their targets first, `[[Tea|text]]`, or texts are embedded, `![[Tea]]`. In Gollum, targets are last. */
const hasObsidianLinks = (tree: RecognitionTree): boolean => {
  const names = noteNames(tree)
  const isNote = (target = '') => {
    const name = noteName(target.split('#', 1)[0]!)
    return Number(names.has(name) || names.has(name.replaceAll(' ', '-')))
  }
  const text = tree.samples.join('\n')
  const embeds = text.match(/!\[\[/g)?.length ?? 0
  const links = [...text.matchAll(LINK_WITH_TEXT)].map(([, first, last]) => isNote(first) - isNote(last))
  return links.reduce((sum, one) => sum + one, embeds) > 0
}

/** A site that has no configuration file, at the first of the files by which its tool is recognized. */
const markedSites =
  (tool: string, marks: RegExp[], settingsIn: (folder: string) => Partial<ContentSite>) =>
  ({ markers }: RecognitionTree): ContentSite[] =>
    marks
      .flatMap((mark) => [...markers].filter((name) => mark.test(name)).sort((a, b) => a.length - b.length))
      .slice(0, 1)
      .map((evidence) => ({ evidence, prefix: folderOf(evidence) }))
      .map(({ evidence, prefix }) => ({ tool, evidence, folders: [{ prefix }], ...settingsIn(prefix) }))

/** Gollum, which GitHub and GitLab use for the wikis of repositories. A vault of Obsidian can have a note `Home`, too. */
const gollumSites = (tree: RecognitionTree): ContentSite[] => {
  const isVault = tree.former === undefined && hasObsidianLinks(tree)
  const marks = [...(isVault ? [] : [/^Home\.[a-z]+$/]), /^_(?:Sidebar|Footer|Header)\.[a-z]+$/]
  return markedSites('Gollum', marks, () => ({
    indexNames: ['Home'],
    leftOut: /(?:^|\/)_(?:Sidebar|Footer|Header)\.\w+$/,
    navigation: sidebarOf(tree),
  }))(tree)
}

/** The sidebar in the top folder. As links of Gollum do, it names pages without their folders, in any case. */
const sidebarOf = ({ markdown, otherMarkup }: RecognitionTree): Navigation => {
  const files = new Map([...markdown, ...otherMarkup].map((file) => [file.replace(/\.\w+$/, ''), file]))
  const names = makeFileNames([...files.keys()], true)
  return {
    isFile: (name) => /^_Sidebar\.(?:md|markdown)$/.test(name),
    entriesOf: function* (text) {
      for (const [target, , groups] of sidebarEntries(text)) {
        const name = target.trim().replace(/^\.?\/|\.md$/g, '')
        const found = names.find(name) ?? (/:|^\//.test(name) ? null : names.find(baseName(name)))
        if (found !== null) yield [files.get(found)!, undefined, groups]
      }
    },
  }
}

/** GitBook and mdBook have a table of contents in a file. */
const BOOK_SETTINGS = { hasReadmePages: true, navigation: listIn(/(?:^|\/)SUMMARY\.md$/) }
const GITBOOK_SETTINGS = { ...BOOK_SETTINGS, leftOut: /(?:^|\/)(?:SUMMARY|LANGS)\.md$/ }

/** GitBook without a configuration file: a table of contents in the top folder. */
const summarySites = markedSites('GitBook', [/^SUMMARY\.md$/, /^LANGS\.md$/], () => GITBOOK_SETTINGS)

const DOCSIFY_SIDEBAR = /(?:^|\/)_sidebar\.md$/

/** Docsify: a page of HTML that shows Markdown files, and a table of contents next to it. */
const docsifySites = markedSites('Docsify', [DOCSIFY_SIDEBAR], (folder) => ({
  hasReadmePages: true,
  leftOut: /(?:^|\/)_(?:sidebar|navbar|coverpage|404)\.md$/,
  navigation: { ...listIn(DOCSIFY_SIDEBAR), folder },
}))

interface ConfigFile {
  file: string
  /** Its folder: empty for the top folder, otherwise with a slash at the end. */
  base: string
  /** Its settings; empty if it is JavaScript. */
  values: ConfigValues
  /** Its text without comments, if it is JavaScript; otherwise empty. */
  code: string
  text: string
  tree: RecognitionTree
}

/** What a configuration file says of its site: the folder of the pages, relative to `base`, or all folders with pages. */
type SiteSettings = Omit<ContentSite, 'tool' | 'evidence' | 'folders'> &
  ({ folder: string; base?: string } | { folders: ContentFolder[] }) & { tool?: string }

interface ConfiguredTool {
  /** Of its configuration files. */
  name: RegExp
  /** @returns null if the file is not the configuration of such a site */
  read(config: ConfigFile): SiteSettings | null
}

/** The sites that the configuration files of these tools describe, in no order. */
const configuredSites =
  (tools: Readonly<Record<string, ConfiguredTool>>) =>
  (tree: RecognitionTree): ContentSite[] =>
    [...tree.configs].flatMap(([file, text]) => {
      const found = Object.entries(tools).find(([, { name }]) => name.test(file))
      if (found === undefined) return []
      const [tool, { read }] = found
      const base = folderOf(file)
      const isCode = /\.[cm]?[jt]s$/.test(file)
      const values = isCode ? {} : parseConfig(file, text)
      const code = isCode ? withoutComments(text) : ''
      const site = read({ file, base, values, code, text, tree })
      if (site === null) return []
      const name = titleIn(code) ?? textOf(values.title)
      const common = { tool, evidence: file, name, ...site }
      if ('folders' in common) return [common]
      const prefix = resolveFolder(common.base ?? base, common.folder)
      return prefix === null ? [] : [{ ...common, folders: [{ prefix }] }]
    })

/** Patterns of a configuration that count, because each is compared with each file. */
const PATTERNS_MAX = 200

/** Names that match an expression, or that a configuration excludes: `drafts`, `*.txt`, `old/**`, and after them `!old/tea`. */
const excluding = (expression: RegExp, base: string, patterns: unknown): LeftOut => {
  const names = [patterns].flat().flatMap((one) => textOf(one)?.replace(/^(!?)\.?\/|\/$/g, '$1') ?? [])
  const short = names.filter((one) => one.length <= 200 && one.split('*').length <= 5)
  const excluded = short.slice(0, PATTERNS_MAX).map((one) => one.replace(/^!?/, (not) => not + base))
  const last = (name: string) => excluded.findLast((one) => isNameOrFolder(name, one.replace(/^!/, '')))
  return {
    test: (name) => expression.test(name) || last(name)?.startsWith('!') === false,
    toString: () => JSON.stringify([expression.source, ...excluded]),
  }
}

/** Whose default is that pages of the future are shown. */
const PAGES = /^\s*gem\s+["']github-pages/m

const JEKYLL: ConfiguredTool = {
  name: /(?:^|\/)_config\.ya?ml$/,
  read: ({ base, values, tree: { configs } }) => ({
    folder: textOf(values.source) ?? '',
    shown: {
      from: isTrue(values.future ?? PAGES.test(configs.get(`${base}Gemfile`) ?? ''))
        ? []
        : START_DATES.slice(1),
      dated: /(?:^|\/)_\w[^/]*\//,
      zone: textOf(values.timezone),
    },
    addresses: jekyllRule(textOf(values.permalink) ?? 'date', permalinksOf(values)),
    defaultLocale: parseSourceLocale(textOf(values.lang) ?? textOf(values.locale) ?? '') ?? undefined,
    hasReadmePages: true,
    // Folders whose files Jekyll does not publish.
    leftOut: excluding(/(?:^|\/)_(?:layouts|includes|sass|data|drafts|site|plugins)\//, base, values.exclude),
    around: { hidden: excluding(/(?:^|\/)_drafts\//, base, values.exclude) },
  }),
}

/** The patterns of Jekyll's permalinks: of published collections, and those that front matter has by default. */
const permalinksOf = ({ collections, defaults }: ConfigValues) => {
  const settings = Object.entries(tableOf(collections)).map(([name, one]) => [name, tableOf(one)] as const)
  const published = settings.filter(([, { output }]) => isTrue(output))
  const ofCollections = published.map(([name, { permalink }]) => [name, textOf(permalink) ?? null] as const)
  const ofDefaults = tablesOf(defaults).flatMap(({ scope, values }) => {
    const { path, type } = tableOf(scope)
    const folder = textOf(path) ?? (textOf(type) ? `_${textOf(type)}` : '')
    const permalink = textOf(tableOf(values).permalink)
    return permalink && folder ? [[`${folder.replace(/^\/|\/$/g, '')}/`, permalink] as const] : []
  })
  const named = [['posts', null] as const, ...ofCollections].map(([name, one]) => [`_${name}/`, one] as const)
  return [...named, ...ofDefaults].sort(([a], [b]) => a.length - b.length)
}

const GITBOOK: ConfiguredTool = {
  name: /(?:^|\/)(?:\.gitbook\.ya?ml|book\.json)$/,
  read: ({ file, base, values, tree }) => {
    const folder = textOf(values.root) ?? ''
    // Other programs have a file of the name book.json, too.
    const isOther = file.endsWith('.json') && !tree.markers.has(`${resolveFolder(base, folder)}SUMMARY.md`)
    return isOther ? null : { folder, ...GITBOOK_SETTINGS }
  },
}

/** Settings over those that they inherit. A table of both is one. */
const inheriting = (own: ConfigValues, inherited: ConfigValues): ConfigValues => {
  const isTable = (one: unknown) => typeof one === 'object' && one !== null && !Array.isArray(one)
  const tables = Object.keys(own).filter((key) => isTable(own[key]) && isTable(inherited[key]))
  const joined = tables.map((key) => [key, inheriting(tableOf(own[key]), tableOf(inherited[key]))])
  return { ...inherited, ...own, ...Object.fromEntries(joined) }
}

/** MkDocs, or Zensical, which has the same settings in a table of TOML. The navigation is in the configuration file. */
const mkdocsTool = (name: RegExp, entriesOf: Navigation['entriesOf']): ConfiguredTool => ({
  name,
  read: ({ file, base, values: written, tree: { configs } }) => {
    const own = file.endsWith('.toml') ? tableOf(written.project) : written
    const parent = resolveFolder(base, textOf(own.INHERIT) ?? '')?.slice(0, -1)
    const inherited = configs.get(parent ?? '')
    const hasMain = ['yml', 'yaml'].some((end) => configs.has(`${base}mkdocs.${end}`))
    // A file such as mkdocs.de.yml is a site by itself only without another, and if it inherits one or has a name.
    if (/mkdocs[.-][^/]*\.ya?ml$/.test(file) && (hasMain || !(inherited ?? own.site_name))) return null
    const values = inherited === undefined ? own : inheriting(own, parseConfig(parent!, inherited))
    const hasNavigation = (other: string) =>
      folderOf(other) === base && name.test(other) && /^nav[ \t]*:/m.test(configs.get(other)!)
    const others = hasMain ? [] : [...configs.keys()].filter(hasNavigation)
    const navigationFile = 'nav' in own ? file : 'nav' in values ? parent : (others[0] ?? file)
    const folder = textOf(values.docs_dir) ?? 'docs'
    const prefix = resolveFolder(base, folder) ?? ''
    const hasList = 'nav' in values || others.length > 0
    const navigation: Navigation = {
      isFile: (name) =>
        name === navigationFile || (!hasList && name.startsWith(prefix) && FOLDER_NAVIGATION.test(name)),
      entriesOf: (text, name) => (name === navigationFile ? entriesOf(text, name) : folderEntries(text)),
      folder: prefix,
    }
    const plugins = [tableOf(values.plugins), ...tablesOf(values.plugins)]
    const i18n = plugins.map((one) => tableOf(one.i18n)).find(({ languages }) => languages !== undefined)
    const languages = tablesOf(i18n?.languages)
    const codes = [...languages.map(({ locale }) => locale), ...Object.keys(tableOf(i18n?.languages))]
    const main = languages.find((language) => isTrue(language.default))
    const blog = plugins.find((one) => isTrue(tableOf(one.blog).draft_if_future_date))
    const drafts = ignoredNames(values.draft_docs).filter((one) => !one.startsWith('!'))
    const globs = plugins.flatMap((one) => tableOf(one.exclude).glob)
    const excluded = [...ignoredNames(values.exclude_docs), ...drafts, ...globs]
    return {
      folder,
      name: textOf(values.site_name),
      navigation,
      leftOut: excluding(/^$/, prefix, excluded),
      shown: blog && { from: ['date'], dated: /\/posts\// },
      addresses: /^false$/i.test(String(values.use_directory_urls)) ? HTML_RULE : FOLDER_RULE,
      redirects: redirectsOf(prefix, plugins),
      ...snippetSettings(base, values),
      hasReadmePages: true,
      declaredLocales: codes.filter((code) => typeof code === 'string'),
      defaultLocale: localeOf(main?.locale, i18n?.default_language, tableOf(values.theme).language),
    }
  },
})

/** Of the plugin `redirects`: `redirect_maps: { old.md: tea/new.md#a }`. */
const redirectsOf = (prefix: string, plugins: ConfigValues[]): Map<string, string[]> => {
  const redirects = new Map<string, string[]>()
  for (const plugin of plugins)
    for (const [from, to] of Object.entries(tableOf(tableOf(plugin.redirects).redirect_maps))) {
      const file = prefix + (textOf(to) ?? '').replace(/#.*$/s, '')
      addToList(redirects, file, `/${from.replace(/(?:(?<![^/])README)?\.md$/, '')}`)
    }
  return redirects
}

/** Lines as in .gitignore, in which a name without a slash is that of files in any folder. */
const ignoredNames = (lines: unknown): string[] => {
  const names = (textOf(lines)?.split('\n') ?? []).map((one) => one.trim()).filter((one) => /^[^#]/.test(one))
  return names.flatMap((one) => (/\/./.test(one) ? one : [one, one.replace(/^!?/, '$&*/')]))
}

const snippetSettings = (base: string, values: ConfigValues) => {
  const extensions = [tableOf(values.markdown_extensions), ...tablesOf(values.markdown_extensions)]
  const settings = extensions.map((one) => tableOf(one['pymdownx.snippets']))
  const paths = settings.flatMap((one) => one.base_path).map((path) => textOf(path) ?? '')
  const relative = paths.map((path) => path.replace(/^\$config_dir\/?/, ''))
  const includeFolders = relative.flatMap((path) => resolveFolder(base, path) ?? [])
  const names = settings.flatMap((one) => one.auto_append).flatMap((name) => textOf(name) ?? [])
  const lines = names.filter((name) => !/["\n]/.test(name)).map((name) => `\n\n--8<-- "${name}"\n`)
  const hasMacros = [values.plugins].flat().some((one) => one === 'macros' || 'macros' in tableOf(one))
  return { includeFolders, around: { footer: lines.join(''), hasMacros } }
}

/** Options of the plugins of Docusaurus: those of the preset (`docs: {`), and further ones (`'…/plugin-content-docs', {`, `contentDocsOptions = {`). */
const PLUGIN =
  /(?:\b(docs|blog)["']?\s{0,20}:|[cC]ontent-?([dD]ocs|[bB]log)(?:["'`]\)?,|\w{0,20} =))[\s(]{0,100}\{((?:[^{}]|\{(?:[^{}]|\{[^{}]{0,1000}\}){0,2000}\}){0,4000})/g
const SIDEBAR = /\bsidebarPath\b[^,'"`\n]{0,60}(?:,\s{0,20})?["'`](?:\.\/)?([^"'`\n]{1,200})/

/** A constant with patterns. */
const EXCLUDE = /\bexclude["']?\s{0,20}:\s{0,20}([A-Za-z]\w{0,100})/

/** The folders of docs and blogs that have pages. Paths in the first one have no folder, those in others have theirs. */
const docusaurusParts = ({ base, code, tree: { markdown } }: ConfigFile) => {
  const all = [...code.matchAll(PLUGIN)]
  const candidates = ['docs', 'blog'].flatMap((kind) => {
    const optionsOf = (group: 1 | 2) => all.flatMap((it) => (it[group]?.toLowerCase() === kind ? it[3]! : []))
    const isOff = new RegExp(`\\b${kind}["']?\\s{0,20}:\\s{0,20}false\\b`).test(code)
    const ofDocs = kind === 'docs' ? [...stringsOf(code, 'path').slice(0, 20), 'versioned_docs'] : []
    const usual = [kind, `../${kind}`, ...ofDocs]
    const preset = { kind, options: optionsOf(1).join(), paths: isOff ? [] : usual }
    return [preset, ...optionsOf(2).map((options) => ({ kind, options, paths: [] }))]
  })
  type Part = DocusaurusPart & { prefix: string; sidebar: string | undefined; excluded: string[] }
  const parts = new Map<string, Part>()
  for (const { kind, options, paths } of candidates) {
    const prefix = [...stringsOf(options, 'path'), ...paths]
      .map((path) => (path.startsWith('/') ? null : resolveFolder(base, path)))
      .find((one) => one && one !== base && markdown.some((name) => name.startsWith(one)))
    if (!prefix || parts.has(prefix)) continue
    const isMain = parts.size === 0
    const constant = EXCLUDE.exec(options)?.[1]
    const folder = prefix.startsWith(base) ? prefix.slice(base.length) : prefix.replace(/^.*\/(?=.)/, '')
    parts.set(prefix, {
      ...{ prefix, folder: isMain ? '' : folder, isBlog: kind === 'blog' },
      route: resolveFolder('', stringsOf(options, 'routeBasePath')[0] ?? kind) ?? '',
      sidebar: SIDEBAR.exec(options)?.[1] ?? (isMain ? 'sidebars' : undefined),
      excluded: [...arrayOf(options, 'exclude'), ...(constant ? arrayOf(code, constant) : [])],
    })
  }
  return [...parts.values()]
}

type DocsPart = ReturnType<typeof docusaurusParts>[number]

const NATURAL = new Intl.Collator('en', { numeric: true })

/** The version of docs that is in `docs/`, which the configuration calls `current`. */
const NEXT_VERSION = 'next'

/** The versions of docs, that which the site shows first before others. @param next that in `docs/` */
const docsVersions = (config: ConfigFile, next: DocsPart) => {
  const { base, code, tree } = config
  const { markdown, configs } = tree
  const folder = `${base}versioned_docs/version-`
  const named = markdown.flatMap((name) =>
    !next.isBlog && name.startsWith(folder) ? name.slice(folder.length).split('/', 1) : [],
  )
  const existing = [...new Set(named)].toSorted(NATURAL.compare).reverse().slice(0, PATTERNS_MAX)
  const listed = configs.get(`${base}versions.json`)?.match(/(?<=")[^"\n]+(?=")/g) ?? []
  const included = arrayOf(code, 'onlyIncludeVersions')
  const isIncluded = (name: string) => included.length === 0 || included.includes(name)
  const versions = [...listed.filter((name) => existing.includes(name)), ...existing].filter(isIncluded)
  const [chosen = versions[0]] = stringsOf(code, 'lastVersion')
  const [shown] = versions.includes(chosen!) ? [chosen!] : chosen === 'current' ? [] : versions
  const hasNext = shown === undefined || !folder.startsWith(next.prefix)
  const names = [shown ?? NEXT_VERSION, ...(hasNext ? [NEXT_VERSION] : []), ...existing]
  return new Map(names.map((name) => [name, versionPart(config, next, name, name === names[0])]))
}

/** A version of docs. @param next that in `docs/` @param isShown whether the site shows it first, without its name in addresses */
const versionPart = ({ base, code }: ConfigFile, next: DocsPart, name: string, isShown: boolean) => {
  const id = name === NEXT_VERSION ? 'current' : `version-${name}`
  const written = id.replace(/^version-/, '').replace(/\W/g, '\\$&')
  const [, options = ''] =
    new RegExp(`(?<![\\w.])${written}["']?\\s{0,20}:\\s{0,20}\\{([^{}]{0,1000})\\}`).exec(code) ?? []
  const path = (stringsOf(options, 'path')[0] ?? (isShown ? '' : name)).replace(/^\//, '')
  const part = { ...next, id, route: resolveFolder(next.route, path) ?? '' }
  if (name === NEXT_VERSION) return part
  return { ...part, prefix: `${base}versioned_docs/${id}/`, sidebar: `versioned_sidebars/${id}-sidebars` }
}

const DOCUSAURUS: ConfiguredTool = {
  name: /(?:^|\/)docusaurus\.config\.\w+$/,
  read: (config) => {
    const { base, code, tree } = config
    const { chosen, docsVersion } = tree
    const [current, ...others] = docusaurusParts(config)
    if (current === undefined) return null
    const versions = docsVersions(config, current)
    const all = [...versions.values()]
    const isChosen = (prefix: string) => chosen.some((text) => text.startsWith(prefix))
    const main = versions.get(docsVersion ?? '') ?? all.find(({ prefix }) => isChosen(prefix)) ?? all[0]!
    const inFolders = all
      .filter(({ id }) => isChosen(`${base}versioned_docs/{folder:${id}}/`))
      .map((part) => ({ ...part, folder: `${part.id}/` }))
    const parts = [main, ...others, ...inFolders, { ...all[0]!, folder: '' }]
    const trailing = /\btrailingSlash["']?\s{0,20}:\s{0,20}(true|false)\b/.exec(code)?.[1]
    const slash = trailing === undefined ? undefined : trailing === 'true'
    const isTranslated = tree.markdown.some((name) => name.startsWith(`${base}i18n/`))
    const translated = `${base}i18n/{locale}/docusaurus-plugin-content-docs/${main.id}/`
    const folders = [...others, ...inFolders].map(({ prefix, folder }) => ({
      prefix: `${prefix.slice(0, -folder.length)}{folder:${folder.slice(0, -1)}}/`,
    }))
    const excluded = parts.flatMap(({ prefix, excluded }) =>
      [prefix, `${base}i18n/*/`].flatMap((start) =>
        excluded.flatMap((one) => (/^\*\*\//.test(one) ? [start + one, start + one.slice(3)] : start + one)),
      ),
    )
    const partOf = (name: string) =>
      parts.find(({ sidebar }) => sidebar && `${name}.`.startsWith(`${base}${sidebar}.`))
    return {
      versions: [...versions.keys()],
      isOtherVersion: main !== all[0],
      folders: [...(isTranslated ? [{ prefix: translated }] : []), ...folders, { prefix: main.prefix }],
      defaultLocale: localeOf(stringsOf(code, 'defaultLocale')[0]),
      addresses: docusaurusRule(parts, slash),
      navigation: {
        isFile: (name) => partOf(name) !== undefined,
        entriesOf: function* (text, file) {
          // Docusaurus wrote `version-2.0/tea` in the sidebars of versions.
          for (const [target, ...titles] of objectEntries(text))
            yield [partOf(file)!.prefix + target.replace(/^version-[^/]+\//, ''), ...titles]
        },
        folder: '',
      },
      hasReadmePages: true,
      // Docusaurus includes files with an underscore in others.
      leftOut: excluding(/(?:^|\/)_[^\n]*\.mdx?$/, '', excluded),
    }
  },
}

const MDBOOK: ConfiguredTool = {
  name: /(?:^|\/)book\.toml(?:\.in)?$/,
  read: ({ values }) => {
    const book = tableOf(values.book)
    return {
      ...BOOK_SETTINGS,
      folder: textOf(book.src) ?? 'src',
      name: textOf(book.title),
      defaultLocale: localeOf(book.language),
      leftOut: /(?:^|\/)SUMMARY\.md$/,
      addresses: HTML_RULE,
    }
  },
}

/** What Hugo makes of its content, whether the site is known or not. */
const HUGO_CONTENT = {
  indexNames: ['_index'],
  shown: { from: START_DATES.slice(0, 2), canExpire: true },
  addresses: hugoRule(new Map()),
  leftOut: /(?:^|\/)_includes\//,
}

/** Other programs have files of the name `config.toml`, too, but no `content` folder. Zola spells `base_url` so. */
const HUGO: ConfiguredTool = {
  name: /(?:^|\/)(?:hugo|config)\.(?:toml|ya?ml|json)$|\/config\/_default\/|(?:^|\/)zola\.toml$/,
  read: ({ file, base: folder, tree: { configs, markdown } }) => {
    const base = folder.replace(/config\/_default\/$/, '')
    const all = [...configs].filter(([name]) => name === file || name.startsWith(`${base}config/_default/`))
    // The settings of config/_default are one site, which its first file describes.
    if (all.some(([name]) => name < file && folderOf(name).endsWith('config/_default/'))) return null
    const values = all.map(([name, text]): ConfigValues => {
      const parsed = parseConfig(name, text)
      return /languages\.\w+$/.test(name) ? { languages: parsed } : parsed
    })
    const setting = (key: string) => values.map((one) => entryOf(one, key)).find((one) => one !== undefined)
    const languages = Object.entries(tableOf(setting('languages')))
    const content = resolveFolder(base, textOf(setting('contentDir')) ?? 'content')
    if (content === null) return null
    const ofLanguages = languages.flatMap(([language, one]) => {
      const own = entryOf(tableOf(one), 'contentDir')
      const prefix = resolveFolder(base, textOf(own) ?? '')
      const locale = localeOf(language)
      const isOwn = own !== undefined && prefix !== null && prefix !== content && locale !== undefined
      return isOwn && prefix !== `${content}${language}/` ? [{ prefix, locale }] : []
    })
    const mounted = tablesOf(tableOf(setting('module')).mounts).flatMap(
      (mount) => mountedFolder(mount, resolveFolder(base, textOf(mount.source) ?? '')) ?? [],
    )
    const others = mounted.filter(({ prefix }) => !prefix.startsWith(content))
    const folders: ContentFolder[] = [...ofLanguages, { prefix: content }, ...others]
    if (!folders.some(({ prefix }) => markdown.some((name) => name.startsWith(prefix)))) return null
    const isZola = file.endsWith('.toml') && setting('base_url') !== undefined
    const locales = ['defaultContentLanguage', 'default_language', 'languageCode', 'locale'].map(setting)
    const titles = [setting('title'), ...languages.map(([, one]) => entryOf(tableOf(one), 'title'))]
    const isOn = (key: string) => isZola || isTrue(setting(key))
    const dates = JSON.stringify(setting('frontmatter') ?? '').includes(':filename') ? 3 : 2
    const permalinks = tableOf(setting('permalinks'))
    const patterns = Object.entries({ ...permalinks, ...tableOf(permalinks.page) }).flatMap(
      ([section, pattern]) => (typeof pattern === 'string' ? [[section, pattern] as const] : []),
    )
    const from = START_DATES.slice(0, isOn('buildFuture') ? 0 : dates)
    return {
      ...(isZola ? { tool: 'Zola' } : {}),
      folders,
      name: titles.map(textOf).find((title) => title !== undefined),
      declaredLocales: languages.map(([language]) => language),
      defaultLocale: localeOf(...locales),
      ...HUGO_CONTENT,
      addresses: hugoRule(new Map(patterns)),
      shown: { from, canExpire: !isOn('buildExpired'), zone: textOf(setting('timeZone')) },
    }
  },
}

/** A folder that Hugo shows among its content, whole and by its own name: `source = "../docs"`, `target = "content/docs"`. */
const mountedFolder = (mount: ConfigValues, source: string | null): ContentFolder | null => {
  const isPart = ['files', 'includeFiles', 'excludeFiles'].some((key) => key in mount)
  const name = /^content\/(.+?)\/?$/.exec(textOf(mount.target) ?? '')?.[1]
  if (isPart || !name || /[{}|]/.test(name) || !`/${source}`.endsWith(`/${name}/`)) return null
  return { prefix: `${source!.slice(0, -name.length - 1)}{folder:${name}}/`, isMounted: true }
}

/** Folders of Hugo's content in a repository that lacks the site, as those of Grafana. */
const contentOfHugo = ({ markdown }: RecognitionTree): ContentSite[] => {
  const folders = markdown.filter((name) => baseName(name) === '_index.md').map(folderOf)
  const [shortest = ''] = folders.toSorted((a, b) => a.length - b.length)
  const above = ancestorsOf(shortest).map((folder) => folder && `${folder}/`)
  const prefix = above.find((folder) => folders.every((one) => one.startsWith(folder))) ?? ''
  return folders.length < 3
    ? []
    : [{ tool: 'Hugo', evidence: '_index.md', ...HUGO_CONTENT, folders: [{ prefix }] }]
}

/** VitePress, or VuePress, in which `README.md` is the page of its folder. A `srcDir` can be that of a plugin. */
const vitepress = (tool: 'VitePress' | 'VuePress'): ConfiguredTool => {
  const folder = `.${tool.toLowerCase()}/`
  return {
    name: new RegExp(`(?:^|/)\\${folder}config`),
    read: ({ file, code, tree: { configs, markdown } }) => {
      const base = file.slice(0, file.lastIndexOf(folder))
      const has = (to: string) => markdown.some((name) => name.startsWith(resolveFolder(base, to) ?? '/'))
      const source = stringsOf(code, 'srcDir').find(has) ?? ''
      const isOwn = (name: string) => name.startsWith(base + folder)
      const isFile = (name: string) =>
        isOwn(name)
          ? isNavigationFile(name)
          : name.startsWith(base) && /^(?:[\w-]+\/)?config\.[cm]?[jt]s$/.test(name.slice(base.length))
      const settings = [...configs].map(([name, text]) => (isOwn(name) ? text : '')).join('\n')
      return {
        base,
        folder: source,
        name: titleIn(withoutComments(settings)),
        navigation: {
          isFile,
          entriesOf: (text) => objectEntries(text),
          folder: resolveFolder(base, source) ?? '',
        },
        addresses: /\bcleanUrls["']?\s{0,20}:\s{0,20}true\b/.test(settings) ? PATH_RULE : HTML_RULE,
        leftOut: /(?:^|\/)\[\w+\](?:\/|\.md$)/, // makes pages of data
        hasReadmePages: tool === 'VuePress',
        hasOwnIds: /\bslugify\b/.test(settings),
        defaultLocale: localeOf(stringsOf(code, 'lang')[0]),
      }
    },
  }
}

/** Folders in which sites on Next.js have Markdown files, the most specific first. */
const NEXT_FOLDERS = ['src/pages/', 'pages/', 'src/content/', 'content/', 'docs/']

/** Of Nextra and Fumadocs: what is in a folder. */
const META = /(?:^|\/)(?:_meta(?:\.global)?\.(?:[jt]sx?|json)|meta\.json)$/

const NEXT: ConfiguredTool = {
  name: /(?:^|\/)(?:next|source)\.config\.\w+$/,
  read: ({ file, base, code, tree: { markdown } }) => {
    const tool = /nextra/i.test(code) ? 'Nextra' : /fumadocs/.test(code) ? 'Fumadocs' : 'Next.js'
    if (baseName(file).startsWith('source') && tool !== 'Fumadocs') return null
    const has = (folder: string, file = /^/) =>
      markdown.some((name) => name.startsWith(`${base}${folder}`) && file.test(name))
    const app = ['src/app/', 'app/'].find((folder) => has(folder, /\/page\.mdx?$/))
    const other = NEXT_FOLDERS.find((folder) => has(folder))
    if (app === undefined && other === undefined) return null
    return {
      tool,
      name: undefined,
      folders: [{ folder: app, fileName: 'page' }, { folder: other }].flatMap(({ folder, fileName }) =>
        folder === undefined ? [] : { prefix: base + folder, fileName },
      ),
      addresses: other === 'docs/' ? { ...NEXT_RULE, pathOf: withoutStart(other) } : NEXT_RULE,
      declaredLocales: arrayOf(code, 'locales'),
      defaultLocale: localeOf(stringsOf(code, 'defaultLocale')[0]),
      leftOut: /(?:^|\/)_[^/]*$/,
      navigation: {
        isFile: (name) => name.startsWith(base) && META.test(name),
        entriesOf: (text, file) => (baseName(file) === 'meta.json' ? fumadocsEntries : nextraEntries)(text),
      },
    }
  },
}

/** Labels of groups in other languages: `label: 'Cups', translations: { de: 'Tassen' }`. */
function* translationsIn(code: string): Generator<[string, string]> {
  const open: { key: string; label?: string }[] = []
  let [key, last] = ['', '']
  for (const token of tokensOf(code)) {
    const around = open.at(-1)
    const text = textOfToken(token)
    const isValue = around !== undefined && key !== '' && text !== token
    if (token === '{' || token === '[') open.push({ key })
    else if (token === '}' || token === ']') open.pop()
    else if (isValue && key === 'label') around.label ??= text
    else if (isValue && around.key === 'translations' && /^[^\p{C}]{1,300}$/u.test(text))
      yield [`${parseSourceLocale(key)} ${open.at(-2)?.label}`, text]
    key = token === ':' ? last : ''
    last = text
  }
}

const SIDEBAR_IMPORT = /\bimport\s([^'"`;]{0,300}?)\bfrom\s{0,20}["'](\.[^"'\n]{1,200})["']/g

/** Whether a configuration imports a file, or a folder with it, for its sidebar: `import { sidebar } from './src/sidebar'`. */
const importedSidebar = (base: string, code: string) => {
  const starts = [...code.matchAll(SIDEBAR_IMPORT)].flatMap(([, names, path]) => {
    const folder = /sidebar/i.test(names! + path)
      ? resolveFolder(base, path!.replace(CODE, '').replace(/\/index$/, ''))
      : null
    return folder && folder !== base ? folder : []
  })
  return (name: string) =>
    CODE.test(name) && starts.some((start) => `${name.replace(CODE, '')}/`.startsWith(start))
}

const CODE = /\.(?:[cm]?[jt]s|json)$/

const STARLIGHT_FOLDER = 'src/content/docs/'

/** A former address and the one to which it leads, among the `redirects` of Astro: `'/old/': '/tea/'`. */
const REDIRECT = /(["'])\/?([^"'`[\]\n]{1,200})\1\s{0,20}:\s{0,20}(["'])([^"'`[\]\n]{1,200})\3/g

/** Former addresses by the stems of the files to whose addresses they lead. */
const astroRedirects = (folder: string, code: string): Map<string, string[]> => {
  const [, redirects = ''] = /\bredirects["']?\s{0,20}[:=]\s{0,20}\{([^{}]{0,60000})/.exec(code) ?? []
  const found = new Map<string, string[]>()
  for (const [, , from, , to = ''] of redirects.matchAll(REDIRECT)) {
    const stem = folder + segmentsOf(to.replace(/[?#].*$/, '')).join('/')
    for (const file of [stem, `${stem}/index`.replace('//', '/')])
      for (const end of ['.md', '.mdx']) addToList(found, file + end, `/${from}`)
  }
  return found
}

const STARLIGHT: ConfiguredTool = {
  name: /(?:^|\/)astro\.config\.\w+$/,
  read: ({ base, code }) => {
    const isImported = importedSidebar(base, code)
    const isUsual = (name: string) =>
      /^(?:astro\.config|[\w.-]*sidebar)\.[cm]?[jt]s$/.test(withoutStart(base)(name))
    return {
      folder: STARLIGHT_FOLDER,
      leftOut: /(?:^|\/)_[^/]*$|(?:^|\/)src\/content\/docs\/(?:[a-z]{2}(?:-\w+)?\/)?404\.\w+$/, // parts of others
      addresses: STARLIGHT_RULE,
      redirects: astroRedirects(base + STARLIGHT_FOLDER, code),
      navigation: {
        isFile: (name) => isImported(name) || (name.startsWith(base) && isUsual(name)),
        entriesOf: (text, file) =>
          objectEntries(text, STARLIGHT.name.test(file) ? /^(?:items|\w*sidebar)?$/i : undefined),
        translations: new Map(translationsIn(code)),
        folder: base + STARLIGHT_FOLDER,
      },
      defaultLocale: localeOf(...stringsOf(code, 'defaultLocale'), ...stringsOf(code, 'lang')),
    }
  },
}

/** A setting of Python: `language = 'fr'`. */
export const pythonSetting = (code: string, name: string): string | undefined => {
  const others = '(?:\\w{1,50}\\s{0,9}=\\s{0,9}){0,3}'
  const text = `[\\s[(]{0,20}[uU]?([rR]?)("""|'''|"|')((?:\\\\[\\s\\S]|[^\\\\]){0,20000}?)\\2`
  const setting = new RegExp(`^${others}${name}\\s{0,20}=\\s{0,9}${others}${text}`, 'm')
  const [, raw, , value] = setting.exec(code) ?? []
  return raw ? value : value?.replace(/\\(["'\\])/g, '$1')
}

/** Other programs have a `conf.py`, too, but no texts next to it. */
const SPHINX: ConfiguredTool = {
  name: /(?:^|\/)conf\.py$/,
  read: ({ base, text, tree: { markdown, otherMarkup } }) => {
    const isSphinx = /sphinx|^(?:html_theme|master_doc|root_doc)\b/im.test(text)
    if (!isSphinx || ![...otherMarkup, ...markdown].some((name) => name.startsWith(base))) return null
    const excluded = arrayOf(text, 'exclude_patterns')
    return {
      folder: '',
      name: pythonSetting(text, 'project'),
      defaultLocale: localeOf(pythonSetting(text, 'language')),
      leftOut: excluding(/(?:^|\/)_(?:build|templates|static|themes?)\/.*\.(?:md|rst|txt)$/, base, excluded),
    }
  },
}

const ELEVENTY: ConfiguredTool = {
  name: /(?:^|\/)\.?eleventy(?:\.config)?\.[cm]?[jt]s$/,
  read: ({ base, code, tree: { markdown } }) => {
    const has = (to: string) => markdown.some((name) => name.startsWith(resolveFolder(base, to) ?? '/'))
    const folder = [...stringsOf(code, 'input'), 'src', 'docs', 'content'].find(has) ?? ''
    return { folder, leftOut: /(?:^|\/)_/, hasReadmePages: true }
  },
}

/** A tool whose configuration names the files of its pages, in their order. @param tables which can have the title of the site */
const projectTool = (name: RegExp, tables: string[], leftOut?: RegExp): ConfiguredTool => ({
  name,
  read: ({ file, values }) => ({
    folder: '',
    name: tables.map((table) => textOf(tableOf(values[table]).title)).find((title) => title !== undefined),
    defaultLocale: localeOf(values.lang),
    leftOut,
    navigation: { isFile: (name) => name === file, entriesOf: quartoEntries },
  }),
})

/** Of Sphinx, with a table of contents and settings in YAML. */
const JUPYTER_BOOK: ConfiguredTool = {
  name: /(?:^|\/)_toc\.ya?ml$/,
  read: ({ file, base, text, tree: { configs } }) => {
    if (!/^\s*(?:-\s+)?(?:file|root):/m.test(text)) return null
    const { title, exclude_patterns: excluded } = parseConfig('.yml', configs.get(`${base}_config.yml`) ?? '')
    return {
      folder: '',
      name: textOf(title),
      leftOut: excluding(/(?:^|\/)_build\//, base, excluded),
      navigation: { isFile: (name) => name === file, entriesOf: tocEntries },
    }
  },
}

const CODE_FOLDERS_MAX = 10

/** Antora: the pages of the modules of a component, which can be in several folders. Partials and examples are no pages. */
const ANTORA: ConfiguredTool = {
  name: /(?:^|\/)antora\.ya?ml$/,
  read: ({ base, text, values, tree: { configs, otherMarkup, codeFolders } }) => {
    const nameIn = (yaml: string) => /^name:[ \t]*["']?([^\s"'#]+)/m.exec(yaml)?.[1]
    const name = nameIn(text)
    const parts = [...configs].filter(([file, one]) => ANTORA.name.test(file) && nameIn(one) === name)
    const bases = parts.map(([file]) => folderOf(file))
    if (bases[0] !== base) return null
    const isOwn = (name: string) => bases.some((one) => name.startsWith(`${one}modules/`))
    const modules = otherMarkup.filter((name) => isOwn(name) && ANTORA_PAGE.test(name))
    const pages = [...new Set(modules.map((name) => name.replace(/\/pages\/.*$/, '/pages/')))]
    return {
      name: textOf(values.title),
      includeFolders: [...codeFolders].slice(0, CODE_FOLDERS_MAX),
      around: { header: attributeLines(tableOf(tableOf(values.asciidoc).attributes)) },
      folders: pages.map((one) => ({
        prefix: one.replace(/(?<=(?:^|\/)modules\/)(?!ROOT\/)([^/{}|]+)(?=\/pages\/$)/, '{folder:$1}'),
      })),
      navigation: {
        isFile: (name) => isOwn(name) && /\/nav[\w-]*\.adoc$/.test(name),
        entriesOf: (text, file) => antoraEntries(text, file, pages),
        folder: '',
      },
    }
  },
}

const localeOf = (...values: unknown[]): string | undefined =>
  values
    .map((value) => (typeof value === 'string' ? parseSourceLocale(value) : null))
    .find((locale) => locale !== null)

/** The most specific tools first: one counts only if none before it has a page. A vault can be the content of MkDocs. */
export const SITE_GROUPS: ((tree: RecognitionTree) => ContentSite[])[] = [
  configuredSites({
    MkDocs: mkdocsTool(/(?:^|\/)mkdocs(?:[.-][\w.-]+)?\.ya?ml$/, yamlEntries),
    Docusaurus: DOCUSAURUS,
    mdBook: MDBOOK,
    Hugo: HUGO,
    VitePress: vitepress('VitePress'),
    VuePress: vitepress('VuePress'),
    Zensical: mkdocsTool(/(?:^|\/)zensical\.toml$/, tomlEntries),
    Starlight: STARLIGHT,
    'Next.js': NEXT,
    Sphinx: SPHINX,
    Antora: ANTORA,
    Eleventy: ELEVENTY,
    Quarto: projectTool(/(?:^|\/)_quarto\.ya?ml$/, ['website', 'book'], /(?:^|\/)_/),
    'Jupyter Book': JUPYTER_BOOK,
    // Without Sphinx.
    MyST: projectTool(/(?:^|\/)myst\.ya?ml$/, ['site', 'project']),
  }),
  configuredSites({ GitBook: GITBOOK }),
  wikijsSites,
  vaultsOf,
  gollumSites,
  contentOfHugo,
  summarySites,
  docsifySites,
  configuredSites({ Jekyll: JEKYLL }),
]
