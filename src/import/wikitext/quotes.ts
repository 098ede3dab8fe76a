import { canFlank } from '../markdown/markdown.ts'

/** A part of a line: Markdown, or a run of two or more apostrophes. */
export type LinePart = { text: string } | { quotes: number }

interface EmphasisMark {
  mark: 'b' | 'i'
  isOpening: boolean
  /** Index of the matching mark. */
  partner: number
}

type Item = { text: string } | EmphasisMark

const MARKDOWN = { b: '**', i: '*' } as const

/**
 * Converts runs of apostrophes to bold and italics, as MediaWiki reads them within a line. Uses asterisks if Markdown
 * reads them as emphasis, and otherwise tags: Markdown reads `**(煎茶)**は` as text.
 */
export const withEmphasis = (parts: LinePart[]): string => {
  const items = pairMarks(balanceRuns(parts))
  return items.map((item, index) => ('text' in item ? item.text : emphasis(items, index, item))).join('')
}

/**
 * Four apostrophes are bold and one of text; more than five are both and text. If both kinds have an odd number of
 * runs, the first bold run becomes italics.
 */
const balanceRuns = (parts: LinePart[]): LinePart[] => {
  const split = parts.flatMap((part): LinePart[] => {
    if ('text' in part || part.quotes < 4 || part.quotes === 5) return [part]
    const marks = part.quotes === 4 ? 3 : 5
    return [{ text: "'".repeat(part.quotes - marks) }, { quotes: marks }]
  })
  const runs = split.filter((part) => 'quotes' in part)
  const bold = runs.filter(({ quotes }) => quotes !== 2).length
  const italic = runs.filter(({ quotes }) => quotes !== 3).length
  if (bold % 2 === 0 || italic % 2 === 0) return split
  const index = split.findIndex((part) => 'quotes' in part && part.quotes === 3)
  return index < 0 ? split : split.toSpliced(index, 1, { text: "'" }, { quotes: 2 })
}

const pairMarks = (parts: LinePart[]): Item[] => {
  const items: Item[] = []
  const open: number[] = []
  const start = (mark: 'b' | 'i') => {
    open.push(items.length)
    items.push({ mark, isOpening: true, partner: -1 })
  }
  const close = () => {
    const partner = open.pop()!
    const { mark } = items[partner] as EmphasisMark
    ;(items[partner] as EmphasisMark).partner = items.length
    items.push({ mark, isOpening: false, partner })
  }
  /** Closes the mark if it is open, and reopens the marks inside it; otherwise opens it. */
  const toggle = (mark: 'b' | 'i') => {
    const at = open.findIndex((index) => (items[index] as EmphasisMark).mark === mark)
    if (at < 0) return start(mark)
    const inner = open.slice(at + 1).map((index) => (items[index] as EmphasisMark).mark)
    while (open.length > at) close()
    for (const one of inner) start(one)
  }
  parts.forEach((part, i) => {
    if ('text' in part) items.push(part)
    else if (part.quotes === 2) toggle('i')
    else if (part.quotes === 3) toggle('b')
    else if (open.length > 0) for (const mark of openMarks(items, open)) toggle(mark)
    else
      for (const mark of firstClosed(parts, i) === 2 ? (['b', 'i'] as const) : (['i', 'b'] as const))
        start(mark)
  })
  while (open.length > 0) close()
  return items
}

/** Five apostrophes close the open marks, the inner one first, and open the others. */
const openMarks = (items: Item[], open: number[]): ('b' | 'i')[] => {
  const marks = open.map((index) => (items[index] as EmphasisMark).mark).reverse()
  return marks.length === 2 ? marks : [marks[0]!, marks[0] === 'b' ? 'i' : 'b']
}

const firstClosed = (parts: LinePart[], from: number): number => {
  const next = parts.slice(from + 1, from + 50).find((part) => 'quotes' in part)
  return next && 'quotes' in next ? next.quotes : 2
}

const emphasis = (items: Item[], index: number, { mark, isOpening, partner }: EmphasisMark): string => {
  const [from, to] = isOpening ? [index, partner] : [partner, index]
  if (to === from + 1) return ''
  const isSafe =
    canFlank(lastOf(items[from - 1]), firstOf(items[from + 1])) &&
    canFlank(firstOf(items[to + 1]), lastOf(items[to - 1]))
  if (isSafe) return MARKDOWN[mark]
  return isOpening ? `<${mark}>` : `</${mark}>`
}

/** Two adjacent marks form one run of asterisks, which Markdown may read differently. So they never flank. */
const firstOf = (item: Item | undefined): string | undefined =>
  item === undefined ? undefined : 'text' in item ? item.text[0] : NO_FLANK
const lastOf = (item: Item | undefined): string | undefined =>
  item === undefined ? undefined : 'text' in item ? item.text.at(-1) : NO_FLANK
const NO_FLANK = '*'
