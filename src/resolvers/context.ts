import type { Loaders } from '../read/loaders.ts'
import type { RevisionRow, SectionRow, WikiRow } from '../read/rows.ts'
import type { PageSection } from '../wiki/outline.ts'

/** The GraphQL context of every resolver. All requests share one context, because every guest sees the same. */
export interface ResolverContext {
  loaders: Loaders
  wiki(): Promise<WikiRow>
  /** Absolute URL of the wiki in a language. */
  wikiUrl(locale: string): string
  /** Absolute URL of a page on the wiki. */
  pageUrl(locale: string, path: string): string
  /** The Markdown of a revision, or of a section, as sanitized HTML with absolute URLs. */
  html(revision: RevisionRow, section?: PageSection): Promise<string>
  /** The same as plain text. */
  text(revision: RevisionRow, section?: PageSection): Promise<string>
  /** Plain text of the beginning. */
  summary(revision: RevisionRow): Promise<string>
  sections(revision: RevisionRow): Promise<SectionRow[]>
}
