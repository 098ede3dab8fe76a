import { baseName } from '@lectern/wiki/folders'
import { FRONT_MATTER_LIMITS } from '@lectern/wiki/limits'
import { nestingOf } from '@lectern/wiki/nesting'
import { hasOtherMarkup, isCanvas } from '../../markups/markup.ts'
import { type FileTree, isMarkdownFile, type TreeFile } from '../file-tree.ts'
import { parseTomlTable } from '../front-matter.ts'
import { isNoPage } from '../layouts.ts'
import { looseEntries, parseYaml } from '../yaml.ts'

/** What recognition reads: names of files, samples, and the values of configuration files. */

/** `chosen`: layouts that the user has set; `docsVersion`: the version of docs. */
export type RecognitionTree = Awaited<ReturnType<typeof readRecognitionTree>> & {
  chosen: readonly string[]
  docsVersion?: string | undefined
}

/** What the last import took as vaults of Obsidian: their folders, whether it hid what can be comments, and how the names begin that each file of settings excluded. */
export type FormerVaults = { vaults: string[]; hasComments: boolean; settings?: Record<string, string[]> }

/**
 * Files that recognition reads: configuration files, their distance from the top folder, samples of Markdown files,
 * the bytes of each file, and of all. A larger file, and all after the last, count as empty: 64 KiB of YAML take 0.8 s.
 */
const LIMITS = { configs: 200, depth: 6, samples: 40, bytes: 65_536, allBytes: 1024 * 1024 } as const

const CONFIG =
  /^(?:.*\/)?(?:mkdocs[\w.-]{0,50}\.ya?ml|docusaurus\.config\.[cm]?[jt]s|versions\.json|book\.(?:toml(?:\.in)?|json)|(?:hugo|config)\.(?:toml|ya?ml|json)|config\/_default\/(?:hugo|config|languages)\.(?:toml|ya?ml|json)|\.v(?:ite|ue)press\/config(?:\/(?:index|shared))?\.[cm]?[jt]s|_config\.ya?ml|\.gitbook\.ya?ml|(?:next|source|astro)\.config\.[cm]?[jt]s|(?:zensical|zola)\.toml|(?:_quarto|_toc|myst)\.ya?ml|antora\.ya?ml|\.eleventy\.c?js|eleventy\.config\.[cm]?[jt]s|conf\.py)$/
const MARKER = /^(?:.*\/)?(?:_(?:Sidebar|Footer|Header|sidebar)|Home|SUMMARY|LANGS)\.[a-z]+$/
/** Folders of code that texts of Spring include. */
const CODE_OF_DOCS = /^(?:.*\/)?src\/main\/java\/(?:\w+\/)*?docs\/(?=.*\.java$)/
/** Folders with the examples and tests of a tool, or with the code of others. */
const FOREIGN_FOLDER =
  /(?:^|\/)(?:node_modules|vendor|tests?|__tests__|__fixtures__|fixtures|testdata|examples?|themes|templates|archetypes)\//i

/** Files of plugins of MkDocs, each with the navigation of its folder. */
export const FOLDER_NAVIGATION: RegExp = /(?:^|\/)\.(?:pages|nav\.ya?ml)$/

/** Whether a hidden file, or one in a hidden folder of VitePress or VuePress, can have the navigation. */
export const isNavigationFile = (name: string): boolean =>
  FOLDER_NAVIGATION.test(name) ||
  /(?:^|\/)\.v(?:ite|ue)press\/(?!.*\bnav(?:bar)?[./])(?:[\w-]+\/){0,2}[\w.-]+\.(?:[cm]?[jt]s|json)$/.test(
    name,
  )

/** Files of a vault that tell which of its notes are no pages. */
export const VAULT_SETTINGS =
  /^(?:.*\/)?\.obsidian\/(?:app|templates|plugins\/templater-obsidian\/data)\.json$/

/** Authors of a blog by key, of Docusaurus, Material for MkDocs or Jekyll. */
export const isAuthorsFile = (name: string): boolean => /(?:^|\/)\.?authors\.ya?ml$/.test(name)

/** The names of authors, by their keys. */
export const readAuthors = async (tree: FileTree): Promise<ReadonlyMap<string, string>> => {
  const files = [...tree.files()].filter(({ name, kind }) => kind === 'regular' && isAuthorsFile(name))
  const texts = await textsOf(tree, files.slice(0, LIMITS.samples))
  const authors = texts.flatMap((text, i) => {
    const all = parseConfig(files[i]!.name, text)
    return Object.entries('authors' in all ? tableOf(all.authors) : all)
  })
  return new Map(
    authors.flatMap(([key, one]) => (textOf(tableOf(one).name) ? [[key, textOf(tableOf(one).name)!]] : [])),
  )
}

