import { LINK_SCHEMES } from '../../wiki/references.ts'
import { escapeDestination } from '../markdown/markdown.ts'
import type { Conversion } from './conversion.ts'
import { escapeWithDollars } from './formulas.ts'
import { type LinePart, withEmphasis } from './quotes.ts'

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
