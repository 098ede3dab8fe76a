import type { Loaders } from '../read/loaders.ts'
import type { RevisionRow, WikiRow } from '../read/rows.ts'

/** What every resolver is given. One for all requests: every guest sees the same. */
export interface ResolverContext {
  loaders: Loaders
  wiki(): Promise<WikiRow>
  /** Link to the wiki in a language, absolute. */
  wikiUrl(locale: string): string
  /** Link to a page on the wiki, absolute. */
  pageUrl(locale: string, path: string): string
  /** The Markdown of an edit as sanitised HTML with absolute addresses. */
  html(revision: RevisionRow): Promise<string>
}
