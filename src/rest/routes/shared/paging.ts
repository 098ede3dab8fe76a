import { BadParameter } from '@lectern/wiki/errors'
import { isUuid } from '@lectern/wiki/text'
import { parseInstant, type Timestamp, timestampAfter, timestampFromInstant } from '@lectern/wiki/time'

/**
 * Cursors. The cursor of a list is the sort value of its last item, unless the next item has the same sort value. (D7)
 * Edits that have the same time get unique timestamps as cursors, which the database stores. (D7)
 */

export interface BeforeArguments {
  before?: Timestamp
  /** A timestamp that may be the position of an edit. */
  cursor?: Timestamp
}

/**
 * Cuts a list to `limit` items, and returns the cursor of the next part.
 * @param read up to `limit` + 1 items: the additional item shows that the list continues
 * @param cursorOf the cursor after the item `last`, which `next` follows
 * @returns `next` is empty at the end of the list
 */
export const slice = <Item>(read: Item[], limit: number, cursorOf: (last: Item, next: Item) => string) => {
  const following = read[limit]
  const items = read.slice(0, limit)
  return { items, next: following === undefined ? '' : cursorOf(items.at(-1)!, following) }
}

/** A position is a whole number of milliseconds that is no multiple of ten. Other timestamps need no lookup. */
const MAY_BE_POSITION = /[1-9]000Z$/

/**
 * Reads the parameter `before`: any RFC 3339 date-time, or a date. A form decoder may have turned its `+` into a space, and its
 * seconds can be absent if they are 0, as in the text of Java's OffsetDateTime. The database stores microseconds, so
 * a time between two microseconds includes the edits of the earlier one.
 * @returns null when the text is not a date-time
 */
export const readBefore = (raw: string): BeforeArguments | null => {
  const time = /^.{10}$/.test(raw) ? `${raw}T00:00Z` : raw.replace(/ (?=\d\d:\d\d$)/, '+')
  const instant = parseInstant(time.replace(/^(.{10}[Tt]\d\d:\d\d)(?=[Zz+-])/, '$1:00'))
  if (instant === null) return null
  if (/[1-9]/.test(instant.fraction.slice(6))) return { before: timestampAfter(instant) }
  const timestamp = timestampFromInstant(instant)
  return MAY_BE_POSITION.test(timestamp) ? { cursor: timestamp } : { before: timestamp }
}

interface Edit {
  id: string
  created_at: string
}

/**
 * The cursor of a list of edits after the edit `last`.
 * @param position its position
 * @throws Error when the list continues but has no cursor: any other cursor would skip edits
 */
const editCursor = (last: Edit, following: Edit, position: string | null): string => {
  if (last.created_at !== following.created_at) return last.created_at
  if (position === null)
    throw new Error(`Revision ${last.id} shares its created_at with others and has no position`)
  return position
}

/** Reads the cursor of a list of edits, oldest first: the time and id of an edit. @throws BadParameter */
export const readLaterEditCursor = (raw: string, order: string) => {
  const [time = '', afterId = ''] = raw.split('_')
  const instant = order === 'asc' && isUuid(afterId) ? parseInstant(time) : null
  if (instant) return { after: timestampFromInstant(instant), afterId }
  if (raw !== '') throw new BadParameter('after', 'must be `next` of the previous response, with order=asc')
  return {}
}

/** The list of edits that a route returns, each with its URL in this API, and what `include` has to know of them. */
export const editList = <Item extends Edit>(
  { items, next }: { items: Item[]; next?: string | null },
  base: string,
  order = 'desc',
) => {
  const nextAfter = (count: number, position: string | null) => {
    const last = items[count - 1]!
    return order === 'asc' ? `${last.created_at}_${last.id}` : editCursor(last, items[count]!, position)
  }
  return {
    body: {
      items: items.map((edit) => Object.assign(edit, { url: `${base}/revisions/${edit.id}` })),
      next: next && order === 'asc' ? nextAfter(items.length, null) : (next ?? ''),
    },
    content: () => ({ revisions: items.map(({ id }) => id), needsPosition: order === 'desc', nextAfter }),
  }
}

/** Separates sort key and path in a cursor. No sort key and no path contains it. */
const SEPARATOR = '\u001f'

interface Member {
  sort_key: string
  page: { path: string }
}

export const categoryCursor = (last: Member, following: Member): string =>
  last.sort_key === following.sort_key ? `${last.sort_key}${SEPARATOR}${last.page.path}` : last.sort_key

/** Reads the parameter `after` of a category list: a sort key, or a sort key and a path. */
export const readAfter = (raw: string): { after?: string; afterPath?: string } => {
  if (raw === '') return {}
  const end = raw.indexOf(SEPARATOR)
  return end < 0 ? { after: raw } : { after: raw.slice(0, end), afterPath: raw.slice(end + 1) }
}

/** The cursor of a list of links after the item `last`. No locale contains a slash. */
export const linkCursor = ({ locale, path }: { locale: string; path: string }): string => `${locale}/${path}`

interface FileAddress {
  path: string
  locale?: string | null
}

/** The cursor after a file: its path, with its language if the next file has the same path. */
export const fileCursor = ({ path, locale }: FileAddress, following: FileAddress): string =>
  path === following.path ? `${path}${SEPARATOR}${locale ?? ''}` : path

/** Greater than every locale: without one, the list continues after all files of the path. */
const AFTER_ALL_LOCALES = '\uffff'

export const readFileCursor = (raw: string): { after: string; afterLocale: string } => {
  const end = raw.lastIndexOf(SEPARATOR)
  return end < 0
    ? { after: raw, afterLocale: raw === '' ? '' : AFTER_ALL_LOCALES }
    : { after: raw.slice(0, end), afterLocale: raw.slice(end + 1) }
}

/** Reads the parameter `after` of a list of links. @throws BadParameter */
export const readLinkCursor = (raw: string): { afterLocale?: string; afterPath?: string } => {
  if (raw === '') return {}
  const end = raw.indexOf('/')
  if (end < 0)
    throw new BadParameter('after', 'must be `next` of the previous response, such as en/green-tea')
  return { afterLocale: raw.slice(0, end), afterPath: raw.slice(end + 1) }
}
