import type { NoteProperty } from '@lectern/wiki/dialects/embeds'
import type { LineDiff } from '@lectern/wiki/diff/line-diff'
import type { PageSection } from '@lectern/wiki/outline'
import type { Loaders } from '../read/loaders.ts'
import type { FileOfPageRow, PageRow, RevisionRow, SectionRow, WikiRow } from '../read/rows.ts'

/** Two revisions, and their differences, which are computed when a query selects them. */
export interface RevisionComparison {
  to: RevisionRow
  from: RevisionRow | null
  /** @throws Unavailable */
  lines(): Promise<LineDiff>
  /** @throws BadParameter for a patch that is too long, Unavailable */
  patch(): Promise<string>
}

/** The GraphQL context of every resolver. All requests share one context, because every guest sees the same. */
export interface ResolverContext {
  loaders: Loaders
  wiki(): Promise<WikiRow>
  /** Absolute URLs: of the wiki in a language, of a page on the wiki, and of the bytes of a file. */
  wikiUrl(locale: string): string
  pageUrl(locale: string, path: string): string | Promise<string>
  mediaUrl(sha256: string, path: string): string
  /** The files that a page shows or links, by path, once for each reference. */
  filesOfPage(page: PageRow): Promise<FileOfPageRow[]>
  /** The Markdown of a revision, or of a section, as sanitized HTML with absolute URLs. */
  html(revision: RevisionRow, section?: PageSection): Promise<string>
  /** The same as plain text. */
  text(revision: RevisionRow, section?: PageSection): Promise<string>
  /** Plain text of the beginning. */
  summary(revision: RevisionRow): Promise<string>
  /** Those of a note of Obsidian, if they end in what is read for a summary. */
  properties(revision: RevisionRow): Promise<NoteProperty[]>
  sections(revision: RevisionRow): Promise<SectionRow[]>
  /**
   * Compares two revisions. @param key a `from` of null means the revision before `to`
   * @throws NotFound if one of them does not exist
   */
  compare(key: { to: string; from: string | null }): Promise<RevisionComparison>
}
