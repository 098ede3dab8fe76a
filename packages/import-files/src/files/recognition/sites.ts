import { parseSourceLocale } from '@lectern/wiki/locales'
import {
  arrayOf,
  type ConfigValues,
  parseConfig,
  stringsOf,
  tableOf,
  tablesOf,
  textOf,
  withoutComments,
} from './config-values.ts'
import type { RecognitionTree } from './tree.ts'

/** A folder with the pages of a site. */
export interface ContentFolder {
  /** Empty for the top folder, otherwise with a slash at the end. It can contain `{locale:…}`. */
  prefix: string
  /** Its language, if it is known. */
  locale?: string
  /** Name of the files that are pages, without extension. Their folder is the page. Absent: all files are pages. */
  fileName?: string
}

/** What a repository contains, as its configuration or the names of its files say. */
export interface ContentSite {
  /** Name of the tool, for messages: `MkDocs`. */
  tool: string
  /** The file or folder that shows it. */
  evidence: string
  folders: ContentFolder[]
  /** Languages that the configuration declares, as folders and file names spell them. */
  declaredLocales?: string[]
  /** The language of pages that name none. */
  defaultLocale?: string
  /** Names of files that are the page of their folder, besides `index`. */
  indexNames?: string[]
  /** Whether `README.md` is the page of its folder, too. */
  hasReadmePages?: boolean
  /** Names of Markdown files that are not pages, such as a table of contents. */
  leftOut?: RegExp
  /** Whether files in other markups than Markdown are pages, too. */
  hasOtherMarkups?: boolean
}

/**
 * A folder name relative to another one, as configuration files write it: `../docs`, `./src/`.
 * @param base empty, or with a slash at the end
 * @returns empty for the top folder, otherwise with a slash at the end; null if it is outside the repository
 */
const resolveFolder = (base: string, relative: string): string | null => {
  const segments = base.split('/').filter((segment) => segment !== '')
  for (const segment of relative.replaceAll('\\', '/').split('/')) {
    if (segment === '..' && segments.pop() === undefined) return null
    if (!['', '.', '..'].includes(segment)) segments.push(segment)
  }
  return segments.map((segment) => `${segment}/`).join('')
}

/** The folder of a file: empty for the top folder, otherwise with a slash at the end. */
const folderOf = (file: string): string => file.slice(0, file.lastIndexOf('/') + 1)

/** The front matter that Wiki.js writes into each file. */
const WIKIJS_FRONT_MATTER = /^---\r?\n(?=(?:[^\n]*\n){0,20}?editor: )(?=(?:[^\n]*\n){0,20}?dateCreated: )/

/** Wiki.js with git storage. Versions before 2.4 wrote shorter front matter, so not every sample must have it. */
export const wikijsSites = ({ samples }: RecognitionTree): ContentSite[] => {
  const count = samples.filter((text) => WIKIJS_FRONT_MATTER.test(text)).length
  if (count === 0 || count * 5 < samples.length) return []
  return [
    { tool: 'Wiki.js', evidence: 'front matter with editor and dateCreated', folders: [{ prefix: '' }] },
  ]
}

/** Vaults of Obsidian. */
export const obsidianSites = ({ markers }: RecognitionTree): ContentSite[] =>
  [...markers]
    .filter((name) => name.endsWith('.obsidian'))
    .map((evidence) => ({ tool: 'Obsidian', evidence, folders: [{ prefix: folderOf(evidence) }] }))

/** Gollum, which GitHub and GitLab use for the wikis of repositories. */
export const gollumSites = ({ markers }: RecognitionTree): ContentSite[] => {
  const [evidence] = [...markers]
    .filter((name) => /^(?:_(?:Sidebar|Footer|Header)|Home)\.[a-z]+$/.test(name))
    .sort((a, b) => Number(a.startsWith('_')) - Number(b.startsWith('_')))
  if (evidence === undefined) return []
  return [
    {
      tool: 'Gollum',
      evidence,
      folders: [{ prefix: '' }],
      indexNames: ['Home'],
      leftOut: /(?:^|\/)_(?:Sidebar|Footer|Header)\.\w+$/,
      hasOtherMarkups: true,
    },
  ]
}

