import { UsageError } from '../../errors.ts'
import { parseSourceLocale } from '../../wiki/locales.ts'
import { nfc, quote } from '../../wiki/text.ts'

/** A pattern of the files of pages: `apps/site/pages/{locale}/{path}.md`, `{path}.{locale:fr|de}.md`, `{path}.md@en`. */
export interface Layout {
  text: string
  pattern: RegExp
  /** Names of files that are the page of their folder. */
  indexNames: ReadonlySet<string>
  /** Language of its pages, unless it contains `{locale}`. */
  locale: string
  /** Whether the layout sets the language. Then equal paths are translations of one page. */
  setsLocale: boolean
}

/** The page of a file name. */
interface LayoutTarget {
  layout: number
  locale: string
  path: string
}

const EXAMPLE = 'Examples: {path}.md, docs/{path}.md@en, pages/{locale}/{path}.mdx, {path}.{locale:de|fr}.md'

/**
 * @param defaultLocale the language if the layout sets none
 * @throws UsageError with what is wrong in the layout
 */
export const parseLayout = (text: string, defaultLocale: string): Layout => {
  const refuse = (reason: string): never => {
    throw new UsageError(`The layout ${quote(text)} ${reason}. ${EXAMPLE}`)
  }
  // File names can contain an `@`, too: `@scope/…`, `…@2.md`.
  const [, template = text, suffix] = /^(.*)@([^@/.{}]*)$/s.exec(text) ?? []
  const locale = suffix === undefined ? null : parseSourceLocale(suffix)
  if (suffix !== undefined && locale === null) refuse('needs a locale code such as en or pt-br after its @')
  const parts = template
    .normalize('NFC')
    .split(/(\{(?:path|locale)(?::[^{}]*)?\})/)
    .map(parsePart)
  const [paths, locales] = (['path', 'locale'] as const).map((name) =>
    parts.filter((part) => part.name === name),
  ) as [Part[], Part[]]
  if (paths.length !== 1) refuse('must contain {path} once')
  if (locales.length > 1) refuse('must contain {locale} at most once')
  if (locales.length === 1 && locale !== null) refuse('sets the language twice, with {locale} and with @')
  if (locales[0]?.values?.some((value) => parseSourceLocale(value) === null))
    refuse('needs locale codes after {locale:, such as {locale:en|pt_BR}')
  if (paths[0]?.values?.some((value) => value === '' || value.includes('/')))
    refuse('needs names of files without a folder and extension after {path:, such as {path:_index}')
  return {
    text,
    pattern: new RegExp(`^${parts.map(({ pattern }) => pattern).join('')}$`, 's'),
    indexNames: new Set(['index', ...(paths[0]?.values ?? [])]),
    locale: locale ?? defaultLocale,
    setsLocale: locale !== null || locales.length === 1,
  }
}

interface Part {
  name: 'path' | 'locale' | 'text'
  /** The alternatives after the colon. */
  values: string[] | null
  pattern: string
}

const parsePart = (text: string): Part => {
  const [, name, list] = /^\{(path|locale)(?::(.*))?\}$/s.exec(text) ?? []
  const values = list === undefined ? null : list.split('|')
  if (name === 'path') return { name, values, pattern: '(?<path>.+)' }
  if (name === 'locale')
    return { name, values, pattern: `(?<locale>${values?.map(escapePattern).join('|') ?? '[^/]+?'})` }
  return { name: 'text', values: null, pattern: escapePattern(text) }
}

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/**
 * The page of a file by the first layout that matches, or null. The file `index` of a folder is the page of the folder;
 * in the top folder, it is the page `index`. With `{path:_index}`, this holds for files of the name `_index`, too.
 */
export const layoutTarget = (layouts: Layout[], file: string): LayoutTarget | null => {
  const name = nfc(file)
  for (const [index, layout] of layouts.entries()) {
    const groups = layout.pattern.exec(name)?.groups
    if (!groups) continue
    const locale = groups.locale === undefined ? layout.locale : parseSourceLocale(groups.locale)
    if (locale !== null) return { layout: index, locale, path: pathOf(groups.path!, layout.indexNames) }
  }
  return null
}

const pathOf = (path: string, indexNames: ReadonlySet<string>): string => {
  const slash = path.lastIndexOf('/')
  if (!indexNames.has(path.slice(slash + 1))) return path
  return slash > 0 ? path.slice(0, slash) : 'index'
}
