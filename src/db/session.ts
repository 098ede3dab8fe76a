import type { Socket } from 'node:net'
import { SchemaMismatch, UsageError } from '@lectern/wiki/errors'
import { formatCount } from '@lectern/wiki/text'
import { timestampFromPostgres } from '@lectern/wiki/time'
import pg from 'pg'
import type { StatementRows } from '../generated/statement-rows.ts'
import { migrationNumbers } from './migrations.ts'
import { statement } from './statements.ts'

/** What a connection may do: a `reader` may select from the guest's views only; an `owner` migrates, imports and exports. */
export type DatabaseRole = 'reader' | 'owner'

/** The role that may read what a guest may read. The first migration creates it. */
export const READER_ROLE = 'lectern_reader'

/** The longest that a guest's statement may run, by the server's clock, milliseconds. */
const STATEMENT_TIMEOUT = 2_500
/** The same by this process's clock, for a server that does not respond. With the wait for a connection: under 3.5 s. */
export const QUERY_TIMEOUT = 2_750

const TIMESTAMPTZ = 1184
const INT8 = 20
const INT4_ARRAY = 1007

/** `{1,2,3}`: the parser of `pg` reads arrays of any type and dimension, and takes ten times as long. */
const POSITIVE_INTEGERS = /^\{[\d,]*\}$/

/** Timestamps become `Timestamp`, never Date; bigints, which are page ids here, stay text. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === TIMESTAMPTZ && format !== 'binary') return timestampFromPostgres
    if (oid === INT8) return (text: string) => text
    const parse = pg.types.getTypeParser(oid, format)
    if (oid !== INT4_ARRAY || format === 'binary') return parse
    return (text: string) =>
      POSITIVE_INTEGERS.test(text) ? JSON.parse(`[${text.slice(1, -1)}]`) : parse(text)
  }) as typeof pg.types.getTypeParser,
}

const SETTINGS = { TimeZone: 'UTC', DateStyle: 'ISO', search_path: 'pg_catalog' }

/**
 * A guest's statements are short and always the same. JIT compilation cost 400 ms for a list of recent revisions in a
 * wiki of a million pages, and planning every execution doubled the time of a page. (D23)
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

/** Settings of every session, in its startup message. The role comes first, so that no statement runs without it. (D4) */
export const sessionOptions = (role: DatabaseRole): string =>
  [...(role === 'reader' ? [['role', READER_ROLE]] : []), ...Object.entries(settingsOf(role))]
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')

/**
 * Checks that a new connection has its required settings. PostgreSQL accepts or refuses the settings of a startup
 * message, but a pooler may drop them: the session then has the privileges and settings of its login. (D4)
 * @returns `isPooled`: something stands between this process and the server, which sees another port than this process
 * has: a pooler, or a network that translates ports; `isInRecovery`: the server is a standby
 * @throws UsageError when a guest's session could read more than a guest may, when its settings would make responses
 * wrong or unbounded, or when the database lacks migrations that this version needs
 */
export const checkSession = async (client: pg.Client, role: DatabaseRole) => {
  const required = settingsOf(role)
  const session = await readSession(client, Object.keys(required))
  const { login, database, seesHidden, isSetUp, schema, isInRecovery, clientPort, settings } = session
  if (role === 'reader') {
    if (!isSetUp) throw notSetUp(database)
    checkSchema(schema)
    if (seesHidden && session.role === READER_ROLE)
      throw new UsageError(
        `${READER_ROLE} may use the schema wiki, whose tables have drafts (wiki.revision). As an administrator, run:\nrevoke all on all tables in schema wiki from ${READER_ROLE}, public;\nrevoke all on schema wiki from ${READER_ROLE}, public;`,
      )
    if (seesHidden)
      throw new UsageError(
        `The connection does not have the role ${READER_ROLE}, and its user ${login} may read what guests may not. Remove options from the URL. If a ` +
          `connection pooler drops startup options, serve with a user that is a member of ${READER_ROLE} and of no other role.`,
      )
  }
  const missing = Object.entries(required).filter(
    ([name, value]) => !isSet(name, settings[name] ?? '', value),
  )
  if (missing.length > 0) {
    const alter = missing.map(([name, value]) => `alter role "${login}" set ${name} = '${value}';`).join(' ')
    throw new UsageError(
      `Required session settings are missing; a connection pooler, or options in the URL, replaces those of Lectern. As an administrator, run: ${alter}`,
    )
  }
  const { localPort = null } = client.connection.stream as Socket
  return { isPooled: localPort !== clientPort, isInRecovery }
}