/** GitBook without a configuration file: a table of contents in the top folder. */
export const summarySites = ({ markers }: RecognitionTree): ContentSite[] =>
  ['SUMMARY.md', 'LANGS.md']
    .filter((name) => markers.has(name))
    .slice(0, 1)
    .map((evidence) => ({
      tool: 'GitBook',
      evidence,
      folders: [{ prefix: '' }],
      hasReadmePages: true,
      leftOut: /(?:^|\/)(?:SUMMARY|LANGS)\.md$/,
    }))

/** Folders whose files Jekyll does not publish. */
const JEKYLL_PRIVATE = /(?:^|\/)_(?:layouts|includes|sass|data|drafts|site|plugins)\//

export const jekyllSites = ({ configs }: RecognitionTree): ContentSite[] =>
  [...configs]
    .filter(([file]) => /(?:^|\/)_config\.ya?ml$/.test(file))
    .flatMap(([evidence, text]) => {
      const values = parseConfig(evidence, text)
      const prefix = resolveFolder(folderOf(evidence), textOf(values.source) ?? '')
      const locale = parseSourceLocale(textOf(values.lang) ?? textOf(values.locale) ?? '') ?? undefined
      return prefix === null
        ? []
        : [
            {
              tool: 'Jekyll',
              evidence,
              folders: [{ prefix }],
              defaultLocale: locale,
              hasReadmePages: true,
              leftOut: JEKYLL_PRIVATE,
            },
          ]
    })

/** Reads the configuration of one site generator. */
type ReadGenerator = (file: string, text: string, tree: RecognitionTree) => ContentSite | null

/** The sites that configuration files of site generators describe, in no order. */
export const generatedSites = (tree: RecognitionTree): ContentSite[] => readSites(tree, GENERATORS)

/** The sites of GitBook with a configuration file. */
export const gitbookSites = (tree: RecognitionTree): ContentSite[] => readSites(tree, [GITBOOK])

const readSites = (tree: RecognitionTree, generators: readonly Generator[]): ContentSite[] =>
  [...tree.configs].flatMap(([file, text]) => {
    const site = generators.find(({ name }) => name.test(file))?.read(file, text, tree)
    return site ? [site] : []
  })

const readMkdocs: ReadGenerator = (file, text) => {
  const values = parseConfig(file, text)
  const folder = resolveFolder(folderOf(file), textOf(values.docs_dir) ?? 'docs')
  if (folder === null) return null
  const plugins = tablesOf(values.plugins).map((plugin) => tableOf(plugin.i18n))
  const i18n = [tableOf(tableOf(values.plugins).i18n), ...plugins].find((one) => one.languages !== undefined)
  const languages = tablesOf(i18n?.languages)
  const codes = [...languages.map(({ locale }) => locale), ...Object.keys(tableOf(i18n?.languages))]
  const main = languages.find((language) => /^true$/i.test(textOf(language.default) ?? ''))
  return {
    tool: 'MkDocs',
    evidence: file,
    folders: [{ prefix: folder }],
    hasReadmePages: true,
    declaredLocales: codes.filter((code) => typeof code === 'string'),
    defaultLocale: localeOf(main?.locale, i18n?.default_language, tableOf(values.theme).language),
  }
}

const DOCUSAURUS_DOCS = 'docusaurus-plugin-content-docs/current/'

