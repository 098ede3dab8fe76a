import { type Moment, momentAfter, momentOf, parseInstant } from '../wiki/time.ts'

/**
 * Where lists go on. A position is the plain sort value of the last item, unless the boundary parts items
 * that share it: then it carries the last item's own place too. (D7)
 *
 * For times the place is written as more digits of the second: the six of the stored microsecond, then the
 * item's UUID as a decimal number of 39 digits. Read as a moment it lies within its microsecond, so that
 * the order of positions is the order of the list, and every RFC 3339 parser takes it.
 */
const PLACE_DIGITS = 39
const UUID_VALUES = 1n << 128n

/** Variables of a stored query that lists edits. */
export interface Before {
  before?: Moment
  beforeId?: string
}

interface Edit {
  id: string
  created_at: Moment
}

/**
 * Cuts what was read to `limit`, and says where the next part begins.
 * @param read up to `limit` + 1 items: one more than is shown tells whether there are more
 * @param position where a list goes on after `last`, given the item that follows it
 * @returns `next` is empty at the end
 */
export const part = <Item>(
  read: Item[],
  limit: number,
  position: (last: Item, following: Item) => string,
) => {
  const following = read[limit]
  const items = read.slice(0, limit)
  return { items, next: following === undefined ? '' : position(items.at(-1)!, following) }
}

/** Position in a list of edits, newest first. */
export const beforePosition = (last: Edit, following: Edit): string =>
  last.created_at === following.created_at ? withPlace(last) : last.created_at

const withPlace = ({ created_at, id }: Edit): string => {
  const number = BigInt(`0x${id.replaceAll('-', '')}`)
    .toString()
    .padStart(PLACE_DIGITS, '0')
  return `${created_at.slice(0, -1)}${number}Z`
}

/**
 * What `before` means: a position of ours, or any RFC 3339 date-time (its `+` perhaps turned into a space
 * by a form decoder). Times are stored to the microsecond, so a moment between two of them lets pass all
 * that was stored at the earlier one.
 * @returns null when it is no date-time
 */
export const readBefore = (raw: string): Before | null => {
  const instant = parseInstant(raw.replace(/ (?=\d\d:\d\d$)/, '+'))
  if (instant === null) return null
  const rest = instant.fraction.slice(6)
  if (rest.length === PLACE_DIGITS && BigInt(rest) < UUID_VALUES) {
    return { before: momentOf(instant), beforeId: uuidOf(BigInt(rest)) }
  }
  return { before: /[1-9]/.test(rest) ? momentAfter(instant) : momentOf(instant) }
}

const uuidOf = (number: bigint): string =>
  number
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** Stands between a sort key and a path in a position; no key or path holds it. */
const SEPARATOR = '\u001f'

interface Member {
  sort_key: string
  page: { path: string }
}

/** Position in a category. */
export const afterPosition = (last: Member, following: Member): string =>
  last.sort_key === following.sort_key ? `${last.sort_key}${SEPARATOR}${last.page.path}` : last.sort_key

/** What `after` means in a category: a sort key, or a sort key and a path. */
export const readAfter = (raw: string): { after?: string; afterPath?: string } => {
  if (raw === '') return {}
  const at = raw.indexOf(SEPARATOR)
  return at < 0 ? { after: raw } : { after: raw.slice(0, at), afterPath: raw.slice(at + 1) }
}
