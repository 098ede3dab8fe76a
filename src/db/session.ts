import pg from 'pg'
import { UsageError } from '../errors.ts'
import { timestampFromPostgres } from '../wiki/time.ts'
import { newestMigration } from './migrations.ts'

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
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === TIMESTAMPTZ && format !== 'binary') return timestampFromPostgres
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
  schema: number | null
  isInRecovery: boolean
  backend: number
  settings: Record<string, string>
}

/** The newest migration of a database, as `lectern migrate` notes it for who may not read the list of them. */
export const SCHEMA_VERSION = `pg_catalog.substring(pg_catalog.obj_description(
           pg_catalog.to_regnamespace('guest')::oid, 'pg_namespace'), 'schema ([0-9]+)')::int4`

const SESSION = `
  select session_user::text as login,
         pg_catalog.has_schema_privilege(pg_catalog.to_regnamespace('wiki')::oid, 'usage') as "seesHidden",
         pg_catalog.to_regclass('guest.wiki') is not null as "isSetUp",
         ${SCHEMA_VERSION} as schema,
         pg_catalog.pg_is_in_recovery() as "isInRecovery",
         pg_catalog.pg_backend_pid() as backend,
         (select pg_catalog.json_object_agg(name, setting)
            from pg_catalog.pg_settings where name = any ($1::text[])) as settings`

/**
 * Holds a new connection to what was asked of it. PostgreSQL grants or refuses the settings of a first message;
 * a pooler may drop them, and the session is then whatever its login is. (D38)
 * @returns whether a pooler stands between: the server's process is not the one that the greeting named; and whether
 * the server is in recovery, as a standby is
 * @throws UsageError when a guest's session could see more than a guest, has settings under which answers would be
 * wrong or unbounded, or the database lacks migrations that this version needs
 */
export const checkSession = async (
  client: pg.Client,
  role: DatabaseRole,
): Promise<{ isPooled: boolean; isInRecovery: boolean }> => {
  const wanted = settingsOf(role)
  const { rows } = await client.query<Session>(SESSION, [Object.keys(wanted)])
  const { login, seesHidden, isSetUp, schema, isInRecovery, backend, settings } = rows[0]!
  if (role === 'reader') {
    if (!isSetUp) throw notSetUp()
    checkSchema(schema)
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
  return { isPooled: (client as unknown as { processID: number | null }).processID !== backend, isInRecovery }
}

/**
 * A newer database is served from: in a rolling upgrade the old version runs on beside the new one. (D80)
 * @param schema number of the newest migration; null where none is noted, as by versions that noted none
 * @throws UsageError when the database lacks migrations that this version ships
 */
export const checkSchema = (schema: number | null): void => {
  const needed = newestMigration()
  if ((schema ?? 0) < needed)
    throw schemaMismatch(`it has schema ${schema ?? 'of an older version'}, and this version needs ${needed}`)
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

/** What a statement says of a table, a function or a column that is not there yet, or not any more. */
const UNDEFINED_OBJECT = ['42P01', '42703', '42883']

/** An error that says that the database is another version's, as a person can mend it; others as they are. */
export const explainSchemaMismatch = (error: unknown): unknown => {
  const { code = '', message } = error as Error & { code?: string }
  return UNDEFINED_OBJECT.includes(code) ? schemaMismatch(message) : error
}

const schemaMismatch = (why: string): UsageError =>
  new UsageError(
    `The database was set up by another version of Lectern: run \`lectern migrate\` with this one (${why}).`,
  )

export const notSetUp = (): UsageError =>
  new UsageError('The database is not set up for Lectern yet: run `lectern migrate` first.')
