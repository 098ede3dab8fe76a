/** BCP 47 style: a language of two or three letters, then subtags of two to eight letters or digits. */
const LOCALE = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i

/** A locale code in lower case; null if the text is not one. */
export const parseLocale = (text: string): string | null =>
  text.length <= 35 && LOCALE.test(text) ? text.toLowerCase() : null

const COUNTRIES = new Map(Object.entries({ cn: 'zh-cn', cz: 'cs', dk: 'da', gr: 'el', jp: 'ja', ua: 'uk' }))

/** Like `parseLocale`, for the codes that files, folders and dumps use: `pt_BR` becomes `pt-br`, `zhHans` `zh-hans`, the country `jp` `ja`. */
export const parseSourceLocale = (text: string): string | null =>
  COUNTRIES.get(text) ??
  parseLocale(text.replaceAll('_', '-').replace(/^[a-z]{2,3}(?=(?:[A-Z]{2}|Han[st]|Latn|Cyrl)$)/, '$&-'))

/** The name of a language in that language (`ru` gives `русский`), or its code if the name is unknown. */
export const ownName = (locale: string): string => {
  try {
    return new Intl.DisplayNames([locale], { type: 'language', fallback: 'code' }).of(locale) ?? locale
  } catch {
    return locale
  }
}

/** All namespaces, in the order in which lists show them. A path's prefix names its namespace; `main` has no prefix. */
export const NAMESPACES = ['main', 'template', 'page_template', 'module', 'category'] as const

export type Namespace = (typeof NAMESPACES)[number]

/** Namespaces whose pages appear in lists. A `category:` page only describes its category. */
export const LISTED_NAMESPACES = ['main', 'template', 'page_template', 'module'] as const

/** Prefix of the paths of a namespace, with its colon; empty for `main`. */
export const prefixOf = (ns: Namespace): string => (ns === 'main' ? '' : `${ns}:`)

/** The namespace of a path: that of its prefix, or `main` for any other prefix (`help:x`). */
export const namespaceOf = (path: string): Namespace =>
  NAMESPACES.find((ns) => ns !== 'main' && path.startsWith(`${ns}:`)) ?? 'main'

export const categoryPath = (key: string): string => `category:${key}`
