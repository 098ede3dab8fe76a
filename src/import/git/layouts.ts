import { UsageError } from '../../errors.ts'
import { parseSourceLocale } from '../../wiki/locales.ts'
import { nfc, quote } from '../../wiki/text.ts'

/** Where the files of pages lie: `apps/site/pages/{locale}/{path}.md`, `{path}.md@en`. */
export interface Layout {
  text: string
  pattern: RegExp
  /** The language of its pages where `{locale}` is not in it. */
  locale: string
  /** Whether the layout itself says the language, so that equal paths are one page in several languages. */
  namesLocale: boolean
}

/** What a file's name says. */
interface LayoutTarget {
  layout: number
  locale: string
  path: string
}

const EXAMPLE = 'Examples: {path}.md, docs/{path}.md@en, pages/{locale}/{path}.mdx'

/**
 * @param defaultLocale the language where the layout names none
 * @throws UsageError saying what is wrong with it
 */
export const parseLayout = (text: string, defaultLocale: string): Layout => {
  const refuse = (reason: string): never => {
    throw new UsageError(`The layout ${quote(text)} ${reason}. ${EXAMPLE}`)
  }
  // An `@` may stand in a file's name too: `@scope/…`, `…@2.md`.
  const [, template = text, suffix] = /^(.*)@([^@/.{}]*)$/s.exec(text) ?? []
  const fixed = suffix === undefined ? null : parseSourceLocale(suffix)
  if (suffix !== undefined && fixed === null)
    refuse('must have a locale code such as en or pt-br after its @')
  const parts = template.normalize('NFC').split(/(\{path\}|\{locale\})/)
  const count = (part: string) => parts.filter((one) => one === part).length
  if (count('{path}') !== 1) refuse('must hold {path} once')
  if (count('{locale}') > 1) refuse('may hold {locale} only once')
  if (count('{locale}') === 1 && fixed !== null) refuse('says the language twice, by {locale} and by @')
  const pattern = parts
    .map((part) => CAPTURES[part] ?? part.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
    .join('')
  return {
    text,
    pattern: new RegExp(`^${pattern}$`, 's'),
    locale: fixed ?? defaultLocale,
    namesLocale: fixed !== null || count('{locale}') === 1,
  }
}

const CAPTURES: Record<string, string> = { '{path}': '(?<path>.+)', '{locale}': '(?<locale>[^/]+?)' }

/**
 * The page that a file holds by the first layout that fits; null when none does. A folder's `index` is the
 * folder's page; that of the top folder stays `index`.
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
