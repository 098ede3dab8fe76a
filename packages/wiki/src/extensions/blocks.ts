import { type Token, walkTokens } from 'marked'
import { matchAt } from '../inline-html.ts'
import { displayedFormulaAt, emojiAt, FOOTNOTE } from '../markup.ts'
import { lineEnd } from '../text.ts'

/** How far marked is told where the next extension begins, characters. A longer text is read in parts. */
const AHEAD = { inline: 300, block: 2_000 }
const INLINE = /\$|:(?=[a-z0-9_+-]{1,40}:)/g

/**
 * Where the next inline extension may begin, which ends a run of plain text. It looks only so far ahead that all calls for
 * a text together take linear time; marked joins the parts. Brackets end a run anyway.
 */
export const inlineStart = (source: string): number | undefined => {
  const part = source.slice(0, AHEAD.inline)
  for (const { 0: sign, index } of part.matchAll(INLINE))
    if (sign === '$' || emojiAt(part, index) !== null) return index
  if (source.length <= AHEAD.inline) return undefined
  // Between words, so that no address is cut.
  const space = part.lastIndexOf(' ')
  return space > 0 ? space : AHEAD.inline
}

/** The texts of the runs that are being read, by their tokens. */
const runs = new WeakMap<Token[], string>()

/** The character before the rest of a run. Call it at every position: to look into the tokens would take quadratic time. */
export const characterBefore = (rest: string, tokens: Token[]): string | undefined => {
  const run = runs.get(tokens)
  if (run === undefined) runs.set(tokens, rest)
  return run?.[run.length - rest.length - 1]
}

const BLANK = /[ \t]*(?:\n|$)/y
export const FOOTNOTE_LINE = new RegExp(` {0,3}${FOOTNOTE.source.slice(1)}`, 'y')

/** Where a block of an extension may begin within a paragraph: at a line of it, not far from its start. */
export const blockStart = (source: string): number | undefined => {
  for (let end = source.indexOf('\n'); end >= 0 && end < AHEAD.block; end = source.indexOf('\n', end + 1)) {
    if (matchAt(BLANK, source, end + 1)) return undefined
    if (matchAt(FOOTNOTE_LINE, source, end + 1)) return end + 1
    if (displayedFormulaAt(source, end + 1)) return end + 1
  }
  return undefined
}

/** Beginnings of lines that begin another block, so they continue no paragraph. */
export const OTHER_BLOCK =
  /^ {0,3}(?:#{1,6}[ \t]|>|```|~~~|[-+*][ \t]|\d{1,9}[.)][ \t]|\$\$|\[\^[^\s[\]]{1,100}\]:|<[a-z!/?])/i

/** Changes headings to paragraphs, also in quotations and lists: in footnotes and definitions, they begin no sections. */
export const withoutHeadings = (tokens: Token[]): Token[] => {
  walkTokens(tokens, (token) => {
    if (token.type === 'heading') token.type = 'paragraph'
  })
  return tokens
}

export const isComment = ({ type, raw }: Token): boolean =>
  raw.trim() === '' || (type === 'html' && raw.startsWith('<!--'))

const INDENTED = /(?: {2,4}|\t| \t)/y

/**
 * The lines of an item: those that are indented or continue its paragraph, and empty lines before an indented one.
 * @param isOther whether a line that is not indented begins something else
 * @returns the lines without their indentation, at most four columns, and the offset after the last of them
 */
export const readItemLines = (source: string, start: number, isOther: (line: string) => boolean) => {
  let end = lineEnd(source, start)
  const lines = [source.slice(start, end)]
  let hasBlankLine = false
  for (let at = end; at < source.length; ) {
    let next = at
    let blank = 0
    for (; next < source.length && matchAt(BLANK, source, next); blank++) next = BLANK.lastIndex
    const isIndented = next < source.length && matchAt(INDENTED, source, next) !== null
    const from = isIndented ? INDENTED.lastIndex : next
    if (next >= source.length || (!isIndented && blank > 0)) break
    const stop = lineEnd(source, next)
    if (!isIndented && isOther(source.slice(next, stop))) break
    hasBlankLine ||= blank > 0
    for (; blank > 0; blank--) lines.push('\n')
    lines.push(source.slice(from, stop))
    end = at = stop
  }
  return { text: lines.join(''), end, hasBlankLine }
}
