import { Marked } from 'marked'
import { gfmHeadingId } from 'marked-gfm-heading-id'
import sanitizeHtml from 'sanitize-html'
import { ALLOWED_ATTRIBUTES, ALLOWED_TAGS, cleanAttributes, DROPPED_WITH_TEXT } from './allowed-html.ts'
import type { Place } from './references.ts'

/**
 * Markdown (GFM) as HTML that may be put into any page: tags and attributes of the allow-list only, every
 * address in it absolute. The same text and place give the same bytes. Never throws: what the parser
 * cannot take, such as a list nested a thousand deep, comes back as its own source in `<pre>`.
 */
export const renderHtml = (markdown: string, place: Place): string => {
  const text = markdown.toWellFormed().replaceAll('\u0000', '\ufffd')
  try {
    return sanitizeHtml(marked.parse(text, { async: false }), optionsAt(place))
  } catch {
    return `<pre>${escapeText(text)}</pre>\n`
  }
}

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The ids' counters begin anew with each text: the extension resets them before it parses. */
const marked = new Marked({ gfm: true }, gfmHeadingId())

const optionsAt = (place: Place): sanitizeHtml.IOptions => ({
  allowedTags: [...ALLOWED_TAGS],
  allowedAttributes: { ...ALLOWED_ATTRIBUTES },
  allowedSchemes: ['http', 'https', 'mailto'],
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
