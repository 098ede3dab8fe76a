/** Namespaces that a path's prefix can name; `main` has none. Order is the order of every list of them. */
export const NAMESPACES = ['main', 'template', 'page_template', 'module', 'category'] as const

export type Namespace = (typeof NAMESPACES)[number]

/** Those whose pages are listed; a `category:` page only describes its category. */
export const LISTED_NAMESPACES = ['main', 'template', 'page_template', 'module'] as const

/** Prefix of the paths of a namespace, colon included; empty for `main`. */
export const prefixOf = (ns: Namespace): string => (ns === 'main' ? '' : `${ns}:`)

/** The namespace that a path is in: that of its prefix, else `main` (`help:x` is a path in `main`). */
export const namespaceOf = (path: string): Namespace =>
  NAMESPACES.find((ns) => ns !== 'main' && path.startsWith(`${ns}:`)) ?? 'main'

/** Path of the page that describes a category. */
export const categoryPath = (key: string): string => `category:${key}`
