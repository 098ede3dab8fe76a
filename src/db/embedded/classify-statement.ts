/**
 * What the bridge makes of a statement before PostgreSQL sees it.
 * - `run`: it goes to PostgreSQL as it is
 * - `listen`: so does this, and the connection gets what is notified on the channel
 * - `unlisten`, `discard`, `deallocate`, `set`: the bridge answers, since in the one shared session they
 *   would take from the others; a null channel means all
 * - `copy`: it may be COPY FROM STDIN, which must not reach PostgreSQL without its data
 * - `refuse`: an error of that SQLSTATE
 */
export type StatementAction =
  | { kind: 'run' }
  | { kind: 'copy' }
  | { kind: 'discard' }
  | { kind: 'deallocate' }
  | { kind: 'set' }
  | { kind: 'listen'; channel: string }
  | { kind: 'unlisten'; channel: string | null }
  | { kind: 'refuse'; code: string; message: string }

const RUN_UNCHANGED: StatementAction = { kind: 'run' }

const refuse = (code: string, message: string): StatementAction => ({ kind: 'refuse', code, message })
const denied = (message: string): StatementAction => refuse('42501', `lectern_reader ${message}`)

/** A statement without the blanks, comments and brackets before its first word. */
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
    const found = edge.exec(sql)
    if (!found) return sql.length
    depth += found[0] === '/*' ? 1 : -1
    if (depth === 0) return edge.lastIndex
  }
}

const END = '\\s*;?\\s*$'
const ISOLATION =
  '(?:isolation\\s+level\\s+(?:serializable|repeatable\\s+read|read\\s+committed|read\\s+uncommitted))'
const MODE = `(?:${ISOLATION}|read\\s+only|(?:not\\s+)?deferrable)`
const READERS_BEGIN = new RegExp(
  `^(?:begin(?:\\s+(?:work|transaction))?|start\\s+transaction)(?:[\\s,]+${MODE})*${END}`,
  'i',
)
const READERS_SET = new RegExp(
  `^set\\s+(?:session\\s+)?(?:statement_timeout|lock_timeout|idle_in_transaction_session_timeout|idle_session_timeout|application_name)\\s*(?:=|\\s+to\\s)\\s*(?:'[^'\\\\]*'|\\w+)${END}`,
  'i',
)
const CHANNEL = new RegExp(`^(?:un)?listen\\s*(?:"((?:[^"]|"")+)"|\\s([a-z_][\\w$]*)|(\\*))${END}`, 'i')
const ALL = new RegExp(`^(?:discard|deallocate)\\s+all${END}`, 'i')
const READERS_WORDS = new Set(['select', 'with', 'values', 'table', 'explain', 'show', 'commit', 'rollback'])

/** What only the reader is refused. That it may select nothing but the guest's views is PostgreSQL's part. */
const classifyReaderStatement = (word: string, statement: string, sql: string): StatementAction => {
  if (/u&['"]/i.test(sql)) return denied('may not write U& escapes')
  if (/set_config/i.test(sql)) return denied('may not change settings')
  if (READERS_WORDS.has(word) || READERS_BEGIN.test(statement)) return RUN_UNCHANGED
  if (READERS_SET.test(statement)) return { kind: 'set' }
  return denied('may only read')
}

/**
 * One look at the first word: everything else is left to PostgreSQL. A simple query may hold several
 * statements; the reader's are sent as one prepared statement, which PostgreSQL refuses to take two of.
 */
export const classifyStatement = (sql: string, isReader: boolean): StatementAction => {
  const statement = fromFirstWord(sql)
  const word = /^\w+/.exec(statement)?.[0].toLowerCase() ?? ''
  if (statement === '') return RUN_UNCHANGED
  if (word === 'listen' || word === 'unlisten') {
    const [, quoted, plain, all] = CHANNEL.exec(statement) ?? []
    const channel = quoted?.replaceAll('""', '"') ?? plain?.toLowerCase() ?? null
    if (channel === null && (all === undefined || word === 'listen')) {
      return refuse('0A000', `write it as one statement: ${word} channel`)
    }
    return channel !== null && word === 'listen' ? { kind: 'listen', channel } : { kind: 'unlisten', channel }
  }
  if (word === 'discard' || word === 'deallocate') {
    if (ALL.test(statement)) return { kind: word }
    return refuse('0A000', `the session is shared: only ${word} all is taken`)
  }
  if (isReader) return classifyReaderStatement(word, statement, sql)
  return word === 'copy' && /\bstdin\b/i.test(statement) ? { kind: 'copy' } : RUN_UNCHANGED
}
