import type { AddressFields } from './front-matter.ts'

/** From when a page is shown, by its front matter or the name of its file. The first that it has counts. */
export const START_DATES = ['publishDate', 'date', 'fileName'] as const

/** Which pages a site shows, besides drafts. */
export interface ShowRule {
  /** Absent: they are shown at any time. */
  from?: readonly (typeof START_DATES)[number][]
  /** Whether they are shown until their `expiryDate`. */
  canExpire?: boolean
  /** Files whose dates count. Absent: all. */
  dated?: RegExp
  /** Of dates that have none, such as `Europe/Oslo`. Absent: UTC. */
  zone?: string | undefined
}

/** @param files of pages @param now milliseconds since 1970 @param buildOf what is said of a file elsewhere */
export const shownPages = (
  { from = [], canExpire = false, dated = /^/, zone = 'UTC' }: ShowRule,
  files: ReadonlyMap<string, AddressFields>,
  now: number,
  buildOf: (file: string) => AddressFields['build'] = () => null,
) => {
  const clock = clockIn(zone)
  const timesOf = (file: string, fields: AddressFields) => {
    if (!dated.test(file)) return [-Infinity, Infinity] as const
    const texts = from.map((one) => (one === 'fileName' ? NAMED_DATE.exec(file)?.[1] : fields[one]))
    const start = texts.map((text) => timeOf(text, clock, now)).find(Number.isFinite)
    return [start ?? -Infinity, canExpire ? timeOf(fields.expiryDate, clock, now) : Infinity] as const
  }
  const times = [...files].flatMap(([file, fields]) => timesOf(file, fields).map((at) => ({ file, at })))
  const due = times.reduce((first, { at }) => (at > now && at < first ? at : first), Infinity)
  return {
    /** Why guests do not see a page that is no draft: a kind of notes. @param at when; absent: now */
    heldBack: (file: string, fields: AddressFields, at = now) => {
      const [start, end] = timesOf(file, fields)
      if (start > at || end <= at) return start > at ? 'future page' : 'expired page'
      return (fields.build ?? buildOf(file)) === 'unlisted' ? 'unlisted page' : null
    },
    /** When the next page appears or disappears without a change; undefined: none does. */
    due: due < Infinity ? due : undefined,
    /** The files of pages that have appeared or disappeared from a time on. */
    dueSince: (time?: number) => times.flatMap(({ file, at }) => (at >= time! && at <= now ? file : [])),
    digest: from.length > 0 || canExpire ? JSON.stringify([from, canExpire, String(dated), zone]) : '',
  }
}

const NAMED_DATE = /(?:^|\/)(\d{4}-\d\d?-\d\d?)\b[^/]*(?:\/index\.\w+)?$/
const DATE =
  /^\s*(\d{4}-\d\d?-\d\d?)(?:[T\s]+(\d\d?:\d\d(?::\d\d)?)[\d.,]*)?\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?/i
/** `2024/5/1` and `20240501`; `1/5/2024` with the day first, as Ruby reads it. */
const YEAR_FIRST = /^\s*(\d{4})(?:\/(\d\d?)\/|(\d\d))(\d\d?)(?!\d)/
const YEAR_LAST = /^\s*(\d\d?)\/(\d\d?)\/(\d{4})/
const MONTH = /\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\b/i
const DAY_MS = 86_400_000

/** Milliseconds since 1970; NaN: it is no date. The zone of `1 May 2024` does not count, nor if it is past in all zones. */
const timeOf = (text: string | null | undefined, clock: Intl.DateTimeFormat | null, now: number): number => {
  const written = (text ?? '').replace(YEAR_FIRST, '$1-$2$3-$4').replace(YEAR_LAST, '$3-$2-$1')
  const [, date, time = '00:00', offset] = DATE.exec(written) ?? []
  if (date === undefined) return Date.parse(MONTH.test(text ?? '') ? `${text} UTC` : '')
  const local = `${date}T${time}`.replace(/(?<!\d)\d(?!\d)/g, '0$&')
  const inUtc = Date.parse(`${local}Z`)
  const ofZone = inUtc > now - DAY_MS ? clock?.format(inUtc).split('GMT')[1] : ''
  const own = offset?.replace(/UTC|GMT/i, 'Z').replace(/^.\d\d$/, '$&:00')
  return Date.parse(local + (own ?? (ofZone || 'Z')))
}

/** Shows the offset of a zone; null: there is no such zone. */
const clockIn = (timeZone: string): Intl.DateTimeFormat | null => {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  } catch {
    return null
  }
}
