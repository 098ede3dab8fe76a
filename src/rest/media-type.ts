import type { IncomingMessage } from 'node:http'
import Negotiator from 'negotiator'

/** Without one of these, JSON is as good as Markdown. Looking for them is faster than parsing the header. */
const MAY_PREFER_MARKDOWN = /text\/(?:\*|markdown)|json\s*;/i

/** With parameters, because a client may name them. Without preference, JSON is the first. */
const JSON_TYPE = 'application/json;charset=utf-8'
const MARKDOWN_TYPE = 'text/markdown;charset=utf-8;variant=GFM'

/** Whether a client asks for HTML, as browsers do when a visitor opens a URL. */
export const acceptsHtml = ({ headers }: IncomingMessage): boolean =>
  headers.accept !== undefined && /text\/html/i.test(headers.accept)

/** Whether a client prefers Markdown to JSON, by the weights of its Accept header (RFC 9110, 12.5.1). (D102) */
export const prefersMarkdown = (request: IncomingMessage): boolean => {
  const { accept } = request.headers
  if (accept === undefined || !MAY_PREFER_MARKDOWN.test(accept)) return false
  return new Negotiator(request).mediaType([JSON_TYPE, MARKDOWN_TYPE]) === MARKDOWN_TYPE
}
