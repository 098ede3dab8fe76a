/**
 * What is left of the characters that may be looked at in vain. Looking ahead for an end that never comes,
 * from each of many beginnings, would take the square of a text's length; when this is used up, marks are
 * taken as text.
 */
export interface Effort {
  left: number
}

export const effortFor = (text: string): Effort => ({ left: 4 * text.length + 1000 })

/** An HTML tag found in a text. */
export interface Tag {
  name: string
  closing: boolean
  /** Position after its `>`. */
  end: number
  /** Value of its `alt`, entities as written; empty without one. */
  alt: string
}

const NAME = /<(\/?)([a-z][a-z0-9-]*)/iy
const ATTRIBUTE = /\s+([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/y
const END = /\s*\/?>/y

/** The tag that begins at a position, as CommonMark defines raw HTML; null when none does. */
export const readTag = (text: string, start: number, effort: Effort): Tag | null => {
  const opening = effort.left > 0 ? matchAt(NAME, text, start) : null
  if (!opening) return null
  let at = NAME.lastIndex
  let alt = ''
  for (let match = matchAt(ATTRIBUTE, text, at); match; match = matchAt(ATTRIBUTE, text, at)) {
    at = ATTRIBUTE.lastIndex
    if (match[1]!.toLowerCase() === 'alt') alt = match[2] ?? match[3] ?? match[4] ?? ''
  }
  if (!matchAt(END, text, at)) {
    // A name left before `=` had a quote after it that was sought to the end.
    effort.left -= (matchAt(EQUALS, text, at) ? text.length : at) - start
    return null
  }
  return { name: opening[2]!.toLowerCase(), closing: opening[1] !== '', end: END.lastIndex, alt }
}

const EQUALS = /\s*=/y

/** What a sticky expression finds at a position. */
export const matchAt = (sticky: RegExp, text: string, at: number): RegExpExecArray | null => {
  sticky.lastIndex = at
  return sticky.exec(text)
}
