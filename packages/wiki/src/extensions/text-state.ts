import type { Token } from 'marked'
import { dialectOf } from '../dialects/dialect.ts'
import { makeHeadingIds } from '../dialects/slugs.ts'
import type { LinkContext } from '../references.ts'

export interface Footnote {
  /** Its place in the list, from 1; 0 if nothing refers to it. */
  number: number
  references: number
  content: Token[]
}

/** A heading in the table of contents. `title`: HTML without tags. */
export type ContentsEntry = { id: string; level: number; title: string }

/** Characters of all formulas of a text that become MathML, and what each costs beside them. TeX takes 5 to 15 µs a character. */
export const TEX_CHARACTERS: number = 50_000
export const FORMULA_CHARACTERS = 20

/** What the extensions know of the text that is rendered: one at a time, because marked is synchronous. */
const emptyState = (context: LinkContext | null, dialect = dialectOf(context?.dialect)) => ({
  context,
  dialect,
  ids: makeHeadingIds(dialect?.slug ?? 'plain'),
  /** Of a text in a dialect. */
  otherIds: dialect && makeHeadingIds(dialect.otherSlug ?? 'github'),
  /** Those of the headings that were rendered, if the text has a table of contents. */
  entries: [] as ContentsEntry[],
  footnotes: new Map<string, Footnote>(),
  /** Whether the content of a footnote is read, which contains no other definitions. */
  isInFootnote: false,
  hasContents: false,
  /** Characters of formulas that may still become MathML. */
  texLeft: TEX_CHARACTERS,
  /** `id`: the id of a heading, for which GitHub takes what is written. `alt`: the alternative text of an image. */
  form: 'html' as 'html' | 'id' | 'alt',
})

type TextState = ReturnType<typeof emptyState>

let state = emptyState(null)

export const textState = (): TextState => state

export const beginText = (context: LinkContext | null): void => {
  state = emptyState(context)
}

export const inForm = <Result>(form: TextState['form'], render: () => Result): Result => {
  const before = state.form
  state.form = form
  const result = render()
  state.form = before
  return result
}
