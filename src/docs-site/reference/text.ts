import { Marked } from 'marked'
import { escapeHtml } from '../template.ts'

const marked = new Marked({ gfm: true, renderer: { html: ({ text }) => escapeHtml(text) } })

/** A description of OpenAPI as HTML: one paragraph, without its element. */
export const inlineHtml = (markdown: string): string => marked.parseInline(markdown, { async: false })

/** Several paragraphs. */
export const blockHtml = (markdown: string): string => marked.parse(markdown, { async: false })
