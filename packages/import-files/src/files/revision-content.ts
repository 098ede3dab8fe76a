import { capitalized } from '@lectern/wiki/dialects/attributes'
import { baseName } from '@lectern/wiki/folders'
import { TEXT_BYTES_MAX } from '@lectern/wiki/limits'
import { type CategoryRecord, type ImportedPage, type PageKey, pageKey } from '@lectern/wiki/records'
import { byteLength, nfc } from '@lectern/wiki/text'
import type { IncludableFiles } from '../includes/names.ts'
import { isCanvas } from '../markups/markup.ts'
import { canvasToMarkdown } from './canvas.ts'
import { type DocumentTag, type FileDocument, firstHeading, readDocument } from './document.ts'
import type { TextMarkup } from './link-markup/markup.ts'
import type { FileNotes } from './notes.ts'

/** A document. It is empty if the text is too long to read. */
type ReadDocument = FileDocument & { isTooLong: boolean; heldBack: ReturnType<TextMarkup['heldBack']> }

/** @param bytes null: it is too long @param files those that it can include; absent: none @param end when another text followed */
export const readContent = async (
  bytes: Buffer | null,
  file: string,
  page: PageKey,
  markup: TextMarkup,
  files?: IncludableFiles,
  end?: number,
): Promise<ReadDocument> => {
  const text = (isCanvas(file) ? bytes && canvasToMarkdown(bytes) : bytes) ?? Buffer.alloc(0)
  const read = readDocument(text, markup.isFrontMatterReadBelow, markup.explicitPublish)
  const document = await markup.convert(read, page, file, files)
  // A UTF-16 code unit takes at most three bytes.
  const canBeTooLong = document.markdown.length * 3 > TEXT_BYTES_MAX
  const isTooLong = bytes === null || (canBeTooLong && byteLength(document.markdown) > TEXT_BYTES_MAX)
  return { ...document, isTooLong, heldBack: markup.heldBack(file, document.address, end) }
}

/** @param page `file`: where the source has it now; null if the page is gone */
export const filePageRecord = (
  { locale, path, hasTranslations, file }: PageKey & { hasTranslations: boolean; file: string | null },
  state: ImportedPage['state'],
): ImportedPage => ({
  type: 'page',
  locale,
  path,
  state,
  ...(hasTranslations ? { translation_group: path } : {}),
  revisions: [],
  ...(file === null ? {} : { sourcePath: nfc(file) }),
})

/** The title of a page; null: it is only the name of its file. That of the navigation is shorter, but better than the heading of a section. */
const titleOf = (document: FileDocument, file: string, page: PageKey, markup: TextMarkup): string | null => {
  if (document.hasOwnTitle) return document.title
  const label = markup.titles.get(pageKey(page)) || document.address.label
  const ofNavigation = label === '' ? null : (firstHeading(document.markdown, 0, true) ?? label)
  return markup.titleOf(file) || ofNavigation || document.title
}

/** The name of a file; in MkDocs as words; that of a post of Jekyll without its date, as Jekyll shows it: `2016-05-19-green-tea` is Green Tea. */
const nameOf = (path: string, dialect: string): string => {
  const name = baseName(path)
  if (dialect === 'mkdocs' && name === name.toLowerCase()) return capitalized(name.replaceAll('_', ' '))
  const [, post] = /(?:^|\/)_posts\/(?:.*\/)?\d{2,4}-\d\d?-\d\d?-([^/]+)$/.exec(path) ?? []
  return post?.replace(/(^|-+)(.)/g, (_, dash, first) => (dash && ' ') + first.toUpperCase()) ?? name
}

/** The fields of a revision that are in the text of its file. @param file its name */
export const revisionContent = (document: ReadDocument, file: string, page: PageKey, markup: TextMarkup) => ({
  status: (document.published && document.heldBack !== 'future page' ? 'accepted' : 'draft') as
    | 'accepted'
    | 'draft',
  title:
    titleOf(document, file, page, markup) ??
    ((page.path === 'index' && markup.siteName) || nameOf(page.path, markup.dialectOf(file))),
  markdown: document.markdown,
  categories: document.tags.map(({ key }) => ({ key })),
})

/** Notes what is unusual in a document. @param example names the file, and its version if there are several */
export const addDocumentNotes = (
  { notes: kinds, unfitTags, isTooLong }: ReadDocument,
  example: string,
  notes: FileNotes,
): void => {
  if (isTooLong) notes.add('too long', example)
  for (const kind of kinds) notes.add(kind, example)
  for (const tag of unfitTags) notes.add('unfit tag', tag)
}

/** The record of a page that has a text, without revisions. Notes what is unusual in it. */
export const shownPageRecord = (
  page: PageKey & { hasTranslations: boolean; file: string },
  document: ReadDocument,
  markup: TextMarkup,
  notes: FileNotes,
): ImportedPage => {
  const { file, path } = page
  const { isLfsPointer, published, heldBack, unclear, broken, invalid, isTooLong } = document
  // If the text is too long, the page is hidden. It does not show an older text instead. (D70)
  const state = published && heldBack === null && !isTooLong ? 'live' : 'draft'
  if (isTooLong) notes.add('too long now', file)
  if (broken !== null)
    notes.add(
      'broken front matter',
      `${file} (${broken}${published ? '' : '; the page is hidden, because it may be a draft'})`,
    )
  else if (!published) notes.add(document.isUnmarked ? 'unmarked' : 'draft', file)
  else if (heldBack !== null) notes.add(heldBack, file)
  else if (unclear !== null && !isTooLong) notes.add('unclear draft', `${file} (${unclear})`)
  if (invalid !== null) notes.add('invalid front matter', `${file} (${invalid})`)
  if (isLfsPointer) notes.add('LFS pointer', file)
  else if (state === 'live' && path !== 'index' && titleOf(document, file, page, markup) === null)
    notes.add('no title', file)
  const aliases = markup.hasAliases ? document.aliases : undefined
  return { ...filePageRecord(page, state), aliases, dialect: markup.dialectOf(file) }
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

  /** Sorted by locale and key. */
  records(): CategoryRecord[] {
    return [...this.#newest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { record }]) => record)
  }
}
