import { UsageError } from '../../errors.ts'
import { parseSourceLocale } from '../../wiki/locales.ts'
import { nfc, quote } from '../../wiki/text.ts'

/** A pattern of the files of pages: `apps/site/pages/{locale}/{path}.md`, `{path}.md@en`. */
export interface Layout {
  text: string
  pattern: RegExp
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

const EXAMPLE = 'Examples: {path}.md, docs/{path}.md@en, pages/{locale}/{path}.mdx'

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
  const parts = template.normalize('NFC').split(/(\{path\}|\{locale\})/)
  const count = (part: string) => parts.filter((one) => one === part).length
  if (count('{path}') !== 1) refuse('must contain {path} once')
  if (count('{locale}') > 1) refuse('must contain {locale} at most once')
  if (count('{locale}') === 1 && locale !== null) refuse('sets the language twice, with {locale} and with @')
  const pattern = parts
    .map((part) => CAPTURES[part] ?? part.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
    .join('')
  return {
    text,
    pattern: new RegExp(`^${pattern}$`, 's'),
    locale: locale ?? defaultLocale,
    setsLocale: locale !== null || count('{locale}') === 1,
  }
}

const CAPTURES: Record<string, string> = { '{path}': '(?<path>.+)', '{locale}': '(?<locale>[^/]+?)' }

/**
 * The page of a file by the first layout that matches, or null. The file `index` of a folder is the page of the folder;
 * in the top folder, it is the page `index`.
 */
export const layoutTarget = (layouts: Layout[], file: string): LayoutTarget | null => {
  const name = nfc(file)
  for (const [index, layout] of layouts.entries()) {
    const groups = layout.pattern.exec(name)?.groups
    if (!groups) continue
    const locale = groups.locale === undefined ? layout.locale : parseSourceLocale(groups.locale)
    if (locale !== null) return { layout: index, locale, path: groups.path!.replace(/\/index$/, '') }
  }
  return null
}
