import { pageKey } from '../../write/records.ts'
import type { StoredContentQueries, StoredPage } from '../../write/stored-content.ts'
import type { GitNotes } from './notes.ts'
import type { GitPage } from './pages.ts'

/**
 * Ids of the revisions of these pages that the wiki already has with the same content. Notes name pages with revisions
 * that are not in this history: it was rewritten, or they came from another source.
 * @param notes null: the import removes such revisions
 */
export const knownRevisionsOf = async (
  pages: GitPage[],
  stored: StoredContentQueries | undefined,
  notes: GitNotes | null,
): Promise<Set<string>> => {
  if (stored === undefined) return new Set()
  const known = await stored.knownRevisions(
    pages.flatMap(({ locale, path, revisions }) =>
      revisions.map(({ id, createdAt }) => ({ id, locale, path, createdAt })),
    ),
  )
  if (notes === null) return known
  const storedPages = new Map((await stored.storedPages(pages)).map((page) => [pageKey(page), page]))
  for (const page of pages) {
    const storedPage = storedPages.get(pageKey(page))
    if (storedPage) noteForeignRevisions(page, storedPage, known, notes)
  }
  return known
}

const noteForeignRevisions = (
  page: GitPage,
  stored: StoredPage,
  known: Set<string>,
  notes: GitNotes,
): void => {
  const ids = new Set(page.revisions.map(({ id }) => id))
  const newest = page.revisions.at(-1)
  const knownHere = page.revisions.filter(({ id }) => known.has(id)).length
  const { liveId, liveAt } = stored
  const showsForeign =
    page.head !== null &&
    liveId !== null &&
    !ids.has(liveId) &&
    `${liveAt} ${liveId}` > `${newest?.createdAt} ${newest?.id}`
  if (showsForeign) notes.add('other text', page.path)
  else if (stored.revisions - knownHere > knownHere) notes.add('other edits', page.path)
}
