import { matchAt } from './inline-html.ts'

/**
 * What is left of the characters that may be looked at in vain. Looking ahead for an end that never comes,
 * from each of many beginnings, would take the square of a text's length; when this is used up, marks are
 * taken as text.
 */
export interface WorkBudget {
  left: number
}

export const workBudgetFor = (text: string): WorkBudget => ({ left: 4 * text.length + 1000 })

/** Position after `(address "title")`, which begins at a position; -1 when it does not end. */
export const destinationEnd = (text: string, start: number, effort: WorkBudget): number => {
  if (effort.left <= 0) return -1
  let at = addressEnd(text, skipSpace(text, start + 1))
  const title = skipSpace(text, at)
  const quote = '"\'('.indexOf(text[title] || ' ')
  if (title > at && quote >= 0) {
    const end = text.indexOf('"\')'[quote]!, title + 1)
    at = end < 0 ? text.length : end + 1
  }
  at = skipSpace(text, at)
  if (text[at] === ')') return at + 1
  effort.left -= at - start
  return -1
}

const SPACE = /\s*/y
const ANGLED = /<[^<>\n]*>/y

/** Where a link's address ends: at its `>`, at white space, or at a parenthesis that it did not open. */
const addressEnd = (text: string, start: number): number => {
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

const skipSpace = (text: string, at: number): number => {
  matchAt(SPACE, text, at)
  return SPACE.lastIndex
}
