import { EMBEDDED_RESERVE_BYTES } from '../../limits.ts'
import type { StatementAction } from './classify-statement.ts'
import { copyFail, errorMessage } from './messages.ts'

/** Command tags of the statements that the bridge replies to itself. */
export const LOCAL_TAGS = {
  discard: 'DISCARD ALL',
  deallocate: 'DEALLOCATE ALL',
  unlisten: 'UNLISTEN',
  set: 'SET',
  announce: 'SET',
} as const
export type LocalStatement = Extract<StatementAction, { kind: keyof typeof LOCAL_TAGS }>

/**
 * PGlite ends when COPY FROM STDIN finds no data. So the bridge sends a CopyFail after each query that may contain one.
 * PostgreSQL ignores that message when there is no COPY.
 */
export const copyGuards = (sql: string): Buffer[] => (sql.match(/\bcopy\b/gi) ?? []).map(() => copyFail)

/** The error of a statement that the bridge does not send to PostgreSQL. */
export const refusalError = (action: StatementAction): Buffer =>
  action.kind === 'refuse'
    ? errorMessage('ERROR', action.code, action.message)
    : errorMessage('ERROR', '0A000', `${action.kind} is supported only as a simple query`)

/** Messages of at least this length contain data, and not only a statement, bytes. */
const DATA_BYTES = 4096
export const hasData = (messages: Buffer): boolean => messages.length >= DATA_BYTES
/** The error of a transaction that brings data when the disk has no space for it. (D83) */
export const noSpaceError = errorMessage(
  'ERROR',
  '53100',
  `less than ${EMBEDDED_RESERVE_BYTES / 1024 ** 2} MB are free on the disk of the embedded database`,
)
