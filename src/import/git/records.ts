import { TEXT_BYTES_MAX, TRANSFER_BATCH } from '../../limits.ts'
import { byteLength } from '../../wiki/text.ts'
import type { CategoryRecord, PageRecord, RevisionRecord } from '../../write/records.ts'
import { revisionBytes } from '../../write/revision-bytes.ts'
import { type DocumentTag, type MarkdownDocument, readDocument } from './document.ts'
import type { FileRevision } from './history.ts'
import type { GitNotes } from './notes.ts'
import { readBlobs } from './objects.ts'
import type { GitPage } from './pages.ts'
import type { Repository } from './repository.ts'

/** What guests see of a page: its last accepted edit. */
interface PublishedRevision {
  edit: FileRevision
  tags: DocumentTag[]
}

/** A page's record with some of its edits, oldest first; with the last one what guests see of the page. */
interface PageChunk {
  page: GitPage
  record: PageRecord
  /** How many edits of the page have been read so far, known ones included. */
  edits: number
  /** null: they do not see it. Absent: more of the page's edits follow. */
  shown?: PublishedRevision | null
}

/**
 * Makes records of pages, in their order; a page with long texts, or many edits, gets several.
 * @param known ids whose revisions are left out
 * @param most bytes of edits that a record has, unless one edit alone has more
 */
export async function* readPages(
  repository: Repository,
  pages: GitPage[],
  known: Set<string>,
  notes: GitNotes,
  most: number = TRANSFER_BATCH.bytes,
): AsyncGenerator<PageChunk> {
  const tasks = pages.map((page) => ({ page, fresh: page.revisions.filter((edit) => !known.has(edit.id)) }))
  const texts = readBlobs(
    repository,
    tasks.flatMap(({ page, fresh }) => blobsOf(page, fresh)),
  )
  const next = async () => documentOf((await texts.next()).value!)
  try {
    for (const { page, fresh } of tasks) {
      const head = page.head === null ? null : await next()
      // A text that cannot be stored is not stood for by an older one: the page is not shown. (D70)
      const state = head === null ? 'deleted' : head.published && !head.isTooLong ? 'live' : 'draft'
      if (head?.isTooLong) notes.add('too long now', page.head!.file)
      const published = new Map<string, DocumentTag[] | null>()
      let revisions: RevisionRecord[] = []
      let bytes = 0
      const record = (): PageRecord => {
        const taken = revisions
        revisions = []
        bytes = 0
        const { locale, path, grouped } = page
        return {
          type: 'page',
          locale,
          path,
          state,
          ...(grouped ? { translation_group: path } : {}),
          revisions: taken,
        }
      }
      for (const [index, edit] of fresh.entries()) {
        const document = head !== null && edit.blob === page.head?.blob ? head : await next()
        noteEdit(edit, document, notes)
        published.set(edit.id, document.published && !document.isTooLong ? document.tags : null)
        if (document.isTooLong) continue
        const revision = revisionOf(page, edit, document)
        const added = revisionBytes(revision)
        if (revisions.length > 0 && (bytes + added > most || revisions.length >= TRANSFER_BATCH.revisions))
          yield { page, record: record(), edits: page.revisions.length - fresh.length + index }
        revisions.push(revision)
        bytes += added
      }
      const shown = state === 'live' ? await shownOf(repository, page, published) : null
      yield { page, record: record(), edits: page.revisions.length, shown }
    }
  } finally {
    await texts.return(undefined)
  }
}

/** Those that are read of a page, in this order. The text at the ref is that of an edit nearly always. */
const blobsOf = ({ head }: GitPage, fresh: FileRevision[]): string[] => [
  ...(head ? [head.blob] : []),
  ...fresh.map(({ blob }) => blob).filter((blob) => blob !== head?.blob),
]

/** A document, or what stands for one that is too long to be a text. */
type ReadDocument = MarkdownDocument & { isTooLong: boolean }

const documentOf = (bytes: Buffer | null): ReadDocument => {
  const document = readDocument(bytes ?? Buffer.alloc(0))
  return { ...document, isTooLong: bytes === null || byteLength(document.markdown) > TEXT_BYTES_MAX }
}

/**
 * The last accepted edit may be one that the wiki has already, so its text may have to be read for its tags.
 * @param published of edits that were read, by id: their tags, null where guests do not see them
 */
const shownOf = async (
  repository: Repository,
  page: GitPage,
  published: Map<string, DocumentTag[] | null>,
): Promise<PublishedRevision | null> => {
  for (const edit of page.revisions.toReversed()) {
    let tags = published.get(edit.id)
    if (tags === undefined)
      for await (const bytes of readBlobs(repository, [edit.blob])) {
        const document = documentOf(bytes)
        tags = document.published && !document.isTooLong ? document.tags : null
      }
    if (tags) return { edit, tags }
  }
  return null
}

const noteEdit = (edit: FileRevision, document: ReadDocument, notes: GitNotes): void => {
  const { brokenFrontMatter, largeFrontMatter, replacedBytes, unfitTags, tooManyTags, isTooLong } = document
  const place = `${edit.file} at ${edit.commit.hash.slice(0, 10)}`
  if (isTooLong) notes.add('too long', place)
  if (brokenFrontMatter) notes.add('broken front matter', place)
  if (largeFrontMatter) notes.add('large front matter', place)
  if (replacedBytes) notes.add('replaced bytes', place)
  for (const tag of unfitTags) notes.add('unfit tag', tag)
  if (tooManyTags) notes.add('too many tags', place)
}

const revisionOf = (page: GitPage, edit: FileRevision, document: MarkdownDocument): RevisionRecord => ({
  id: edit.id,
  created_at: edit.createdAt,
  author: edit.commit.author,
  comment: edit.commit.comment,
  status: document.published ? 'accepted' : 'draft',
  title: document.title ?? page.path.slice(page.path.lastIndexOf('/') + 1),
  markdown: document.markdown,
  categories: document.tags.map(({ key }) => ({ key })),
})

/** Names of categories, by what shown pages call them: the newest edit's spelling counts. */
export class CategoryNames {
  readonly #newest = new Map<string, { record: CategoryRecord; order: string }>()

  add(locale: string, { edit, tags }: PublishedRevision): void {
    const order = `${edit.createdAt} ${edit.id}`
    for (const { key, name } of tags) {
      const address = `${locale} ${key}`
      if ((this.#newest.get(address)?.order ?? '') > order) continue
      this.#newest.set(address, { record: { type: 'category', locale, key, name }, order })
    }
  }

  /** By locale and key. */
  *records(): Generator<CategoryRecord> {
    for (const [, { record }] of [...this.#newest].sort(([a], [b]) => (a < b ? -1 : 1))) yield record
  }
}
