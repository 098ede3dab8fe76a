/** A timestamp as text, which sorts: `YYYY-MM-DDTHH:MM:SS.ffffffZ`, UTC, with microseconds. A `Date` has only milliseconds. */
export type Timestamp = string

const RFC_3339 = /^(\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:)(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/

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
  const [, written = '', second, fraction = '', sign, hours, minutes] = RFC_3339.exec(text) ?? []
  const start = `${written.toUpperCase()}00.000Z`
  const local = new Date(start)
  // A day that a month lacks becomes one of the next month, and 24:00 the next day.
  if (Number.isNaN(local.getTime()) || local.toISOString() !== start || Number(second) > 60) return null
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === '-' ? -60 : 60)
  return { seconds: local.getTime() / 1000 + Number(second) - offset, fraction }
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
