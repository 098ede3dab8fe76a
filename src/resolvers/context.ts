import type { Loaders } from '../read/loaders.ts'
import type { RevisionRow, WikiRow } from '../read/rows.ts'

/** The GraphQL context of every resolver. All requests share one context, because every guest sees the same. */
export interface ResolverContext {
  loaders: Loaders
  wiki(): Promise<WikiRow>
  /** Absolute URL of the wiki in a language. */
  wikiUrl(locale: string): string
  /** Absolute URL of a page on the wiki. */
  pageUrl(locale: string, path: string): string
  /** The Markdown of a revision as sanitized HTML with absolute URLs. */
  html(revision: RevisionRow): Promise<string>
}
