import { decodeHTMLStrict } from 'entities'
import { DROPPED_WITH_TEXT } from '../allowed-html.ts'
import { codeSpans } from '../import/rewrite.ts'
import { type HtmlTag, matchAt, readTag } from '../inline-html.ts'
import { budgetFor, destinationAt, unescapeDestination, type WorkBudget } from '../links.ts'
import { emojiAt, FOOTNOTE_REFERENCE, formulaAt, wikilinkAt } from '../markup.ts'
import { FILE_NAME } from '../references.ts'

/**
 * The visible text of a paragraph: texts of links and images, code as written, no tags. Takes linear time.
 * @param definitions URLs by the labels that the page defines; `[x]` is a link only if `x` is defined
 */
export const inlineText = (text: string, definitions: ReadonlyMap<string, string>, onLink?: OnLink): string =>
  new Inline(text, definitions, onLink).read(true)

/** The visible text of a block of HTML. Only tags, comments and entities are markup there. */
export const htmlText = (text: string, onLink?: OnLink): string =>
  new Inline(text, new Map(), onLink).read(false)

/** The output for the next `length` characters of the text. */
type Replacement = readonly [output: string, length: number]

class Inline {
  readonly #text: string
  readonly #definitions: ReadonlyMap<string, string>
  readonly #onLink: OnLink | undefined
  readonly #budget: WorkBudget
  readonly #pieces: string[] = []
  readonly #runs: Run[] = []
  readonly #open: Record<string, Run[]> = { '*': [], _: [], '~': [] }
  readonly #brackets: Bracket[] = []
  /** Endings that do not occur in the rest of the text. */
  readonly #absent = new Set<string>()
  #codeSpanEnd: ((at: number) => number) | null = null
  #linkStart = -1
  #at = 0

  constructor(text: string, definitions: ReadonlyMap<string, string>, onLink?: OnLink) {
    this.#text = text
    this.#definitions = definitions
    this.#onLink = onLink
    this.#budget = budgetFor(text)
  }

