import type { CategoryRecord, PageRecord, RevisionRecord } from '../records.ts'
import { type Document, readDocument, type Tag } from './document.ts'
import type { Edit } from './history.ts'
import type { Notes } from './notes.ts'
import { readBlobs } from './objects.ts'
import type { GitPage } from './pages.ts'
import type { Repository } from './repository.ts'

/** What guests see of a page: its last accepted edit. */
export interface Shown {
  edit: Edit
  tags: Tag[]
}

/**
 * Makes records of pages, in their order; memory holds the texts of one page.
 * @param known ids whose revisions are left out
 * @returns with each record what guests see of the page; null when they do not see it
 */
export async function* readPages(
  repository: Repository,
  pages: GitPage[],
  known: Set<string>,
  notes: Notes,
): AsyncGenerator<{ page: GitPage; record: PageRecord; shown: Shown | null }> {
  const tasks = pages.map((page) => {
    const fresh = page.edits.filter((edit) => !known.has(edit.id))
    return {
      page,
      fresh,
      blobs: new Set([...(page.head ? [page.head.blob] : []), ...fresh.map(({ blob }) => blob)]),
    }
  })
  const texts = readBlobs(
    repository,
    tasks.flatMap(({ blobs }) => [...blobs]),
  )
  try {
    for (const { page, fresh, blobs } of tasks) {
      const documents = new Map<string, Document>()
      for (const blob of blobs) documents.set(blob, readDocument((await texts.next()).value!))
      noteEdits(fresh, documents, notes)
      const state =
        page.head === null ? 'deleted' : documents.get(page.head.blob)!.published ? 'live' : 'draft'
      yield {
        page,
        record: {
          type: 'page',
          locale: page.locale,
          path: page.path,
          state,
          ...(page.grouped ? { translation_group: page.path } : {}),
          revisions: fresh.map((edit) => revisionOf(page, edit, documents.get(edit.blob)!)),
        },
        shown: state === 'live' ? await shownOf(repository, page, documents) : null,
      }
    }
  } finally {
    await texts.return(undefined)
  }
}

/** The last accepted edit may be one that the wiki has already, so its text may have to be read for its tags. */
const shownOf = async (
  repository: Repository,
  page: GitPage,
  documents: Map<string, Document>,
): Promise<Shown | null> => {
  for (const edit of page.edits.toReversed()) {
    let document = documents.get(edit.blob)
    if (!document)
      for await (const bytes of readBlobs(repository, [edit.blob])) document = readDocument(bytes)
    if (document?.published) return { edit, tags: document.tags }
  }
  return null
}

const noteEdits = (fresh: Edit[], documents: Map<string, Document>, notes: Notes): void => {
  for (const edit of fresh) {
    const { brokenFrontMatter, largeFrontMatter, replacedBytes, unfitTags } = documents.get(edit.blob)!
    const place = `${edit.file} at ${edit.commit.hash.slice(0, 10)}`
    if (brokenFrontMatter) notes.add('broken front matter', place)
    if (largeFrontMatter) notes.add('large front matter', place)
    if (replacedBytes) notes.add('replaced bytes', place)
    for (const tag of unfitTags) notes.add('unfit tag', tag)
  }
}

const revisionOf = (page: GitPage, edit: Edit, document: Document): RevisionRecord => ({
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

  add(locale: string, { edit, tags }: Shown): void {
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
