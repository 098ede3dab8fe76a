import type { DialectName } from '@lectern/wiki/dialects/dialect'
import type { PageKey } from '@lectern/wiki/records'

/** Markups of texts, by which they are converted to Markdown. `code`: no converter, so the text becomes a code block. */
type Markup = 'markdown' | 'asciidoc' | 'mediawiki' | 'org' | 'textile' | 'rst' | 'code'

/** Markups other than Markdown, by the extensions of their files, as Gollum knows them. */
const MARKUPS = new Map<string, Markup>(
  Object.entries({
    asciidoc: 'asciidoc adoc asc',
    mediawiki: 'mediawiki wiki',
    org: 'org',
    textile: 'textile',
    rst: 'rst rest',
    code: 'creole pod rdoc',
  }).flatMap(([markup, extensions]) => extensions.split(' ').map((one) => [one, markup as Markup])),
)

/** Extensions of the other markups, in the order of their layouts. */
export const OTHER_EXTENSIONS: readonly string[] = [...MARKUPS.keys()]

/** Extensions that other programs use for other files, too: `.asc` for signatures. Only Gollum or a vault shows that such files are pages. */
export const AMBIGUOUS_EXTENSIONS = ['canvas', 'asc', 'wiki', 'rest', 'pod', 'rdoc', 'creole']

/** Whether it is a canvas of Obsidian. */
export const isCanvas = (name: string): boolean => extensionOf(name).toLowerCase() === 'canvas'

export const extensionOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

export const hasOtherMarkup = (name: string): boolean => MARKUPS.has(extensionOf(name).toLowerCase())

/** The markup of a file. A file with an unknown extension counts as Markdown. */
export const markupOf = (name: string): Markup => MARKUPS.get(extensionOf(name).toLowerCase()) ?? 'markdown'

const DIALECTS: Partial<Record<Markup, DialectName>> = {
  asciidoc: 'asciidoc',
  textile: 'asciidoc',
  rst: 'sphinx',
}

/** The dialect of a converted text; undefined for Markdown. */
export const dialectOfMarkup = (name: string): DialectName | 'markdown' | undefined => {
  const markup = markupOf(name)
  return markup === 'markdown' ? undefined : (DIALECTS[markup] ?? 'markdown')
}

/** The language of the code block for a file whose markup has no converter, or whose conversion failed. */
export const codeLanguageOf = (name: string): string => {
  const markup = markupOf(name)
  if (markup === 'mediawiki') return 'wikitext'
  return markup === 'code' ? extensionOf(name).toLowerCase() : markup
}

/** Converts a text of MediaWiki; another package can. @returns isTooLong: the Markdown is a code block */
export type ConvertWikitext = (
  text: string,
  page: MarkupPage,
) => { markdown: string; tags: string[]; isTooLong: boolean }

/** A section of a text, or a text. `title` null: what is at `to` has none. */
export interface RstSection {
  title: string | null
  to: string
}

/** What the configuration of a site defines for all texts. */
export interface RstDefinitions {
  /** Destinations, as written, by the names of targets as `rstName` returns them. */
  targets: ReadonlyMap<string, string>
  substitutions: ReadonlyMap<string, string | RstPicture>
  roles: ReadonlyMap<string, RstRole>
  /** Empty: text without a role is in italics. */
  defaultRole: string
}

/** `base`: the role as which it looks. `url`, `caption`: of a link, with `%s` for the text. */
export type RstRole = { base: string; url: string | undefined; caption: string | undefined }

export type RstPicture = { argument: string; options: ReadonlyMap<string, string> }

/** What a text of Sphinx can refer to in the other texts of its site. */
export interface RstReferences {
  definitions?: RstDefinitions | undefined
  /** @param name as `rstName` returns it */
  label(name: string): RstSection | undefined
  /** The texts that a name or a pattern means, from the folder of the text or, with a slash, from the top. */
  documents(target: string): readonly RstSection[]
}

export interface MarkupPage extends PageKey {
  references?: RstReferences
  /** Lines before the text, if it is one of Antora. */
  header?: string
  /** A link to a page by its name. @param text plain text. Absent: links lead to their own names */
  linkByName?(name: string, text: string): string
}
