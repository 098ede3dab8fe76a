export type HtmlTag = NonNullable<ReturnType<typeof readTag>>

const NAME = /<(\/?)([a-z][a-z0-9-]*)/iy
const ATTRIBUTE = /\s+([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/y
const END = /\s*\/?>/y

/**
 * The tag that starts at a position, as CommonMark defines raw HTML, or null. Trying every `<` of a text takes linear
 * time, because no two overlapping tags can be in the same kind of quotes.
 */
export const readTag = (text: string, start: number) => {
  const opening = matchAt(NAME, text, start)
  if (!opening) return null
  let at = NAME.lastIndex
  /** Its attributes by name in lower case: the first of each counts. Entities are not decoded. */
  const attributes = new Map<string, string>()
  for (let match = matchAt(ATTRIBUTE, text, at); match; match = matchAt(ATTRIBUTE, text, at)) {
    at = ATTRIBUTE.lastIndex
    const name = match[1]!.toLowerCase()
    if (!attributes.has(name)) attributes.set(name, match[2] ?? match[3] ?? match[4] ?? '')
  }
  if (!matchAt(END, text, at)) return null
  return { name: opening[2]!.toLowerCase(), closing: opening[1] !== '', end: END.lastIndex, attributes }
}

export const matchAt = (sticky: RegExp, text: string, position: number): RegExpExecArray | null => {
  sticky.lastIndex = position
  return sticky.exec(text)
}

/** The end of what a pattern finds at a position; -1 if it finds nothing there. */
export const matchEnd = (sticky: RegExp, text: string, position: number): number =>
  matchAt(sticky, text, position) ? sticky.lastIndex : -1
