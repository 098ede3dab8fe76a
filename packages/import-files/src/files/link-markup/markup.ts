import { rewriteMarkdown } from '@lectern/wiki/import/rewrite'
import { toSingleLine } from '@lectern/wiki/import/wiki-record'
import { FIELD_BYTES_MAX, TEXT_BYTES_MAX } from '@lectern/wiki/limits'
import { type ConvertWikitext, type MarkupPage, markupOf } from '../../markups/markup.ts'
import { toMarkdown } from '../../markups/to-markdown.ts'
import { collectTags, firstHeading, type MarkdownDocument } from '../document.ts'
import type { FileTree } from '../file-tree.ts'
import type { Layout } from '../layouts.ts'
import { withoutObsidianComments } from '../obsidian-comments.ts'
import type { Recognition } from '../recognition/recognize.ts'
import { foldGollumName, gollumLinks } from './gollum.ts'
import { FileNames, isFileName, linkByName } from './links.ts'
import { obsidianLinks } from './obsidian.ts'
import { hasRelativeLink, pageOfName, relativeLinks } from './relative-links.ts'

/** Converts the markup of a wiki to Markdown with links by name. (D88) */
export interface TextMarkup {
  /** @param file the name of its file, whose extension tells the markup */
  convert(
    document: MarkdownDocument,
    page: { locale: string; path: string },
    file: string,
  ): Promise<MarkdownDocument>
  /** The title of a page whose front matter has none, from the name of its file; null if it comes from the text. */
  titleOf(file: string): string | null
  /** Whether the aliases in the front matter are names of the page. */
  hasAliases: boolean
  /** A digest of the names of files that a text can embed by name; empty if it cannot. */
  names: string
}

/** Other files that links can name, such as images. */
const MAX_FILES = 200_000

/** Which files of the source are pages, and how they write links. */
type PageFiles = Pick<Recognition, 'linkMarkup' | 'contentFolder' | 'leftOut'> & {
  layouts: Layout[]
  wikitext?: ConvertWikitext
}

export const openMarkup = async (
  tree: FileTree,
  files: PageFiles & Pick<Recognition, 'hasComments'>,
): Promise<TextMarkup> => {
  const markup = await openLinkMarkup(tree, files)
  if (!files.hasComments) return markup
  const convert: TextMarkup['convert'] = (document, page, file) =>
    markup.convert(markupOf(file) === 'markdown' ? removeComments(document) : document, page, file)
  return { ...markup, convert }
}

const removeComments = (document: MarkdownDocument): MarkdownDocument => {
  const { markdown, isOpen } = withoutObsidianComments(document.markdown)
  const title = document.hasOwnTitle ? document.title : firstHeading(markdown)
  return { ...document, markdown, title, hasOpenComment: isOpen }
}

const openLinkMarkup = async (
  tree: FileTree,
  { linkMarkup: kind, contentFolder, layouts, leftOut, wikitext }: PageFiles,
): Promise<TextMarkup> => {
  const pageOf = pageOfName(layouts, leftOut)
  if (kind === 'markdown') return plainMarkup(pageOf, wikitext)
  const isGollum = kind === 'gollum'
  const others: string[] = []
  await tree.eachFile(({ name: file }) => {
    if (others.length === MAX_FILES || !isFileName(file) || pageOf(file) !== null) return
    others.push(file.startsWith(contentFolder) ? file.slice(contentFolder.length) : file)
  })
  const files = new FileNames(others, isGollum ? foldGollumName : undefined)
  return {
    names: files.digest,
    hasAliases: !isGollum,
    titleOf: (file) => {
      const name = file.slice(file.lastIndexOf('/') + 1).replace(/(?<=.)\.\w+$/, '')
      return isGollum ? name.replaceAll('-', ' ') : name
    },
    convert: async (original, { locale, path }, file) => {
      const tags: string[] = []
      const page = { locale, path, files }
      // As Gollum writes it: the rewriting of its links follows.
      const link = (name: string, text: string) => linkByName(text || name, name, true)
      const document = await convertMarkup(original, { locale, path, linkByName: link }, file, wikitext)
      if (document.unconverted !== null) return document
      const rewrite = isGollum ? gollumLinks(page) : obsidianLinks(page, (tag) => tags.push(tag))
      const markdown = rewriteMarkdown(document.markdown, isGollum ? '[]' : '[!#', rewrite, TEXT_BYTES_MAX)
      return isGollum ? { ...document, markdown } : { ...withTags(document, tags), markdown }
    },
  }
}

/** Converts the text of a document in another markup than Markdown. Links of wikis in it stay. (D99) */
const convertMarkup = async (
  document: MarkdownDocument,
  page: MarkupPage,
  file: string,
  wikitext?: ConvertWikitext,
): Promise<MarkdownDocument> => {
  if (markupOf(file) === 'markdown' || document.isLfsPointer) return document
  const { markdown, title, tags, unconverted } = await toMarkdown(document.markdown, file, page, wikitext)
  const ownTitle = document.hasOwnTitle ? document.title : toSingleLine(title ?? '', FIELD_BYTES_MAX.title)
  return {
    ...withTags(document, tags),
    markdown,
    title: ownTitle || (unconverted === null ? firstHeading(markdown) : null),
    hasOwnTitle: Boolean(ownTitle),
    unconverted,
  }
}

/** Markdown with relative links. */
const plainMarkup = (pageOf: ReturnType<typeof pageOfName>, wikitext?: ConvertWikitext): TextMarkup => ({
  names: '',
  hasAliases: false,
  titleOf: () => null,
  convert: async (original, page, file) => {
    const document = await convertMarkup(original, page, file, wikitext)
    if (document.unconverted !== null || !hasRelativeLink(document.markdown)) return document
    const rewrite = relativeLinks(pageOf, file, page)
    return { ...document, markdown: rewriteMarkdown(document.markdown, ']', rewrite, TEXT_BYTES_MAX) }
  },
})

/** Adds the tags in the text. In front matter, Obsidian accepts tags with `#`, and links, too. */
const withTags = (document: MarkdownDocument, tags: readonly string[]): MarkdownDocument => {
  const fromFrontMatter = document.tags.map(({ name }) =>
    name.replace(/^#/, '').replace(/^\[\[([^[\]|]+)(?:\|[^[\]]*)?\]\]$/, '$1'),
  )
  const collected = collectTags([...fromFrontMatter, ...tags])
  return {
    ...document,
    ...collected,
    unfitTags: [...document.unfitTags, ...collected.unfitTags],
    tooManyTags: document.tooManyTags || collected.tooManyTags,
  }
}
