import { resolveSegments, segmentsOf } from '@lectern/wiki/folders'
import { ancestorsOf, folderOf } from '../files/file-tree.ts'
import type { LeftOut } from '../files/name-patterns.ts'
import { type IncludeSyntaxName, SHORTCODES } from './directives.ts'

/** Where the names of included files can begin: folders, empty or with a slash at the end. */
export interface IncludeFolders {
  /** That of the configuration file. VuePress 1 runs in the one above. */
  base: string
  content: string
  /** Those that the configuration names, such as `base_path` of MkDocs. */
  configured: readonly string[]
}

export interface Includes {
  /** Null: Markdown includes nothing. */
  syntax: IncludeSyntaxName | null
  folders: IncludeFolders
  /** Lines before each text of Antora: attributes of its component. */
  header?: string
  /** Lines after each text of MkDocs: snippets that the configuration appends to it. */
  footer?: string
  /** Of files that are included only if they are marked as published. */
  needsMark?: (name: string) => boolean
  /** Of files of Jekyll, whose Liquid is evaluated: whether its site does not show them. */
  hidden?: LeftOut
  /** Whether values of MkDocs' configuration stand in its texts, for the plugin `macros`. */
  hasMacros?: boolean
}

/** The files of a source at one time: at a commit, or in a folder. */
export interface IncludableFiles {
  /** What identifies the contents of regular files; null: there is none of this name. Links are not followed. */
  find(names: readonly string[]): Promise<readonly (string | null)[]>
  /** Null: it is longer than `maxBytes`, or cannot be read. */
  read(content: string, maxBytes: number): Promise<Buffer | null>
}

const PARENTS_MAX = 10
const PAGE_EXTENSIONS = ['md', 'markdown', 'asciidoc', 'adoc', 'org', 'textile', 'mediawiki']

/** The names that the file of an include can have in the source, most likely first. None leads out of the source. */
export const namesOf = (
  path: string,
  syntax: IncludeSyntaxName,
  [page, file]: readonly [page: string, file: string],
  folders: IncludeFolders,
): string[] => {
  const [places, ...paths] = placesOf(path, syntax, [folderOf(page), folderOf(file)], folders)
  const names = places.flatMap((folder) => paths.map((one) => resolveName(folder, one)))
  return [...new Set(names.filter((name) => name !== null))]
}

const CONFIGURATION = ['hugo', 'config', 'config/_default/hugo', 'config/_default/config']

/** The files that can have a parameter, in their order. @param of `page`, the name of a configuration, or empty, of Hugo: the page, the folders above it, the site */
export const parameterFiles = (of: string, page: string, { base, content }: IncludeFolders): string[] => {
  if (of === 'page') return [page]
  if (/config|mkdocs/.test(of)) return [`${base}${of}.yml`, `${base}${of}.yaml`]
  const above = foldersAbove(folderOf(page), content).map((folder) => `${folder}_index.md`)
  const site = [...CONFIGURATION, 'config/_default/params'].flatMap((name) =>
    ['toml', 'yaml', 'json'].map((extension) => `${base}${name}.${extension}`),
  )
  return of === 'hugo' ? site : [...new Set([page, ...above, ...site])]
}

/** The folders in which the file can be, and its name there; several if the author wrote no extension. */
type Places = [folders: string[], ...paths: string[]]

const placesOf = (
  path: string,
  syntax: IncludeSyntaxName,
  [page, own]: readonly [page: string, own: string],
  { base, content, configured }: IncludeFolders,
): Places => {
  switch (syntax) {
    case 'mkdocs':
      return [[...configured, base, content, own], path]
    case 'vitepress':
      // `@/a.sh`; or `@snippets/a.sh`, for which sites of VuePress name the folder `snippets`.
      if (!/^[@/]/.test(path)) return [[own], path]
      return [[content, base, folderOf(base.slice(0, -1)), ''], path.replace(/^@?\/?/, '')]
    case 'mdx':
      if (/^(?:@site|~)\//.test(path)) return [[base], path.replace(/^[^/]*\//, '')]
      return [/^\.{0,2}\//.test(path) ? [own] : [], path]
    case 'hugo':
      return [hugoFolders(path, own, content, base), path]
    case 'liquid':
      return [path.startsWith('.') ? [own] : [`${base}_includes/`, `${content}_includes/`, own], path]
    case 'gollum':
      return [path.startsWith('/') ? [''] : [own, ''], ...gollumPaths(path.replaceAll(' ', '-'))]
    case 'myst':
    case 'rst': // In Sphinx, names in an included file begin where the page is.
      return [path.startsWith('/') ? [content] : [page, own], path]
    case 'asciidoc':
      return antoraPlaces(path, own, page, configured)
    default:
      return [[own], path]
  }
}

/** A name relative to a folder; null if it leads out of the source, or is no name of a file. */
const resolveName = (folder: string, path: string): string | null => {
  if (!/^[^\u0000-\u001f\u007f]{1,500}$/.test(path) || /^[a-z]+:/i.test(path)) return null
  const segments = resolveSegments(segmentsOf(folder), path.replaceAll('\\', '/'))
  return segments?.join('/') || null
}

/** The languages of a site of Hugo are folders of its content. */
const hugoFolders = (path: string, own: string, content: string, base: string): string[] => {
  if (path.startsWith(SHORTCODES)) return [base]
  const inContent = own.startsWith(content) ? own.slice(content.length) : ''
  const language = content + inContent.slice(0, inContent.indexOf('/') + 1)
  if (path.startsWith('/')) return [language, content, base, '']
  const above = foldersAbove(own, content).map((folder) => `${folder}_includes/`)
  return [own, ...above, `${language}includes/`, `${language}examples/`, language, content]
}

/** A folder in another one, and those between them; the nearest. */
const foldersAbove = (folder: string, top: string): string[] =>
  ancestorsOf(folder)
    .map((one) => (one === '' ? '' : `${one}/`))
    .filter((one) => one.startsWith(top))
    .slice(0, PARENTS_MAX)

const gollumPaths = (path: string): string[] =>
  /\.\w+$/.test(path) ? [path] : PAGE_EXTENSIONS.map((extension) => `${path}.${extension}`)

/** `code$pots/Tea.java` is in a folder of code, `code$./` in one there named as that of the page. `partial$a.adoc` of Antora is in the folder `partials` of its module, and `tea:partial$a.adoc` in that of another one. */
const antoraPlaces = (path: string, own: string, page: string, code: readonly string[]): Places => {
  const [, relative, name] = /^code\$(\.\/)?(.*)$/.exec(path) ?? []
  const folder = relative ? page.replace(/^.*\/pages\//, '').replaceAll('-', '') : ''
  if (name !== undefined) return [[...code], folder + name]
  const [, modules, current] = /^(.*(?:^|\/)modules\/)([^/]+)\//.exec(own) ?? []
  const [, module = current, family, rest = ''] =
    /^(?:([\w.-]+):)?(partial|example|page|attachment)\$(.*)$/.exec(path) ?? []
  return family && modules ? [[''], `${modules}${module}/${family}s/${rest}`] : [[own], path]
}
