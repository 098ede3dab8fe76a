import { TEXT_BYTES_MAX } from '../../limits.ts'
import { byteLength } from '../../wiki/text.ts'
import type { RevisionRecord } from '../../write/records.ts'
import type { ImportNotes } from '../notes.ts'
import { type DocumentTag, type MarkdownDocument, readDocument } from './document.ts'
import type { TextMarkup } from './link-markup/markup.ts'
import type { FileNoteKind } from './notes.ts'

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
  if (document.encoding !== 'UTF-8') notes.add(document.encoding, example)
  if (document.unconverted !== null) notes.add(document.unconverted, example)
  if (replacedBytes) notes.add('replaced bytes', example)
  for (const tag of unfitTags) notes.add('unfit tag', tag)
  if (tooManyTags) notes.add('too many tags', example)
}
