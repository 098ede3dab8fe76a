import { FIELD_BYTES_MAX, TEXT_BYTES_MAX } from '../../../limits.ts'
import { type MarkupPage, markupOf } from '../../markups/markup.ts'
import { toMarkdown } from '../../markups/to-markdown.ts'
import { toSingleLine } from '../../single-line.ts'
import { collectTags, type MarkdownDocument } from '../document.ts'
import type { FileTree } from '../file-tree.ts'
import { readFrontMatter } from '../front-matter.ts'
import { firstHeading } from '../heading.ts'
import type { Recognition } from '../recognition/recognize.ts'
import { foldGollumName, gollumLinks } from './gollum.ts'
import { isFileName } from './links.ts'
import { obsidianLinks } from './obsidian.ts'
import { type NamedFile, PageNames } from './page-names.ts'
import { hasRelativeLink, pagesByFile, relativeLinks } from './relative-links.ts'
import { rewriteMarkdown } from './rewrite.ts'

/** Converts the markup of a wiki to ordinary Markdown, with the names of the current pages. (D90) */
export interface TextMarkup {
  /** @param file the name of its file, whose extension tells the markup */
  convert(
    document: MarkdownDocument,
    page: { locale: string; path: string },
    file: string,
  ): Promise<MarkdownDocument>
  /** The title of a page whose front matter has none, from the name of its file; null if it comes from the text. */
  titleOf(file: string): string | null
  /** A digest of the names by which links lead to pages; empty if links name files. */
  names: string
}

/** Other files that links can name, such as images. */
const MAX_FILES = 200_000

/** A page with the file that has its current text. */
export interface CurrentPage {
  locale: string
  path: string
  /** Null: the page is deleted. */
  current: { file: string; content: string } | null
}

/** @param pages all pages of the source */
export const openMarkup = async (
  tree: FileTree,
  { linkMarkup: kind, contentFolder }: Pick<Recognition, 'linkMarkup' | 'contentFolder'>,
  pages: readonly CurrentPage[],
): Promise<TextMarkup> => {
  if (kind === 'markdown') return plainMarkup(pages)
  const isGollum = kind === 'gollum'
  const files = new Map<string, NamedFile>()
  for (const { current, locale, path } of pages)
    if (current !== null) files.set(current.file, { file: current.file, locale, path })
  const others: NamedFile[] = []
  await tree.eachFile(({ name: file }) => {
    if (others.length === MAX_FILES || !isFileName(file) || files.has(file)) return
    const path = file.startsWith(contentFolder) ? file.slice(contentFolder.length) : file
    others.push({ file, locale: '', path })
  })
  const names = new PageNames([...files.values(), ...others], isGollum ? foldGollumName : undefined)
  if (!isGollum) await addAliases(names, tree, pages, files)
  return {
    names: names.digest(),
    titleOf: (file) => {
      const name = file.slice(file.lastIndexOf('/') + 1).replace(/(?<=.)\.\w+$/, '')
      return isGollum ? name.replaceAll('-', ' ') : name
    },
    convert: async (original, { locale, path }, file) => {
      const tags: string[] = []
      const page = { locale, path, names }
      const find = (name: string) => names.find(name, page)?.path ?? null
      const document = await convertMarkup(original, { locale, path, find }, file)
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
): Promise<MarkdownDocument> => {
  if (markupOf(file) === 'markdown' || document.isLfsPointer) return document
  const { markdown, title, tags, unconverted } = await toMarkdown(document.markdown, file, page)
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
const plainMarkup = (pages: readonly CurrentPage[]): TextMarkup => {
  const byFile = pagesByFile(
    pages.flatMap(({ locale, path, current }) =>
      current === null ? [] : [{ locale, path, file: current.file }],
    ),
  )
  return {
    names: '',
    titleOf: () => null,
    convert: async (original, page, file) => {
      const document = await convertMarkup(original, page, file)
      if (document.unconverted !== null || !hasRelativeLink(document.markdown)) return document
      const rewrite = relativeLinks(byFile, file, page)
      return { ...document, markdown: rewriteMarkdown(document.markdown, ']', rewrite, TEXT_BYTES_MAX) }
    },
  }
}

/** Further names of pages of Obsidian, from the front matter at the ref. The name of a file precedes them. */
const addAliases = async (
  names: PageNames,
  tree: FileTree,
  pages: readonly CurrentPage[],
  files: ReadonlyMap<string, NamedFile>,
): Promise<void> => {
  const all = pages.flatMap(({ current }) => (current === null ? [] : [current]))
  let index = 0
  const contents = all.map(({ content }) => content)
  for await (const bytes of tree.readContents(contents, TEXT_BYTES_MAX)) {
    const { file } = all[index++]!
    // Only the front matter is read, so the rest of the text need not be decoded.
    const text = (bytes ?? Buffer.alloc(0)).toString('utf8', 0, 100_000).replace(/^\ufeff/, '')
    for (const alias of readFrontMatter(text).aliases.slice(0, 50)) names.add(alias, files.get(file)!)
  }
}

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
