import { dialectOf } from './dialect.ts'
import { normalizeDialect, withoutHeadingIds } from './normalize.ts'

/**
 * A text without the constructs of its dialect, and without the ids of headings: what its words and links are read from.
 * @param name see `LinkContext.dialect`
 */
export const plainMarkdown = (markdown: string, name: string | null | undefined): string => {
  const dialect = dialectOf(name)
  return dialect ? withoutHeadingIds(normalizeDialect(markdown, dialect).markdown) : markdown
}
