import pg from 'pg'
import { UsageError } from '../errors.ts'
import { momentOfPostgres } from '../wiki/time.ts'

/** Who reads: `reader` can select the guest's views and nothing else; `owner` migrates, imports, exports. */
export type DatabaseRole = 'reader' | 'owner'

/** Name of the role that may see what a guest may see. Made by the first migration. */
export const READER_ROLE = 'lectern_reader'

/** Longest run of a guest's statement, by the server's clock, milliseconds. */
const STATEMENT_TIMEOUT = 2_500
/** The client's own, for a server that answers nothing, not even that: with the wait for a connection, under 3.5 s. */
export const QUERY_TIMEOUT = 2_750

const TIMESTAMPTZ = 1184
const INT8 = 20

/** Timestamps come as moments, never as Date; bigints, which are page ids here, as they are printed. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === TIMESTAMPTZ && format !== 'binary') return momentOfPostgres
    if (oid === INT8) return (text: string) => text
    return pg.types.getTypeParser(oid, format)
  }) as typeof pg.types.getTypeParser,
}

const SETTINGS = { TimeZone: 'UTC', DateStyle: 'ISO', search_path: 'pg_catalog' }

/**
 * A guest's statements are short and always the same. Compiling them cost 400 ms a list of recent edits at a
 * million pages, and planning them anew for each call doubled the time of a page. (D28)
 */
const READER_SETTINGS = {
  ...SETTINGS,
  default_transaction_read_only: 'on',
  statement_timeout: String(STATEMENT_TIMEOUT),
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
}

const settingsOf = (role: DatabaseRole): Record<string, string> =>
  role === 'reader' ? READER_SETTINGS : SETTINGS

/** Settings of every session, sent with its first message: the role first, so that nothing runs without it. */
export const sessionOptions = (role: DatabaseRole): string =>
  [...(role === 'reader' ? [['role', READER_ROLE]] : []), ...Object.entries(settingsOf(role))]
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')

interface Session {
  login: string
  /** Null where there is no such schema. */
  seesHidden: boolean | null
  isSetUp: boolean
  backend: number
  settings: Record<string, string>
}

const SESSION = `
  select session_user::text as login,
         pg_catalog.has_schema_privilege(pg_catalog.to_regnamespace('wiki')::oid, 'usage') as "seesHidden",
         pg_catalog.to_regclass('guest.wiki') is not null as "isSetUp",
         pg_catalog.pg_backend_pid() as backend,
         (select pg_catalog.json_object_agg(name, setting)
            from pg_catalog.pg_settings where name = any ($1::text[])) as settings`

/**
 * Holds a new connection to what was asked of it. PostgreSQL grants or refuses the settings of a first message;
 * a pooler may drop them, and the session is then whatever its login is. (D38)
 * @returns whether a pooler stands between: the server's process is not the one that the greeting named
 * @throws UsageError when a guest's session could see more than a guest, or has settings under which answers
 * would be wrong or unbounded
 */
export const checkSession = async (client: pg.Client, role: DatabaseRole): Promise<{ isPooled: boolean }> => {
  const wanted = settingsOf(role)
  const { rows } = await client.query<Session>(SESSION, [Object.keys(wanted)])
  const { login, seesHidden, isSetUp, backend, settings } = rows[0]!
  if (role === 'reader') {
    if (!isSetUp) throw notSetUp()
    if (seesHidden) {
      throw new UsageError(
        `The connection did not become ${READER_ROLE}, and its user ${login} may see what guests may not. Behind a pooler that ` +
          `drops startup options, serve with a user who is a member of ${READER_ROLE} and of nothing else.`,
      )
    }
  }
  const lacking = Object.entries(wanted).filter(([name, value]) => !isSet(name, settings[name] ?? '', value))
  if (lacking.length > 0) {
    const alter = lacking.map(([name, value]) => `alter role "${login}" set ${name} = '${value}';`).join(' ')
    throw new UsageError(
      `The connection has not the settings that were asked for, as behind a pooler that drops startup options. As an administrator, run: ${alter}`,
    )
  }
  return { isPooled: (client as unknown as { processID: number | null }).processID !== backend }
}

/** Other names of UTC, one of which is what servers are often set to. */
const UTC = /^(Etc\/)?(UTC|UCT|Universal|Zulu)$/

/** An operator may set a shorter timeout; PostgreSQL prints a date style with its order. */
const isSet = (name: string, actual: string, wanted: string): boolean => {
  if (name === 'statement_timeout') return Number(actual) > 0 && Number(actual) <= Number(wanted)
  if (name === 'TimeZone') return UTC.test(actual)
  if (name === 'DateStyle') return actual.startsWith(wanted)
  return actual === wanted
}

/** What a statement says of a table, or a column of it, that is not there yet, or not any more. */
const MISSING = ['42P01', '42703']

/** An error of a guest, who may not read which version a database was set up for, as a person can mend it. */
export const ofAnotherVersion = (error: unknown): unknown =>
  MISSING.includes((error as { code?: string }).code ?? '')
    ? new UsageError(
        'The database was set up by another version of Lectern: run `lectern migrate` with this one.',
      )
    : error

export const notSetUp = (): UsageError =>
  new UsageError('The database is not set up for Lectern yet: run `lectern migrate` first.')
