import { decodeHTMLStrict } from 'entities'
import { DROPPED_WITH_TEXT } from '../../wiki/allowed-html.ts'
import { type HtmlTag, matchAt, readTag } from '../../wiki/inline-html.ts'
import { destinationEnd, type WorkBudget, workBudgetFor } from '../../wiki/link-destination.ts'

/** Labels of link references as they are compared: case and white space do not count. */
export const labelOf = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase()

/**
 * What a reader sees of a paragraph: link texts without addresses, images' alternative texts, code as it
 * is, no tags. One pass from left to right, in time linear in the text.
 * @param defined labels that the page defines, by `labelOf`; `[x]` is a link only where `x` is one
 */
export const inlineText = (text: string, defined: ReadonlySet<string>): string =>
  new Inline(text, defined).read(true)

/** The same of a block of HTML, where only tags, comments and entities mean anything. */
export const htmlText = (text: string): string => new Inline(text, new Set()).read(false)

const PLAIN_PROSE = /[^\\`<&![\]*_~]+/y
const PLAIN_HTML = /[^<&]+/y
const ESCAPED = /\\([!-/:-@[-`{-~\n])/y
const ENTITY = /&(?:#x[0-9a-f]{1,6}|#\d{1,7}|[a-z][a-z0-9]{1,31});/iy
const DECLARATION = /<[!?][^<>]*>/y
const AUTOLINK = /<([a-z][a-z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@]{1,64}@[^\s<>]{1,255})>/iy
const FOOTNOTE = /\[\^[^\s[\]]{1,100}\]/y
const LABEL = /\[((?:[^[\]\\]|\\.){0,999})\]/y
const WORD = /[\p{L}\p{N}_]/u

/** Tags that part nothing: `wa<b>te</b>r` is one word. */
const WITHIN_WORDS = new Set(
  'a abbr b bdi bdo cite code data del dfn em font i ins kbd mark q rb ruby s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)

/** A run of `*`, `_` or `~` that may begin emphasis: where it stands in the output, and how much is unmatched. */
interface Run {
  piece: number
  mark: string
  count: number
}

interface Bracket {
  piece: number
  mark: '[' | '!['
  /** Position after the bracket. */
  from: number
  /** Whether brackets stand within, which no label may hold. */
  nested: boolean
}

/** What is put out for the next so many characters. */
type Taken = readonly [output: string, length: number]

class Inline {
  readonly #text: string
  readonly #defined: ReadonlySet<string>
  readonly #effort: WorkBudget
  readonly #pieces: string[] = []
  readonly #runs: Run[] = []
  readonly #open: Record<string, Run[]> = { '*': [], _: [], '~': [] }
  readonly #brackets: Bracket[] = []
  /** Endings that were sought and are nowhere further on. */
  readonly #absent = new Set<string>()
  #codeRuns: Map<number, number[]> | null = null
  #at = 0

  constructor(text: string, defined: ReadonlySet<string>) {
    this.#text = text
    this.#defined = defined
    this.#effort = workBudgetFor(text)
  }

  read(prose: boolean): string {
    const plain = prose ? PLAIN_PROSE : PLAIN_HTML
    while (this.#at < this.#text.length) {
      const run = matchAt(plain, this.#text, this.#at)
      const [output, length] = run ? [run[0], run[0].length] : this.#mark(this.#text[this.#at]!)
      this.#pieces.push(output)
      this.#at += length
    }
    for (const { piece, mark, count } of this.#runs) this.#pieces[piece] = mark.repeat(count)
    for (const { piece, mark } of this.#brackets) this.#pieces[piece] = mark
    return this.#pieces.join('')
  }

  #mark(char: string): Taken {
    if (char === '\\') return this.#escape()
    if (char === '`') return this.#code()
    if (char === '<') return this.#angle()
    if (char === '&') return this.#entity()
    if (char === '[') return this.#openBracket('[')
    if (char === ']') return this.#closeBracket()
    if (char === '!') return this.#text[this.#at + 1] === '[' ? this.#openBracket('![') : [char, 1]
    return this.#emphasis(char)
  }

  #escape(): Taken {
    const match = matchAt(ESCAPED, this.#text, this.#at)
    return match ? [match[1]!, 2] : ['\\', 1]
  }

  #entity(): Taken {
    const match = matchAt(ENTITY, this.#text, this.#at)
    return match ? [decodeHTMLStrict(match[0]), match[0].length] : ['&', 1]
  }

  /** A run of backticks ends at the next one of its length; the places of all are listed once. */
  #code(): Taken {
    this.#codeRuns ??= runsByLength(this.#text)
    const length = runLength(this.#text, this.#at)
    const places = this.#codeRuns.get(length) ?? []
    while (places.length > 0 && places.at(-1)! < this.#at + length) places.pop()
    const end = places.at(-1)
    if (end === undefined) return ['`'.repeat(length), length]
    return [this.#text.slice(this.#at + length, end), end + length - this.#at]
  }

  #angle(): Taken {
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

  #tag({ name, closing, end, alt }: HtmlTag): Taken {
    if (name === 'img') return [decodeHTMLStrict(alt), end - this.#at]
    if (!DROPPED_WITH_TEXT.includes(name)) return [WITHIN_WORDS.has(name) ? '' : ' ', end - this.#at]
    // One that is never closed, or opened, is shown.
    const hidden = closing ? -1 : this.#find(`</${name}`, end)
    const last = hidden < 0 ? null : readTag(this.#text, hidden)
    return last?.name === name ? [' ', last.end - this.#at] : ['<', 1]
  }

  /** The next place of an ending, by its lower-case or upper-case form; -1, remembered, when there is none. */
  #find(ending: string, from: number): number {
    if (this.#absent.has(ending)) return -1
    const lower = this.#text.indexOf(ending, from)
    const found = lower >= 0 ? lower : this.#text.indexOf(ending.toUpperCase(), from)
    if (found < 0) this.#absent.add(ending)
    return found
  }

  #openBracket(mark: '[' | '!['): Taken {
    const footnote = mark === '[' ? matchAt(FOOTNOTE, this.#text, this.#at) : null
    if (footnote) return ['', footnote[0].length]
    this.#brackets.push({ piece: this.#pieces.length, mark, from: this.#at + mark.length, nested: false })
    return ['', mark.length]
  }

  #closeBracket(): Taken {
    const bracket = this.#brackets.pop()
    if (!bracket) return [']', 1]
    const parent = this.#brackets.at(-1)
    if (parent) parent.nested = true
    const end = this.#linkEnd(bracket)
    if (end >= 0) return ['', end - this.#at]
    this.#pieces[bracket.piece] = bracket.mark
    return [']', 1]
  }

  /** Position after the link whose text ends here; -1 when it is no link. */
  #linkEnd({ from, nested }: Bracket): number {
    const after = this.#at + 1
    if (this.#text[after] === '(') {
      const end = destinationEnd(this.#text, after, this.#effort)
      if (end >= 0) return end
    }
    const label = matchAt(LABEL, this.#text, after)
    if (label?.[1] && this.#defined.has(labelOf(label[1]))) return after + label[0].length
    const isLabel = !nested && this.#defined.size > 0 && this.#at - from <= 999
    if (!isLabel || !this.#defined.has(labelOf(this.#text.slice(from, this.#at)))) return -1
    return label?.[1] === '' ? after + 2 : after
  }

  /**
   * Runs are matched as CommonMark does, less its rules on punctuation, which leave marks around Japanese
   * and Chinese text. `_` within a word is a letter.
   */
  #emphasis(mark: string): Taken {
    const length = runLength(this.#text, this.#at)
    const before = this.#text[this.#at - 1] ?? ' '
    const after = this.#text[this.#at + length] ?? ' '
    const opens = after.trim() !== '' && !(mark === '_' && WORD.test(before))
    const closes = before.trim() !== '' && !(mark === '_' && WORD.test(after))
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

const runLength = (text: string, at: number): number => {
  let end = at + 1
  while (text[end] === text[at]) end++
  return end - at
}

/** Places of all runs of backticks by length, the last first. */
const runsByLength = (text: string): Map<number, number[]> => {
  const places = new Map<number, number[]>()
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const same = places.get(run.length)
    if (same) same.push(index)
    else places.set(run.length, [index])
  }
  for (const same of places.values()) same.reverse()
  return places
}