export const readSession = async (client: pg.ClientBase, settings: string[]) =>
  (await client.query<StatementRows['check_session']>(statement('check_session').text, [settings])).rows[0]!

/**
 * Accepts a newer database: in a rolling upgrade, the old version keeps running beside the new one. (D4)
 * @param schema as `check_session` reads it; null when the database does not store it, because its version is older
 * @throws SchemaMismatch when the database lacks migrations that this version ships
 */
export const checkSchema = (schema: string | null): void => {
  const [newest = 0, ...missing] = (schema?.match(/\d+/g) ?? []).map(Number)
  const needed = migrationNumbers()
  if (newest < needed.at(-1)! || missing.some((number) => needed.includes(number)))
    throw olderSchema(schema ?? 'of an older version')
}

/** @param schema of the database: the number of its last migration, or another text */
export const olderSchema = (schema: number | string): SchemaMismatch =>
  schemaMismatch(`its schema is ${schema}, and this version needs ${migrationNumbers().at(-1)}`)

/** Names of UTC. Servers are often set to another one than `UTC`. */
const UTC = /^(Etc\/)?(UTC|UCT|Universal|Zulu)$/

/** Accepts a shorter timeout, which an operator may set. PostgreSQL prints a date style together with its order. */
const isSet = (name: string, actual: string, required: string): boolean => {
  if (name === 'statement_timeout') return Number(actual) > 0 && Number(actual) <= Number(required)
  if (name === 'TimeZone') return UTC.test(actual)
  if (name === 'DateStyle') return actual.startsWith(required)
  return actual === required
}

/** SQLSTATEs of a table, a column, a type, a function or a schema that does not exist, before or after another version's migration. */
const UNDEFINED_OBJECT = ['42P01', '42703', '42704', '42883', '3F000']

/** The error of a database of another version, as a UsageError that says what to do; any other error unchanged. */
export const explainSchemaMismatch = (error: unknown, role?: DatabaseRole): unknown => {
  const { code = '', message } = error as Error & { code?: string }
  if (role === 'reader' && code === '42501')
    return new SchemaMismatch(missingRightsText([`a right (${message})`]))
  return UNDEFINED_OBJECT.includes(code) ? schemaMismatch(message) : error
}

export const schemaMismatch = (reason: string): SchemaMismatch =>
  new SchemaMismatch(
    `Another version of Lectern set up this database: run \`lectern migrate\` with this version, for PostgreSQL ${AS_OWNER} (${reason}).`,
  )

/** @param rights at least one, of `check_missing_rights` @param next what happens next */
export const missingRightsText = (
  [first, ...others]: readonly string[],
  next = `: run \`lectern migrate\` ${AS_OWNER}.`,
): string =>
  `${READER_ROLE} lacks ${first}${others.length > 0 ? ` and ${formatCount(others.length, 'other right')}` : ''}${next}`

/** The environment wins over the file with settings that `lectern migrate` then names, which has the login of the service. */
const AS_OWNER = 'with the DATABASE_URL of the owner in the environment'

export const notSetUp = (database: string): SchemaMismatch =>
  new SchemaMismatch(
    `DATABASE_URL: the database ${database} is not set up for this Lectern: run \`lectern migrate\` first, ${AS_OWNER}.`,
  )

/** The channel on which running services receive the notice that the wiki changed. */
export const CHANGED_CHANNEL = 'lectern_changed'

/** The channel on which followers receive the request to check their sources now. */
export const FOLLOW_CHANNEL = 'lectern_follow'
