import { isUtf8 } from 'node:buffer'
import { decodeText, type TextEncoding } from '@lectern/wiki/import/text-encoding'
import { toSingleLine } from '@lectern/wiki/import/wiki-record'
import { CATEGORIES_MAX, FIELD_BYTES_MAX, TEXT_BYTES_MAX } from '@lectern/wiki/limits'
import { byteLength, nfc } from '@lectern/wiki/text'
import { hasOtherMarkup } from '../markups/markup.ts'
import { type FileTree, isMarkdownFile, type TreeFile } from './file-tree.ts'
import { readFrontMatter } from './front-matter.ts'

const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
const ATX = /^ {0,3}#{1,6}(?=[ \t]|$)/
const TITLE = /^ {0,3}#(?=[ \t]|$)/
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/
/** The start of a line that is not a paragraph: a quote, list, table, HTML, or indented code. */
const NO_PARAGRAPH = /^(?: {0,3}(?:>|[-+*][ \t]|\d{1,9}[.)][ \t]|[|<])|\t| {4})/
/** A longer line cannot be a title. The bound keeps the regular expressions fast. */
const MAX_LINE_LENGTH = 2000

/**
 * The text of the first heading of level 1 that is not empty, `# …` or underlined with `=`, without inline markup.
 * Ignores fenced code and comments. Headings of other levels are sections: thousands of pages would be "Contents".
 * @param from offset of the start of a line
 * @returns null if there is no heading
 */
export const firstHeading = (markdown: string, from = 0): string | null => {
  let fence: string | null = null
  let isInComment = false
  let paragraph = ''
  for (const line of linesOf(markdown, from)) {
    if (isInComment) {
      isInComment = !line.includes('-->')
      continue
    }
    const mark = FENCE.exec(line)?.[1]
    if (fence !== null) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = null
      continue
    }
    let heading = ''
    if (mark !== undefined) fence = mark
    else if (/^ {0,3}<!--/.test(line)) isInComment = !line.includes('-->')
    else if (ATX.test(line))
      heading = TITLE.test(line) ? line.replace(ATX, '').replace(/[ \t]#+[ \t]*$/, '') : ''
    else if (paragraph !== '' && UNDERLINE.test(line)) heading = line.includes('=') ? paragraph : ''
    else if (line.trim() !== '' && (paragraph !== '' || !NO_PARAGRAPH.test(line))) {
      if (paragraph.length < MAX_LINE_LENGTH) paragraph = `${paragraph} ${line}`
      continue
    }
    paragraph = ''
    const title = heading === '' ? '' : stripMarkup(heading)
    if (title !== '') return title
  }
  return null
}

function* linesOf(text: string, from: number): Generator<string> {
  for (let start = from; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    yield text.slice(start, Math.min(end, start + MAX_LINE_LENGTH)).replace(/\r$/, '')
    start = end + 1
  }
}

