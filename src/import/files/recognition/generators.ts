import { parseSourceLocale } from '../../../wiki/locales.ts'
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
import { type ContentSite, folderOf, resolveFolder } from './site.ts'
import type { RecognitionTree } from './tree.ts'

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
