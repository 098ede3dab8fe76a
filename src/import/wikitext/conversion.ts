import type { MediawikiSite } from './site.ts'

/** The page whose text is converted. */
export interface WikitextPage {
  site: MediawikiSite
  /** Of the wiki's name, for `{{SITENAME}}`. */
  siteName: string
  locale: string
  /** As MediaWiki writes it, without its namespace. */
  name: string
  /** With its namespace. */
  fullName: string
  path: string
}

/** What is left as wikitext, or as near to it as Markdown comes. */
export type Unconverted = 'template' | 'formula' | 'extension' | 'table' | 'too long'

/** A part of a text that is finished and stands aside while the rest is read. */
interface SavedPiece {
  /** Wikitext that it was made of. */
  source: string
  /** Markdown within a line. */
  inline: string
  /** Markdown of a block; absent: it stands in lines only. */
  block?: string
  /** Text without marks. */
  plain: string
}

export interface CategoryOfText {
  /** Name as MediaWiki writes it. */
  name: string
  /** Absent: the page's default. */
  sortKey: string | undefined
}

/** Around a piece's number. XML holds neither, so no text of a dump does. */
const OPEN = '\u0001'
const CLOSE = '\u0002'
const MARKER = /\u0001(\d+)\u0002/g

/** Texts in texts (references, captions, quotations): deeper ones stay as they are. */
export const DEPTH = 6

/** One text on its way: pieces set aside, and what was found in it. */
export class Conversion {
  readonly page: WikitextPage
  readonly categories = new Map<string, CategoryOfText>()
  /** Titles in other languages, by locale. */
  readonly languages = new Map<string, string>()
  readonly unconverted = new Map<Unconverted, number>()
  readonly references: string[] = []
  readonly namedReferences = new Map<string, number>()
  /** How many of the references a list has shown. */
  referencesShown = 0
  defaultSort: string | undefined
  displayTitle: string | undefined
  depth = 0
  readonly #pieces: SavedPiece[] = []

  constructor(page: WikitextPage) {
    this.page = page
  }

  /** @returns what stands for the piece in the text */
  set(piece: SavedPiece): string {
    return `${OPEN}${this.#pieces.push(piece) - 1}${CLOSE}`
  }

  at(number: string): SavedPiece {
    return this.#pieces[Number(number)]!
  }

  count(kind: Unconverted): void {
    this.unconverted.set(kind, (this.unconverted.get(kind) ?? 0) + 1)
  }

  /** A text with its pieces in one of their forms. */
  filled(text: string, form: 'source' | 'plain'): string {
    return text.replace(MARKER, (_, number: string) => this.at(number)[form])
  }
}

/** A text without characters that stand for pieces, and with one kind of line end. */
export const withoutMarkers = (text: string): string =>
  text.replace(/\r\n?/g, '\n').replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')
