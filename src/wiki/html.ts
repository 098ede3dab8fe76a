import { Marked, type Token } from 'marked'
import { gfmHeadingId, resetHeadings } from 'marked-gfm-heading-id'
import sanitizeHtml from 'sanitize-html'
import { ALLOWED_ATTRIBUTES, ALLOWED_TAGS, cleanAttributes, DROPPED_WITH_TEXT } from './allowed-html.ts'
import { rawHtml } from './raw-html.ts'
import { LINK_SCHEMES, type LinkContext } from './references.ts'
import { sourceAsHtml, wellFormed } from './source-text.ts'

/** The HTML of a text is longer than the limit. */
export class TooMuchHtml extends Error {
  override name = 'TooMuchHtml'
}

/**
 * Renders Markdown (GFM) as HTML that is safe in any page: only tags and attributes of the allow-list, and only
 * absolute URLs. The same text and context give the same bytes.
 *
 * Some texts of 10 KB take seconds or give 28 MB, so `render/` runs this function in processes of its own. After it
 * has thrown, or was stopped from outside, the state of the parser's regular expressions is undefined: do not call it
 * again in that process.
 * @param maxBytes length of the HTML in UTF-8
 * @throws TooMuchHtml if the HTML is longer
 * @throws RangeError if the parser overflows the stack, for example for a list nested a thousand levels deep
 */
export const boundedHtml = (markdown: string, context: LinkContext, maxBytes: number): string => {
  return sanitize(marked.parse(wellFormed(markdown), { async: false }), context, maxBytes)
}

const sanitize = (raw: string, context: LinkContext, maxBytes: number): string => {
  if (raw.length > maxBytes) throw new TooMuchHtml()
  const html = sanitizeHtml(raw, sanitizerOptions(context))
  if (Buffer.byteLength(html) > maxBytes) throw new TooMuchHtml()
  return html
}

/**
 * The tokens of a text, from which `boundedHtml` makes its HTML. Afterwards, `headingHtml` must get all headings in the
 * order of the text, because it counts equal ids.
 */
export const parseMarkdown = (markdown: string): Token[] => {
  resetHeadings()
  const tokens = marked.lexer(wellFormed(markdown))
  marked.walkTokens(tokens, marked.defaults.walkTokens!)
  return tokens
}

/** The HTML of a heading with its id, not sanitized. */
export const headingHtml = (heading: Token): string => marked.parser([heading])

/** The HTML of some tokens of a text. @param before the headings before them, which count for ids */
export const tokensAsHtml = (
  tokens: Token[],
  before: Token[],
  context: LinkContext,
  maxBytes: number,
): string => {
  resetHeadings()
  for (const heading of before) headingHtml(heading)
  return sanitize(marked.parser(tokens), context, maxBytes)
}

/** Renders without a limit, for trusted texts. Never throws: a text that cannot be parsed is shown as its source. */
export const renderHtml = (markdown: string, context: LinkContext): string => {
  try {
    return boundedHtml(markdown, context, Number.POSITIVE_INFINITY)
  } catch {
    return sourceAsHtml(markdown)
  }
}

/** Ids are unique within a text: the extension resets its counters before each text. */
const marked = new Marked({ gfm: true }, rawHtml, gfmHeadingId())

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
  exclusiveFilter: (frame) => frame.tag === 'input' && frame.attribs.type !== 'checkbox',
})
