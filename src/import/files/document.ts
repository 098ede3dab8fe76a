import { isUtf8 } from 'node:buffer'
import { CATEGORIES_MAX, FIELD_BYTES_MAX } from '../../limits.ts'
import { byteLength, nfc } from '../../wiki/text.ts'
import { toSingleLine } from '../single-line.ts'
import { decodeText, type TextEncoding } from './decode.ts'
import { readFrontMatter } from './front-matter.ts'
import { firstHeading } from './heading.ts'

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
  published: boolean
  /** Whether the front matter is invalid. */
  brokenFrontMatter: boolean
  /** Whether the front matter is so large that it was read line by line. */
  largeFrontMatter: boolean
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
    published: front.published,
    brokenFrontMatter: front.broken,
    largeFrontMatter: front.large,
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

const LFS_POINTER = 'version https://git-lfs.github.com/spec/v1\noid sha256:'

const withoutBlankLine = (text: string, afterBlock: boolean): string =>
  afterBlock ? text.replace(/^[ \t]*\r?\n/, '') : text