/** A simple conversion of inline Markdown to plain text. Links and images become their text, code its content. */
const stripMarkup = (inline: string): string =>
  toSingleLine(
    inline
      .replace(/[ \t]*\{:?[ \t]*[#.][^{}]*\}[ \t]*$/, '')
      .split(/(`+[^`]+`+)/)
      .map((part) => (part.startsWith('`') ? part.replace(/^`+|`+$/g, '') : stripInlineMarkup(part)))
      .join(''),
    FIELD_BYTES_MAX.title,
  )

const stripInlineMarkup = (text: string): string =>
  text
    .replace(/!?\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])/g, '$1')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(/\*+(?=\S)([^*]+)\*+/g, '$1')
    .replace(/(?<![\p{L}\p{N}_])_+(?=\S)([^_]+)_+(?![\p{L}\p{N}_])/gu, '$1')
    .replace(/~~([^~]+)~~/g, '$1')
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '')

export interface DocumentTag {
  key: string
  /** The tag as written. */
  name: string
}

/** One version of a Markdown file. */
export interface MarkdownDocument {
  /** From the front matter, or else the first heading of level 1; null if there is neither. */
  title: string | null
  /** Whether the title is from the front matter. */
  hasOwnTitle: boolean
  /** The text without the front matter and the blank line after it. */
  markdown: string
  tags: DocumentTag[]
  /** Further names of the page, from the front matter. */
  aliases: string[]
  published: boolean
  /** Whether the front matter is invalid. */
  brokenFrontMatter: boolean
  /** Whether the front matter is so large that it was read line by line. */
  largeFrontMatter: boolean
  /** Whether a comment of Obsidian has no end. */
  hasOpenComment: boolean
  encoding: TextEncoding
  /** Whether bytes that are not UTF-8 were replaced, or U+0000 was removed. */
  replacedBytes: boolean
  /** Whether the file is a pointer of Git LFS. Its text is not in the repository. */
  isLfsPointer: boolean
  /** Why a text in another markup became a code block; null if it did not. */
  unconverted: 'no converter' | 'failed' | null
  /** Tags that are too long for a key. */
  unfitTags: string[]
  /** Whether there are more tags than a revision can have categories. */
  tooManyTags: boolean
}

/** Reads the bytes of a file. Accepts any bytes. */
export const readDocument = (bytes: Buffer): MarkdownDocument => {
  const { text: decoded, encoding } = decodeText(bytes)
  const text = decoded.replaceAll('\u0000', '')
  const front = readFrontMatter(text)
  const ownTitle = toSingleLine(front.title ?? '', FIELD_BYTES_MAX.title)
  return {
    title: ownTitle || firstHeading(text, front.end),
    hasOwnTitle: ownTitle !== '',
    markdown: front.broken ? text : withoutBlankLine(text.slice(front.end), front.end > 0),
    ...collectTags(front.tags),
    aliases: front.aliases
      .slice(0, ALIASES_MAX)
      .map((alias) => toSingleLine(alias, FIELD_BYTES_MAX.title))
      .filter((alias) => alias !== ''),
    published: front.published,
    brokenFrontMatter: front.broken,
    largeFrontMatter: front.large,
    hasOpenComment: false,
    encoding,
    replacedBytes: (encoding === 'UTF-8' && !isUtf8(bytes)) || decoded.length !== text.length,
    isLfsPointer: text.startsWith(LFS_POINTER),
    unconverted: null,
  }
}

/** The tags of these names, without repetitions. */
export const collectTags = (
  names: readonly string[],
): Pick<MarkdownDocument, 'tags' | 'unfitTags' | 'tooManyTags'> => {
  const tags = new Map<string, DocumentTag>()
  const unfitTags: string[] = []
  for (const name of names
    .map((tag) => toSingleLine(tag, FIELD_BYTES_MAX.title))
    .filter((tag) => tag !== '')) {
    const key = nfc(name.toLowerCase()).replace(/\s+/gu, '-')
    if (byteLength(key) > FIELD_BYTES_MAX.key) unfitTags.push(name)
    else if (!tags.has(key)) tags.set(key, { key, name })
  }
  return {
    tags: [...tags.values()].slice(0, CATEGORIES_MAX),
    unfitTags,
    tooManyTags: tags.size > CATEGORIES_MAX,
  }
}

/** Further names of a page, at most. */
const ALIASES_MAX = 50

const LFS_POINTER = 'version https://git-lfs.github.com/spec/v1\noid sha256:'

const withoutBlankLine = (text: string, afterBlock: boolean): string =>
  afterBlock ? text.replace(/^[ \t]*\r?\n/, '') : text

/** Whether guests do not see a page with this content: it is a draft. @param bytes null: too long, or unreadable */
export const isHiddenContent = (bytes: Buffer | null): boolean =>
  bytes === null || !readFrontMatter(decodeText(bytes).text.replaceAll('\u0000', '')).published

/**
 * The tree without the texts that guests do not see. What a tree is recognized as is public: it decides where pages are
 * and what their links mean, so a draft must not change it.
 */
export const withoutDrafts = async (tree: FileTree): Promise<FileTree> => {
  const texts: TreeFile[] = []
  await tree.eachFile((file) => {
    if (file.kind === 'regular' && (isMarkdownFile(file.name) || hasOtherMarkup(file.name))) texts.push(file)
  })
  const hidden = new Set<string>()
  let index = 0
  const contents = texts.map(({ content }) => content)
  for await (const bytes of tree.readContents(contents, TEXT_BYTES_MAX)) {
    if (isHiddenContent(bytes)) hidden.add(texts[index]!.name)
    index += 1
  }
  return {
    eachFile: (onFile) =>
      tree.eachFile((file) => {
        if (!hidden.has(file.name)) onFile(file)
      }),
    readContents: (all, maxBytes) => tree.readContents(all, maxBytes),
  }
}
