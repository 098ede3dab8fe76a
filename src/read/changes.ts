import { BadParameter } from '@lectern/wiki/errors'
import { LIST_LIMIT } from '@lectern/wiki/limits'
import type { Namespace } from '@lectern/wiki/locales'
import { timestampFromPostgres } from '@lectern/wiki/time'
import type { BatchLoaders } from './batch-loader.ts'
import type { ChangeListRow, ChangeRow, PageRow, Row } from './rows.ts'

/** The feed of changes: each live page at its last change, and the addresses at which there is no page any more. (D100) */

interface ChangesArguments {
  /** A cursor, or `now` for the end; absent or empty: from the beginning. */
  after?: string | null
  locale?: string | null
  ns?: Namespace | null
  first: number
}

type ChangesRow = Row<'changes'>

/** Where the list can start without a cursor. `now` is the largest bigint. */
const PLACES: ReadonlyMap<string, { number: string; code: null }> = new Map([
  ['', { number: '0', code: null }],
  ['now', { number: '9223372036854775807', code: null }],
])

/** The columns of a page, in the order of the statement; all null if the change has no such page. */
type PageCells = [id: string, locale: string, ns: Namespace, path: string, title: string]
type ChangeCells = [
  changedAt: string,
  id: string | null,
  locale: string,
  ns: Namespace,
  path: string,
  title: string,
  revisionId: string,
  revisionCreatedAt: string,
  revisionAuthor: string,
  ...(PageCells | [null, null, null, null, null]),
]

interface ChangesKey {
  number: string
  code: string | null
  locale: string | null
  ns: Namespace | null
  first: number
}

export const changeLoaders = (load: BatchLoaders) => ({
  changes: changesLoader(load),
  /** The cursor of the feed after a change, by the time of the change. */
  changeCursor: load(
    'change_codes',
    (changedAt: string) => [changedAt],
    ([row]) => changeCursor(row!.number, row!.code),
    () => 1,
    LIST_LIMIT.max,
  ),
})

const partOfFeed = (rows: ChangesRow[]): ChangesRow | null => rows[0] ?? null
const rowsOfPart = ({ first }: ChangesKey): number => first + 1

/** @returns a loader of parts of the feed: null if the wiki never had the language; BadParameter for an invented cursor */
const changesLoader = (load: BatchLoaders) => {
  const values = ({ number, code, first }: ChangesKey) => [number, code, first]
  const all = load('changes', values, partOfFeed, rowsOfPart)
  const some = load(
    'changes_of',
    (key: ChangesKey) => [...values(key), key.locale, key.ns],
    partOfFeed,
    rowsOfPart,
  )
  return {
    load: async ({
      after,
      locale = null,
      ns = null,
      first,
    }: ChangesArguments): Promise<ChangeListRow | null> => {
      const position = PLACES.get(after ?? '') ?? readChangeCursor(after!)
      if (position === null) throw unknownCursor()
      const loader = locale === null && ns === null ? all : some
      const row = await loader.load({ ...position, locale, ns, first })
      if (row === null) return null
      if (!row.isIssued) throw unknownCursor()
      const cursor = changeCursor(row.last, row.code)
      const items = (row.list ?? []).map(changeFromCells)
      // So that a list of one change takes one statement.
      if (items.length > 0) items.at(-1)!.cursor = cursor
      return { items, next: row.more ? cursor : null, cursor }
    },
  }
}

const unknownCursor = () => new BadParameter('after', 'must be the `cursor` of an earlier response')

const changeFromCells = (cells: ChangeCells): ChangeRow => {
  const [changedAt, id, locale, ns, path, title, revisionId, createdAt, revisionAuthor, ...moved] = cells
  const page: PageRow | null =
    id === null
      ? null
      : {
          ...{ id, locale, ns, path, title },
          ...{ revisionId, revisionCreatedAt: timestampFromPostgres(createdAt), revisionAuthor },
        }
  const [movedId, movedLocale, movedNs, movedPath, movedTitle] = moved
  return {
    changedAt: timestampFromPostgres(changedAt),
    ...{ locale, ns, path, page },
    movedTo:
      movedId === null
        ? null
        : { id: movedId, locale: movedLocale, ns: movedNs, path: movedPath, title: movedTitle },
  }
}

/**
 * The cursor of a change: eight bytes of its number, and six of its check code, in base64url. A program that invents a
 * cursor gets an error instead of a list with gaps. (D100)
 */
const NUMBER_BYTES = 8
const CODE_BYTES = 6

/** @param number a bigint that is not negative, as text; @param code twelve hexadecimal digits */
const changeCursor = (number: string, code: string): string => {
  const bytes = Buffer.alloc(NUMBER_BYTES + CODE_BYTES)
  bytes.writeBigInt64BE(BigInt(number))
  bytes.write(code, NUMBER_BYTES, 'hex')
  return bytes.toString('base64url')
}

/** @returns null if the text is not the cursor of any number and code */
const readChangeCursor = (cursor: string): { number: string; code: string } | null => {
  const bytes = Buffer.from(cursor, 'base64url')
  // Decoding skips what is no base64url, and ignores unused bits.
  if (bytes.length !== NUMBER_BYTES + CODE_BYTES || bytes.toString('base64url') !== cursor) return null
  const number = bytes.readBigInt64BE()
  return number < 0n ? null : { number: String(number), code: bytes.toString('hex', NUMBER_BYTES) }
}
