/** A text of DokuWiki, and the position up to which it is parsed. */
export class TextReader {
  readonly text: string
  position = 0
  readonly #last = new Map<string, number>()
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
    const at = this.text.indexOf(end, from)
    this.position = at + end.length
    return this.text.slice(from, at)
  }
}

const withoutTrailingSpaces = (line: string): string => {
  let end = line.length
  while (end > 0 && (line[end - 1] === ' ' || line[end - 1] === '\t')) end -= 1
  return line.slice(0, end)
}
