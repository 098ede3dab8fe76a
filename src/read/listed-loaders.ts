import type { Database } from '../db/database.ts'
import type { StatementRows } from '../db/statement-rows.ts'
import { statement } from '../db/statements.ts'
import { CONTRIBUTORS_MAX } from '../limits/content.ts'
import { LIST_LIMIT } from '../limits.ts'
import { timestampFromPostgres } from '../wiki/time.ts'
import { makeBatchLoader } from './batch-loader.ts'
import { cellsFromRow, type ListRow } from './lists.ts'
import {
  type ContributorRow,
  type ContributorsRow,
  type RevisionRow,
  revisionWithPage,
  type WithPage,
} from './rows.ts'

type ContributorCells = [name: string, edits: number, lastAt: string]

const contributorFromCells = ([name, edits, lastAt]: ContributorCells): ContributorRow => ({
  name,
  edits,
  lastAt: timestampFromPostgres(lastAt),
})

interface ListedRevisionKey {
  id: string
  /** Whether to read its text. */
  markdown?: boolean
  /** Whether to read its position. */
  position?: boolean
}

type ListedRevisionColumns = WithPage<Omit<RevisionRow, 'markdown'>> & { markdown: string | null }

/** What was not read is absent. */
const listedRevision = (row: ListedRevisionColumns, { position }: ListedRevisionKey): RevisionRow =>
  revisionWithPage({
    ...row,
    markdown: row.markdown ?? undefined,
    position: position ? row.position : undefined,
  })

const oneRow = () => 1

/** What a list may contain of each of its pages. One statement reads it for the whole list. (D102) */
export const makeListedLoaders = (database: Database) => ({
  /** With the text only if it is wanted, because its size may decide whether it is read. */
  revisionOfList: makeBatchLoader(
    database,
    statement('revisions_with_page'),
    ({ id, markdown = false, position = false }: ListedRevisionKey) => [id, markdown, position],
    ([row]: ListedRevisionColumns[], key) => (row ? listedRevision(row, key) : null),
    oneRow,
    LIST_LIMIT.max,
  ),
  /** The text of a revision, or its beginning; null if the revision does not exist. */
  textOfRevision: makeBatchLoader(
    database,
    statement('revision_texts'),
    ({ id, characters }: { id: string; characters?: number }) => [id, characters ?? null],
    (rows: { markdown: string }[]) => rows[0]?.markdown ?? null,
    oneRow,
    LIST_LIMIT.max,
  ),
  /** The texts of the first revisions that have at most `bytes` together; null for a revision that does not exist. */
  textsOfList: makeBatchLoader(
    database,
    statement('texts_of_list'),
    ({ ids, bytes }: { ids: readonly string[]; bytes: number }) => [`{${ids.join()}}`, bytes],
    (rows: Omit<StatementRows['texts_of_list'], 'n'>[]): (RevisionRow | null)[] => {
      const texts: (RevisionRow | null)[] = []
      for (const { place, id, size, markdown } of rows)
        texts[place - 1] = id === null ? null : { id, size, markdown }
      return texts
    },
    ({ ids }) => ids.length,
  ),
  contributorsOfPage: makeBatchLoader(
    database,
    statement('contributors_of_page'),
    (pageId: string) => [pageId, CONTRIBUTORS_MAX],
    ([row]: (ListRow<ContributorCells> & { total: number })[]): ContributorsRow => ({
      total: row?.total ?? 0,
      items: cellsFromRow(row, contributorFromCells),
    }),
  ),
})
