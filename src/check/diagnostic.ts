import { Unavailable } from '@lectern/wiki/errors'

/** The result of one check: what was checked, its status, and what you can do about it. */
export interface Diagnostic {
  /** Such as `database`. Several diagnostics can have the same subject. */
  subject: string
  /** `skipped`: it could not be tried. */
  status: 'ok' | 'warning' | 'wrong' | 'skipped'
  message: string
  /** Absent if you need to do nothing. */
  advice?: string
}

const withStatus =
  (status: Diagnostic['status']) =>
  (subject: string, message: string, advice?: string): Diagnostic => ({
    ...{ subject, status, message },
    ...(advice ? { advice } : {}),
  })
export const ok = withStatus('ok')
export const warning = withStatus('warning')
export const failure = withStatus('wrong')
/** @param reason why it could not be tried. Default: another check found something wrong */
export const skipped = (subject: string, reason = 'first correct what is wrong above', advice?: string) =>
  withStatus('skipped')(subject, `not tried: ${reason}`, advice)

/** The problems, of all that are looked for; if there are none, what is in order. */
export const problemsOr = (problems: readonly (Diagnostic | false)[], fine: Diagnostic): Diagnostic[] => {
  const found = problems.filter((one) => one !== false)
  return found.length > 0 ? found : [fine]
}

/** Runs dependent checks. If one throws, its error is the only diagnostic. @param advice what to do then */
export const reportErrors = (subject: string, check: () => Promise<Diagnostic[]>, advice?: string) =>
  check().catch((error: Error) => [failure(subject, reasonText(error), advice)])

/** Of an error whose message is for guests, the message of its cause, which is what the operator needs. */
const reasonText = (error: Error): string => {
  const { message, code } = ((error instanceof Unavailable && error.cause) || error) as NodeJS.ErrnoException
  return code === '55P03' ? `Another session has locked a table: look at pg_locks (${message}).` : message
}

/** At most five names, and the number of the others. */
export const listText = (names: readonly string[]): string =>
  names.length <= 5 ? names.join(', ') : `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`
