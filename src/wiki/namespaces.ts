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

/** Path of the page that describes a category. */
export const categoryPath = (key: string): string => `category:${key}`
