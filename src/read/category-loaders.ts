import { type BatchLoaders, rowsAndNext, rowsOfList } from './batch-loader.ts'
import { type CategoryMemberListRow, type CategoryRow, membersOf, pagedRow } from './rows.ts'

/** Greater than every path, so that no member with the same sort key comes after it. */
const LAST_PATH = '\u{10ffff}'.repeat(128)

interface CategoryKey {
  locale: string
  key: string
}

export interface CategoryMembersArguments {
  after?: string | null
  afterPath?: string | null
  first: number
}

const memberListValues = ({ after, afterPath, first }: CategoryMembersArguments) => [
  after ?? '',
  after == null ? '' : (afterPath ?? LAST_PATH),
  first,
]

export const categoryLoaders = (load: BatchLoaders) => ({
  /** Null when the category does not exist. Reads its members too, when the query selects them. */
  category: load(
    'category_by_key',
    ({ locale, key, members }: CategoryKey & { members?: CategoryMembersArguments }) => [
      locale,
      key,
      ...memberListValues(members ?? { first: -1 }),
    ],
    (rows, { locale, key, members }): CategoryRow | null =>
      rows[0]
        ? { locale, key, name: rows[0].name, ...(members && { members: membersOf(rows[0], locale) }) }
        : null,
    ({ members }) => members?.first ?? 1,
  ),
  categories: load(
    'categories_after',
    ({ locale, after, first }: { locale: string; after?: string | null; first: number }) => [
      locale,
      after ?? '',
      first,
    ],
    (rows) => rows,
    rowsOfList,
  ),
  categorySize: load(
    'category_sizes',
    ({ locale, key }: CategoryKey) => [locale, key],
    ([row]) => row!.pages,
  ),
  editedMembers: editedMembersLoader(load),
  categoryMembers: load(
    'category_members',
    (of: CategoryKey & CategoryMembersArguments) => [of.locale, of.key, ...memberListValues(of)],
    ([columns], { locale }) => membersOf(columns!, locale),
    rowsOfList,
  ),
})

interface EditedMembersKey extends CategoryKey {
  after?: string | null
  first: number
  /** The pages that were last edited from this time on, and before that time. */
  since?: string | null
  until?: string | null
}

/** How many members of a category one part of a list looks at. It takes about 10 ms. (D10) */
const MEMBERS_LOOKED_AT = 10_000

/** Members of a category by the time of their last edit, with information for paging. */
const editedMembersLoader = (load: BatchLoaders) =>
  load(
    'category_members_edited',
    ({ locale, key, after, first, since, until }: EditedMembersKey) => [
      locale,
      key,
      ...readCursor(after ?? ''),
      first + 1,
      since ?? '-infinity',
      until ?? 'infinity',
      since == null && until == null ? first + 1 : MEMBERS_LOOKED_AT,
    ],
    (rows, { first }): CategoryMemberListRow => {
      const last = rows.at(-1)
      const members = rows.filter(({ matches }) => matches).map((page) => ({ sortKey: page.sortKey, page }))
      const end = last?.isLast ? cursorOf(last.sortKey, last.path) : null
      return pagedRow(members, first, ({ sortKey, page }) => cursorOf(sortKey, page.path), end)
    },
    rowsAndNext,
  )

/** Separates sort key and path in a cursor. No sort key and no path contains it. */
const SEPARATOR = '\u001f'

const cursorOf = (sortKey: string, path: string): string => sortKey + SEPARATOR + path

const readCursor = (cursor: string): [sortKey: string, path: string] => {
  const [sortKey = '', path = ''] = cursor.split(SEPARATOR, 2)
  return [sortKey, path]
}
