import { TRANSFER_BATCH } from '../../limits.ts'
import type { ImportedPage, RevisionRecord } from '../../write/records.ts'
import { RevisionBatch, revisionBytes } from '../../write/revision-bytes.ts'
import type { DocumentTag, MarkdownDocument } from '../files/document.ts'
import type { TextMarkup } from '../files/link-markup/markup.ts'
import { addDocumentNotes, readContent, revisionContent, tagsForGuests } from '../files/revision-content.ts'
import type { FileRevision } from './history.ts'
import type { GitNotes } from './notes.ts'
import { readBlobs } from './objects.ts'
import type { GitPage } from './pages.ts'
import type { Repository } from './repository.ts'

/** What guests see of a page: its last accepted revision. */
interface PublishedRevision {
  revision: FileRevision
  tags: DocumentTag[]
}

/** A record of a page with some of its revisions, oldest first. The last record has the published revision. */
interface PageChunk {
  page: GitPage
  record: ImportedPage
  /** Revisions of the page so far, including the known ones. */
  revisionsSoFar: number
  /** Null: guests do not see the page. Absent: more records of the page follow. */
  published?: PublishedRevision | null
}

/**
 * Converts pages to records, in order. A page with long texts or many revisions becomes several records.
 * @param known ids of revisions to leave out
 * @param maxBytes of revisions in one record; a larger revision is a record of its own
 */
export async function* readPages(
  repository: Repository,
  pages: GitPage[],
  known: Set<string>,
  { notes, markup }: { notes: GitNotes; markup: TextMarkup },
  maxBytes: number = TRANSFER_BATCH.bytes,
): AsyncGenerator<PageChunk> {
  const tasks = pages.map((page) => ({ page, fresh: page.revisions.filter(({ id }) => !known.has(id)) }))
  const texts = readBlobs(
    repository,
    tasks.flatMap(({ page, fresh }) => blobsOf(page, fresh)),
  )
  const next = async (page: GitPage, file: string) =>
    readContent((await texts.next()).value!, file, page, markup)
  try {
    for (const { page, fresh } of tasks) {
      const head = page.head === null ? null : await next(page, page.head.file)
      // If the text at the ref is too long, the page is hidden. It does not show an older text instead. (D70)
      const state = head === null ? 'deleted' : head.published && !head.isTooLong ? 'live' : 'draft'
      if (head?.isTooLong) notes.add('too long now', page.head!.file)
      if (head?.isLfsPointer) notes.add('LFS pointer', page.head!.file)
      const publishedTags = new Map<string, DocumentTag[] | null>()
      const batch = new RevisionBatch({ revisions: TRANSFER_BATCH.revisions, bytes: maxBytes })
      const takeRecord = (): ImportedPage => {
        return {
          type: 'page',
          locale: page.locale,
          path: page.path,
          state,
          ...(page.hasTranslations ? { translation_group: page.path } : {}),
          revisions: batch.take(),
          hasAllRevisions: !repository.isShallow,
        }
      }
      for (const [index, fileRevision] of fresh.entries()) {
        const document =
          head !== null && fileRevision.blob === page.head?.blob ? head : await next(page, fileRevision.file)
        addDocumentNotes(document, exampleOf(fileRevision), notes)
        publishedTags.set(fileRevision.id, tagsForGuests(document))
        if (document.isTooLong) continue
        const revision = toRevisionRecord(page, fileRevision, document, markup)
        const bytes = revisionBytes(revision)
        if (batch.isFullFor(bytes))
          yield {
            page,
            record: takeRecord(),
            revisionsSoFar: page.revisions.length - fresh.length + index,
          }
        batch.add(revision, bytes)
      }
      const published =
        state === 'live' ? await publishedRevision(repository, page, publishedTags, markup) : null
      const unreadRevisions = page.revisions.map(({ id }) => id).filter((id) => known.has(id))
      const record = { ...takeRecord(), unreadRevisions }
      yield { page, record, revisionsSoFar: page.revisions.length, published }
    }
  } finally {
    await texts.return(undefined)
  }
}

/** The blobs to read for a page, in this order. The text at the ref is nearly always the text of a revision. */
const blobsOf = ({ head }: GitPage, fresh: FileRevision[]): string[] => [
  ...(head ? [head.blob] : []),
  ...fresh.map(({ blob }) => blob).filter((blob) => blob !== head?.blob),
]

/**
 * The last accepted revision. If the wiki already has it, its text must be read for its tags.
 * @param tagsById tags of the revisions that were read; null if guests do not see the revision
 */
const publishedRevision = async (
  repository: Repository,
  page: GitPage,
  tagsById: Map<string, DocumentTag[] | null>,
  markup: TextMarkup,
): Promise<PublishedRevision | null> => {
  for (const revision of page.revisions.toReversed()) {
    let tags = tagsById.get(revision.id)
    if (tags === undefined)
      for await (const bytes of readBlobs(repository, [revision.blob]))
        tags = tagsForGuests(await readContent(bytes, revision.file, page, markup))
    if (tags) return { revision, tags }
  }
  return null
}

const exampleOf = ({ file, commit }: FileRevision): string => `${file} at ${commit.hash.slice(0, 10)}`

const toRevisionRecord = (
  page: GitPage,
  revision: FileRevision,
  document: MarkdownDocument,
  markup: TextMarkup,
): RevisionRecord => ({
  id: revision.id,
  created_at: revision.createdAt,
  author: revision.commit.author,
  comment: revision.commit.comment,
  ...revisionContent(document, revision.file, page, markup),
})