const readDocusaurus: ReadGenerator = (file, text, { markdown }) => {
  const code = withoutComments(text)
  const base = folderOf(file)
  const [, docs = ''] = /\bdocs["']?\s{0,20}:\s{0,20}\{([^{}]{0,4000})/.exec(code) ?? []
  const folder = [...stringsOf(docs, 'path'), 'docs', '../docs', ...stringsOf(code, 'path').slice(0, 20)]
    .map((path) => (path.startsWith('/') ? null : resolveFolder(base, path)))
    .find(
      (one) => one !== null && one !== base && one !== '' && markdown.some((name) => name.startsWith(one)),
    )
  if (folder === undefined || folder === null) return null
  const i18n = `${base}i18n/`
  const translations = markdown
    .filter((name) => name.startsWith(i18n))
    .map((name) => name.slice(i18n.length).split('/'))
    .filter(([locale, ...rest]) => rest.join('/').startsWith(DOCUSAURUS_DOCS) && parseSourceLocale(locale!))
  const locales = [...new Set(translations.map(([locale]) => locale!))].sort()
  return {
    tool: 'Docusaurus',
    evidence: file,
    folders: [
      ...(locales.length === 0
        ? []
        : [{ prefix: `${i18n}{locale:${locales.join('|')}}/${DOCUSAURUS_DOCS}` }]),
      { prefix: folder },
    ],
    defaultLocale: localeOf(stringsOf(code, 'defaultLocale')[0]),
    hasReadmePages: true,
    // Docusaurus includes such files in others.
    leftOut: /(?:^|\/)_[^/]*(?:\/|$)/,
  }
}

const readMdbook: ReadGenerator = (file, text) => {
  const book = tableOf(parseConfig(file, text).book)
  const folder = resolveFolder(folderOf(file), textOf(book.src) ?? 'src')
  if (folder === null) return null
  return {
    tool: 'mdBook',
    evidence: file,
    folders: [{ prefix: folder }],
    hasReadmePages: true,
    defaultLocale: localeOf(book.language),
    leftOut: /(?:^|\/)SUMMARY\.md$/,
  }
}

/** Reads a configuration of Hugo. Other programs have files of the name `config.toml`, but no `content` folder. */
const readHugo: ReadGenerator = (file, text, { configs, markdown }) => {
  const base = folderOf(file).replace(/config\/_default\/$/, '')
  const all = [...configs].filter(([name]) => name === file || name.startsWith(`${base}config/_default/`))
  // The settings of config/_default are one site, which its first file describes.
  if (all.some(([name]) => name < file && folderOf(name).endsWith('config/_default/'))) return null
  const values: ConfigValues[] = all.map(([name, content]) => {
    const parsed = name === file ? parseConfig(file, text) : parseConfig(name, content)
    return /languages\.\w+$/.test(name) ? { languages: parsed } : parsed
  })
  const setting = (key: string): unknown =>
    values
      .flatMap((one) => Object.entries(one))
      .find(([name]) => name.toLowerCase() === key.toLowerCase())?.[1]
  const languages = Object.entries(tableOf(setting('languages')))
  const content = resolveFolder(base, textOf(setting('contentDir')) ?? 'content')
  if (content === null) return null
  const folders = languages.flatMap(([language, one]) => {
    const entry = Object.entries(tableOf(one)).find(([name]) => name.toLowerCase() === 'contentdir')
    const prefix = resolveFolder(base, textOf(entry?.[1]) ?? '')
    const locale = localeOf(language)
    const isOwn = entry !== undefined && prefix !== null && prefix !== content && locale !== undefined
    return isOwn && prefix !== `${content}${language}/` ? [{ prefix, locale }] : []
  })
  const isSite = [...folders, { prefix: content }].some(({ prefix }) =>
    markdown.some((name) => name.startsWith(prefix)),
  )
  if (!isSite) return null
  return {
    tool: 'Hugo',
    evidence: file,
    folders: [...folders, { prefix: content }],
    declaredLocales: languages.map(([language]) => language),
    defaultLocale: localeOf(setting('defaultContentLanguage'), setting('languageCode'), setting('locale')),
    indexNames: ['_index'],
  }
}

const readVitepress: ReadGenerator = (file, text) => {
  const [tool, folder] = file.includes('.vuepress/')
    ? ['VuePress', '.vuepress/']
    : ['VitePress', '.vitepress/']
  const base = file.slice(0, file.lastIndexOf(folder))
  const code = withoutComments(text)
  const content = resolveFolder(base, stringsOf(code, 'srcDir')[0] ?? '')
  if (content === null) return null
  return {
    tool: tool!,
    evidence: file,
    folders: [{ prefix: content }],
    hasReadmePages: tool === 'VuePress',
    defaultLocale: localeOf(stringsOf(code, 'lang')[0]),
  }
}

/** Folders in which sites on Next.js have Markdown files, the most specific first. */
const NEXT_FOLDERS = ['src/pages/', 'pages/', 'src/content/', 'content/', 'docs/']

const readNext: ReadGenerator = (file, text, { markdown }) => {
  const base = folderOf(file)
  const code = withoutComments(text)
  const found = NEXT_FOLDERS.map((folder) => `${base}${folder}`).filter((folder) =>
    markdown.some((name) => name.startsWith(folder)),
  )
  const isApp = (folder: string) =>
    markdown.some((name) => name.startsWith(folder) && /\/page\.mdx?$/.test(name))
  const app = [`${base}src/app/`, `${base}app/`].find(isApp)
  if (found.length === 0 && app === undefined) return null
  return {
    tool: /nextra/i.test(code) ? 'Nextra' : 'Next.js',
    evidence: file,
    folders: [
      ...(app === undefined ? [] : [{ prefix: app, fileName: 'page' }]),
      ...found.slice(0, 1).map((prefix) => ({ prefix })),
    ],
    declaredLocales: arrayOf(code, 'locales'),
    defaultLocale: localeOf(stringsOf(code, 'defaultLocale')[0]),
    leftOut: /(?:^|\/)_[^/]*$/,
  }
}

const readZensical: ReadGenerator = (file, text) => {
  const project = tableOf(parseConfig(file, text).project)
  const folder = resolveFolder(folderOf(file), textOf(project.docs_dir) ?? 'docs')
  if (folder === null) return null
  const defaultLocale = localeOf(tableOf(project.theme).language)
  return { tool: 'Zensical', evidence: file, folders: [{ prefix: folder }], defaultLocale }
}

const readStarlight: ReadGenerator = (file, text) => {
  const code = withoutComments(text)
  return {
    tool: 'Starlight',
    evidence: file,
    folders: [{ prefix: `${folderOf(file)}src/content/docs/` }],
    defaultLocale: localeOf(...stringsOf(code, 'defaultLocale'), ...stringsOf(code, 'lang')),
  }
}

const readGitbook: ReadGenerator = (file, text, { markers }) => {
  const base = folderOf(file)
  const folder = resolveFolder(base, textOf(parseConfig(file, text).root) ?? '')
  // Other programs have a file of the name book.json, too.
  if (folder === null || (file.endsWith('.json') && !markers.has(`${folder}SUMMARY.md`))) return null
  return {
    tool: 'GitBook',
    evidence: file,
    folders: [{ prefix: folder }],
    hasReadmePages: true,
    leftOut: /(?:^|\/)(?:SUMMARY|LANGS)\.md$/,
  }
}

interface Generator {
  /** Names of its configuration files. */
  name: RegExp
  read: ReadGenerator
}

const GITBOOK: Generator = { name: /(?:^|\/)(?:\.gitbook\.ya?ml|book\.json)$/, read: readGitbook }

const GENERATORS: Generator[] = [
  { name: /(?:^|\/)mkdocs\.ya?ml$/, read: readMkdocs },
  { name: /(?:^|\/)docusaurus\.config\.\w+$/, read: readDocusaurus },
  { name: /(?:^|\/)book\.toml$/, read: readMdbook },
  { name: /(?:^|\/)(?:hugo|config)\.(?:toml|ya?ml|json)$|\/config\/_default\//, read: readHugo },
  { name: /(?:^|\/)\.v(?:ite|ue)press\/config/, read: readVitepress },
  { name: /(?:^|\/)zensical\.toml$/, read: readZensical },
  { name: /(?:^|\/)astro\.config\.\w+$/, read: readStarlight },
  { name: /(?:^|\/)next\.config\.\w+$/, read: readNext },
]

/** The first value that is a locale code. */
const localeOf = (...values: unknown[]): string | undefined => {
  for (const value of values) {
    const locale = typeof value === 'string' ? parseSourceLocale(value) : null
    if (locale !== null) return locale
  }
  return undefined
}
