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
