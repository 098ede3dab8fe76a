import { RESERVE_BYTES } from './data-directory.ts'
import { copyFail, errorMessage } from './messages.ts'

/**
 * What the bridge does with a statement before PostgreSQL gets it.
 * - `run`: sends it to PostgreSQL unchanged
 * - `listen`: sends it to PostgreSQL, and gives the connection the notifications of the channel
 * - `unlisten`, `discard`, `deallocate`, `set`: replies itself, since in the single shared session they would affect
 *   the other clients; a null channel means all channels
 * - `announce`: replies itself, and lets readers read elsewhere during the client's next transaction (D96)
 * - `copy`: it may be COPY FROM STDIN, which must not reach PostgreSQL without its data
 * - `refuse`: replies with an error of this SQLSTATE
 */
type StatementAction =
  | { kind: 'run' | 'copy' | 'discard' | 'deallocate' | 'set' | 'announce' }
  | { kind: 'listen'; channel: string }
  | { kind: 'unlisten'; channel: string | null }
  | { kind: 'refuse'; code: string; message: string }

const RUN_UNCHANGED: StatementAction = { kind: 'run' }

const refuse = (code: string, message: string): StatementAction => ({ kind: 'refuse', code, message })
const denied = (message: string): StatementAction => refuse('42501', `lectern_reader ${message}`)

/** A statement without the white space, comments and parentheses before its first word. */
const fromFirstWord = (sql: string): string => {
  let at = 0
  for (;;) {
    const rest = /[^\s(]/g
    rest.lastIndex = at
    at = rest.exec(sql)?.index ?? sql.length
    if (sql.startsWith('--', at)) {
      const end = sql.slice(at).search(/[\n\r]/)
      at = end < 0 ? sql.length : at + end
    } else if (sql.startsWith('/*', at)) at = endOfComment(sql, at)
    else return sql.slice(at)
  }
}

/** Comments nest in PostgreSQL. */
const endOfComment = (sql: string, from: number): number => {
  const edge = /\/\*|\*\//g
  edge.lastIndex = from
  for (let depth = 0; ; ) {
    const match = edge.exec(sql)
    if (!match) return sql.length
    depth += match[0] === '/*' ? 1 : -1
    if (depth === 0) return edge.lastIndex
  }
}

const END = '\\s*;?\\s*$'
const ISOLATION =
  '(?:isolation\\s+level\\s+(?:serializable|repeatable\\s+read|read\\s+committed|read\\s+uncommitted))'
const MODE = `(?:${ISOLATION}|read\\s+only|(?:not\\s+)?deferrable)`
const READER_BEGIN = new RegExp(
  `^(?:begin(?:\\s+(?:work|transaction))?|start\\s+transaction)(?:[\\s,]+${MODE})*${END}`,
  'i',
)
const READER_SET = new RegExp(
  `^set\\s+(?:session\\s+)?(?:statement_timeout|lock_timeout|idle_in_transaction_session_timeout|idle_session_timeout|application_name)\\s*(?:=|\\s+to\\s)\\s*(?:'[^'\\\\]*'|\\w+)${END}`,
  'i',
)
/** PostgreSQL itself would accept the statement too, and ignore it. */
const ANNOUNCEMENT = new RegExp(`^set\\s+lectern\\.long_transaction\\s*=\\s*on${END}`, 'i')
const CHANNEL = new RegExp(`^(?:un)?listen\\s*(?:"((?:[^"]|"")+)"|\\s([a-z_][\\w$]*)|(\\*))${END}`, 'i')
const ALL = new RegExp(`^(?:discard|deallocate)\\s+all${END}`, 'i')
const READER_WORDS = new Set(['select', 'with', 'values', 'table', 'explain', 'show', 'commit', 'rollback'])

/** What the bridge refuses to the reader alone. PostgreSQL's privileges limit the reader to the guest's views. */
const classifyReaderStatement = (word: string, statement: string, sql: string): StatementAction => {
  if (/u&['"]/i.test(sql)) return denied('may not write U& escapes')
  if (/set_config/i.test(sql)) return denied('may not change settings')
  if (READER_WORDS.has(word) || READER_BEGIN.test(statement)) return RUN_UNCHANGED
  if (READER_SET.test(statement)) return { kind: 'set' }
  return denied('may only read')
}

/**
 * Looks only at the first word; PostgreSQL checks everything else. A simple query may contain several statements.
 * The bridge sends a reader's query as one prepared statement, in which PostgreSQL accepts only one statement.
 */
export const classifyStatement = (sql: string, isReader: boolean): StatementAction => {
  const statement = fromFirstWord(sql)
  const word = /^\w+/.exec(statement)?.[0].toLowerCase() ?? ''
  if (statement === '') return RUN_UNCHANGED
  if (word === 'listen' || word === 'unlisten') {
    const [, quoted, plain, all] = CHANNEL.exec(statement) ?? []
    const channel = quoted?.replaceAll('""', '"') ?? plain?.toLowerCase() ?? null
    if (channel === null && (all === undefined || word === 'listen'))
      return refuse('0A000', `send ${word} as a statement of its own, with one channel`)
    return channel !== null && word === 'listen' ? { kind: 'listen', channel } : { kind: 'unlisten', channel }
  }
  if (word === 'discard' || word === 'deallocate') {
    if (ALL.test(statement)) return { kind: word }
    return refuse('0A000', `the session is shared: use ${word} all`)
  }
  if (isReader) return classifyReaderStatement(word, statement, sql)
  if (ANNOUNCEMENT.test(statement)) return { kind: 'announce' }
  return word === 'copy' && /\bstdin\b/i.test(statement) ? { kind: 'copy' } : RUN_UNCHANGED
}

/** Command tags of the statements that the bridge replies to itself. */
export const LOCAL_TAGS = {
  discard: 'DISCARD ALL',
  deallocate: 'DEALLOCATE ALL',
  unlisten: 'UNLISTEN',
  set: 'SET',
  announce: 'SET',
} as const
export type LocalStatement =
  | { kind: Exclude<keyof typeof LOCAL_TAGS, 'unlisten'> }
  | Extract<StatementAction, { kind: 'unlisten' }>

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

/** The error of a transaction that brings data when the disk has no space for it. (D48) */
export const noSpaceError = errorMessage(
  'ERROR',
  '53100',
  `less than ${RESERVE_BYTES / 1024 ** 2} MB are free on the disk of the embedded database`,
)
