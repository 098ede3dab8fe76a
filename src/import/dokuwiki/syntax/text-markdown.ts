import { escapeText } from '../../markdown/markdown.ts'

/** Escapes text for Markdown. DokuWiki shows entities as they are written. */
export const textMarkdown = (text: string): string => escapeText(text).replace(/&(?=#?\w{1,40};)/g, '\\&')

/** Escapes the text of a link, on one line. */
export const labelMarkdown = (text: string): string => textMarkdown(text.replace(/\s+/g, ' ').trim())
