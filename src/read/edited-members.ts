import type { Database } from '../db/database.ts'
import { statement } from '../db/statements.ts'
import { makeListLoader } from './list-loader.ts'
import { categoryMemberItems, itemsFromRow, type TextListRow } from './lists.ts'
import { type CategoryMemberListRow, pagedRow } from './rows.ts'

interface EditedMembersKey {
  locale: string
  key: string
  /** The cursor of the part before. */
  after?: string | null
  first: number
  /** The pages that were last edited from this time on, and before that time. */
  since?: string | null
  until?: string | null
}

type EditedMembersRow = TextListRow & {
  /** Sort key and path of the last member that the statement looked at, if it did not look at all. */
  lookedAt: string[] | null
}

/** How many members of a category one part of a list looks at. It takes about 10 ms. (D108) */
const MEMBERS_LOOKED_AT = 10_000

/** Members of a category by the time of their last edit, with information for paging. */
export const makeEditedMembersLoader = (database: Database) =>
  makeListLoader(
    database,
    statement('category_members_edited'),
    ({ locale, key, after, first, since, until }: EditedMembersKey) => [
      locale,
      key,
      ...readCursor(after ?? ''),
      first + 1,
      since ?? '-infinity',
      until ?? 'infinity',
      since == null && until == null ? first + 1 : MEMBERS_LOOKED_AT,
    ],
    ([row]: EditedMembersRow[], key): CategoryMemberListRow =>
      pagedRow(
        itemsFromRow(row, categoryMemberItems(key)),
        key.first,
        ({ sortKey, page }) => sortKey + SEPARATOR + page.path,
        row?.lookedAt?.join(SEPARATOR) ?? null,
      ),
    ({ first }) => first + 1,
  )

/** Separates sort key and path in a cursor. No sort key and no path contains it. */
const SEPARATOR = '\u001f'

const readCursor = (cursor: string): [sortKey: string, path: string] => {
  const [sortKey = '', path = ''] = cursor.split(SEPARATOR, 2)
  return [sortKey, path]
}
