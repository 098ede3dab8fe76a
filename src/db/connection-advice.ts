import { type DatabaseHost, parseDatabaseUrl } from '../database-url.ts'
import { UsageError } from '../errors.ts'
import { NoHostFits } from './connection-error.ts'
import type { DatabaseOptions } from './database.ts'
import { type DatabaseRole, notSetUp, READER_ROLE } from './session.ts'

/** What to do about a connection that was refused, by SQLSTATE or the system's code. */
const ADVICE: Record<string, (address: URL) => string> = {
  ECONNREFUSED: ({ hostname, port }) =>
    `nothing listens there. Is PostgreSQL started, and does it listen on ${hostname || 'its socket'}, port ${port || 5432}?`,
  ENOENT: () => 'there is no such socket. Is PostgreSQL started on this machine?',
  ENOTFOUND: ({ hostname }) => `no host is called ${hostname}. Is it spelt right?`,
  EAI_AGAIN: ({ hostname }) => `the name ${hostname} cannot be looked up just now. Is there a network?`,
  ETIMEDOUT: () => 'it does not answer. Is the host right, and does a firewall let this machine in?',
  EHOSTUNREACH: () => 'there is no way to that host. Is the network up?',
  ENETUNREACH: () => 'there is no way to that host. Is the network up?',
  ECONNRESET: () => 'it hung up. Is that the port of a PostgreSQL server?',
  '28P01': ({ username }) => `the password of ${username} is wrong.`,
  '28000': ({ username }) =>
    `the server does not let ${username || 'this user'} in. Does the role exist and have LOGIN, and does pg_hba.conf allow it from here?`,
  '3D000': ({ pathname }) =>
    `there is no database ${pathname.slice(1)}. Make it (createdb ${pathname.slice(1)}), then run \`lectern migrate\`.`,
  '42501': ({ username, pathname }) =>
    `${username} may not use it. As an administrator: grant connect on database ${pathname.slice(1)} to ${username}`,
  '53300': () => 'all its connections are taken. Raise max_connections, or serve with fewer WORKERS.',
  '57P03': () => 'it is starting or stopping. Try again in a moment.',
}

const BY_MESSAGE: [RegExp, string][] = [
  [/timeout|timed out/i, ADVICE.ETIMEDOUT!(new URL('x:'))],
  [/does not support SSL/i, 'the server has no TLS. Leave sslmode out of the address, or set TLS up there.'],
  [/certificate/i, "its certificate is not trusted. Name the authority's with sslrootcert in the address."],
  [/password/i, 'it asks for a password: put one into the address, or into ~/.pgpass.'],
  [/Connection terminated|unexpected/i, ADVICE.ECONNRESET!(new URL('x:'))],
]

/** A database that could not be opened, as a person can mend it. Passwords are not repeated. */
export const connectionError = (
  { databaseUrl, dataDir }: DatabaseOptions,
  role: DatabaseRole,
  error: Error & { code?: string },
): Error => {
  if (error instanceof UsageError) return error
  const { message } = error
  if (/role "lectern_reader" does not exist/.test(message)) return notSetUp()
  if (/permission denied to set role|cannot set role/i.test(message)) {
    return new UsageError(
      `The database user may not become ${READER_ROLE}: as an administrator, run \`grant ${READER_ROLE} to <user>\`.`,
    )
  }
  if (/unsupported startup parameter/.test(message)) {
    return new UsageError(
      `DATABASE_URL: the pooler there refuses startup options (${message}): in its configuration, set ignore_startup_parameters = options.`,
    )
  }
  if (error instanceof NoHostFits) {
    const hosts = parseDatabaseUrl(databaseUrl!).hosts
    const reasons = error.reasons.map(({ host, error: reason }) => {
      const { url } = hosts.find(({ name }) => name === host)!
      return `${host}: ${advised(new URL(url), reason)}`
    })
    return new UsageError(`DATABASE_URL: no ${role}'s connection to any of its hosts.\n${reasons.join('\n')}`)
  }
  if (!databaseUrl) return new UsageError(`The embedded database in ${dataDir} does not open: ${message}`)
  const [{ url }] = parseDatabaseUrl(databaseUrl).hosts as [DatabaseHost]
  const address = new URL(url)
  const { host, pathname } = address
  return new UsageError(
    `DATABASE_URL: no ${role}'s connection to ${host || 'the local server'}${pathname}: ${advised(address, error)}`,
  )
}

const advised = (address: URL, { message, code = '' }: Error & { code?: string }): string => {
  const advice = ADVICE[code]?.(address) ?? BY_MESSAGE.find(([pattern]) => pattern.test(message))?.[1]
  const said = message || code
  return advice ? `${advice} (${said})` : said
}
