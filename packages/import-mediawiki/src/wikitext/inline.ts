import { canFlank, escapeDestination } from '@lectern/wiki/import/markdown'
import { LINK_SCHEMES } from '@lectern/wiki/references'
import type { Conversion } from './conversion.ts'
import { escapeWithDollars } from './formulas.ts'

/** A part of a text between matching brackets, including the brackets. */
interface TextRegion {
  start: number
  end: number
}

/**
 * Finds the outermost regions between runs of brackets, in one pass. It pairs them like MediaWiki: a closing run
 * consumes three brackets (with `allowTriple`) or two of the open run before it, until one of the runs is used up.
 */
export const outermostPairs = (
  text: string,
  open: string,
  close: string,
  allowTriple: boolean,
): TextRegion[] => {
  const regions: TextRegion[] = []
  const stack: { start: number; count: number }[] = []
  const runs = new RegExp(`\\${open}{2,}|\\${close}{2,}`, 'g')
  for (let run = runs.exec(text); run; run = runs.exec(text)) {
    if (run[0][0] === open) {
      stack.push({ start: run.index, count: run[0].length })
      continue
    }
    let remaining = run[0].length
    let end = run.index
    while (remaining >= 2 && stack.length > 0) {
      const top = stack.at(-1)!
      const count = allowTriple && remaining >= 3 && top.count >= 3 ? 3 : 2
      top.count -= count
      remaining -= count
      end += count
      regions.push({ start: top.start + top.count, end })
      if (top.count < 2) stack.pop()
    }
  }
  return outermost(regions)
}

const outermost = (regions: TextRegion[]): TextRegion[] => {
  const result: TextRegion[] = []
  let end = 0
  for (const region of regions.sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (region.start < end) continue
    result.push(region)
    end = region.end
  }
  return result
}

/** Replaces regions of a text, which must not overlap. */
export const replaceRegions = (
  text: string,
  regions: TextRegion[],
  replace: (source: string) => string,
): string => {
  const parts: string[] = []
  let position = 0
  for (const { start, end } of regions) {
    parts.push(text.slice(position, start), replace(text.slice(start, end)))
    position = end
  }
  parts.push(text.slice(position))
  return parts.join('')
}

/** A part of a line: Markdown, or a run of two or more apostrophes. */
type LinePart = { text: string } | { quotes: number }

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
const withEmphasis = (parts: LinePart[]): string => {
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

/** HTML tags that stay in Markdown. */
const PRESERVED_TAGS =
  'b|strong|i|em|u|s|strike|del|ins|sub|sup|small|big|br|wbr|kbd|samp|var|cite|q|abbr|mark|dfn|code|rp|rt|ruby|bdi'
/** HTML tags that are removed. Their content stays. */
const REMOVED_TAGS =
  'span|font|div|center|p|tt|nobr|section|onlyinclude|noinclude|includeonly|nowiki|translate|tvar|languages|references|li|ul|ol|dl|dd|dt|bdo|data|time|table|tr|td|th|tbody|thead|tfoot|caption|hr|h[1-6]|blockquote|gallery|poem'

/** The markup within a line: a strip marker, apostrophes, a link, a tag. Everything else is text. */
const TOKEN = new RegExp(
  [
    '\\u0001(?<fragment>\\d+)\\u0002',
    "(?<quotes>'{2,})",
    `\\[(?<destination>(?:(?:${LINK_SCHEMES.join('|')}):|//)[^\\s<>\\[\\]"\\u0001]+)(?<label>[ \\t][^\\[\\]\\n]{0,2000})?\\]`,
    "(?<url>https?://(?:(?!'')[^\\s<>\\[\\]\"\\u0001|])+)",
    `</?(?<tag>${PRESERVED_TAGS})(?<attributes>\\s[^<>]{0,500})?/?>`,
    `</?(?:${REMOVED_TAGS})(?:\\s[^<>]{0,1000})?/?>`,
    '(?<switch>__(?:NO|FORCE|HIDDEN|NEW|STATIC|INDEX|TOC|EXPECT)[A-Z]{0,30}__)',
  ].join('|'),
  'gi',
)

/** A fast check: most lines contain no markup. */
const MAY_CONTAIN_TOKEN = /[\u0001'[<]|:\/\/|__/

/** Converts lines of wikitext with strip markers to Markdown within a paragraph. */
export const convertInline = (text: string, conversion: Conversion): string =>
  text
    .split('\n')
    .map((line) => withEmphasis(partsOf(line, conversion)))
    .join('\n')

const partsOf = (line: string, conversion: Conversion): LinePart[] => {
  const parts: LinePart[] = []
  const add = (text: string) => {
    if (text !== '') parts.push({ text })
  }
  let at = 0
  if (!MAY_CONTAIN_TOKEN.test(line)) return line === '' ? [] : [{ text: escapeWithDollars(line) }]
  for (let token = nextToken(line, 0); token; token = nextToken(line, at)) {
    const before = escapeWithDollars(line.slice(at, token.index))
    const { quotes, ...found } = token.groups as Record<string, string | undefined>
    // Markdown reads a link after `!` as an image.
    add(
      found.fragment !== undefined || found.destination !== undefined ? before.replace(/!$/, '\\!') : before,
    )
    at = token.index + token[0].length
    if (quotes !== undefined) parts.push({ quotes: quotes.length })
    else if (found.fragment !== undefined) add(conversion.fragment(found.fragment).inline)
    else if (found.destination !== undefined) add(externalLink(found.destination, found.label, conversion))
    else if (found.url !== undefined) {
      const end = urlEnd(found.url)
      add(`<${escapeDestination(found.url.slice(0, end))}>`)
      add(escapeWithDollars(found.url.slice(end))) // it contains no markup
    } else if (found.tag !== undefined) add(convertTag(token[0], found.tag, found.attributes))
  }
  add(escapeWithDollars(line.slice(at)))
  return parts
}

/** Sets `lastIndex` each time, because a label is parsed in between. `matchAll` would copy the pattern. */
const nextToken = (line: string, from: number): RegExpExecArray | null => {
  TOKEN.lastIndex = from
  return TOKEN.exec(line)
}

const externalLink = (destination: string, label: string | undefined, conversion: Conversion): string => {
  const url = escapeDestination(destination.startsWith('//') ? `https:${destination}` : destination)
  if (label === undefined || label.trim() === '') return `<${url}>`
  return `[${withEmphasis(partsOf(label.trim(), conversion))}](${url})`
}

/** Punctuation at the end of a URL belongs to the sentence. So does `)`, unless the URL contains `(`. */
const urlEnd = (url: string): number => {
  const punctuation = url.includes('(') ? ".,;:!?'" : ".,;:!?)'"
  let end = url.length
  while (punctuation.includes(url[end - 1]!)) end -= 1
  return end
}

/** Removes the attributes, except the title of `<abbr>`. They are for layout, which Markdown does not have. */
const convertTag = (source: string, name: string, attributes: string | undefined): string => {
  const lower = name.toLowerCase()
  if (lower === 'br' || lower === 'wbr') return `<${lower}>`
  const isEmpty = source.endsWith('/>')
  if (source.startsWith('</')) return `</${lower}>`
  const title =
    lower === 'abbr' ? /\stitle\s{0,5}=\s{0,5}"([^"<>]{1,300})"/i.exec(attributes ?? '')?.[1] : undefined
  const open = title === undefined ? `<${lower}>` : `<${lower} title="${title}">`
  return isEmpty ? `${open}</${lower}>` : open
}
