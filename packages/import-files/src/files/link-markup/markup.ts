import { dialectOf } from '@lectern/wiki/dialects/dialect'
import { hasLostShortcode } from '@lectern/wiki/dialects/templates'
import { type KnownSections, type RewriteMark, rewriteMarkdown } from '@lectern/wiki/import/rewrite'
import { toSingleLine } from '@lectern/wiki/import/wiki-record'
import { FIELD_BYTES_MAX } from '@lectern/wiki/limits'
import type { PageKey } from '@lectern/wiki/records'
import { FILE_NAME } from '@lectern/wiki/references'
import { expandIncludes } from '../../includes/expand.ts'
import type { IncludableFiles, Includes } from '../../includes/names.ts'
import { type ConvertWikitext, dialectOfMarkup, type MarkupPage, markupOf } from '../../markups/markup.ts'
import { hasOtherDirectives, withMystReferences } from '../../markups/myst.ts'
import { toMarkdown } from '../../markups/to-markdown.ts'
import { withoutMarkdownComments } from '../comments.ts'
import { type FileDocument, firstHeading, withoutMetadata, withTags } from '../document.ts'
import { type FileTree, stemOf } from '../file-tree.ts'
import type { Layout } from '../layouts.ts'
import type { FileNoteKind } from '../notes.ts'
import { dayOfPost, propertiesOf, withByline } from '../properties.ts'
import { addressedPage } from '../recognition/addresses.ts'
import type { Recognition } from '../recognition/recognize.ts'
import { gollumLinks, linkByName, makeFileNames, obsidianLinks } from './links.ts'
import { hasSiteLink, pageOfName, type SiteLinks, siteLinks } from './relative-links.ts'

/** Converts the markup of a wiki to Markdown with links by name, whose targets are found when a page is read. */
export type TextMarkup = ReturnType<typeof openMarkup>

const MAX_FILES = 200_000

type MarkedFiles = Omit<Recognition, 'layouts'> & { layouts: Layout[]; wikitext?: ConvertWikitext }

interface LinkMarkup {
  /** A digest of the names of files that a text can embed by name; empty if it cannot. */
  names: string
  /** The title of a page whose front matter has none, from the name of its file; null if it comes from the text. */
  titleOf(file: string): string | null
  rewrite(document: FileDocument, page: PageKey, file: string): FileDocument
  /** A link by name in a text that is converted; its rewriting follows. */
  linkByName?: MarkupPage['linkByName']
}

export const openMarkup = (tree: FileTree, files: MarkedFiles) => {
  const { linkMarkup, layouts, leftOut, hasComments, dialect, includes, wikitext } = files
  const { explicitPublish = false } = tree
  const pageOf = pageOfName(layouts, leftOut)
  const root = includes.folders.content.split('/').slice(0, -1)
  const { addresses, hasOwnIds, siteName } = files
  const site = { pageOf, addresses, root, hasOwnIds, isVault: dialect === 'obsidian' }
  const links = linkMarkup === 'markdown' ? siteMarkup(site) : namedMarkup(tree, files, site)
  const isMkDocs = dialect === 'mkdocs'
  // Starlight has other Markdown, too.
  const ofMdx = dialect === 'starlight' ? 'mdx' : (dialect ?? 'mdx')
  const hasHomePages = dialectOf(dialect)?.constructs.has('home') ?? false
  return {
    ...links,
    names: `${links.names}${hasHomePages ? ' home' : ''}${dialect === null ? '' : ` labels by ${JSON.stringify([...files.authors])}`}${isMkDocs ? ' remarks' : ''} ${siteName ?? ''}${files.rstSite?.digest ?? ''}${files.shown.digest}${explicitPublish ? ' explicit' : ''}`,
    /** Whether the aliases in the front matter are names of the page. */
    hasAliases: linkMarkup === 'obsidian',
    /** Whether front matter can be below blank lines. */
    isFrontMatterReadBelow: ['hugo', 'zola', 'starlight', 'quarto'].includes(dialect ?? ''),
    siteName,
    explicitPublish,
    includes,
    titles: files.titles,
    heldBack: files.shown.heldBack,
    dialectOf: (file: string) =>
      dialectOfMarkup(file) ?? (/\.mdx$/i.test(file) ? ofMdx : (dialect ?? 'markdown')),
    /** @param file its name, whose extension tells the markup @param parts files that it can include; absent: none */
    convert: async (read: FileDocument, { locale, path }: PageKey, file: string, parts?: IncludableFiles) => {
      const written = isMkDocs ? withoutMetadata(read) : read
      const home = hasHomePages && written.home !== '' ? `${written.home}\n\n` : ''
      const whole = { ...written, markdown: home + written.markdown }
      const included = parts ? await withIncludes(whole, file, includes, parts) : whole
      const original = isMkDocs
        ? withText(included, withoutMarkdownComments(included.markdown, '{>>').markdown, null)
        : included
      if (dialect === 'hugo' && hasLostShortcode(original.markdown)) original.notes.add('shortcode')
      if (dialect === 'myst' && hasOtherDirectives(original.markdown)) original.notes.add('generated')
      const references = files.rstSite?.of(file, locale)
      const page = { locale, path, linkByName: links.linkByName, references, header: includes.header }
      const document =
        markupOf(file) !== 'markdown'
          ? await convertMarkup(original, page, file, wikitext)
          : hasComments || (dialect === null && !files.isPlainChosen)
            ? removeComments(original, hasComments)
            : references
              ? withText(original, withMystReferences(original.markdown, page), null)
              : original
      const isCode = document.notes.has('failed') || document.notes.has('no converter')
      if (isCode) return document
      const ofNote = site.isVault && read.broken === null ? propertiesOf(read.frontMatter) : ''
      const day = site.isVault || dialect === null ? undefined : dayOfPost(file, read.address.date)
      const noted = ofNote === '' ? document.markdown : `${ofNote}\n\n${document.markdown}`
      const names = read.authors.map((author) => files.authors.get(author) ?? author)
      const markdown = day === undefined ? noted : withByline(noted, day, names)
      return links.rewrite({ ...document, markdown }, page, file)
    },
  }
}