export const isConfigFile = (name: string): boolean => CONFIG.test(name)

/** Tells whose defaults a site of Jekyll has. It is read after all configuration files, and takes the place of none. */
const isGemfile = (name: string): boolean => baseName(name) === 'Gemfile'

/** Reads names, and small files. @param former whose folders count as vaults, too; the top folder if all have lost their texts */
export const readRecognitionTree = async (tree: FileTree, former: FormerVaults | undefined) => {
  const { vaults } = former ?? { vaults: [] }
  const markdown: string[] = []
  const otherMarkup: string[] = []
  /** Names of files and folders by which a tool is recognized, without their contents: `_Sidebar.md`, `.obsidian`. */
  const markers = new Set<string>()
  const codeFolders = new Set<string>()
  const configFiles: TreeFile[] = []
  const canBeSamples: TreeFile[] = []
  for (const file of tree.files()) {
    const { name, kind } = file
    const vault = /^(?:[^/]+\/){0,3}?\.obsidian(?=\/)/.exec(name)?.[0]
    // A text there can be a draft, and each vault has other files.
    if (vault !== undefined && !isMarkdownFile(name) && !hasOtherMarkup(name)) markers.add(vault)
    if (kind === 'regular' && VAULT_SETTINGS.test(name)) configFiles.push(file)
    if (kind !== 'regular' || vault !== undefined) continue
    const canBePage = !isNoPage(name)
    if (canBePage && isMarkdownFile(name)) {
      markdown.push(name)
      canBeSamples.push(file)
    }
    if (canBePage && (hasOtherMarkup(name) || isCanvas(name))) otherMarkup.push(name)
    if (FOREIGN_FOLDER.test(name)) continue
    if (MARKER.test(name)) markers.add(name)
    const [codeFolder] = CODE_OF_DOCS.exec(name) ?? []
    if (codeFolder !== undefined) codeFolders.add(codeFolder)
    if ((isConfigFile(name) || isGemfile(name)) && depthOf(name) <= LIMITS.depth) configFiles.push(file)
  }
  const used = vaults.filter((folder) => markdown.some((name) => name.startsWith(folder)))
  const isMarked = [...markers].some((name) => name.endsWith('.obsidian'))
  if (vaults.length > 0 && used.length === 0 && !isMarked) used.push('')
  for (const folder of used) markers.add(`${folder}.obsidian`)
  const nearest = configFiles
    .sort(({ name: a }, { name: b }) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .slice(0, LIMITS.configs)
  const texts = await textsOf(tree, nearest)
  // Evenly from the whole tree: the first folder can have other texts than most.
  const step = Math.max(1, canBeSamples.length / LIMITS.samples)
  const samples = canBeSamples.filter((_, i) => i % step < 1)
  /** Texts of configuration files by name, those next to the top folder first. */
  const configs = new Map(nearest.map(({ name }, i) => [name, texts[i]!]))
  return {
    markdown,
    otherMarkup,
    markers,
    codeFolders,
    configs,
    samples: await textsOf(tree, samples),
    /** Whether a folder of settings marks a vault, now. */
    isMarked,
    former,
  }
}

/** The texts of files; empty for one that is too large, and after the total. */
const textsOf = async (tree: FileTree, files: readonly TreeFile[]): Promise<string[]> => {
  const texts: string[] = []
  let total = 0
  for await (const [, bytes] of tree.readContents(files, LIMITS.bytes)) {
    total += bytes?.length ?? 0
    const isRead = bytes !== null && total <= LIMITS.allBytes
    texts.push(isRead ? bytes.toString('utf8').replace(/^\ufeff/, '') : '')
  }
  return texts
}

/** The order in which configuration files are read. */
const rank = (file: string): number => depthOf(file) + (isGemfile(file) ? LIMITS.depth + 1 : 0)

const depthOf = (file: string): number => file.split('/').length - 1

/** The settings of a configuration file. YAML values are texts. */
export type ConfigValues = Readonly<Record<string, unknown>>

/** Keys that are read from YAML even if it is too deep for the parser. */
const YAML_KEYS: ReadonlySet<string> = new Set(
  'docs_dir contentdir defaultcontentlanguage languagecode source lang root site_name title'.split(' '),
)

/** The name of a configuration file, and where and why it is invalid; empty if it is valid, or of no known format. */
export const configErrors = (file: string, text = ''): string[] => {
  const told = (message: string, place = '') => [`${file} (${place}${message.split('\n', 1)[0]})`]
  try {
    if (file.includes('.toml')) parseTomlTable(text)
    if (file.endsWith('.json') && text !== '') JSON.parse(text)
    const isYaml = /\.ya?ml$/.test(file) && nestingOf(text) <= FRONT_MATTER_LIMITS.nesting
    const [error] = isYaml ? parseYaml(text).errors : []
    return error ? told(error.message, `line ${text.slice(0, error.pos[0]).split('\n').length}: `) : []
  } catch (error) {
    const { line, message } = error as Error & { line?: number }
    return told(message, line ? `line ${line}: ` : '')
  }
}

/** Parses YAML, TOML or JSON, by the extension of the file. A file that is invalid has no values. */
export const parseConfig = (file: string, text: string): ConfigValues => {
  try {
    if (file.includes('.toml')) return tableOf(parseTomlTable(text))
    return tableOf(file.endsWith('.json') ? JSON.parse(text) : parseYamlConfig(text))
  } catch {
    return {}
  }
}

/** Custom tags such as `!ENV` and `!!python/name:…` are ignored, because the failsafe schema knows none. */
const parseYamlConfig = (text: string): unknown => {
  if (nestingOf(text) <= FRONT_MATTER_LIMITS.nesting) {
    const document = parseYaml(text)
    if (document.errors.length === 0) return document.toJS({ maxAliasCount: 100 })
  }
  return Object.fromEntries(looseEntries(text, (key) => YAML_KEYS.has(key))?.entries ?? [])
}

/** The value of a key of Hugo, which has no letter case. */
export const entryOf = (values: ConfigValues, key: string): unknown =>
  Object.entries(values).find(([name]) => name.toLowerCase() === key.toLowerCase())?.[1]

/** A value that is a table (a mapping); empty for other values. */
export const tableOf = (value: unknown): ConfigValues =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as ConfigValues) : {}

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

