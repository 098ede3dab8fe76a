import { unescape as decode } from 'node:querystring'
import { SchemaMismatch, UsageError } from '@lectern/wiki/errors'
import { databasePathOf, parseDatabaseUrl } from '../database-url.ts'
import { NoHostFits } from './connection-error.ts'
import type { Database, DatabaseOptions } from './database.ts'
import { migratedIndexes } from './migrations.ts'
import { type DatabaseRole, missingRightsText, notSetUp, READER_ROLE } from './session.ts'
import { type Statement, statement } from './statements.ts'

export const queryOne = async <Row>(database: Database, one: Statement<Row>): Promise<Row> =>
  (await database.query(one, []))[0]!

/** The names that a statement lists, such as those of large tables without statistics. */
export const listedNames = async (database: Database, names: Statement<{ name: string }>) =>
  (await database.query(names, [])).map(({ name }) => name)

export const indexProblems = async (database: Database) => {
  const rows = await database.query(statement('check_indexes'), [])
  const missing = migratedIndexes()
  for (const { name } of rows) missing.delete(name)
  return {
    missing,
    invalid: rows.filter(({ isValid }) => !isValid).map(({ name }) => name),
  }
}

export type WikiDiagnostics = Awaited<ReturnType<typeof wikiDiagnostics>>

/** The name that responses have: a wiki without a stored one has a name, too. */
export const servedName = (name: string | null, locales: readonly unknown[]): string =>
  name ?? (locales.length === 0 ? 'An empty wiki' : 'A wiki')

export const wikiDiagnostics = async (database: Database) => {
  const { name, license, locales } = await queryOne(database, statement('wiki'))
  return { name, license, locales: (locales as { locale: string }[]).map(({ locale }) => locale) }
}

/** What to do about a failed connection, by SQLSTATE or the system's code. Each text continues after the server's name. */
const ADVICE: Record<string, (url: URL, message: string) => string> = {
  ECONNREFUSED: ({ hostname, port }) =>
    `nothing listens there. Is PostgreSQL running, and does it listen on ${hostname || 'this machine'}, port ${port || 5432}?`,
  ENOENT: () => 'there is no such socket. Is PostgreSQL running on this machine?',
  ENOTFOUND: ({ hostname }) => `there is no host ${hostname}. Check its spelling.`,
  EAI_AGAIN: ({ hostname }) => `the host name ${hostname} cannot be resolved now. Is the network up?`,
  ETIMEDOUT: () => 'it does not respond. Is the host correct, and does a firewall let this machine in?',
  EHOSTUNREACH: () => 'there is no route to that host. Is the network up?',
  ENETUNREACH: () => 'there is no route to that host. Is the network up?',
  ECONNRESET: () => 'it closed the connection. Is that the port of a PostgreSQL server?',
  '28P01': ({ username }) => `the password of ${username} is wrong, or there is no such role.`,
  '28000': ({ username }) =>
    `the server does not let ${username || 'this user'} connect. Does the role exist and have LOGIN, and does pg_hba.conf allow it from here?`,
  '3D000': ({ pathname }) =>
    pathname.length > 1
      ? `there is no database ${pathname.slice(1)}. Create it (createdb ${pathname.slice(1)}), then run \`lectern migrate\`.`
      : 'the URL names no database. Put its name at the end, after the host and a slash.',
  '42501': ({ username, pathname }) =>
    `${username} may not use it. As an administrator: grant connect on database ${pathname.slice(1)} to ${username}`,
  '53300': ({ username }, message) =>
    `all its connections are in use. Raise ${/ for role /.test(message) ? `the limit (alter role ${username} connection limit …)` : 'max_connections'}, or serve with fewer WORKERS.`,
  '57P03': () => 'it is starting or stopping. Try again in a moment.',
}

const BY_MESSAGE: [RegExp, string][] = [
  [/timeout|timed out|No reply/i, ADVICE.ETIMEDOUT!(new URL('x:'), '')],
  [/does not support SSL/i, 'the server has no TLS. Remove sslmode from the URL, or set up TLS there.'],
  [/altnames/, 'its certificate has another host name. Use that name in the URL.'],
  [
    /certificate/i,
    "its certificate is not trusted. sslrootcert in the URL must name its authority's certificate, also with sslmode=require.",
  ],
  [/password/i, 'it requires a password. Put one into the URL, or into ~/.pgpass.'],
  [/Connection terminated|unexpected/i, ADVICE.ECONNRESET!(new URL('x:'), '')],
]

/** The error of a database that could not be opened, as a UsageError that says what to do. Its message contains no password; its cause is the error. */
export const connectionError = (
  { databaseUrl, dataDir }: DatabaseOptions,
  error: Error & { code?: string },
  role: DatabaseRole,
): Error => {
  if (error instanceof UsageError) return error
  const server = databaseUrl === undefined ? undefined : new URL(parseDatabaseUrl(databaseUrl).hosts[0]!.url)
  const { message } = error
  if (/role "lectern_reader" does not exist/.test(message))
    return notSetUp(databasePathOf(databaseUrl).slice(1))
  const isDenied = /permission denied for schema guest/i.test(message)
  if (isDenied && role === 'reader')
    return new SchemaMismatch(`DATABASE_URL: ${missingRightsText(['usage on schema guest'])}`)
  if (isDenied || /permission denied to set role|cannot set role/i.test(message)) {
    const user = server?.username
    const other = isDenied ? `, or ${READER_ROLE} may not use schema guest` : ''
    const migrate = isDenied ? ' If it is a member, run `migrate` with the login of the owner.' : ''
    return new UsageError(
      `DATABASE_URL: its user is not a member of ${READER_ROLE}${other}. As an administrator, run \`grant ${READER_ROLE} to ${user ? `"${decode(user)}"` : '<user>'}\`.${migrate}`,
    )
  }
  if (/unsupported startup parameter/.test(message))
    return new UsageError(
      `DATABASE_URL: the connection pooler refuses startup options (${message}). In its configuration, set ignore_startup_parameters = options.`,
    )
  if (error instanceof NoHostFits) {
    const hosts = parseDatabaseUrl(databaseUrl!).hosts
    const reasons = error.reasons.map(({ host, error: reason }) => {
      const { url } = hosts.find(({ name }) => name === host)!
      return `${host}: ${withAdvice(new URL(url), reason)}`
    })
    const message = `DATABASE_URL: its user cannot connect to any of its hosts.\n${reasons.join('\n')}`
    return new UsageError(message, { cause: error })
  }
  if (!server) return new UsageError(`The embedded database in ${dataDir} cannot be opened: ${message}`)
  const { host, pathname } = server
  return new UsageError(
    `DATABASE_URL: ${server.username || 'its user'} cannot connect to ${host || 'the local server'}${pathname}: ${withAdvice(server, error)}`,
    { cause: error },
  )
}

const withAdvice = (url: URL, { message, code = '' }: Error & { code?: string }): string => {
  const advice = ADVICE[code]?.(url, message) ?? BY_MESSAGE.find(([pattern]) => pattern.test(message))?.[1]
  const reason = message || code
  return advice ? `${advice} (${reason})` : reason
}
