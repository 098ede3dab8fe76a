import { UsageError } from '../errors.ts'

/** Where no more files may be opened, Node says of the next one that it is not there. */
const NOT_LOADED =
  'A part of Lectern cannot be loaded: allow 1024 open files or more (`ulimit -n 1024`), else install Lectern anew (`npm ci`).'

/** What a person can do about an error of the system or of the database, by its code. */
const ADVICE: Record<string, string> = {
  ENOSPC: 'The disk is full: make room, then run the command again.',
  EDQUOT: 'The disk quota is used up: make room, then run the command again.',
  EMFILE: 'Lectern may open too few files at a time: allow 1024 or more (`ulimit -n 1024`), then try again.',
  ENFILE: 'This machine has too many files open: close other programs, or raise fs.file-max.',
  ERR_MODULE_NOT_FOUND: NOT_LOADED,
  MODULE_NOT_FOUND: NOT_LOADED,
  ENOMEM: 'The machine has too little free memory: close other programs, then try again.',
  EACCES: 'Permission is denied: give a place that this user may read and write.',
  EPERM: 'The system does not permit it: give a place that this user may read and write.',
  EROFS: 'The disk is read-only: give another place.',
  EIO: 'The disk cannot be read or written: look at what the system logs of it.',
  '53100': "The database's disk is full: make room there, then run the command again.",
  '53200': 'The database has too little memory: give its machine more, then try again.',
  '53400': 'A limit that the database is configured with is reached: raise it, then try again.',
  '25006': 'The database may only be read: DATABASE_URL must name the primary, not a replica.',
  '40P01': 'Another process was in the way: run the command again.',
  '55P03': 'Another process holds what this needs: run the command again when it has ended.',
}

/** Errors that are known by their words alone, as those of the embedded database may be. */
const BY_MESSAGE: [RegExp, string][] = [
  [/no space left on device/i, ADVICE.ENOSPC!],
  [/too many open files/i, ADVICE.EMFILE!],
  [/out of memory|allocation failed/i, ADVICE.ENOMEM!],
]

/**
 * An error as the person at the terminal is told of it: one message that says what to do next. Of a defect, how to
 * report it. Needs no other file of the package, since there may be no files to be opened any more.
 * @param withStack adds where it happened, for who looks for a defect
 */
export const failureMessage = (error: unknown, withStack = false): string => {
  const {
    code = '',
    message,
    stack,
  } = (error instanceof Error ? error : new Error(String(error))) as Error & {
    code?: string
  }
  const text = describeFailure(error, code, message)
  return withStack && stack !== undefined ? `${text}\n${stack}` : text
}

const describeFailure = (error: unknown, code: string, message: string): string => {
  if (error instanceof UsageError) return message
  const advice = ADVICE[code] ?? BY_MESSAGE.find(([pattern]) => pattern.test(message))?.[1]
  if (advice !== undefined) return `${advice} (${message})`
  const name = error instanceof Error && error.name !== 'Error' ? `${error.name}: ` : ''
  return (
    `Unexpected error: ${name}${message}${code === '' ? '' : ` (${code})`}\n` +
    'This is a defect of Lectern. Please report it with the command that you ran, and with what the same command ' +
    'prints when LOG_LEVEL=debug is set.'
  )
}
