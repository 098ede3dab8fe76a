import { UsageError } from './errors.ts'

/** What a person can do about a full disk, by the system's code or PostgreSQL's SQLSTATE (disk_full). */
export const FULL_DISK_ADVICE = {
  ENOSPC: 'The disk is full. Free some space, then run the command again.',
  EDQUOT: 'The disk quota is used up. Free some space, then run the command again.',
  '53100': "The database's disk is full. Free some space there, then run the command again.",
} as const

/** Whether an error says that a disk, or the user's quota of it, is full. */
export const isFullDisk = (
  error: unknown,
): error is { code: keyof typeof FULL_DISK_ADVICE; message?: string } =>
  Object.hasOwn(FULL_DISK_ADVICE, (error as { code?: string }).code ?? '')

/** The error of a full disk in a transaction, as a UsageError that says what to do; any other error unchanged. @param then what happens next */
export const withDiskFullAdvice = (error: unknown, then = 'run the command again'): unknown => {
  if (error instanceof UsageError || !isFullDisk(error)) return error
  const advice = FULL_DISK_ADVICE[error.code].replace('run the command again', then)
  return new UsageError(`${advice} Nothing was stored. (${error.message ?? ''})`)
}
