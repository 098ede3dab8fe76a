/** The parsed syntax of DokuWiki. */

export type FormattingKind =
  | 'strong'
  | 'emphasis'
  | 'underline'
  | 'monospace'
  | 'subscript'
  | 'superscript'
  | 'deleted'

/** Code as it is. It is a block, except within a line of text. */
export interface CodeNode {
  type: 'code'
  text: string
  language: string
  /** Name of the file, which DokuWiki shows above the code; empty if there is none. */
  fileName: string
  /** Whether DokuWiki shows it within its line. */
  isInline: boolean
}

/** Nodes within a line of text. */
export type InlineNode =
  | { type: 'text'; text: string }
  /** Text in which DokuWiki finds no links. */
  | { type: 'raw text'; text: string }
  | { type: 'formatting'; kind: FormattingKind; children: InlineNode[] }
  | { type: 'footnote'; children: InlineNode[] }
  /** `[[target|label]]`; the label is null if there is none. */
  | { type: 'link'; target: string; label: string | null }
  /** A URL in the text. @see text what readers see */
  | { type: 'url'; url: string; text: string }
  /** `{{content}}`: media, or the syntax of a plugin. */
  | { type: 'media'; content: string }
  | { type: 'line break' }
  /** The title of the page, from the plugin Title. It is not shown where it stands. */
  | { type: 'title'; text: string }
  | CodeNode

export interface ListItem {
  isOrdered: boolean
  /** Depth of indentation, from 1. */
  depth: number
  children: InlineNode[]
}

export interface TableCell {
  isHeader: boolean
  alignment: 'left' | 'center' | 'right' | undefined
  children: InlineNode[]
}

export interface QuoteLine {
  /** Number of `>`. */
  depth: number
  children: InlineNode[]
}

export type BlockNode =
  | { type: 'heading'; level: number; title: string }
  | { type: 'paragraph'; children: InlineNode[] }
  | { type: 'list'; items: ListItem[] }
  | { type: 'table'; rows: TableCell[][]; hasHead: boolean; source: string }
  | { type: 'quote'; lines: QuoteLine[] }
  | { type: 'rule' }
  | CodeNode

/** A text of DokuWiki, and the position up to which it is parsed. */
export class TextReader {
  readonly text: string
  position = 0
  readonly #last = new Map<string, number>()
  readonly #found = new Map<string, { from: number; at: number }>()
  #line = { end: -1, isHeading: false }

  /** Like DokuWiki, surrounds the text with line ends. Spaces at the ends of lines have no meaning. */
  constructor(text: string) {
    this.text = `\n${text.replace(/\r\n?/g, '\n').split('\n').map(withoutTrailingSpaces).join('\n')}\n`
  }

  /** Whether a text occurs at a position or after it. Each text is searched once, so that parsing takes linear time. */
  hasAfter(text: string, from: number): boolean {
    const last = this.#last.get(text) ?? this.text.lastIndexOf(text)
    this.#last.set(text, last)
    return last >= from
  }

  /** Matches a sticky pattern at a position. */
  match(pattern: RegExp, at: number): RegExpExecArray | null {
    pattern.lastIndex = at
    return pattern.exec(this.text)
  }

  /** The heading that begins at a position, or null: its line must end with `==`. */
  headingAt(at: number): string | null {
    if (at > this.#line.end) {
      const end = this.text.indexOf('\n', at)
      this.#line = { end, isHeading: this.text.endsWith('==', end) }
    }
    const { end, isHeading } = this.#line
    return isHeading && end - at >= 5 ? this.text.slice(at, end) : null
  }

  /** The text up to `end`, which must follow; the position is then after it. */
  readUntil(end: string, from: number): string {
    let found = this.#found.get(end)
    // An indented comment can be tried again from each of its lines.
    if (found === undefined || from < found.from || from > found.at) {
      found = { from, at: this.text.indexOf(end, from) }
      this.#found.set(end, found)
    }
    const { at } = found
    this.position = at + end.length
    return this.text.slice(from, at)
  }
}

const withoutTrailingSpaces = (line: string): string => {
  let end = line.length
  while (end > 0 && (line[end - 1] === ' ' || line[end - 1] === '\t')) end -= 1
  return line.slice(0, end)
}
