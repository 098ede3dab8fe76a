import type { SlugRule } from './slugs.ts'

/** The dialects of generators: what they add to GitHub Flavored Markdown, ids of headings, where references start. A source knows them. */
export const DIALECTS = {
  mkdocs: { ...flags('admonitions', 'attributes', 'marks', 'liquid'), slug: 'python' },
  vitepress: { ...flags('containers', 'attributes', 'vue', 'home', 'notes'), slug: 'vue' },
  docusaurus: { ...flags('containers', 'attributes', 'mdx', 'unindented'), slug: 'github' },
  starlight: { ...flags('containers', 'mdx', 'home'), slug: 'github' },
  hugo: { ...flags('attributes', 'shortcodes', 'term-ids'), slug: 'github' },
  zola: { ...flags('attributes', 'liquid'), slug: 'ascii' },
  quarto: { ...flags('containers', 'attributes', 'shortcodes', 'raw'), slug: 'pandoc' },
  jekyll: { ...flags('attributes', 'liquid'), slug: 'github' },
  gitbook: { ...flags('liquid'), slug: 'github' },
  mdbook: { ...flags('attributes', 'rust'), slug: 'github' },
  obsidian: { ...flags('obsidian', 'notes', 'sizes'), slug: 'names', hasLineBreaks: true },
  mdx: { ...flags('containers', 'mdx', 'ids', 'unindented'), slug: 'github' },
  sphinx: { ...flags(), slug: 'docutils' },
  myst: { ...flags('directives', 'attributes', 'containers'), slug: 'docutils' },
  eleventy: { ...flags('containers', 'attributes', 'liquid'), slug: 'github', otherSlug: 'ascii' },
  /** AsciiDoc and Textile after their conversion, which writes ids of headings as attributes. */
  asciidoc: { ...flags('attributes'), slug: 'github', otherSlug: 'asciidoc' },
  wikijs: { ...flags('attributes', 'sizes', 'notes'), slug: 'github' },
} as const satisfies Record<string, Dialect>

export type DialectName = keyof typeof DIALECTS

export const DIALECT_NAMES = Object.keys(DIALECTS) as [DialectName, ...DialectName[]]

/** A construct that GitHub Flavored Markdown does not have. */
export type Construct =
  | 'containers' // `:::tip Title` … `:::`, and groups of code
  | 'admonitions' // `!!! note`, `??? note`, `=== "Tab"` with indented lines, `/// note` … `///`, `::: package.Class`
  | 'directives' // ```` ```{note} ````, `:::{note}`, roles (`` {ref}`tea` ``) and targets (`(tea)=`) of MyST
  | 'attributes' // `{#id .class}` and `{: … }` at headings, links, pictures and blocks
  | 'marks' // `==text==`, `^^text^^`, `H~2~O`, `{++text++}`, `++ctrl+c++`, `\(x\)`, abbreviations and icons
  | 'mdx' // imports, exports and components, and Markdown in tags
  | 'ids' // `## Tea [#tea]`, of Fumadocs and Nextra
  | 'unindented' // no indented code: all files are MDX
  | 'vue' // components in HTML
  | 'shortcodes' // `{{< figure src="a.png" >}}`
  | 'term-ids' // the terms of definition lists have ids, as headings do
  | 'liquid' // `{% raw %}`, `{{ "/a" | relative_url }}`, also of Jinja, whose loops show nothing; blocks of GitBook
  | 'rust' // hidden lines of Rust, and directives of mdBook
  | 'obsidian' // `==text==` and ids of blocks (`^id`)
  | 'notes' // `^[a footnote]`
  | 'home' // the front matter of home pages, which an import writes as Markdown
  | 'raw' // HTML in ```` ```{=html} ````, and grid tables, of Pandoc
  | 'sizes' // `![](cup.png =450x)`, `![A cup|450](cup.png)`

export interface Dialect {
  readonly constructs: ReadonlySet<Construct>
  readonly slug: SlugRule
  /** A second id of each heading, to which links can lead, too. Default: that of GitHub. */
  readonly otherSlug?: SlugRule
  readonly hasLineBreaks?: boolean
}

function flags(...constructs: Construct[]): Pick<Dialect, 'constructs'> {
  return { constructs: new Set(constructs) }
}

/** The dialect of a name; undefined for plain Markdown, and for a name of another version of Lectern. */
export const dialectOf = (name: string | null | undefined): Dialect | undefined =>
  name != null && Object.hasOwn(DIALECTS, name) ? DIALECTS[name as DialectName] : undefined
