import { isUtf8 } from 'node:buffer'
import { CATEGORIES_MAX, FIELD_BYTES_MAX } from '../../limits.ts'
import { byteLength, nfc } from '../../wiki/text.ts'
import { toSingleLine } from '../single-line.ts'
import { readFrontMatter } from './front-matter.ts'
import { firstHeading } from './heading.ts'

export interface DocumentTag {
  key: string
  /** As it is written. */
  name: string
}

/** What one version of a file says. */
export interface MarkdownDocument {
  /** From the front matter, else the first heading; null where there is neither. */
  title: string | null
  /** The text without front matter and the blank line after it; otherwise as the file has it. */
  markdown: string
  tags: DocumentTag[]
  published: boolean
  brokenFrontMatter: boolean
  /** Whether front matter was so large that only its plain lines were read. */
  largeFrontMatter: boolean
  /** Whether bytes had to be replaced, since they are not UTF-8, or U+0000 removed. */
  replacedBytes: boolean
  /** Tags that are too long to be keys. */
  unfitTags: string[]
  /** Whether tags were left out, since an edit has only so many categories. */
  tooManyTags: boolean
}

/** Reads a file's bytes; whatever they are, they are a text. */
export const readDocument = (bytes: Buffer): MarkdownDocument => {
  const decoded = bytes.toString('utf8').replace(/^\ufeff/, '')
  const text = decoded.replaceAll('\u0000', '')
  const front = readFrontMatter(text)
  const tags = new Map<string, DocumentTag>()
  const unfitTags: string[] = []
  for (const name of front.tags
    .map((tag) => toSingleLine(tag, FIELD_BYTES_MAX.title))
    .filter((tag) => tag !== '')) {
    const key = nfc(name.toLowerCase()).replace(/\s+/gu, '-')
    if (byteLength(key) > FIELD_BYTES_MAX.key) unfitTags.push(name)
    else if (!tags.has(key)) tags.set(key, { key, name })
  }
  return {
    title: toSingleLine(front.title ?? '', FIELD_BYTES_MAX.title) || firstHeading(text, front.end),
    markdown: front.broken ? text : withoutBlankLine(text.slice(front.end), front.end > 0),
    tags: [...tags.values()].slice(0, CATEGORIES_MAX),
    published: front.published,
    brokenFrontMatter: front.broken,
    largeFrontMatter: front.large,
    replacedBytes: !isUtf8(bytes) || decoded.length !== text.length,
    unfitTags,
    tooManyTags: tags.size > CATEGORIES_MAX,
  }
}

const withoutBlankLine = (text: string, afterBlock: boolean): string =>
  afterBlock ? text.replace(/^[ \t]*\r?\n/, '') : text
