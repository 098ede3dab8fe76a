// Not in html.ts, whose parser and sanitizer take time to load, and only rendering processes need them.

/** The source of a text, escaped and preformatted: the replacement for HTML that cannot be rendered. */
export const sourceAsHtml = (markdown: string): string => `<pre>${escapeText(wellFormed(markdown))}</pre>\n`

/** Replaces what a text must not contain, and keeps its length. */
export const wellFormed = (markdown: string): string => markdown.toWellFormed().replaceAll('\u0000', '\ufffd')

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
