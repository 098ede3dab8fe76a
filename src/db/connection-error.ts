import { Unavailable, UsageError } from '@lectern/wiki/errors'
import pg from 'pg'
import { explainSchemaMismatch } from './session.ts'

/** A server that can be reached, but is a standby where the primary is needed, or the reverse. */
export class UnfitServer extends Error {
  override name = 'UnfitServer'
}

export class NoHostFits extends Error {
  override name = 'NoHostFits'
  readonly reasons: readonly { host: string; error: Error & { code?: string } }[]

  constructor(reasons: NoHostFits['reasons']) {
    super(reasons.map(({ host, error }) => `${host}: ${error.message || error.code}`).join('; '))
    this.reasons = reasons
  }
}

const CODES =
  /^(08...|57P..|25P0[345]|53300|57014|E(CONN|NET|HOST|AI_)\w+|ETIMEDOUT|EPIPE|EPROTO|ERR_SSL_\w+|ENOENT|ENOTFOUND|ENOTCONN)$/
const MESSAGES =
  /Connection terminated|not queryable|timeout exceeded when trying to connect|timeout expired|No reply within|pool after calling end|message from backend|invalid response/

/** SQLSTATE of a statement that took longer than `statement_timeout`. */
const QUERY_CANCELED = '57014'
/** SQLSTATEs if a standby cancels for its replay, or a server lacks memory or a lock. */
const RETRYABLE = /^(40...|53...|55P03)$/
/** Of what a connection has prepared, or of a server that fails: another connection may do. Messages may be translated. */
const isUnusable = ({ code = '', routine }: { code?: string; routine?: string }): boolean =>
  /^(26000|42P05|58...|XX...)$/.test(code) || (code === '0A000' && routine === 'RevalidateCachedQuery')

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? ''

/** Whether an error means that the server cannot be reached or is shutting down, and not that a query is wrong. */
export const isConnectionError = (error: unknown): boolean => {
  if (error instanceof UnfitServer || error instanceof NoHostFits) return true
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return CODES.test(code) || MESSAGES.test(message)
}

/** Whether an open connection was ended, which says nothing of the next one. */
export const isConnectionEnded = (error: unknown): boolean => {
  const { code, message } = error as Error & { code?: string }
  return /^(57P0[12]|ECONNRESET|EPIPE)$|not queryable|terminated unexpectedly/.test(code ?? message)
}

/** Whether the next statement should go to another server. False of a slow statement. */
export const isServerLost = (error: unknown): boolean =>
  error instanceof UsageError || (isConnectionError(error) && !isStatementTimeout(error))

/** Whether a statement took longer than its timeout. Of an Unavailable, the cause decides. */
export const isStatementTimeout = (error: unknown): boolean => {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  return (code === 'unavailable' ? cause?.code : code) === QUERY_CANCELED
}

/** Why a statement failed: it took too long, the server was lost, no connection of the pool was free, or it is refused. */
export const errorReason = (error: unknown): 'timeout' | 'connection' | 'pool' | 'statement' => {
  if (isStatementTimeout(error)) return 'timeout'
  if (isServerLost(error)) return 'connection'
  return error instanceof Unavailable ? 'pool' : 'statement'
}

/** Whether another server may run the statement that failed on this one, or this one on another connection. */
export const isWorthRetrying = (error: unknown): boolean =>
  isServerLost(error) || isUnusable(error as pg.DatabaseError) || RETRYABLE.test(codeOf(error))

/** Whether the same request may succeed later. An internal error of PostgreSQL (XX…) repeats: only another server may do. */
export const isTemporary = (error: unknown): boolean =>
  isConnectionError(error) || (isWorthRetrying(error) && !/^XX/.test(codeOf(error)))

/** Whether a connection can be used after an error: the server responded, and the connection is not at fault. */
export const isConnectionUsable = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !isServerLost(error) && !isUnusable(error)

/**
 * Throws the error of a connection that cannot be made. Another server may do if this one refuses it, such as for a wrong
 * password, but not after a defect of this process.
 */
export const throwRefusal = (error: Error): never => {
  const isDefect = [TypeError, RangeError, ReferenceError].some((one) => error instanceof one)
  if (isDefect || error instanceof Unavailable || isServerLost(error)) throw error
  const explained = explainSchemaMismatch(error)
  throw explained === error ? new UsageError(error.message) : explained
}
