import { Marked, type Token } from 'marked'
import sanitizeHtml from 'sanitize-html'
import { ALLOWED_ATTRIBUTES, ALLOWED_TAGS, cleanAttributes, DROPPED_WITH_TEXT } from './allowed-html.ts'
import { dialectOf } from './dialects/dialect.ts'
import { normalizeDialect } from './dialects/normalize.ts'
import { alerts } from './extensions/alerts.ts'
import { definitionLists } from './extensions/definition-lists.ts'
import { footnotes, footnotesHtml, numberFootnotes } from './extensions/footnotes.ts'
import { contents, headings, withContents } from './extensions/headings.ts'
import { inlineMarks } from './extensions/inline-marks.ts'
import { math } from './extensions/math.ts'
import { beginText, TEX_CHARACTERS, textState } from './extensions/text-state.ts'
import { rawHtml } from './raw-html.ts'
import { LINK_SCHEMES, type LinkContext } from './references.ts'
import { wellFormed } from './text.ts'

export class TooMuchHtml extends Error {
  override name = 'TooMuchHtml'
}

/**
 * Renders Markdown (GFM, with the extensions of D124) as HTML that is safe in any page: allowed tags and attributes, absolute URLs. The
 * same text and context give the same bytes. Some texts of 10 KB take seconds or give 28 MB, so `render/` runs it in processes of its
 * own. After it has thrown, or was stopped, do not call it again there: the state of the parser is undefined.
 * @throws TooMuchHtml if the HTML is longer
 * @throws RangeError if the parser overflows the stack, for example for a list nested a thousand levels deep
 */
export const boundedHtml = (markdown: string, context: LinkContext, maxBytes: number): string => {
  const tokens = parseMarkdown(normalizeDialect(markdown, dialectOf(context.dialect)).markdown, context)
  return tokensAsHtml(tokens, context, maxBytes)
}

/** The HTML of some tokens of the text that was parsed last, as `boundedHtml`. */
export const tokensAsHtml = (tokens: Token[], context: LinkContext, maxBytes: number): string => {
  textState().texLeft = TEX_CHARACTERS // perhaps rendered once more
  const body = marked.parser(tokens) + footnotesHtml(tokens, (part) => marked.parser(part))
  const raw = withContents(body.replace(EMPTY_HEAD, ''))
  if (raw.length > maxBytes) throw new TooMuchHtml()
  const html = sanitizeHtml(
    withIdsAsWritten(raw.replace(ELEMENT_WITH_ID, '$&<a name="$1"></a>')),
    sanitizerOptions(context),
  )
  if (Buffer.byteLength(html) > maxBytes) throw new TooMuchHtml()
  return html
}

/** Of a table whose text has no head, which Markdown cannot write. */
const EMPTY_HEAD = /<thead>\n<tr>\n(?:<th(?: align="\w+")?><\/th>\n)+<\/tr>\n<\/thead>\n/g

/** Elements to which links lead: as ids of theirs could define global variables, they get an anchor. */
const ELEMENT_WITH_ID =
  /<(?:article|div|li|p|section|span|sup|t[dh])(?=\s)(?:[^<>"']|"[^"<>]*"|'[^'<>]*')*?\sid=["']?(?!fn:)([^\s"'<>&=`]{1,300})[^<>]*>/gi

/** Links of a text to its headings, whose ids are in lower case: GitHub's pages look for both spellings. */
const withIdsAsWritten = (raw: string): string => {
  let ids: Set<string | undefined> | undefined
  return raw.replace(/(?<= href="#)[^"A-Z]*[A-Z][^"]*/g, (id) => {
    ids ??= new Set(Array.from(raw.matchAll(/ (?:id|name)="([^"]*)"/g), ([, one]) => one))
    return !ids.has(id) && ids.has(id.toLowerCase()) ? id.toLowerCase() : id
  })
}

/** The tokens of a text of `normalizeDialect`. */
export const parseMarkdown = (markdown: string, context: LinkContext): Token[] => {
  beginText(context)
  const breaks = textState().dialect?.hasLineBreaks
  const tokens = marked.lexer(wellFormed(markdown), { ...marked.defaults, breaks })
  for (const part of [tokens, ...[...textState().footnotes.values()].map(({ content }) => content)])
    marked.walkTokens(part, marked.defaults.walkTokens!)
  numberFootnotes(tokens)
  return tokens
}

/** The HTML of a heading or a term, which gets its id at the first time, not sanitized. */
export const headingHtml = (token: Token): string => marked.parser([token])

const EXTENSIONS = [rawHtml, math, inlineMarks, definitionLists, footnotes, contents, alerts, headings]
const marked = new Marked({ gfm: true }, ...EXTENSIONS)

/** A picture for dark pages beside one for others, in Material and on GitHub. */
const DARK = /#(?:only-dark|gh-dark-mode-only)$/

const sanitizerOptions = (context: LinkContext): sanitizeHtml.IOptions => ({
  allowedTags: [...ALLOWED_TAGS],
  allowedAttributes: { ...ALLOWED_ATTRIBUTES },
  allowedSchemes: [...LINK_SCHEMES],
  allowProtocolRelative: false,
  nonTextTags: [...DROPPED_WITH_TEXT],
  selfClosing: ['br', 'col', 'hr', 'img', 'input', 'source', 'wbr'],
  // Browsers flatten elements that are nested deeper than 512. Real pages stay far below that.
  nestingLimit: 100,
  transformTags: {
    '*': (tagName, attribs) => ({ tagName, attribs: cleanAttributes(tagName, attribs, context) }),
  },
  exclusiveFilter: ({ tag, attribs }) =>
    (tag === 'input' && attribs.type !== 'checkbox') || (tag === 'img' && DARK.test(attribs.src ?? '')),
})
