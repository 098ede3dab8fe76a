import { UsageError } from '../errors.ts'

/** What says that a disk, or somebody's share of it, is full: PostgreSQL's disk_full and the system's own codes. */
const CODES = ['53100', 'ENOSPC', 'EDQUOT']

/** An error of a full disk, as a person can mend it; any other as it is. */
export const withDiskFullAdvice = (error: unknown): unknown => {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (error instanceof UsageError || !CODES.includes(code)) return error
  return new UsageError(
    `No space is left on the database's disk (${message}): make room, then try again. Nothing of this was stored.`,
  )
}
