import type { MediawikiSite } from './site.ts'

/** The page whose text is converted. */
export interface WikitextPage {
  site: MediawikiSite
  /** The wiki's name, for `{{SITENAME}}`. */
  siteName: string
  locale: string
  /** Title without its namespace, as MediaWiki writes it. */
  name: string
  /** Title with its namespace. */
  fullName: string
  path: string
}

/** Constructs without an equivalent in Markdown. They stay wikitext or code. */
export type Unconverted = 'template' | 'formula' | 'extension' | 'table' | 'too long'

/**
 * A converted part of a text. A strip marker replaces it while the rest is converted, as in MediaWiki's own parser.
 */
interface StrippedFragment {
  /** Its wikitext. */
  source: string
  /** Its Markdown within a line. */
  inline: string
  /** Its Markdown as a block; absent if it can only be inline. */
  block?: string
  /** Its text without markup. */
  plain: string
}

export interface CategoryOfText {
  /** Name as MediaWiki writes it. */
  name: string
  /** Undefined: the default sort key of the page. */
  sortKey: string | undefined
}

/** A strip marker is a number between these characters. XML cannot contain them, so no text of a dump does. */
const OPEN = '\u0001'
const CLOSE = '\u0002'
const MARKER = /\u0001(\d+)\u0002/g

/** Nesting of texts in texts (references, captions, quotations). Deeper texts are not converted. */
export const MAX_DEPTH = 6

/** The state of the conversion of one text: its stripped fragments, and the metadata that it contains. */
export class Conversion {
  readonly page: WikitextPage
  readonly categories = new Map<string, CategoryOfText>()
  /** Titles in other languages, by locale. */
  readonly languages = new Map<string, string>()
  readonly unconverted = new Map<Unconverted, number>()
  readonly references: string[] = []
  readonly namedReferences = new Map<string, number>()
  /** Number of references that a `<references>` list has shown. */
  referencesShown = 0
  defaultSort: string | undefined
  displayTitle: string | undefined
  depth = 0
  readonly #fragments: StrippedFragment[] = []

  constructor(page: WikitextPage) {
    this.page = page
  }

  /** @returns the strip marker */
  strip(fragment: StrippedFragment): string {
    return `${OPEN}${this.#fragments.push(fragment) - 1}${CLOSE}`
  }

  fragment(number: string): StrippedFragment {
    return this.#fragments[Number(number)]!
  }

  count(kind: Unconverted): void {
    this.unconverted.set(kind, (this.unconverted.get(kind) ?? 0) + 1)
  }

  /** Replaces the strip markers of a text by their wikitext or their plain text. */
  unstrip(text: string, field: 'source' | 'plain'): string {
    return text.replace(MARKER, (_, number: string) => this.fragment(number)[field])
  }
}

/** Removes the characters of strip markers from a text, and normalizes its line ends. */
export const removeMarkers = (text: string): string =>
  text.replace(/\r\n?/g, '\n').replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')
