import type { Database } from '../db/database.ts'
import { statement } from '../db/statements.ts'
import { makeBatchLoader } from './batch-loader.ts'
import type { RevisionPairRow, RevisionRow, WithPage } from './rows.ts'
import { revisionWithPage } from './rows.ts'

/** Two texts of up to 8 MiB each: only two such pairs are read with one statement. */
const ROWS_OF_PAIR = 160

/** Null when the revision `to` does not exist. A `from` of null means the revision before it. */
export const makeRevisionPairLoader = (database: Database) =>
  makeBatchLoader(
    database,
    statement('revision_pairs'),
    ({ to, from }: { to: string; from: string | null }) => [to, from],
    ([row]: RevisionPairColumns[]) => (row ? revisionPair(row) : null),
    () => ROWS_OF_PAIR,
  )

type RevisionPairColumns = WithPage<Required<Omit<RevisionRow, 'parentId' | 'position'>>> & {
  fromId: string | null
  fromCreatedAt: string | null
  fromMarkdown: string | null
}

const revisionPair = (row: RevisionPairColumns): RevisionPairRow => ({
  to: revisionWithPage(row) as RevisionPairRow['to'],
  from:
    row.fromId === null
      ? null
      : { id: row.fromId, createdAt: row.fromCreatedAt!, markdown: row.fromMarkdown! },
})
