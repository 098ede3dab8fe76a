import { resolveSegments } from '@lectern/wiki/folders'
import { folderOf } from '../files/file-tree.ts'
import type { IncludeSyntaxName } from './directives.ts'

/** Where the names of included files can begin: folders, empty or with a slash at the end. */
export interface IncludeFolders {
  /** That of the configuration file. */
  base: string
  content: string
  /** Those that the configuration names, such as `base_path` of MkDocs. */
  configured: readonly string[]
}

/** Folders above a page in which Hugo's `include` looks. */
const PARENTS_MAX = 10
const PAGE_EXTENSIONS = ['md', 'markdown', 'asciidoc', 'adoc', 'org', 'textile', 'mediawiki']

/** The names that the file of an include can have in the source, most likely first. None leads out of the source. */
export const namesOf = (
  path: string,
  syntax: IncludeSyntaxName,
  file: string,
  { base, content, configured }: IncludeFolders,
): string[] => {
  const own = folderOf(file)
  const candidates = (): (string | null)[] => {
    switch (syntax) {
      case 'mkdocs':
        return [...configured, base, content, own].map((folder) => resolveName(folder, path))
      case 'vitepress':
        return path.startsWith('@/') || path.startsWith('/')
          ? [content, base, ''].map((folder) => resolveName(folder, path.replace(/^@?\//, '')))
          : [resolveName(own, path)]
      case 'mdx':
        return path.startsWith('@site/') || path.startsWith('~/')
          ? [resolveName(base, path.replace(/^[^/]*\//, ''))]
          : /^\.{0,2}\//.test(path)
            ? [resolveName(own, path)]
            : []
      case 'hugo':
        return hugoNames(path, own, content, base)
      case 'liquid':
        return path.startsWith('.')
          ? [resolveName(own, path)]
          : [`${base}_includes/`, own].map((folder) => resolveName(folder, path))
      case 'gollum':
        return gollumNames(path, own)
      case 'asciidoc':
        return [resolveName(own, antoraPath(path, own))]
      default:
        return [resolveName(own, path)]
    }
  }
  return [...new Set(candidates().filter((name) => name !== null))]
}

/** A name relative to a folder; null if it leads out of the source, or is no name of a file. */
const resolveName = (folder: string, path: string): string | null => {
  if (!/^[^\u0000-\u001f\u007f]{1,500}$/.test(path) || /^[a-z]+:/i.test(path)) return null
  const segments = resolveSegments(folder.split('/').filter(Boolean), path.replaceAll('\\', '/'))
  return segments?.join('/') || null
}

/** The languages of a site of Hugo are folders of its content. */
const hugoNames = (path: string, own: string, content: string, base: string): (string | null)[] => {
  const inContent = own.startsWith(content) ? own.slice(content.length) : ''
  const language = content + inContent.slice(0, inContent.indexOf('/') + 1)
  if (path.startsWith('/')) return [language, content, base].map((folder) => resolveName(folder, path))
  const parents: string[] = []
  for (
    let folder = own;
    parents.length < PARENTS_MAX && folder.startsWith(content);
    folder = folderOf(folder.slice(0, -1))
  ) {
    parents.push(`${folder}_includes/`)
    if (folder === '') break
  }
  return [own, ...parents, `${language}includes/`, `${language}examples/`, language, content].map((folder) =>
    resolveName(folder, path),
  )
}

const gollumNames = (path: string, own: string): (string | null)[] => {
  const name = path.replaceAll(' ', '-')
  const names = /\.\w+$/.test(name) ? [name] : PAGE_EXTENSIONS.map((extension) => `${name}.${extension}`)
  return [own, ''].flatMap((folder) =>
    names.map((one) => resolveName(path.startsWith('/') ? '' : folder, one)),
  )
}

/** `partial$a.adoc` of Antora is in `partials/`, beside the folder `pages/`. */
const antoraPath = (path: string, own: string): string => {
  const [, family, rest = ''] = /^(partial|example|page|attachment)\$(.*)$/.exec(path) ?? []
  if (family === undefined) return path
  const depth = own.split('/').reverse().indexOf('pages')
  return `${'../'.repeat(Math.max(depth, 0))}${family}s/${rest}`
}
