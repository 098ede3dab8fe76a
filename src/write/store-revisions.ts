import { RevisionIdTaken } from '@lectern/wiki/import/page-batch'
import type { CompletePage, CompleteRevision } from '@lectern/wiki/records'
import { binaryTextArray } from '../db/bulk.ts'
import type { RunStatement } from '../db/statements.ts'
import type { StatementRows } from '../generated/statement-rows.ts'
import { column } from './imported-content.ts'

type RevisionOfPage = CompleteRevision & { pageId: string }
type ExistingRevision = StatementRows['stored_revisions']
type CheckMoves = (moved: ExistingRevision[]) => Promise<ReadonlySet<string>>

/**
 * Stores the revisions of pages: adds new ones, updates stored ones that changed, and moves those that are stored as
 * another page's to the page of their record. (D87)
 * @param pageIds ids of the pages, in the same order
 * @param checkMoves which of the revisions that would move this import has had before
 * @throws RevisionIdTaken for such a revision: this import has had it with another page
 */
export const storeRevisions = async (
  run: RunStatement,
  pages: readonly CompletePage[],
  pageIds: readonly string[],
  checkMoves: CheckMoves,
) => {
  const revisions = pages.flatMap((page, i) =>
    page.revisions.map((revision) => ({ ...revision, pageId: pageIds[i]! })),
  )
  const { rows } = await run('stored_revisions', [column(revisions, 'id')])
  const stored = new Map(rows.map((row) => [row.id, row]))
  const formerOf = (some: readonly { id: string }[]) => some.map(({ id }) => stored.get(id)!)
  const moved = await moveRevisions(run, revisions, stored, checkMoves)
  const changed = await run('update_revisions', parametersOf(revisions.filter(({ id }) => stored.has(id))))
  const newRevisions = revisions.filter(({ id }) => !stored.has(id))
  const added = await run('add_revisions', [...parametersOf(newRevisions), column(newRevisions, 'pageId')])
  return {
    /** Pages whose revisions changed. */
    changedPages: new Set(column([...moved, ...changed.rows, ...added.rows], 'pageId')),
    /** Those of them, and of `formerPages`, that guests see changed: a revision was or is visible. */
    visiblyChangedPages: new Set(
      column(
        [...formerOf([...moved, ...changed.rows]), ...added.rows].filter(({ visible }) => visible),
        'pageId',
      ),
    ),
    /** Pages from which revisions were moved away. */
    formerPages: [...new Map(formerOf(moved).map((page) => [page.pageId, page])).values()],
    newRevisions: added.rowCount ?? 0,
    changedRevisions: changed.rowCount ?? 0,
    movedRevisions: moved.length,
    /** One of those that moved, with its former page. */
    firstMoved: formerOf(moved)[0],
  }
}

/** @returns the revisions that moved */
const moveRevisions = async (
  run: RunStatement,
  revisions: readonly RevisionOfPage[],
  stored: ReadonlyMap<string, ExistingRevision>,
  checkMoves: CheckMoves,
): Promise<RevisionOfPage[]> => {
  const moved = revisions.filter(({ id, pageId }) => (stored.get(id)?.pageId ?? pageId) !== pageId)
  if (moved.length === 0) return []
  const imported = await checkMoves(moved.map(({ id }) => stored.get(id)!))
  const twice = moved.find(({ id }) => imported.has(id))
  if (twice !== undefined) throw new RevisionIdTaken(twice.id, stored.get(twice.id)!)
  await run('move_revisions', [column(moved, 'id'), column(moved, 'pageId')])
  return moved
}

/** Revisions as parameters of a statement: one array per column. */
const parametersOf = (revisions: readonly CompleteRevision[]): unknown[] => [
  column(revisions, 'id'),
  column(revisions, 'created_at'),
  column(revisions, 'author'),
  column(revisions, 'comment'),
  column(revisions, 'status'),
  column(revisions, 'title'),
  revisions.map((revision) => JSON.stringify(revision.categories)),
  binaryTextArray(column(revisions, 'markdown')),
]
