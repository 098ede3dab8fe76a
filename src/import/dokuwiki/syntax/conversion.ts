import type { DokuwikiSite } from '../site.ts'

/** The page whose text is converted. */
export interface DokuwikiPage {
  id: string
  locale: string
  site: DokuwikiSite
}

/** Syntax without an equivalent in Markdown. It stays as it is, as code. */
export type UnconvertedSyntax = 'plugin' | 'table' | 'too long'

/** The state of the conversion of one text. */
export class SyntaxConversion {
  readonly page: DokuwikiPage
  /** Titles of the headings on the page, by the ids that DokuWiki gives them. */
  readonly headings: ReadonlyMap<string, string>
  /** Names of the categories. */
  readonly categories = new Set<string>()
  readonly unconverted = new Map<UnconvertedSyntax, number>()
  /** Markdown of the footnotes. */
  readonly footnotes: string[] = []
  /** The title that the text sets. */
  title: string | undefined

  constructor(page: DokuwikiPage, headings: ReadonlyMap<string, string>) {
    this.page = page
    this.headings = headings
  }

  count(kind: UnconvertedSyntax): void {
    this.unconverted.set(kind, (this.unconverted.get(kind) ?? 0) + 1)
  }
}