  read(isProse: boolean): string {
    const plain = isProse ? PLAIN_PROSE : PLAIN_HTML
    while (this.#at < this.#text.length) {
      const run = matchAt(plain, this.#text, this.#at)
      const [output, length] = run?.[0] ? [run[0], run[0].length] : this.#mark(this.#text[this.#at]!)
      this.#pieces.push(output)
      this.#at += length
    }
    for (const { piece, mark, count } of this.#runs) this.#pieces[piece] = mark.repeat(count)
    for (const { piece, mark } of this.#brackets) this.#pieces[piece] = mark
    return this.#pieces.join('')
  }

  #mark(char: string): Replacement {
    if (char === '`') return this.#code()
    if (char === '<') return this.#angle()
    if (char === '[') return this.#openBracket('[')
    if (char === ']') return this.#closeBracket()
    if (char === '!') return this.#text[this.#at + 1] === '[' ? this.#openBracket('![') : [char, 1]
    return this.#open[char] ? this.#emphasis(char) : (this.#sign(char) ?? [char, 1])
  }

  #sign(char: string): Replacement | null {
    const [text, at] = [this.#text, this.#at]
    const escaped = char === '\\' ? matchAt(ESCAPED, text, at) : null
    if (escaped) return [escaped[1]!, 2]
    const entity = char === '&' ? matchAt(ENTITY, text, at)?.[0] : undefined
    if (entity !== undefined) return [decodeHTMLStrict(entity), entity.length]
    const formula = char === '$' ? formulaAt(text, at) : null
    if (formula) return [formula.tex, formula.end - at]
    const found = char === ':' ? emojiAt(text, at) : null
    return found && [found.emoji, found.end - at]
  }

  #code(): Replacement {
    this.#codeSpanEnd ??= codeSpans(this.#text)
    const length = runLength(this.#text, this.#at)
    const end = this.#codeSpanEnd(this.#at)
    const marks = end > this.#at + length ? length : 0
    return [this.#text.slice(this.#at + marks, end - marks), end - this.#at]
  }

  #angle(): Replacement {
    const text = this.#text
    const comment = text.startsWith('<!--', this.#at) ? this.#find('-->', this.#at + 4) : -1
    if (comment >= 0) return [' ', comment + 3 - this.#at]
    const link = matchAt(AUTOLINK, text, this.#at)
    if (link) return [link[1]!, link[0].length]
    const tag = readTag(text, this.#at)
    if (tag) return this.#tag(tag)
    const declaration = matchAt(DECLARATION, text, this.#at)
    return declaration ? [' ', declaration[0].length] : ['<', 1]
  }

  #tag({ name, closing, end, attributes }: HtmlTag): Replacement {
    const href = name === 'a' && !closing ? attributes.get('href') : undefined
    if (href) this.#onLink?.(decodeHTMLStrict(href))
    if (name === 'img') return [decodeHTMLStrict(attributes.get('alt') ?? ''), end - this.#at]
    if (!DROPPED_WITH_TEXT.includes(name)) return [WITHIN_WORDS.has(name) ? '' : ' ', end - this.#at]
    // A tag without its counterpart is shown as text.
    const hiddenEnd = closing ? -1 : this.#find(`</${name}`, end)
    const last = hiddenEnd < 0 ? null : readTag(this.#text, hiddenEnd)
    return last?.name === name ? [' ', last.end - this.#at] : ['<', 1]
  }

  /** Offset of the next `ending` in lower or upper case. -1 if there is none; then further calls do not search. */
  #find(ending: string, from: number): number {
    if (this.#absent.has(ending)) return -1
    const lower = this.#text.indexOf(ending, from)
    const found = lower >= 0 ? lower : this.#text.indexOf(ending.toUpperCase(), from)
    if (found < 0) this.#absent.add(ending)
    return found
  }

  /** `[[Page]]`, unless the page defines `[Page]: url`. */
  #wikilink(): Replacement | null {
    const link = wikilinkAt(this.#text, this.#at)
    if (!link || this.#text[link.end] === '[') return null
    const inner = this.#text.slice(this.#at + 2, link.end - 2)
    if (this.#definitions.size > 0 && this.#definitions.has(labelOf(inner))) return null
    const isFile = this.#text[this.#at] === '!' && FILE_NAME.test(link.name)
    if (link.name !== '' && !isFile) this.#onLink?.('', () => link.label, link.name)
    return [link.label, link.end - this.#at]
  }

  #openBracket(mark: '[' | '!['): Replacement {
    const footnote = mark === '[' ? matchAt(FOOTNOTE_REFERENCE, this.#text, this.#at) : null
    if (footnote) return ['', footnote[0].length]
    const from = this.#at + mark.length
    const link = this.#text[from] === '[' ? this.#wikilink() : null
    if (link) return link
    this.#brackets.push({ piece: this.#pieces.length, mark, from, hasBrackets: false })
    return ['', mark.length]
  }

  #closeBracket(): Replacement {
    const bracket = this.#brackets.pop()
    if (!bracket) return [']', 1]
    const parent = this.#brackets.at(-1)
    if (parent) parent.hasBrackets = true
    const link = this.#linkOf(bracket)
    if (!link) {
      this.#pieces[bracket.piece] = bracket.mark
      return [']', 1]
    }
    const { piece, mark, from } = bracket
    // An image is no link, and a link contains no other link: the inner one counts.
    if (this.#onLink && mark === '[' && from > this.#linkStart) {
      this.#linkStart = from
      this.#onLink(unescapeDestination(link.url), () => this.#pieces.slice(piece + 1).join(''))
    }
    return ['', link.end - this.#at]
  }

  /** The URL, as written, of the link whose text ends here, and its end; null if it is not a link. */
  #linkOf({ from, hasBrackets }: Bracket) {
    const after = this.#at + 1
    const link = this.#text[after] === '(' ? destinationAt(this.#text, after, this.#budget) : null
    if (link) return link
    const label = matchAt(LABEL, this.#text, after)
    const definition = label?.[1] ? this.#definitions.get(labelOf(label[1])) : undefined
    if (definition !== undefined) return { url: definition, end: after + label![0].length }
    const isLabel = !hasBrackets && this.#definitions.size > 0 && this.#at - from <= 999
    const url = isLabel ? this.#definitions.get(labelOf(this.#text.slice(from, this.#at))) : undefined
    return url === undefined ? null : { url, end: label?.[1] === '' ? after + 2 : after }
  }

  /** Matches runs as CommonMark, but for its rules on punctuation, which would leave marks around Japanese. `_` in a word is a letter, as is one `~`. */
  #emphasis(mark: string): Replacement {
    const length = runLength(this.#text, this.#at)
    const before = this.#text[this.#at - 1] ?? ' '
    const after = this.#text[this.#at + length] ?? ' '
    const isLetter = mark === '_' || (mark === '~' && length === 1)
    const opens = after.trim() !== '' && !(isLetter && WORD.test(before))
    const closes = before.trim() !== '' && !(isLetter && WORD.test(after))
    const open = this.#open[mark]!
    let count = length
    while (closes && count > 0 && open.length > 0) {
      const run = open.at(-1)!
      const matched = Math.min(count, run.count)
      count -= matched
      run.count -= matched
      if (run.count === 0) open.pop()
    }
    const run = { piece: this.#pieces.length, mark, count }
    this.#runs.push(run)
    if (opens && count > 0) open.push(run)
    return ['', length]
  }
}

// What the reader of inline text looks for, in sticky regular expressions.

/** Colons that begin no code of an emoji are plain. */
const PLAIN_PROSE = /[^\\`<&![\]*_~$:]*(?::(?![a-z0-9_+-]{1,40}:)[^\\`<&![\]*_~$:]*)*/y
const PLAIN_HTML = /[^<&]+/y
const ESCAPED = /\\([!-/:-@[-`{-~\n])/y
const ENTITY = /&(?:#x[0-9a-f]{1,6}|#\d{1,7}|[a-z][a-z0-9]{1,31});/iy
const DECLARATION = /<[!?][^<>]*>/y
const AUTOLINK = /<([a-z][a-z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@]{1,64}@[^\s<>]{1,255})>/iy
const LABEL = /\[((?:[^[\]\\]|\\.){0,999})\]/y
const WORD = /[\p{L}\p{N}_]/u

/** Tags that do not separate words: `wa<b>te</b>r` is one word. */
const WITHIN_WORDS = new Set(
  `a abbr b bdi bdo cite code data del dfn em font i ins kbd mark q rb ruby s samp small span strike strong sub sup
  time tt u var wbr`.split(/\s+/),
)

/** A run of `*`, `_` or `~` that may begin emphasis. */
interface Run {
  piece: number
  mark: string
  /** How many of its marks have no counterpart yet. */
  count: number
}

interface Bracket {
  piece: number
  mark: '[' | '!['
  from: number
  /** Whether it contains brackets, which a label cannot contain. */
  hasBrackets: boolean
}

const runLength = (text: string, at: number): number => {
  let end = at + 1
  while (text[end] === text[at]) end++
  return end - at
}

/** The label of a link reference for comparison: without differences of case and white space. */
export const labelOf = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase()

/** Gets the URL of each link, which may be relative, and what returns its text. `[[Page]]` has a name, and no URL. */
export type OnLink = (url: string, text?: () => string, name?: string) => void