const withIncludes = async (
  document: FileDocument,
  file: string,
  includes: Includes,
  files: IncludableFiles,
): Promise<FileDocument> => {
  const expanded = await expandIncludes(document.markdown, file, includes, files)
  if (expanded === null) return document
  const changed = withText(document, expanded.text, expanded.isIncomplete ? 'include' : null)
  return { ...changed, includedDigest: expanded.digest }
}

/** @param hasComments whether they are comments for sure. If not, the text keeps them. */
const removeComments = (document: FileDocument, hasComments: boolean): FileDocument => {
  const { markdown, isOpen } = withoutMarkdownComments(document.markdown)
  if (hasComments) return withText(document, markdown, isOpen ? 'open comment' : null)
  return isOpen || markdown === document.markdown
    ? document
    : withText(document, document.markdown, 'perhaps comment')
}

const withText = (document: FileDocument, markdown: string, note: FileNoteKind | null): FileDocument => ({
  ...document,
  markdown,
  title: document.hasOwnTitle ? document.title : (firstHeading(markdown) ?? document.otherTitle),
  notes: note === null ? document.notes : new Set([...document.notes, note]),
})

/** Converts the text of a document in another markup than Markdown. Links of wikis in it stay. (D99) */
const convertMarkup = async (
  document: FileDocument,
  page: MarkupPage,
  file: string,
  wikitext?: ConvertWikitext,
): Promise<FileDocument> => {
  if (document.isLfsPointer) return document
  const { markdown, title, tags, note } = await toMarkdown(document.markdown, file, page, wikitext)
  const ownTitle = document.hasOwnTitle ? document.title : toSingleLine(title ?? '', FIELD_BYTES_MAX.title)
  const tagged = withTags(document, tags)
  return {
    ...tagged,
    markdown,
    title: ownTitle || firstHeading(markdown),
    hasOwnTitle: Boolean(ownTitle),
    notes: note === null ? tagged.notes : new Set([...tagged.notes, note]),
  }
}

const siteMarkup = (site: SiteLinks): LinkMarkup => {
  // Versions of a text follow each other, and are mostly the same.
  let last: KnownSections & { of: string } = { of: '', sections: new Map() }
  return {
    names: site.addresses === null ? '' : `${site.hasOwnIds} ${site.addresses.digest}`,
    titleOf: () => null,
    rewrite: (document, page, file) => {
      if (!hasSiteLink(document.markdown, site)) return document
      const addressed = addressedPage(page, file, document.address)
      const of = JSON.stringify([file, addressed])
      if (of !== last.of) last = { of, sections: new Map() }
      const links = siteLinks(site, file, addressed)
      const markdown = rewriteMarkdown(document.markdown, '[]<', links, last)
      return { ...document, markdown }
    },
  }
}

const namedMarkup = (
  tree: FileTree,
  { linkMarkup, layouts: [layout], includes, ownWiki }: MarkedFiles,
  site: SiteLinks,
): LinkMarkup => {
  const isGollum = linkMarkup === 'gollum'
  const { content } = includes.folders
  const others: string[] = []
  let isDendron = false
  for (const { name: file } of tree.files()) {
    isDendron ||= /(?:^|\/)dendron\.yml$/.test(file)
    if (others.length === MAX_FILES || !FILE_NAME.test(file) || site.pageOf(file) !== null) continue
    others.push(file.startsWith(content) ? file.slice(content.length) : file)
  }
  const files = makeFileNames(others, isGollum)
  return {
    // The number is another one if texts of Obsidian become others.
    names: `${files.digest} ${isGollum ? '' : 14}${isDendron} ${site.addresses?.digest}${ownWiki ? ownWiki.repository + ownWiki.pages.digest : ''}`,
    // Logseq writes `/` so in names of files.
    titleOf: (file) => (isGollum ? stemOf(file).replaceAll('-', ' ') : stemOf(file).replaceAll('___', '/')),
    linkByName: (name, text) => linkByName(text || name, name, true),
    rewrite: (document, { locale, path }, file) => {
      const tags: string[] = []
      const noteOf = (name: string) => site.addresses?.noteOfSeveral({ locale, path }, name) ?? null
      const page = { locale, path, files, ownWiki, prefix: layout?.prefix ?? '', isDendron, noteOf }
      const named = isGollum ? gollumLinks(page) : obsidianLinks(page, (tag) => tags.push(tag))
      const ofFiles = siteLinks(site, file, addressedPage(page, file, document.address))
      const rewrite: RewriteMark = (text, at) =>
        (isGollum || text[at] !== ']' ? named(text, at) : null) ??
        (isGollum && text[at] === ']' && site.addresses === null ? null : ofFiles(text, at))
      const markdown = rewriteMarkdown(document.markdown, isGollum ? '[]h' : '[]!#', rewrite)
      if (isGollum) return { ...document, markdown }
      const all = [...document.categories, ...tags]
      const parents = [...document.tags.map(({ name }) => name), ...all].flatMap(parentTags)
      return { ...withTags(document, [...all, ...parents]), markdown }
    },
  }
}

/** `a` and `a/b` for the tag `a/b/c`, which Obsidian finds by these, too; none for a link. */
const parentTags = (tag: string): string[] =>
  Array.from(tag.matchAll(/(?<=^[^[].*)\/(?=[^/])/g), ({ index }) => tag.slice(0, index).replace(/^#/, ''))
