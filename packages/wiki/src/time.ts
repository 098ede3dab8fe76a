/** A timestamp as text, which sorts: `YYYY-MM-DDTHH:MM:SS.ffffffZ`, UTC, with microseconds. A `Date` has only milliseconds. */
export type Timestamp = string

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/

/** The first and the last second of a timestamp, in seconds since 1970: years 0001 to 9999. */
const FIRST = -62_135_596_800
const LAST = 253_402_300_799

/** A point in time: whole seconds since 1970, and all digits of the fraction. */
interface Instant {
  seconds: number
  /** Digits after the decimal point, as written; empty if there are none. */
  fraction: string
}

/** Parses RFC 3339 strictly: no 30 February, no 24:00, and an offset. A leap second becomes the second after it. */
export const parseInstant = (text: string): Instant | null => {
  const match = RFC_3339.exec(text)
  if (!match) return null
  const [year, month, day, hour, minute, second, offsetHour, offsetMinute] = [1, 2, 3, 4, 5, 6, 9, 10].map(
    (i) => Number(match[i] ?? 0),
  ) as [number, number, number, number, number, number, number, number]
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return null
  const local = new Date(0)
  local.setUTCFullYear(year, month - 1, day)
  if (local.getUTCMonth() !== month - 1 || local.getUTCDate() !== day) return null
  local.setUTCHours(hour, minute, second)
  const offset = (offsetHour * 60 + offsetMinute) * 60 * (match[8] === '-' ? -1 : 1)
  return { seconds: local.getTime() / 1000 - offset, fraction: match[7] ?? '' }
}

/** Truncates to microseconds. An instant outside the years 0001 to 9999 becomes the first or last timestamp of these. */
export const timestampFromInstant = ({ seconds, fraction }: Instant): Timestamp => {
  if (seconds < FIRST) return '0001-01-01T00:00:00.000000Z'
  if (seconds > LAST) return '9999-12-31T23:59:59.999999Z'
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${fraction.padEnd(6, '0').slice(0, 6)}Z`
}

/** Converts what PostgreSQL prints, `2024-05-01 12:34:56.12+00`, in JSON with `T` and `+00:00`. Does not validate it. */
export const timestampFromPostgres = (text: string): Timestamp => {
  const end = text.indexOf('+', 19)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${end > 19 ? text.slice(20, end).padEnd(6, '0') : '000000'}Z`
}

export const timestampAfter = ({ seconds, fraction }: Instant): Timestamp => {
  const micros = Number(fraction.padEnd(6, '0').slice(0, 6)) + 1
  const whole = seconds + Math.floor(micros / 1_000_000)
  return timestampFromInstant({ seconds: whole, fraction: String(micros % 1_000_000).padStart(6, '0') })
}

/** For example `3 min 20 s`: at most two units. */
export const formatDuration = (seconds: number): string => {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}
