import { type MarkedExtension, type Token, Tokenizer } from 'marked'
import { DROPPED_WITH_TEXT } from './allowed-html.ts'
import { matchAt } from './inline-html.ts'
import { budgetFor, skipSpace } from './links.ts'
import { replaceAt } from './text.ts'

/**
 * A marked extension for raw HTML: a parser reads the rest of the page as part of an unclosed `<title>`, comment or quoted attribute.
 * So the start of one is escaped, and a closed one removed. GFM's tag filter escapes all of these tags. (D26) @see GFM, 6.11
 */
export const rawHtml: MarkedExtension = {
  tokenizer: {
    tag(source) {
      const token = Tokenizer.prototype.tag.call(this, source)
      // After `<kbd>` or `<code>`, marked does not escape `<` and `&` until the closing tag, which may be missing.
      this.lexer.state.inRawBlock = false
      return token
    },
  },
  walkTokens: (token) => {
    if (token.type === 'html' && token.block) token.text = completeHtml(token.text)
    else if (token.type === 'table')
      for (const cell of [token.header, ...token.rows].flat()) removeRawText(cell.tokens)
    else if ('tokens' in token && token.tokens) removeRawText(token.tokens)
  },
}

const RAW_TEXT = new Set(DROPPED_WITH_TEXT)

/** Removes raw text elements with their content from the tokens of a line, and escapes unclosed ones. */
const removeRawText = (tokens: Token[]): void => {
  const unclosed = new Set<string>()
  let length = 0
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!
    tokens[length++] = token
    if (token.type !== 'html' || token.block) continue
    const [, slash, name = ''] = matchAt(TAG, token.text.toLowerCase(), 0) ?? []
    if (name === '') token.text = '' // a comment or a declaration: marked finds only closed ones
    if (!RAW_TEXT.has(name)) continue
    const end = slash === '' && !unclosed.has(name) ? closingTagAfter(tokens, i, name) : -1
    if (end < 0) {
      unclosed.add(name)
      token.text = token.text.replaceAll('<', '&lt;')
    } else {
      length -= 1
      i = end
    }
  }
  tokens.length = length
}

const closingTagAfter = (tokens: Token[], from: number, name: string): number => {
  for (let at = from + 1; at < tokens.length; at++) {
    const token = tokens[at]!
    if (token.type === 'html' && matchAt(TAG, token.text, 0)?.[0].toLowerCase() === `</${name}`) return at
  }
  return -1
}

/** Constructs that browsers do not show: the start and the end of each. */
const HIDDEN_CONSTRUCTS: readonly (readonly [start: RegExp, end: string])[] = [
  [/<!--/y, '-->'],
  [/<\?/y, '?>'],
  [/<!\[CDATA\[/y, ']]>'],
  [/<![a-z]/iy, '>'],
]
const TAG = /<(\/?)([a-z][^\s/>]*)/iy

/** Rewrites HTML in linear time so that every `<` starts a complete tag, without what browsers do not show. */
const completeHtml = (html: string): string => {
  const budget = budgetFor(html)
  /** End markers that do not occur in the rest of the block. */
  const missingEnds = new Set<string>()

  const endAfter = (marker: string, at: number): number => {
    const index = missingEnds.has(marker) ? -1 : html.indexOf(marker, at + 2)
    if (index < 0) missingEnds.add(marker)
    return index < 0 ? -1 : index + marker.length
  }

  /** Position after the tag that starts here, whose quotes begin values; -1 if there is none. @param isRaw only raw text elements, or only others */
  const tagEnd = (start: number, isRaw: boolean): number => {
    const name = matchAt(TAG, html, start)?.[2]
    if (name === undefined || RAW_TEXT.has(name.toLowerCase()) !== isRaw || budget.left <= 0) return -1
    for (let at = TAG.lastIndex; at < html.length; at++) {
      if (html[at] === '>') return at + 1
      if (html[at] !== '=') continue
      at = skipSpace(html, at + 1)
      if (html[at] === '>') return at + 1
      if (html[at] !== '"' && html[at] !== "'") continue
      const quote = html.indexOf(html[at]!, at + 1)
      if (quote < 0) break
      at = quote
    }
    budget.left -= html.length - start
    return -1
  }

  /** Position after the hidden construct that starts here; -1 if none starts here, or if it has no end. */
  const hiddenEnd = (at: number): number => {
    for (const [start, end] of HIDDEN_CONSTRUCTS) if (matchAt(start, html, at)) return endAfter(end, at)
    const [, slash, written = ''] = matchAt(TAG, html, at) ?? []
    const name = written.toLowerCase()
    const openingEnd = slash === '' ? tagEnd(at, true) : -1
    if (openingEnd < 0 || missingEnds.has(name)) return -1
    const closing = new RegExp(`</${name}(?=[\\s/>])[^>]*>`, 'gi')
    closing.lastIndex = openingEnd
    if (closing.test(html)) return closing.lastIndex
    missingEnds.add(name)
    return -1
  }

  return replaceAt(html, /</g, (at) => {
    const hidden = hiddenEnd(at)
    if (hidden >= 0) return { text: '', end: hidden }
    const end = tagEnd(at, false)
    return end >= 0 ? { text: html.slice(at, end), end } : { text: '&lt;', end: at + 1 }
  })
}
