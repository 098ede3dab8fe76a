import type { StatementRows } from '../db/statement-rows.ts'
import type { RunStatement } from '../db/statements.ts'
import { binaryTextArray } from '../db/text-array.ts'
import { ImportError } from '../errors.ts'
import { quote } from '../wiki/text.ts'
import { column } from './columns.ts'
import type { CompletePage, CompleteRevision } from './records.ts'

/** A revision has the id of another page's revision. */
export class RevisionIdTaken extends ImportError {
  override name = 'RevisionIdTaken'
  readonly id: string

  constructor(id: string, { locale, path }: { locale: string; path: string }) {
    super(
      `revisions[].id: ${id} is already the id of a revision of the page ${quote(path)} (${locale}); ids must be unique`,
    )
    this.id = id
  }
}

interface StoredRevisions {
  /** Pages whose revisions changed. */
  changedPages: Set<string>
  /** Those of them, and of `formerPages`, that guests see changed: a revision was or is visible. */
  visiblyChangedPages: Set<string>
  /** Pages from which revisions were moved away. */
  formerPages: { pageId: string; locale: string; path: string }[]
  newRevisions: number
  changedRevisions: number
  movedRevisions: number
}

type RevisionOfPage = CompleteRevision & { pageId: string }
type ExistingRevision = StatementRows['stored_revisions']

/**
 * Stores the revisions of pages: adds new ones, and updates stored ones that changed.
 * @param pageIds ids of the pages, in the same order
 * @param moves whether revisions that are stored as another page's move to the page of their record
 * @throws RevisionIdTaken for such a revision if `moves` is false
 */
export const storeRevisions = async (
  run: RunStatement,
  pages: readonly CompletePage[],
  pageIds: readonly string[],
  moves: boolean,
): Promise<StoredRevisions> => {
  const revisions = pages.flatMap((page, i) =>
    page.revisions.map((revision) => ({ ...revision, pageId: pageIds[i]! })),
  )
  if (revisions.length === 0)
    return {
      changedPages: new Set(),
      visiblyChangedPages: new Set(),
      formerPages: [],
      newRevisions: 0,
      changedRevisions: 0,
      movedRevisions: 0,
    }
  const { rows } = await run('stored_revisions', [column(revisions, 'id')])
  const stored = new Map(rows.map((row) => [row.id, row]))
  const moved = await moveRevisions(run, revisions, stored, moves)
  const changed = await run('update_revisions', parametersOf(revisions.filter(({ id }) => stored.has(id))))
  const newRevisions = revisions.filter(({ id }) => !stored.has(id))
  const added = await run('add_revisions', [...parametersOf(newRevisions), column(newRevisions, 'pageId')])
  return {
    changedPages: new Set(column([...moved, ...changed.rows, ...added.rows], 'pageId')),
    visiblyChangedPages: new Set([
      ...column(
        [...moved, ...changed.rows].flatMap(({ id }) => stored.get(id)!).filter(({ visible }) => visible),
        'pageId',
      ),
      ...column(
        added.rows.filter(({ visible }) => visible),
        'pageId',
      ),
    ]),
    formerPages: [
      ...new Map(moved.map(({ id }) => stored.get(id)!).map((page) => [page.pageId, page])).values(),
    ],
    newRevisions: added.rowCount ?? 0,
    changedRevisions: changed.rowCount ?? 0,
    movedRevisions: moved.length,
  }
}

/** @returns the revisions that moved */
const moveRevisions = async (
  run: RunStatement,
  revisions: readonly RevisionOfPage[],
  stored: ReadonlyMap<string, ExistingRevision>,
  moves: boolean,
): Promise<RevisionOfPage[]> => {
  const moved = revisions.filter(({ id, pageId }) => (stored.get(id)?.pageId ?? pageId) !== pageId)
  const [first] = moved
  if (first === undefined) return []
  if (!moves) throw new RevisionIdTaken(first.id, stored.get(first.id)!)
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
