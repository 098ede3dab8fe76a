/** An HTML tag found in a text. */
export interface HtmlTag {
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

/**
 * The tag that begins at a position, as CommonMark defines raw HTML; null when none does. Trying every `<`
 * of a text takes time linear in it: of tags that overlap, no two can be in the same kind of quotes.
 */
export const readTag = (text: string, start: number): HtmlTag | null => {
  const opening = matchAt(NAME, text, start)
  if (!opening) return null
  let at = NAME.lastIndex
  let alt = ''
  for (let match = matchAt(ATTRIBUTE, text, at); match; match = matchAt(ATTRIBUTE, text, at)) {
    at = ATTRIBUTE.lastIndex
    if (match[1]!.toLowerCase() === 'alt') alt = match[2] ?? match[3] ?? match[4] ?? ''
  }
  if (!matchAt(END, text, at)) return null
  return { name: opening[2]!.toLowerCase(), closing: opening[1] !== '', end: END.lastIndex, alt }
}

/** What a sticky expression finds at a position. */
export const matchAt = (sticky: RegExp, text: string, at: number): RegExpExecArray | null => {
  sticky.lastIndex = at
  return sticky.exec(text)
}
