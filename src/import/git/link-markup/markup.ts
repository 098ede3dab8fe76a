import { TEXT_BYTES_MAX } from '../../../limits.ts'
import { collectTags, type MarkdownDocument } from '../document.ts'
import { readFrontMatter } from '../front-matter.ts'
import { eachEntry, readBlobs } from '../objects.ts'
import type { GitPage } from '../pages.ts'
import type { Recognition } from '../recognition/recognize.ts'
import type { Repository } from '../repository.ts'
import { foldGollumName, gollumLinks } from './gollum.ts'
import { isFileName } from './links.ts'
import { obsidianLinks } from './obsidian.ts'
import { type NamedFile, PageNames } from './page-names.ts'
import { rewriteMarkdown } from './rewrite.ts'

/** Converts the markup of a wiki to ordinary Markdown, with the names of the pages at the ref. (D90) */
export interface TextMarkup {
  convert(document: MarkdownDocument, page: Pick<GitPage, 'locale' | 'path'>): MarkdownDocument
  /** The title of a page whose front matter has none, from the name of its file; null if it comes from the text. */
  titleOf(file: string): string | null
  /** A digest of all names on which the result depends. */
  names: string
}

/** A page at the ref. */
type CurrentPage = Pick<GitPage, 'locale' | 'path' | 'head'>

const MARKDOWN: TextMarkup = { convert: (document) => document, titleOf: () => null, names: '' }

/** Other files that links can name, such as images. */
const MAX_FILES = 200_000

/** @param pages all pages of the repository */
export const openMarkup = async (
  repository: Repository,
  head: string,
  { linkMarkup: kind, contentFolder }: Pick<Recognition, 'linkMarkup' | 'contentFolder'>,
  pages: readonly CurrentPage[],
): Promise<TextMarkup> => {
  if (kind === 'markdown') return MARKDOWN
  const isGollum = kind === 'gollum'
  const files = new Map<string, NamedFile>()
  for (const { head: current, locale, path } of pages)
    if (current !== null) files.set(current.file, { file: current.file, locale, path })
  const others: NamedFile[] = []
  await eachEntry(repository, head, ({ file }) => {
    if (others.length === MAX_FILES || !isFileName(file) || files.has(file)) return
    const path = file.startsWith(contentFolder) ? file.slice(contentFolder.length) : file
    others.push({ file, locale: '', path })
  })
  const names = new PageNames([...files.values(), ...others], isGollum ? foldGollumName : undefined)
  if (!isGollum) await addAliases(names, repository, pages, files)
  return {
    names: names.digest(),
    titleOf: (file) => {
      const name = file.slice(file.lastIndexOf('/') + 1).replace(/(?<=.)\.\w+$/, '')
      return isGollum ? name.replaceAll('-', ' ') : name
    },
    convert: (document, { locale, path }) => {
      const tags: string[] = []
      const page = { locale, path, names }
      const rewrite = isGollum ? gollumLinks(page) : obsidianLinks(page, (tag) => tags.push(tag))
      const markdown = rewriteMarkdown(document.markdown, isGollum ? '[]' : '[!#', rewrite, TEXT_BYTES_MAX)
      return isGollum ? { ...document, markdown } : { ...withTags(document, tags), markdown }
    },
  }
}

/** Further names of pages of Obsidian, from the front matter at the ref. The name of a file precedes them. */
const addAliases = async (
  names: PageNames,
  repository: Repository,
  pages: readonly CurrentPage[],
  files: ReadonlyMap<string, NamedFile>,
): Promise<void> => {
  const current = pages.flatMap(({ head }) => (head === null ? [] : [head]))
  let index = 0
  for await (const bytes of readBlobs(
    repository,
    current.map(({ blob }) => blob),
  )) {
    const { file } = current[index++]!
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
