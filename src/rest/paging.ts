import { parseInstant, type Timestamp, timestampAfter, timestampFromInstant } from '../wiki/time.ts'

/**
 * Where lists go on: at the plain sort value of the last item, unless the boundary parts items that share it. (D7)
 * Edits that share a time have dates of their own for that, which the database knows. (D66)
 */

/** Variables of a stored query that lists edits. */
export interface BeforeArguments {
  before?: Timestamp
  /** A date that may be an edit's position. */
  cursor?: Timestamp
}

/**
 * Cuts what was read to `limit`, and says where the next part begins.
 * @param read up to `limit` + 1 items: one more than is shown tells whether there are more
 * @param position where a list goes on after `last`, given the item that follows it
 * @returns `next` is empty at the end
 */
export const slice = <Item>(
  read: Item[],
  limit: number,
  position: (last: Item, following: Item) => string,
) => {
  const following = read[limit]
  const items = read.slice(0, limit)
  return { items, next: following === undefined ? '' : position(items.at(-1)!, following) }
}

/** Positions are whole milliseconds, and never tens of them: what is none is not looked up. */
const MAY_BE_POSITION = /[1-9]000Z$/

/**
 * What `before` means: any RFC 3339 date-time. Its `+` may have been turned into a space by a form decoder, and its
 * seconds be left out where they are 0, as Java's OffsetDateTime prints itself. Times are stored to the microsecond,
 * so a moment between two of them lets pass all that was stored at the earlier one.
 * @returns null when it is no date-time
 */
export const readBefore = (raw: string): BeforeArguments | null => {
  const instant = parseInstant(
    raw.replace(/ (?=\d\d:\d\d$)/, '+').replace(/^(.{10}[Tt]\d\d:\d\d)(?=[Zz+-])/, '$1:00'),
  )
  if (instant === null) return null
  if (/[1-9]/.test(instant.fraction.slice(6))) return { before: timestampAfter(instant) }
  const moment = timestampFromInstant(instant)
  return MAY_BE_POSITION.test(moment) ? { cursor: moment } : { before: moment }
}

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
