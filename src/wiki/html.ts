import { Marked } from 'marked'
import { gfmHeadingId } from 'marked-gfm-heading-id'
import sanitizeHtml from 'sanitize-html'
import { ALLOWED_ATTRIBUTES, ALLOWED_TAGS, cleanAttributes, DROPPED_WITH_TEXT } from './allowed-html.ts'
import { rawHtml } from './raw-html.ts'
import { LINK_SCHEMES, type LinkContext } from './references.ts'

/** The HTML of a text is longer than was allowed. */
export class TooMuchHtml extends Error {
  override name = 'TooMuchHtml'
}

/**
 * Markdown (GFM) as HTML that may be put into any page: tags and attributes of the allow-list only, every
 * address in it absolute. The same text and place give the same bytes.
 *
 * Some texts of 10 KB take seconds or give 28 MB: `render/` runs this where that does no harm. After it has
 * thrown or was ended from outside, regular expressions of the parser may stand anywhere: use it no more in
 * that process.
 * @param most bytes of HTML (UTF-8)
 * @throws TooMuchHtml for more
 * @throws RangeError for what the parser cannot take, such as a list nested a thousand deep
 */
export const boundedHtml = (markdown: string, place: LinkContext, most: number): string => {
  const raw = marked.parse(wellFormed(markdown), { async: false })
  if (raw.length > most) throw new TooMuchHtml()
  const html = sanitizeHtml(raw, optionsAt(place))
  if (Buffer.byteLength(html) > most) throw new TooMuchHtml()
  return html
}

/** The same without bounds, for texts that are no attack. Never throws: what cannot be parsed comes as its source. */
export const renderHtml = (markdown: string, place: LinkContext): string => {
  try {
    return boundedHtml(markdown, place, Number.POSITIVE_INFINITY)
  } catch {
    return sourceAsHtml(markdown)
  }
}

/** A text as it was written, escaped and preformatted: what stands for HTML that cannot be had. */
export const sourceAsHtml = (markdown: string): string => `<pre>${escapeText(wellFormed(markdown))}</pre>\n`

const wellFormed = (markdown: string): string => markdown.toWellFormed().replaceAll('\u0000', '\ufffd')

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The ids' counters begin anew with each text: the extension resets them before it parses. */
const marked = new Marked({ gfm: true }, rawHtml, gfmHeadingId())

const optionsAt = (place: LinkContext): sanitizeHtml.IOptions => ({
  allowedTags: [...ALLOWED_TAGS],
  allowedAttributes: { ...ALLOWED_ATTRIBUTES },
  allowedSchemes: [...LINK_SCHEMES],
  allowProtocolRelative: false,
  nonTextTags: [...DROPPED_WITH_TEXT],
  selfClosing: ['br', 'col', 'hr', 'img', 'input', 'source', 'wbr'],
  // Browsers flatten what is nested deeper than 512; a page never is.
  nestingLimit: 100,
  transformTags: {
    '*': (tagName, attribs) => ({ tagName, attribs: cleanAttributes(tagName, attribs, place) }),
  },
  exclusiveFilter: (frame) => frame.tag === 'input' && frame.attribs.type !== 'checkbox',
})
