/** The lines of a file that an include shows; null if the file has no such part. */
export type Selection = (lines: readonly string[]) => readonly string[] | null

/** How files mark their parts: a pattern whose groups are the kind of the mark and the name of the part. */
export type SectionMarks = keyof typeof MARKS

/** `start` matches what the first group of a mark at the beginning has. */
const MARKS = {
  /** mdBook: `// ANCHOR: name` and `// ANCHOR_END: name`. */
  anchor: { pattern: /\bANCHOR(_END)?:[ \t]*([\w-]+)/, start: undefined },
  /** pymdownx: `# --8<-- [start:name]`. */
  scissors: { pattern: /-+8<-+[ \t]*\[(start|end):([\w-]+)\]/, start: 'start' },
  /** VitePress and editors: `// #region name`. */
  region: {
    pattern:
      /(?:\/\/[ \t]*#?|\/\*[ \t]*#|#[ \t]?|#pragma[ \t]+|<!--[ \t]*#)(region|endregion)\b[ \t]*([\w*-]*)/,
    start: 'region',
  },
  /** AsciiDoc: `// tag::name[]`. */
  tag: { pattern: /\b(tag|end)::([\w-]+)\[\]/, start: 'tag' },
} as const

/** Longer lines have no marks. */
const MARK_CHARACTERS = 1_000

/** The part with a name, without the marks of parts in it; absent if there is no name. */
export const partOf = (marks: SectionMarks, name?: string): Selection | undefined =>
  name ? (lines) => sectionOf(lines, marks, name) : undefined

const sectionOf = (lines: readonly string[], marks: SectionMarks, name: string): string[] | null => {
  const { pattern, start } = MARKS[marks]
  let chosen: string[] | null = null
  let isInside = false
  for (const line of lines) {
    const mark = line.length > MARK_CHARACTERS ? null : pattern.exec(line)
    if (mark === null) {
      if (isInside) chosen?.push(line)
      continue
    }
    const isEnd = mark[1] !== start
    if (mark[2] === name || (isInside && isEnd && mark[2] === '')) {
      isInside = !isEnd
      chosen ??= []
    }
  }
  return chosen
}

export const withoutMarks = (lines: readonly string[], marks: SectionMarks): string[] =>
  lines.filter((line) => line.length > MARK_CHARACTERS || !MARKS[marks].pattern.test(line))

/** What is between two texts, or to the end, in some lines as of `slice`. */
export const between =
  (start = '', end?: string, ...slice: (number | undefined)[]): Selection =>
  (lines) => {
    const text = lines.slice(...slice).join('\n')
    const from = text.indexOf(start)
    if (from < 0) return null
    const rest = text.slice(from + start.length)
    const to = end === undefined ? -1 : rest.indexOf(end)
    return rest.slice(0, to < 0 ? rest.length : to).split('\n')
  }

/** Lines from one with a text, or after it, to another one. */
export const linesFrom =
  (start?: string, end?: string, { hasStart = false, hasEnd = false } = {}): Selection =>
  (lines) => {
    const first = start === undefined ? 0 : lines.findIndex((line) => line.includes(start))
    const rest = lines.slice(first + Number(start !== undefined && !hasStart))
    const last = end === undefined ? -1 : rest.findIndex((line, i) => (i > 0 || hasEnd) && line.includes(end))
    return first < 0 ? null : rest.slice(0, last < 0 ? rest.length : last + Number(hasEnd))
  }

/** Line numbers as generators write them: `2:5`, `3`, `:4`, `2:`, with commas or semicolons between several. */
export const linesSelection = (text: string): Selection => {
  const ranges = text.split(/[,;]/).map((part) => {
    const [first = '', last] = part.split(/:|-|\.\./)
    const from = Number(first) || 1
    const to = last === undefined ? from : Number(last) || Number.MAX_SAFE_INTEGER
    return [from, to] as const
  })
  return (lines) => {
    const chosen = ranges.flatMap(([first, last]) => lines.slice(Math.max(0, first - 1), last))
    return chosen.length === 0 ? null : chosen
  }
}
