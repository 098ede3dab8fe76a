import { type MarkedExtension, type Token, Tokenizer, type Tokens } from 'marked'
import { DROPPED_WITH_TEXT } from './allowed-html.ts'
import { matchAt } from './inline-html.ts'
import { type WorkBudget, workBudgetFor } from './link-destination.ts'

/**
 * HTML within Markdown, made so that what is never closed ends with its block: a parser of HTML would read the rest
 * of the page as the text of a `<title>`, as a comment, or as an attribute whose quote is missing. Such a beginning
 * is shown as text, as GFM's tag filter shows all of these tags; what is closed goes with what it holds. (D69)
 * @see GFM, 6.11
 */
export const rawHtml: MarkedExtension = {
  tokenizer: {
    tag(source) {
      const token = Tokenizer.prototype.tag.call(this, source)
      // After a `<kbd>` or `<code>` marked would leave `<` and `&` as they are, up to an end that may never come.
      this.lexer.state.inRawBlock = false
      return token
    },
  },
  walkTokens: (token) => {
    if (token.type === 'html' && token.block) token.text = completeHtml(token.text)
    else if (token.type === 'table') for (const cell of cellsOf(token as Tokens.Table)) complete(cell.tokens)
    else if ('tokens' in token && token.tokens) complete(token.tokens)
  },
}

const cellsOf = ({ header, rows }: Tokens.Table): Tokens.TableCell[] => [...header, ...rows.flat()]

const RAW_TEXT = new Set(DROPPED_WITH_TEXT)

const NAME = /^<(\/?)([a-z][^\s/>]*)/i

/** Takes the tags of raw text out of a line, with what stands between them, or leaves them as text. */
const complete = (tokens: Token[]): void => {
  const absent = new Set<string>()
  let kept = 0
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!
    tokens[kept++] = token
    if (token.type !== 'html' || token.block) continue
    const [, slash, name = ''] = NAME.exec(token.text.toLowerCase()) ?? []
    if (name === '') token.text = '' // a comment or a declaration: marked finds only whole ones
    if (!RAW_TEXT.has(name)) continue
    const end = slash === '' && !absent.has(name) ? endAfter(tokens, i, name) : -1
    if (end < 0) {
      absent.add(name)
      token.text = asText(token.text)
    } else {
      kept -= 1
      i = end
    }
  }
  tokens.length = kept
}

const endAfter = (tokens: Token[], from: number, name: string): number => {
  for (let at = from + 1; at < tokens.length; at++) {
    const token = tokens[at]!
    if (token.type === 'html' && NAME.exec(token.text)?.[0].toLowerCase() === `</${name}`) return at
  }
  return -1
}

const asText = (html: string): string => html.replaceAll('<', '&lt;')

/** What is not shown, by how it begins and ends. */
const UNSEEN: readonly (readonly [start: RegExp, end: string])[] = [
  [/<!--/y, '-->'],
  [/<\?/y, '?>'],
  [/<!\[CDATA\[/y, ']]>'],
  [/<![a-z]/iy, '>'],
]
const EMPTY_COMMENT = /<!---?>/y
const TAG = /<(\/?)([a-z][^\s/>]*)/iy

/**
 * A block of HTML in which every `<` begins a whole tag; time is linear in its length. Comments, declarations and
 * tags of raw text are gone with what they hold.
 */
const completeHtml = (html: string): string => new Completion(html).read()

class Completion {
  readonly #html: string
  readonly #effort: WorkBudget
  /** Endings that were sought and are nowhere further on. */
  readonly #absent = new Set<string>()
  #at = 0

  constructor(html: string) {
    this.#html = html
    this.#effort = workBudgetFor(html)
  }

  read(): string {
    const parts: string[] = []
    for (let next = this.#html.indexOf('<'); next >= 0; next = this.#html.indexOf('<', this.#at)) {
      parts.push(this.#html.slice(this.#at, next))
      this.#at = next
      const end = this.#unseenEnd()
      const tagEnd = end < 0 ? this.#tagEnd() : -1
      if (end >= 0) this.#at = end
      else if (tagEnd >= 0) {
        parts.push(this.#html.slice(next, tagEnd))
        this.#at = tagEnd
      } else {
        parts.push('&lt;')
        this.#at = next + 1
      }
    }
    parts.push(this.#html.slice(this.#at))
    return parts.join('')
  }

  /** Position after what begins here and is not shown; -1 when nothing such does, or when it never ends. */
  #unseenEnd(): number {
    if (matchAt(EMPTY_COMMENT, this.#html, this.#at)) return EMPTY_COMMENT.lastIndex
    for (const [start, end] of UNSEEN) if (matchAt(start, this.#html, this.#at)) return this.#after(end)
    const [, slash, name = ''] = matchAt(TAG, this.#html, this.#at) ?? []
    if (slash !== '' || !RAW_TEXT.has(name.toLowerCase())) return -1
    const opened = this.#tagEnd(true)
    if (opened < 0 || this.#absent.has(name.toLowerCase())) return -1
    const closing = new RegExp(`</${name}(?=[\\s/>])[^>]*>`, 'gi')
    closing.lastIndex = opened
    if (closing.test(this.#html)) return closing.lastIndex
    this.#absent.add(name.toLowerCase())
    return -1
  }

  #after(ending: string): number {
    if (this.#absent.has(ending)) return -1
    const found = this.#html.indexOf(ending, this.#at + 2)
    if (found < 0) this.#absent.add(ending)
    return found < 0 ? -1 : found + ending.length
  }

  /**
   * Position after the tag that begins here, as a parser of HTML reads it: quotes count where a value begins.
   * @param isRaw whether tags of raw text are looked for, or all others
   * @returns -1 when no tag begins here, or when it never ends
   */
  #tagEnd(isRaw = false): number {
    const name = matchAt(TAG, this.#html, this.#at)?.[2]
    if (name === undefined || RAW_TEXT.has(name.toLowerCase()) !== isRaw || this.#effort.left <= 0) return -1
    const html = this.#html
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
    this.#effort.left -= html.length - this.#at
    return -1
  }
}

const SPACE = /\s*/y

const skipSpace = (text: string, at: number): number => {
  matchAt(SPACE, text, at)
  return SPACE.lastIndex
}
