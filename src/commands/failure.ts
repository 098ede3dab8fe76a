import { Unavailable, UsageError } from '@lectern/wiki/errors'
import { FULL_DISK_ADVICE } from '@lectern/wiki/full-disk'

/** If no more files can be opened, Node reports the next module as missing. */
const NOT_LOADED =
  'A module of Lectern cannot be loaded. Allow 1024 open files or more (`ulimit -n 1024`). If that does not help, install Lectern again (`npm ci`).'

/** What the user can do about an error of the system or of the database, by its code. */
const ADVICE: Record<string, string> = {
  ...FULL_DISK_ADVICE,
  EMFILE: 'The limit of open files is too low. Allow 1024 or more (`ulimit -n 1024`), then try again.',
  ENFILE: 'This machine has too many open files. Close other programs, or raise fs.file-max.',
  ERR_MODULE_NOT_FOUND: NOT_LOADED,
  MODULE_NOT_FOUND: NOT_LOADED,
  ENOMEM: 'The machine has too little free memory. Close other programs, then try again.',
  EACCES: 'Permission denied. Let this user read it, or write it if the command does.',
  EPERM: 'The system does not permit the operation. Use a file or folder that this user can read and write.',
  EROFS: 'The disk is read-only. Use a folder on another disk.',
  EIO: 'The disk failed to read or write. Look at the log of the system.',
  '53200': 'The database has too little memory. Give it more, then try again.',
  '53400': 'The database has reached a configured limit. Raise the limit, then try again.',
  '25006': 'The database is read-only. DATABASE_URL must name the primary, not a replica.',
  '40P01': 'Another process caused a deadlock. Run the command again.',
  '55P03':
    'Another process holds a lock that this command needs. Run the command again when that process has ended.',
}

/** Errors without a code, as the embedded database may throw them. */
const BY_MESSAGE: [RegExp, string][] = [
  [/no space left on device/i, FULL_DISK_ADVICE.ENOSPC],
  [/too many open files/i, ADVICE.EMFILE!],
  [/out of memory|allocation failed/i, ADVICE.ENOMEM!],
]

/**
 * The message for the terminal: what failed and what to do next, or how to report a defect. Loads no other module
 * later, because it may not be possible to open files any more.
 * @param withStack adds the stack
 */
export const failureMessage = (error: unknown, withStack = false): string => {
  const known = (error instanceof Error ? error : new Error(String(error))) as NodeJS.ErrnoException
  const text = describeFailure(error, known.code ?? '', known.message)
  return withStack && known.stack !== undefined ? `${text}\n${known.stack}` : text
}

const describeFailure = (error: unknown, code: string, message: string): string => {
  if (error instanceof UsageError) return message
  if (error instanceof Unavailable && error.cause) return `${message} (${(error.cause as Error).message})`
  const advice = ADVICE[code] ?? BY_MESSAGE.find(([pattern]) => pattern.test(message))?.[1]
  if (advice !== undefined) return `${advice} (${message})`
  const name = error instanceof Error && error.name !== 'Error' ? `${error.name}: ` : ''
  return (
    `Unexpected error: ${name}${message}${code === '' ? '' : ` (${code})`}\n` +
    'This is a defect of Lectern. Please report it with the command that you ran, and with the output of the same ' +
    'command with LOG_LEVEL=debug.'
  )
}
