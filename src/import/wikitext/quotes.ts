import { canFlank } from './markdown.ts'

/** A line in parts: finished Markdown, or a run of apostrophes (two or more) that marks something. */
export type LinePart = { text: string } | { quotes: number }

interface Mark {
  mark: 'b' | 'i'
  isOpening: boolean
  partner: number
}

type Item = { text: string } | Mark

const MARKDOWN = { b: '**', i: '*' } as const

/**
 * Puts bold and italics in place of runs of apostrophes, as MediaWiki reads them within a line. Markdown's
 * asterisks where they mark just this, else tags: `**(煎茶)**は` would stay text.
 */
export const withEmphasis = (parts: LinePart[]): string => {
  const items = paired(evenOut(parts))
  return items.map((item, index) => ('text' in item ? item.text : emphasis(items, index, item))).join('')
}

/** Four mark bold and one is text; more than five mark both. Of uneven runs of both kinds one bold is italics. */
const evenOut = (parts: LinePart[]): LinePart[] => {
  const cut = parts.flatMap((part): LinePart[] => {
    if ('text' in part || part.quotes < 4 || part.quotes === 5) return [part]
    const marks = part.quotes === 4 ? 3 : 5
    return [{ text: "'".repeat(part.quotes - marks) }, { quotes: marks }]
  })
  const runs = cut.filter((part) => 'quotes' in part)
  const bold = runs.filter(({ quotes }) => quotes !== 2).length
  const italic = runs.filter(({ quotes }) => quotes !== 3).length
  if (bold % 2 === 0 || italic % 2 === 0) return cut
  const index = cut.findIndex((part) => 'quotes' in part && part.quotes === 3)
  return index < 0 ? cut : cut.toSpliced(index, 1, { text: "'" }, { quotes: 2 })
}

const paired = (parts: LinePart[]): Item[] => {
  const items: Item[] = []
  const open: number[] = []
  const start = (mark: 'b' | 'i') => {
    open.push(items.length)
    items.push({ mark, isOpening: true, partner: -1 })
  }
  const close = () => {
    const partner = open.pop()!
    const { mark } = items[partner] as Mark
    ;(items[partner] as Mark).partner = items.length
    items.push({ mark, isOpening: false, partner })
  }
  /** Ends a mark that is open, and begins those anew that it ended on its way; begins it where it is not open. */
  const turn = (mark: 'b' | 'i') => {
    const at = open.findIndex((index) => (items[index] as Mark).mark === mark)
    if (at < 0) return start(mark)
    const inner = open.slice(at + 1).map((index) => (items[index] as Mark).mark)
    while (open.length > at) close()
    for (const one of inner) start(one)
  }
  parts.forEach((part, i) => {
    if ('text' in part) items.push(part)
    else if (part.quotes === 2) turn('i')
    else if (part.quotes === 3) turn('b')
    else if (open.length > 0) for (const mark of openMarks(items, open)) turn(mark)
    else
      for (const mark of firstClosed(parts, i) === 2 ? (['b', 'i'] as const) : (['i', 'b'] as const))
        start(mark)
  })
  while (open.length > 0) close()
  return items
}

/** Of five apostrophes: what is open ends, the inner first; what is not open begins. */
const openMarks = (items: Item[], open: number[]): ('b' | 'i')[] => {
  const marks = open.map((index) => (items[index] as Mark).mark).reverse()
  return marks.length === 2 ? marks : [marks[0]!, marks[0] === 'b' ? 'i' : 'b']
}

const firstClosed = (parts: LinePart[], from: number): number => {
  const next = parts.slice(from + 1, from + 50).find((part) => 'quotes' in part)
  return next && 'quotes' in next ? next.quotes : 2
}

const emphasis = (items: Item[], index: number, { mark, isOpening, partner }: Mark): string => {
  const [from, to] = isOpening ? [index, partner] : [partner, index]
  if (to === from + 1) return ''
  const isSafe =
    canFlank(lastOf(items[from - 1]), firstOf(items[from + 1])) &&
    canFlank(firstOf(items[to + 1]), lastOf(items[to - 1]))
  if (isSafe) return MARKDOWN[mark]
  return isOpening ? `<${mark}>` : `</${mark}>`
}

/** Another mark beside one makes a run of asterisks, which may mean something else: as if there were a space. */
const firstOf = (item: Item | undefined): string | undefined =>
  item === undefined ? undefined : 'text' in item ? item.text[0] : NO_FLANK
const lastOf = (item: Item | undefined): string | undefined =>
  item === undefined ? undefined : 'text' in item ? item.text.at(-1) : NO_FLANK
const NO_FLANK = '*'
