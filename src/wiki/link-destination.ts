import { decodeHTMLStrict } from 'entities'
import { matchAt } from './inline-html.ts'

/**
 * The number of characters that failed lookaheads may still read. Without a bound, a lookahead from each of many
 * unclosed marks would take time quadratic in the text's length. When the budget is used up, marks count as text.
 */
export interface WorkBudget {
  left: number
}

export const workBudgetFor = (text: string): WorkBudget => ({ left: 4 * text.length + 1000 })

/** Position after a `(url "title")` that starts at a position; -1 if it has no end. */
export const destinationEnd = (text: string, start: number, budget: WorkBudget): number => {
  if (budget.left <= 0) return -1
  let at = urlEnd(text, skipSpace(text, start + 1))
  const title = skipSpace(text, at)
  const quote = '"\'('.indexOf(text[title] || ' ')
  if (title > at && quote >= 0) {
    const end = text.indexOf('"\')'[quote]!, title + 1)
    at = end < 0 ? text.length : end + 1
  }
  at = skipSpace(text, at)
  if (text[at] === ')') return at + 1
  budget.left -= at - start
  return -1
}

/** The URL of a `(url "title")` that starts at a position, without escapes. */
export const destinationAt = (text: string, start: number): string => {
  const at = skipSpace(text, start + 1)
  return unescapeDestination(text.slice(at, urlEnd(text, at)))
}

/** A link destination as written in Markdown, without its angle brackets, escapes and entities. */
export const unescapeDestination = (written: string): string => {
  const url = written.startsWith('<') && written.endsWith('>') ? written.slice(1, -1) : written
  return /[\\&]/.test(url) ? decodeHTMLStrict(url.replace(ESCAPED, '$1')) : url
}

const ESCAPED = /\\([!-/:-@[-`{-~])/g
const SPACE = /\s*/y
const ANGLED = /<[^<>\n]*>/y

/** A URL ends at its `>`, at white space, or at an unmatched closing parenthesis. */
const urlEnd = (text: string, start: number): number => {
  const angled = matchAt(ANGLED, text, start)
  if (angled) return start + angled[0].length
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const char = text[at]!
    if (char === '\\') at++
    else if (char === '(') depth++
    else if (char <= ' ' || (char === ')' && depth-- === 0)) return at
  }
  return text.length
}

/** Position of the first character at or after a position that is not white space. */
export const skipSpace = (text: string, position: number): number => {
  matchAt(SPACE, text, position)
  return SPACE.lastIndex
}
