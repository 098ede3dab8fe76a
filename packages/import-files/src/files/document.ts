import { isUtf8 } from 'node:buffer'
import { linesWithCode } from '@lectern/wiki/dialects/lines'
import { decodeText } from '@lectern/wiki/import/text-encoding'
import { toSingleLine } from '@lectern/wiki/import/wiki-record'
import { CATEGORIES_MAX, FIELD_BYTES_MAX, TEXT_BYTES_MAX } from '@lectern/wiki/limits'
import { inlineText } from '@lectern/wiki/plain-text/inline-text'
import type { CategoryRecord } from '@lectern/wiki/records'
import { byteLength, nfc } from '@lectern/wiki/text'
import { hasOtherMarkup, isCanvas } from '../markups/markup.ts'
import { hasObsidianComments } from './comments.ts'
import { type FileTree, isMarkdownFile, type TreeFile } from './file-tree.ts'
import { type AddressFields, isPublic, readFrontMatter } from './front-matter.ts'
import type { FileNoteKind } from './notes.ts'

const ATX = /^ {0,3}#{1,6}(?=[ \t]|$)/
const TITLE = /^ {0,3}#(?=[ \t]|$)/
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/
/** The start of a line that is not a paragraph: a quote, list, table, HTML, or indented code. */
const NO_PARAGRAPH = /^(?: {0,3}(?:>|[-+*][ \t]|\d{1,9}[.)][ \t]|[|<])|\t| {4})/
/** A line above the heading that is not text: anchors, pictures, imports of components. */
const NO_TEXT = /^ {0,3}(?:<|!\[|\[!\[|(?:import|export) |:::|\{[%{#:])/
/** A longer line cannot be a title. The bound keeps the regular expressions fast. */
export const MAX_LINE_LENGTH = 2000

/**
 * The text of the first heading of level 1, `# …` or underlined with `=`; else of another one with which the text begins:
 * later ones are sections, and thousands of pages would be "Contents". @param from offset of the start of a line
 * @param isOfPage whether only level 1 counts
 */
export const firstHeading = (markdown: string, from = 0, isOfPage = false): string | null => {
  let isInComment = false
  let paragraph = ''
  let opening: string | null = null
  let isOpening = true
  for (const { line: whole, isCode } of linesWithCode(markdown.slice(from))) {
    const line = whole.slice(0, MAX_LINE_LENGTH).replace(/\r$/, '')
    if (isInComment || (!isCode && /^ {0,3}<!--/.test(line))) {
      isInComment = !line.includes('-->')
      continue
    }
    let heading = ''
    if (isCode) isOpening = false
    else if (ATX.test(line)) {
      const text = line.replace(ATX, '').replace(/[ \t]#+[ \t]*$/, '')
      if (TITLE.test(line)) heading = text
      else if (isOpening) opening = stripMarkup(text)
    } else if (paragraph !== '' && UNDERLINE.test(line)) heading = line.includes('=') ? paragraph : ''
    else if (line.trim() !== '' && (paragraph !== '' || !NO_PARAGRAPH.test(line))) {
      if (paragraph.length < MAX_LINE_LENGTH) paragraph = `${paragraph} ${line}`
      isOpening &&= NO_TEXT.test(line)
      continue
    }
    paragraph = ''
    isOpening &&= line.trim() === '' || NO_TEXT.test(line)
    const title = heading === '' ? '' : stripMarkup(heading)
    if (title !== '') return title
  }
  return (!isOfPage && opening) || null
}

/** The text of inline Markdown, without icons of Material, and the attributes after them and links, or at its end. */
export const stripMarkup = (inline: string): string =>
  toSingleLine(inlineText(inline.replace(ICON, '').replace(ATTRIBUTES, ''), new Map()), FIELD_BYTES_MAX.title)

const ICON = /:(?:material|fontawesome|octicons|simple)-[a-z0-9-]{1,100}:(?:\{[^{}]*\})?/g
const ATTRIBUTES =
  /(?:(?<=[)\]])|(?<![ \t])[ \t]*(?=\{[^{}]*\}[ \t]*$))\{:?[ \t]*(?:[#.]|[\w-]+=["'])[^{}]*\}/g

export type DocumentTag = Pick<CategoryRecord, 'key' | 'name'>

/** `includedDigest`: of what it includes; absent if it includes nothing. */
export type FileDocument = ReturnType<typeof readDocument> & { includedDigest?: string }

/** @param isReadBelow as in {@link readFrontMatter} @param isExplicit whether only marked texts are published */
export const readDocument = (bytes: Buffer, isReadBelow: boolean, isExplicit: boolean) => {
  const { text: decoded, encoding } = decodeText(bytes)
  const text = decoded.replaceAll('\u0000', '')
  const front = readFrontMatter(text, isReadBelow)
  const { address, authors, home, unclear, broken, invalid } = front
  const published = isPublic(front, isExplicit)
  const isUnmarked = front.published && !published
  const single = (title: string | null) => toSingleLine(title ?? '', FIELD_BYTES_MAX.title)
  const [ownTitle, otherTitle] = [single(front.title), single(front.otherTitle) || null]
  const notes = new Set<FileNoteKind>()
  const tags = collectTags(front.tags, notes)
  if (front.large) notes.add('large front matter')
  if (encoding !== 'UTF-8') notes.add(encoding)
  if ((encoding === 'UTF-8' && !isUtf8(bytes)) || decoded !== text) notes.add('replaced bytes')
  return {
    /** From the front matter, the first heading of level 1, or a title for layouts; null if there is none. */
    title: ownTitle || firstHeading(text, front.end) || otherTitle,
    hasOwnTitle: ownTitle !== '',
    /** The text without the front matter and the blank line after it. */
    markdown: broken || front.end === 0 ? text : text.slice(front.end).replace(/^[ \t]*\r?\n/, ''),
    ...tags,
    categories: front.categories,
    aliases: singleLines(front.aliases),
    ...{ otherTitle, address, authors, home, published, isUnmarked, unclear, broken, invalid },
    frontMatter: text.slice(0, front.end),
    isLfsPointer: text.startsWith(LFS_POINTER),
    notes,
  }
}

/** `Title: Green tea` and further lines with a key, up to a blank line, at the beginning of a text. */
const METADATA = /^(?:[\w-]{1,50}:(?:[ \t][^\n]*|\r)?\n(?: {4}[^\n]*\n)*)+/

/** A text of MkDocs, which reads such lines if there is no front matter. Nothing but their title counts. */
export const withoutMetadata = (document: FileDocument): FileDocument => {
  const block = document.frontMatter ? '' : (METADATA.exec(document.markdown)?.[0] ?? '')
  if (block === '') return document
  const markdown = document.markdown.slice(block.length).replace(/^[ \t]*\r?\n/, '')
  const own = toSingleLine(/^title:(.*)$/im.exec(block)?.[1] ?? '', FIELD_BYTES_MAX.title)
  return { ...document, markdown, title: own || firstHeading(markdown), hasOwnTitle: own !== '' }
}

const collectTags = (names: readonly string[], notes: Set<FileNoteKind>) => {
  const tags = new Map<string, DocumentTag>()
  const unfitTags: string[] = []
  for (const name of singleLines(names)) {
    const key = nfc(name.toLowerCase()).replace(/\s+/gu, '-')
    if (byteLength(key) > FIELD_BYTES_MAX.key) unfitTags.push(name)
    else if (!tags.has(key)) tags.set(key, { key, name })
  }
  if (tags.size > CATEGORIES_MAX) notes.add('too many tags')
  return { tags: [...tags.values()].slice(0, CATEGORIES_MAX), unfitTags }
}

/** Adds the tags in the text. In front matter, Obsidian accepts tags with `#`, and links, too. */
export const withTags = (document: FileDocument, names: readonly string[]): FileDocument => {
  const written = [...document.tags.map(({ name }) => name.replace(/^#/, '')), ...names]
  const notes = new Set(document.notes)
  const unlinked = written.map((name) => name.replace(/^\[\[([^[\]|]+)(?:\|[^[\]]*)?\]\]$/, '$1'))
  const { tags, unfitTags } = collectTags(unlinked, notes)
  return { ...document, tags, unfitTags: [...document.unfitTags, ...unfitTags], notes }
}

const singleLines = (texts: readonly string[]): string[] =>
  texts.map((text) => toSingleLine(text, FIELD_BYTES_MAX.title)).filter((text) => text !== '')

const LFS_POINTER = 'version https://git-lfs.github.com/spec/v1\noid sha256:'

/** Which contents guests do not see. Only those are read that are asked for. */
export const hiddenContents = (tree: FileTree) => {
  const hidden = new Map<string, boolean>()
  return {
    has: (content: string): boolean => hidden.get(content) === true,
    ask: async (contents: readonly string[]): Promise<void> => {
      const unknown = [...new Set(contents)].filter((content) => !hidden.has(content))
      const files = unknown.map((content) => ({ content }))
      const { published } = await publishedTexts(tree, files)
      for (const content of unknown) hidden.set(content, !published.has(content))
    },
  }
}

export type HiddenContents = ReturnType<typeof hiddenContents>

/** Of mkdocstrings and markdown-exec, for MkDocs. */
const PLUGIN_PART = /^ {0,3}(?::::[ \t]+[\w.]+[ \t]*$|[`~]{3}[^\n]*\sexec=["']?(?:yes|on|true|1)\b)/im

/** A reference of Hugo by the name of a page alone: `{{< relref "tea#cup" >}}`. */
const BARE_REFERENCE = /\{\{[<%][ \t]*(?:rel)?ref[ \t]+["'`]?([^\s"'`/#>%]{1,255}?)(?:\.md)?["'`#\s>%]/g

/** Of those of these contents that guests see, what the front matter says of their addresses; those with such parts; and names in such references. */
const publishedTexts = async (tree: FileTree, files: readonly Pick<TreeFile, 'content'>[]) => {
  const addresses = new Map<string, AddressFields>()
  const commented = new Set<string>()
  const withPluginParts = new Set<string>()
  const references = new Set<string>()
  const unmarked = new Set<string>()
  /** Those that are no drafts, with or without a mark. */
  const written = new Set<string>()
  for await (const [{ content }, bytes] of tree.readContents(files, TEXT_BYTES_MAX)) {
    if (bytes === null) continue
    const text = decodeText(bytes).text.replaceAll('\u0000', '')
    const front = readFrontMatter(text, true)
    const { published, marked, address, end } = front
    const isPublished = isPublic(front, tree.explicitPublish)
    if (published) written.add(content)
    if (isPublished && !marked) unmarked.add(content)
    const aliases = ALIASES_OF_ANTORA.exec(text.slice(0, 4_000))?.[1] ?? ''
    const names = aliases.split(/[\s,\\]+/).filter((name) => name.endsWith('.adoc'))
    const redirects = names.map((name) => name.replace(/^(?:ROOT:)?(.*)\.adoc$/, '/$1').replace(':', '/'))
    if (isPublished) addresses.set(content, names.length > 0 ? { ...address, redirects } : address)
    if (isPublished && hasObsidianComments(text.slice(end))) commented.add(content)
    if (isPublished && PLUGIN_PART.test(text)) withPluginParts.add(content)
    for (const [, name] of isPublished ? text.matchAll(BARE_REFERENCE) : [])
      references.add(name!.toLowerCase())
  }
  return { published: addresses, commented, withPluginParts, references, unmarked, written }
}

/** In the header of a text: `:page-aliases: tea.adoc, brew:pots.adoc`. */
const ALIASES_OF_ANTORA = /^:page-aliases:[ \t]+((?:[^\n]*\\\n){0,20}[^\n]*)$/m

/**
 * The tree without the texts that guests do not see, and the tree without drafts alone. By the names of their files: what the others say of their addresses,
 * and those with what can be comments of Obsidian, or parts that plugins of MkDocs make; and the names to which references of Hugo lead. A draft must not change what a tree is recognized as, because where pages are and what links mean is public.
 */
export const withoutDrafts = async (tree: FileTree) => {
  const isText = ({ name, kind }: TreeFile) =>
    kind === 'regular' && (isMarkdownFile(name) || hasOtherMarkup(name) || isCanvas(name))
  const texts = [...tree.files()].filter(isText)
  const { published, commented, withPluginParts, references, unmarked, written } = await publishedTexts(
    tree,
    texts,
  )
  const open = texts.filter(({ content }) => published.has(content))
  /** Nobody marks the list of the pages. */
  const isNavigation = ({ name, content }: TreeFile) =>
    written.has(content) && /(?:^|\/)(?:SUMMARY|_sidebar)\.md$/i.test(name)
  const treeOf = (isIn: (file: TreeFile) => boolean): FileTree => ({
    ...tree,
    files: () => [...tree.files()].filter(isIn),
  })
  const markdownIn = (contents: ReadonlySet<string>) =>
    open.flatMap(({ name, content }) => (isMarkdownFile(name) && contents.has(content) ? name : []))
  return {
    all: tree,
    addresses: new Map(open.map(({ name, content }) => [name, published.get(content)!])),
    commented: markdownIn(commented),
    withPluginParts: markdownIn(withPluginParts),
    references,
    unmarked: open.flatMap(({ name, content }) => (unmarked.has(content) ? name : [])),
    published: treeOf((file) => !isText(file) || published.has(file.content) || isNavigation(file)),
    written: treeOf((file) => !isText(file) || written.has(file.content)),
  }
}
