import { LINK_SCHEMES } from '../../wiki/references.ts'
import type { Conversion } from './conversion.ts'
import { escapeAddress, escapeText } from './markdown.ts'
import { type LinePart, withEmphasis } from './quotes.ts'

/** Tags of HTML that mean the same in Markdown; what is not here goes, and its content stays. */
const KEPT =
  'b|strong|i|em|u|s|strike|del|ins|sub|sup|small|big|br|wbr|kbd|samp|var|cite|q|abbr|mark|dfn|code|rp|rt|ruby|bdi'
const DROPPED =
  'span|font|div|center|p|tt|nobr|section|onlyinclude|noinclude|includeonly|nowiki|translate|tvar|languages|references|li|ul|ol|dl|dd|dt|bdo|data|time|table|tr|td|th|tbody|thead|tfoot|caption|hr|h[1-6]|blockquote|gallery|poem'

/** What means something within a line: a piece, apostrophes, a link, a tag. Everything else is text. */
const TOKEN = new RegExp(
  [
    '\\u0001(?<piece>\\d+)\\u0002',
    "(?<quotes>'{2,})",
    `\\[(?<address>(?:(?:${LINK_SCHEMES.join('|')}):|//)[^\\s<>\\[\\]"\\u0001]+)(?<label>[ \\t][^\\[\\]\\n]{0,2000})?\\]`,
    "(?<bare>https?://(?:(?!'')[^\\s<>\\[\\]\"\\u0001|])+)",
    `</?(?<kept>${KEPT})(?<attributes>\\s[^<>]{0,500})?/?>`,
    `</?(?:${DROPPED})(?:\\s[^<>]{0,1000})?/?>`,
    '(?<switch>__(?:NO|FORCE|HIDDEN|NEW|STATIC|INDEX|TOC|EXPECT)[A-Z]{0,30}__)',
  ].join('|'),
  'gi',
)

/** Most lines hold none, and this is sooner known. */
const MAY_HOLD_TOKEN = /[\u0001'[<]|:\/\/|__/

/** Lines of wikitext, links and templates set aside already, as Markdown within a paragraph. */
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
  if (!MAY_HOLD_TOKEN.test(line)) return line === '' ? [] : [{ text: escapeText(line) }]
  for (let token = nextToken(line, 0); token; token = nextToken(line, at)) {
    const before = escapeText(line.slice(at, token.index))
    const { quotes, ...found } = token.groups as Record<string, string | undefined>
    // A `!` before a link would make it an image.
    add(found.piece !== undefined || found.address !== undefined ? before.replace(/!$/, '\\!') : before)
    at = token.index + token[0].length
    if (quotes !== undefined) parts.push({ quotes: quotes.length })
    else if (found.piece !== undefined) add(conversion.at(found.piece).inline)
    else if (found.address !== undefined) add(externalLink(found.address, found.label, conversion))
    else if (found.bare !== undefined) {
      const end = addressEnd(found.bare)
      add(`<${escapeAddress(found.bare.slice(0, end))}>`)
      // What was taken for the address's end is text, in which nothing else was found.
      add(escapeText(found.bare.slice(end)))
    } else if (found.kept !== undefined) add(tag(token[0], found.kept, found.attributes))
  }
  add(escapeText(line.slice(at)))
  return parts
}

/** By its own place each time, since a label is read in between; `matchAll` would copy the pattern. */
const nextToken = (line: string, from: number): RegExpExecArray | null => {
  TOKEN.lastIndex = from
  return TOKEN.exec(line)
}

const externalLink = (address: string, label: string | undefined, conversion: Conversion): string => {
  const whole = address.startsWith('//') ? `https:${address}` : address
  if (label === undefined || label.trim() === '') return `<${escapeAddress(whole)}>`
  return `[${withEmphasis(partsOf(label.trim(), conversion))}](${escapeAddress(whole)})`
}

/** An address does not end in what belongs to the sentence; a parenthesis belongs to it where it was opened. */
const addressEnd = (address: string): number => {
  const marks = address.includes('(') ? ".,;:!?'" : ".,;:!?)'"
  let end = address.length
  while (marks.includes(address[end - 1]!)) end -= 1
  return end
}

/** Attributes go: what a wiki lays out by them Markdown's readers would not see. */
const tag = (source: string, name: string, attributes: string | undefined): string => {
  const lower = name.toLowerCase()
  if (lower === 'br' || lower === 'wbr') return `<${lower}>`
  const isEmpty = source.endsWith('/>')
  if (source.startsWith('</')) return `</${lower}>`
  const title =
    lower === 'abbr' ? /\stitle\s{0,5}=\s{0,5}"([^"<>]{1,300})"/i.exec(attributes ?? '')?.[1] : undefined
  const open = title === undefined ? `<${lower}>` : `<${lower} title="${title}">`
  return isEmpty ? `${open}</${lower}>` : open
}
