import { BadParameter } from '@lectern/wiki/errors'
import { LIST_LIMIT } from '@lectern/wiki/limits'
import type { Namespace } from '@lectern/wiki/locales'
import { timestampFromPostgres } from '@lectern/wiki/time'
import { type BatchLoaders, firstRow, rowsAndNext } from './batch-loader.ts'
import type { ChangeListRow, ChangeRow, PageRow } from './rows.ts'

/** The feed of changes: each live page at its last change, and the addresses at which there is no page any more. (D100) */

interface ChangesArguments {
  /** A cursor, or `now` for the end; absent or empty: from the beginning. */
  after?: string | null
  locale?: string | null
  ns?: Namespace | null
  first: number
}

/** `filter` is what the list was narrowed by: `locale=ja&ns=main`, `ns=main` or nothing. */
type Position = { number: string; code: string | null; filter: string }

/** Where the list can start without a cursor. `now` is the largest bigint. */
const PLACES: ReadonlyMap<string, Position> = new Map([
  ['', { number: '0', code: null, filter: '' }],
  ['now', { number: '9223372036854775807', code: null, filter: '' }],
])

/** The columns of a page, in the order of the statement; all null if the change has no such page. */
type PageCells = [id: string, locale: string, ns: Namespace, path: string, title: string]
type NoCells = [null, null, null, null, null]
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
  ...(PageCells | NoCells),
]

interface ChangesKey extends Omit<Position, 'filter'> {
  locale: string | null
  ns: Namespace | null
  first: number
}

export const changeLoaders = (load: BatchLoaders) => {
  const codes = load(
    'change_codes',
    (changedAt: string) => [changedAt],
    firstRow,
    () => 1,
    LIST_LIMIT.max,
  )
  return {
    changes: changesLoader(load),
    /** The cursor of the feed after a change. */
    changeCursor: async ({ changedAt, filter }: ChangeRow): Promise<string> => {
      const { number, code } = (await codes.load(changedAt))!
      return changeCursor(number, code, filter)
    },
  }
}

/** @returns a loader of parts of the feed: null if the wiki never had the language; BadParameter for an invented cursor */
const changesLoader = (load: BatchLoaders) => {
  const values = ({ number, code, first }: ChangesKey) => [number, code, first]
  const all = load('changes', values, firstRow, rowsAndNext)
  const some = load(
    'changes_of',
    (key: ChangesKey) => [...values(key), key.locale, key.ns],
    firstRow,
    rowsAndNext,
  )
  return {
    load: async (changes: ChangesArguments): Promise<ChangeListRow | null> => {
      const { after, locale = null, ns = null, first } = changes
      const position = PLACES.get(after ?? '') ?? readChangeCursor(after!)
      if (position === null) throw unknownCursor()
      const parts = Object.entries({ locale, ns }).flatMap(([key, value]) => (value ? `${key}=${value}` : []))
      if (position.filter.split('&').some((part) => part !== '' && !parts.includes(part)))
        throw new BadParameter('after', `is the cursor of a list with ${position.filter}: send that, too`)
      const filter = parts.join('&')
      const loader = filter === '' ? all : some
      const row = await loader.load({ ...position, locale, ns, first })
      if (row === null) return null
      if (!row.isIssued) throw unknownCursor()
      const cursor = changeCursor(row.last, row.code, filter)
      const items = (row.list ?? []).map((cells: ChangeCells) => changeFromCells(cells, filter))
      // So that a list of one change takes one statement.
      if (items.length > 0) items.at(-1)!.cursor = cursor
      return { items, next: row.more ? cursor : null, cursor }
    },
  }
}

const unknownCursor = () => new BadParameter('after', 'must be the `cursor` of an earlier response')

const changeFromCells = (cells: ChangeCells, filter: string): ChangeRow => {
  const [changedAt, id, locale, ns, path, title, revisionId, createdAt, revisionAuthor, ...moved] = cells
  const revision = () => ({ revisionId, revisionCreatedAt: timestampFromPostgres(createdAt), revisionAuthor })
  return {
    changedAt: timestampFromPostgres(changedAt),
    locale,
    ns,
    path,
    page: id === null ? null : { id, locale, ns, path, title, ...revision() },
    movedTo: pageFromCells(moved),
    filter,
  }
}

const pageFromCells = ([id, locale, ns, path, title]: PageCells | NoCells): PageRow | null =>
  id === null ? null : { id, locale, ns, path, title }

/**
 * The cursor of a change: eight bytes of its number, six of its check code, and the filter, in base64url. A program that
 * invents a cursor, or narrows the list by something else, gets an error instead of a list with gaps. The cursor of a list
 * of everything serves any list. (D100)
 */
const NUMBER_BYTES = 8
const CODE_BYTES = 6

/** @param number a bigint that is not negative, as text; @param code twelve hexadecimal digits */
const changeCursor = (number: string, code: string, filter: string): string => {
  const bytes = Buffer.alloc(NUMBER_BYTES)
  bytes.writeBigInt64BE(BigInt(number))
  return Buffer.concat([bytes, Buffer.from(code, 'hex'), Buffer.from(filter)]).toString('base64url')
}

/** @returns null if the text is not the cursor of any number, code and filter */
const readChangeCursor = (cursor: string): Position | null => {
  const bytes = Buffer.from(cursor, 'base64url')
  const filter = bytes.toString('latin1', NUMBER_BYTES + CODE_BYTES)
  // Decoding skips what is no base64url, and ignores unused bits.
  if (bytes.length < NUMBER_BYTES + CODE_BYTES || bytes.toString('base64url') !== cursor) return null
  if (!/^(?:locale=[\w-]+)?&?(?:ns=[a-z_]+)?$/.test(filter)) return null
  const number = bytes.readBigInt64BE()
  const code = bytes.toString('hex', NUMBER_BYTES, NUMBER_BYTES + CODE_BYTES)
  return number < 0n ? null : { number: String(number), code, filter }
}
