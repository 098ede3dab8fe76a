import type { ImportNotes } from '@lectern/wiki/import/notes'
import { CATEGORIES_MAX, TEXT_BYTES_MAX } from '@lectern/wiki/limits'
import type { CategoryRecord, RevisionRecord } from '@lectern/wiki/records'
import { byteLength } from '@lectern/wiki/text'
import { type DocumentTag, type MarkdownDocument, readDocument } from './document.ts'
import type { TextMarkup } from './link-markup/markup.ts'

/** Notes about files with pages, in a git repository or a folder, in the order of their importance. */
export const FILE_NOTES = {
  'too long now': `WARNING: pages that guests do not see, because their text at the ref has more than ${TEXT_BYTES_MAX} bytes; split each into several files`,
  'LFS pointer': 'Pages that are Git LFS pointers, because the repository does not contain their texts',
  'too long': `Edits left out, because their text has more than ${TEXT_BYTES_MAX} bytes`,
  'unfit path': 'Files left out, because a path is UTF-8 with at most 512 bytes and no control characters',
  link: 'Symbolic links left out, because they lead to no file of the repository, or more than 20 lead to the same file',
  'no converter':
    'Edits in markups that Lectern cannot convert (reStructuredText, Creole, Pod, RDoc), imported as code',
  failed: 'Edits whose markup could not be converted within the limits, imported as code',
  'no layout': 'Markdown files that match no layout',
  'double page': 'Pages with two files; the first file is used',
  case: 'Pages whose files differ only in case; a file system that ignores case can have only one of them',
  'no page': 'Files of navigation and parts of pages left out',
  'unfit tag': 'Tags left out, because a key has at most 255 bytes',
  'too many tags': `Edits with more than ${CATEGORIES_MAX} tags; only the first ${CATEGORIES_MAX} are imported`,
  'broken front matter':
    'Edits whose front matter is invalid, has no end or has more than 65,536 characters; it stays in their text',
  'open comment': 'Edits with a comment of Obsidian that has no end (%%); the text after it is left out',
  'replaced bytes':
    'Edits with bytes that are not UTF-8, which were replaced, or with U+0000, which was removed',
  'large front matter':
    'Edits whose front matter is too large for the YAML parser (more than 4,096 characters, or 200 levels of nesting); it was read line by line',
  'UTF-16': 'Edits in UTF-16, which was decoded',
  'Latin-1': 'Edits in Latin-1 or Windows-1252, which was decoded',
} as const

export type FileNoteKind = keyof typeof FILE_NOTES

/** A document. It is empty if the text is too long to read. */
type ReadDocument = MarkdownDocument & { isTooLong: boolean }

/** The page that a file is, or was. */
interface PageOfFile {
  locale: string
  path: string
}

/** Reads the content of a file. @param bytes null: it is too long; @param file its name */
export const readContent = async (
  bytes: Buffer | null,
  file: string,
  page: PageOfFile,
  markup: TextMarkup,
): Promise<ReadDocument> => {
  const document = await markup.convert(readDocument(bytes ?? Buffer.alloc(0)), page, file)
  return { ...document, isTooLong: bytes === null || byteLength(document.markdown) > TEXT_BYTES_MAX }
}

/** The tags of a document; null if guests do not see it. */
export const tagsForGuests = ({ published, isTooLong, tags }: ReadDocument): DocumentTag[] | null =>
  published && !isTooLong ? tags : null

/** Further names to which links by name lead; undefined if the wiki has none. */
export const aliasesOf = ({ aliases }: MarkdownDocument, { hasAliases }: TextMarkup): string[] | undefined =>
  hasAliases ? aliases : undefined

/** The fields of a revision that are in the text of its file. @param file its name */
export const revisionContent = (
  document: MarkdownDocument,
  file: string,
  page: PageOfFile,
  markup: TextMarkup,
): Pick<RevisionRecord, 'status' | 'title' | 'markdown' | 'categories'> => ({
  status: document.published ? 'accepted' : 'draft',
  title:
    (document.hasOwnTitle ? null : markup.titleOf(file)) ??
    document.title ??
    page.path.slice(page.path.lastIndexOf('/') + 1),
  markdown: document.markdown,
  categories: document.tags.map(({ key }) => ({ key })),
})

/** Notes what is unusual in a document. @param example names the file, and its version if there are several */
export const addDocumentNotes = (
  document: ReadDocument,
  example: string,
  notes: Pick<ImportNotes<FileNoteKind>, 'add'>,
): void => {
  const { brokenFrontMatter, largeFrontMatter, replacedBytes, unfitTags, tooManyTags, isTooLong } = document
  if (isTooLong) notes.add('too long', example)
  if (brokenFrontMatter) notes.add('broken front matter', example)
  if (largeFrontMatter) notes.add('large front matter', example)
  if (document.hasOpenComment) notes.add('open comment', example)
  if (document.encoding !== 'UTF-8') notes.add(document.encoding, example)
  if (document.unconverted !== null) notes.add(document.unconverted, example)
  if (replacedBytes) notes.add('replaced bytes', example)
  for (const tag of unfitTags) notes.add('unfit tag', tag)
  if (tooManyTags) notes.add('too many tags', example)
}

/** Names of categories on the pages that guests see. The spelling of the newest revision counts. */
export class CategoryNames {
  readonly #newest = new Map<string, { record: CategoryRecord; order: string }>()

  /** @param revision the revision of a page that guests see, and its tags */
  add(locale: string, revision: { createdAt: string; id: string }, tags: readonly DocumentTag[]): void {
    const order = `${revision.createdAt} ${revision.id}`
    for (const { key, name } of tags) {
      const id = `${locale} ${key}`
      if ((this.#newest.get(id)?.order ?? '') > order) continue
      this.#newest.set(id, { record: { type: 'category', locale, key, name }, order })
    }
  }

  keys(): { locale: string; key: string }[] {
    return [...this.#newest.values()].map(({ record }) => record)
  }

  /** Sorted by locale and key. */
  *records(): Generator<CategoryRecord> {
    for (const [, { record }] of [...this.#newest].sort(([a], [b]) => (a < b ? -1 : 1))) yield record
  }
}
