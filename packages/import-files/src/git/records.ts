import { TEXT_BYTES_MAX, TRANSFER_BATCH } from '@lectern/wiki/limits'
import { type ImportedPage, RevisionBatch, type RevisionRecord, revisionBytes } from '@lectern/wiki/records'
import type { DocumentTag, FileDocument } from '../files/document.ts'
import type { TextMarkup } from '../files/link-markup/markup.ts'
import {
  addDocumentNotes,
  addPageNotes,
  filePageRecord,
  readContent,
  revisionContent,
} from '../files/revision-content.ts'
import type { ReadingContext } from './history.ts'
import type { FileRevision, LastRevision } from './history-state.ts'
import type { GitPage } from './pages.ts'

/** A record of a page with some of its revisions, oldest first. The last record has the published revision. */
interface PageChunk {
  page: GitPage
  record: ImportedPage
  /** Revisions of the page so far, including the known ones. */
  revisionsSoFar: number
  /** What guests see: its last accepted revision. Null: they do not see the page. Absent: more records of it follow. */
  published?: { revision: LastRevision; tags: DocumentTag[] } | null
  /** Whether the last revision of the page is left out; said with the last record. */
  isLastUnstored?: boolean
}

/** Converts pages to records, in order; a long page becomes several. @param known ids of revisions to leave out */
export async function* readPages(
  { repository, includable, head: ref, markup, notes }: ReadingContext & { markup: TextMarkup },
  pages: GitPage[],
  known: Set<string>,
): AsyncGenerator<PageChunk> {
  const tasks = pages.map((page) => ({ page, fresh: page.revisions.filter(({ id }) => !known.has(id)) }))
  const blobs = tasks.flatMap(({ page, fresh }) => blobsOf(page, fresh))
  const texts = repository.objects.readAll(blobs, TEXT_BYTES_MAX)
  const next = async (page: GitPage, file: string, commit: string, version: string) =>
    readContent((await texts.next()).value![1], file, page, markup, includable.at(commit, version))
  try {
    for (const { page, fresh } of tasks) {
      const head = page.head === null ? null : await next(page, page.head.file, ref, page.head.version)
      // If the text at the ref is too long, the page is hidden. It does not show an older text instead. (D70)
      const state = head === null ? 'deleted' : head.published && !head.isTooLong ? 'live' : 'draft'
      if (head?.isTooLong) notes.add('too long now', page.head!.file)
      if (head !== null) addPageNotes(notes, head, page.head!.file, page, markup)
      let leftOut: FileRevision | null = null
      const batch = new RevisionBatch(TRANSFER_BATCH)
      const aliases = markup.hasAliases ? head?.aliases : undefined
      const takeRecord = () => ({
        ...filePageRecord({ ...page, file: page.head?.file ?? null }, state, aliases),
        ...(page.head ? { dialect: markup.dialectOf(page.head.file) } : {}),
        ...{ revisions: batch.take(), hasAllRevisions: !repository.isShallow && !page.isPartial },
      })
      for (const [index, fileRevision] of fresh.entries()) {
        const { file, commit, version } = fileRevision
        const isHead = head !== null && version === page.head?.version
        const document = isHead ? head : await next(page, file, commit.hash, version)
        addDocumentNotes(document, `${file} at ${commit.hash.slice(0, 10)}`, notes)
        if (document.isTooLong) {
          leftOut = fileRevision
          continue
        }
        const revision = toRevisionRecord(page, fileRevision, document, markup)
        const bytes = revisionBytes(revision)
        if (batch.isFullFor(bytes))
          yield { page, record: takeRecord(), revisionsSoFar: page.revisions.length - fresh.length + index }
        batch.add(revision, bytes)
      }
      // The text at the ref is that of the last revision. (D72)
      const published = state === 'live' ? { revision: page.last, tags: head!.tags } : null
      const unreadRevisions = page.revisions.map(({ id }) => id).filter((id) => known.has(id))
      const record = { ...takeRecord(), unreadRevisions, formerPaths: page.formerPaths }
      const revisionsSoFar = page.revisions.length
      yield { page, record, revisionsSoFar, published, isLastUnstored: leftOut?.id === page.last.id }
    }
    await texts.next()
  } finally {
    await texts.return(undefined)
  }
}

/** The blobs to read for a page, in this order. The text at the ref is nearly always the text of a revision. */
const blobsOf = ({ head }: GitPage, fresh: FileRevision[]): { content: string }[] => [
  ...(head ? [{ content: head.blob }] : []),
  ...fresh.filter(({ version }) => version !== head?.version).map(({ blob }) => ({ content: blob })),
]

const toRevisionRecord = (
  page: GitPage,
  revision: FileRevision,
  document: FileDocument,
  markup: TextMarkup,
): RevisionRecord => ({
  id: revision.id,
  created_at: revision.createdAt,
  author: revision.commit.author,
  comment: revision.commit.comment,
  ...revisionContent(document, revision.file, page, markup),
})