export const tablesOf = (value: unknown): ConfigValues[] => (Array.isArray(value) ? value.map(tableOf) : [])

/** Comments, strings, names and signs of JavaScript. Each ends at the latest with the code, strings in quotes with the line. */
const TOKEN =
  /\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*|`(?:[^`\\]|\\[\s\S])*[`\\]?|"(?:[^"\\\n]|\\[\s\S])*["\\]?|'(?:[^'\\\n]|\\[\s\S])*['\\]?|[A-Za-z_$][\w$]*|=>|[{}[\]:,=]/g

/** Removes the comments of JavaScript in linear time. Comment marks in strings stay. */
export const withoutComments = (code: string): string =>
  code.replace(TOKEN, (part) => (/^\/[/*]/.test(part) ? '' : part))

export const tokensOf = (code: string): string[] => withoutComments(code).match(TOKEN) ?? []

/** The strings that a property of this name has anywhere in JavaScript: `lang: 'en'`. The code has no comments. */
export const stringsOf = (code: string, key: string): string[] => {
  const property = `(?<![\\w$])${key}["']?\\s{0,20}:\\s{0,20}(["'\`])([^"'\`\\n$\\\\]{1,200})\\1`
  return Array.from(code.matchAll(new RegExp(property, 'g')), (match) => match[2]!)
}

/** The title in JavaScript, which has no comments: of the lines with a property `title`, the first with the least indent. */
export const titleIn = (code: string): string | undefined =>
  code
    .split('\n')
    .filter((line) => line.includes('title'))
    .flatMap((line) => stringsOf(line, 'title').map((title) => ({ title, indent: line.search(/\S/) })))
    .sort((a, b) => a.indent - b.indent)[0]?.title

/** The strings of the first array that is the value of a property: `locales: ['en', 'fr']`. */
export const arrayOf = (code: string, key: string): string[] => {
  const inside =
    new RegExp(`(?<![\\w$])${key}["']?\\s{0,20}[:=]\\s{0,20}\\[([^\\]]{0,4000})\\]`).exec(code)?.[1] ?? ''
  return [...inside.matchAll(/["'`]([^"'`\n$\\]{1,200})["'`]/g)].map((match) => match[1]!)
}
