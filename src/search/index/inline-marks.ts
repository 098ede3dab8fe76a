// What the reader of inline text looks for, in sticky regular expressions.

/** Colons that begin no code of an emoji are plain. */
export const PLAIN_PROSE = /[^\\`<&![\]*_~$:]*(?::(?![a-z0-9_+-]{1,40}:)[^\\`<&![\]*_~$:]*)*/y
export const PLAIN_HTML = /[^<&]+/y
export const ESCAPED = /\\([!-/:-@[-`{-~\n])/y
export const ENTITY = /&(?:#x[0-9a-f]{1,6}|#\d{1,7}|[a-z][a-z0-9]{1,31});/iy
export const DECLARATION = /<[!?][^<>]*>/y
export const AUTOLINK = /<([a-z][a-z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@]{1,64}@[^\s<>]{1,255})>/iy
export const FOOTNOTE_REFERENCE = /\[\^[^\s[\]]{1,100}\]/y
export const LABEL = /\[((?:[^[\]\\]|\\.){0,999})\]/y
export const WORD = /[\p{L}\p{N}_]/u

/** Tags that do not separate words: `wa<b>te</b>r` is one word. */
export const WITHIN_WORDS = new Set(
  'a abbr b bdi bdo cite code data del dfn em font i ins kbd mark q rb ruby s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)

/** A run of `*`, `_` or `~` that may begin emphasis. */
export interface Run {
  /** Index of its piece of the output. */
  piece: number
  mark: string
  /** How many of its marks have no counterpart yet. */
  count: number
}

/** An open bracket that may begin a link or an image. */
export interface Bracket {
  /** Index of its piece of the output. */
  piece: number
  mark: '[' | '!['
  /** Offset after the bracket. */
  from: number
  /** Whether it contains brackets, which a label cannot contain. */
  hasBrackets: boolean
}

/** The label of a link reference for comparison: without differences of case and white space. */
export const labelOf = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase()

/**
 * Called for each link of a text: its URL, which may be relative, and a function that returns its text, if that is known. A
 * link by name (`[[Page]]`) has the name, and no URL.
 */
export type OnLink = (url: string, text?: () => string, name?: string) => void
