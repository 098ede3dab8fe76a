import type { MarkedExtension, Parser, Token, Tokens } from 'marked'
import { gfmHeadingId, resetHeadings } from 'marked-gfm-heading-id'
import type { ContentsEntry } from './contents.ts'
import { inForm, textState } from './text-state.ts'

let entries: ContentsEntry[] = []

/** Begins to count equal ids, and to collect headings for the table of contents. */
export const beginHeadings = (): void => {
  resetHeadings()
  entries = []
}

/** The headings that were rendered since, if the text has a table of contents. */
export const headingEntries = (): readonly ContentsEntry[] => entries

interface Rendering {
  parser: Parser
}

const withId = gfmHeadingId().renderer!.heading as unknown as (this: Rendering, token: Token) => string

/** Signs of marks whose HTML differs from what is written. */
const MARKED = /[$:[]/

/**
 * A marked extension for ids of headings. As GitHub's, they come from what is written: `:tea:` is `tea`, and the number of
 * a footnote is not in them.
 */
export const headings: MarkedExtension = {
  renderer: {
    heading(token: Tokens.Heading) {
      const inline = (form: 'html' | 'alt') => inForm(form, () => this.parser.parseInline(token.tokens))
      const html = inForm('id', () => withId.call(this as unknown as Rendering, token))
      const start = html.slice(0, html.indexOf('>') + 1)
      if (textState().hasContents) {
        const id = /id="([^"]*)"/.exec(start)?.[1] ?? ''
        entries.push({ id, level: token.depth, title: inline('alt').replace(/<[^>]*>/g, '') })
      }
      return MARKED.test(token.raw) ? `${start}${inline('html')}</h${token.depth}>\n` : html
    },
  },
}
