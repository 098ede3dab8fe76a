import type { ImportSource } from '@lectern/wiki/records'
import type { SourceContentQueries } from '@lectern/wiki/stored-content'
import type { Progress } from '../../progress.ts'

/** Options of all kinds of sources. Each kind uses those that it knows. */
export interface ConnectorOptions {
  /** Layouts of the pages. Empty: recognized. */
  layouts: string[]
  /** Branch, tag or commit of a git repository. */
  ref?: string
  /** Language of the wiki, or of pages without one. */
  locale?: string
  /** Name of the wiki. */
  name?: string
  /** URL of the license of the content. */
  license?: string
  /** Further namespaces of a MediaWiki. */
  namespaces: string[]
  /** Whether redirects of a MediaWiki become pages. */
  redirects: boolean
  /** E-mail address or web page of whoever runs Lectern, for the operators of a MediaWiki. */
  contact?: string
  /** Folder of the configuration of a DokuWiki. */
  configuration?: string
  /** Whether guests may read all pages of a DokuWiki whose configuration is not known. */
  isPublic?: boolean
  /** Whether what the source no longer has stays. */
  keepsMissing?: boolean
  /** Folder for clones of remote repositories. */
  sourcesFolder: string
}

/** Between two checks by default, milliseconds. */
export const EVERY_MS = 60_000

/** A source whose kind is known. */
export interface Connector {
  /** What it is, for people, such as `a git repository`. */
  kind: string
  /** Between two checks by default, milliseconds. Absent: `EVERY_MS`. */
  everyMs?: number
  /** A text that changes when the source changes. */
  version(): Promise<string>
  /** Opens the source for an import. */
  open(stored: SourceContentQueries, onProgress: (progress: Progress) => void): Promise<ImportSource>
  /**
   * Calls back when the source may have changed, or when it can no longer tell, for this reason. Absent: it never can.
   */
  watch?(onChange: () => void, onFailure: (reason: string) => void): { close(): void }
}
