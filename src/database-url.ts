import { quote } from '@lectern/wiki/text'
import { closest, distance } from 'fastest-levenshtein'

export type TargetSession = 'any' | 'primary' | 'standby' | 'prefer-standby'

export interface DatabaseHost {
  /** For messages: `db.example:5432`, without user and password. */
  name: string
  url: string
}

/** libpq's values. `read-write` means the primary here, and `read-only` a standby: sessions of guests never write. */
const TARGETS: Record<string, TargetSession> = {
  any: 'any',
  'read-write': 'primary',
  primary: 'primary',
  'read-only': 'standby',
  standby: 'standby',
  'prefer-standby': 'prefer-standby',
}

/** Parameters that `pg` reads, and those of libpq that look like them. Others are ignored. */
const PARAMETERS = (
  'host port user password options application_name fallback_application_name client_encoding target_session_attrs ' +
  'statement_timeout lock_timeout query_timeout idle_in_transaction_session_timeout connect_timeout keepalives ' +
  'ssl sslmode sslrootcert sslcert sslcrl sslkey sslnegotiation uselibpqcompat channel_binding gssencmode'
).split(' ')
const PARAMETER_VALUES = new Map<string, readonly string[]>([
  ['sslmode', ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']],
  ['target_session_attrs', Object.keys(TARGETS)],
])

const EXPECTED = 'must be a URL such as postgresql://user:password@host:5432/database'
const UNENCODED = 'must be a URL with %40 for @, %2F for /, %3F for ? and %23 for # in user and password'
const PARTS = /^(postgres(?:ql)?:\/\/)([^/?#]*)(.*)$/is
/** What follows the hosts, without the rest of a password that has a slash, `?` or `#`: only parameters may have an `@`. */
const PLAIN_REST = new RegExp(`^[^?#@]*\\?(?:${PARAMETERS.join('|')})=[^#]*$`)
/** Modes in which `pg` verifies the certificate like `verify-full`, but prints that this will change. */
const VERIFYING = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/

/**
 * Parses a database URL as libpq does: several hosts, separated by commas, in the authority or in the parameters `host`
 * and `port`; and `target_session_attrs`. Everything else stays unchanged, but three of the modes of TLS
 * become `verify-full`, unless the URL asks for libpq's meaning with `uselibpqcompat`.
 * @returns `hosts`: at least one, in the order in which Lectern tries them; `target`: undefined if the URL does not say
 * @see https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING
 * @throws Error whose message continues after the name of the variable, and contains nothing of the URL
 */
export const parseDatabaseUrl = (text: string) => {
  if (/^["']/.test(text)) throw new Error('must be a URL without quotes around it')
  const parts = PARTS.exec(text)
  if (!parts) throw new Error(EXPECTED)
  const [, scheme = '', authority = '', given = ''] = parts
  if (given.includes('@') && !PLAIN_REST.test(given)) throw new Error(UNENCODED)
  const rest = given.includes('uselibpqcompat=true') ? given : given.replace(VERIFYING, '$1verify-full')
  const at = authority.lastIndexOf('@') + 1
  const user = authority.slice(0, at)
  const urls = authority
    .slice(at)
    .split(',')
    .map((host) => scheme + user + host + rest)
  const ports = [...authority.slice(at).matchAll(/:(\d+)(?=,|$)/g)].map(([, port]) => Number(port))
  if (ports.some((port) => port > 65_535)) throw new Error('must be a URL whose port is at most 65535')
  if (!urls.every((url) => URL.canParse(url))) throw new Error(rest.includes('@') ? UNENCODED : EXPECTED)
  const { searchParams } = new URL(urls[0]!)
  for (const [name, value] of searchParams) {
    const meant = closest(name, PARAMETERS)
    if (meant !== name && distance(meant, name) <= 2)
      throw new Error(`must be a URL without the parameter ${quote(name)} (did you mean ${meant}?)`)
    const values = PARAMETER_VALUES.get(name) ?? [value]
    if (!values.includes(value)) throw new Error(`must be a URL whose ${name} is one of ${values.join(', ')}`)
  }
  const target = TARGETS[searchParams.get('target_session_attrs') ?? '']
  const hostParameters = searchParams.get('host')?.split(',') ?? []
  if (hostParameters.length > 1) return { hosts: hostsOfParameters(urls[0]!, hostParameters), target }
  if (urls.length > 1 && urls.some((url) => new URL(url).hostname === '')) throw new Error(EXPECTED)
  return { hosts: urls.map((url) => ({ name: nameOf(new URL(url)), url })), target }
}

/** A slash and the name of the database; empty if the URL has none. */
export const databasePathOf = (url: string | undefined): string =>
  url === undefined
    ? ''
    : decodeURIComponent(new URL(parseDatabaseUrl(url).hosts[0]!.url).pathname).replace(/^\/$/, '')

const hostsOfParameters = (url: string, hosts: string[]): DatabaseHost[] => {
  const ports = new URL(url).searchParams.get('port')?.split(',') ?? ['']
  if (hosts.includes('') || (ports.length > 1 && ports.length !== hosts.length))
    throw new Error('must be a URL with one port, or with as many ports as hosts')
  return hosts.map((host, i) => {
    const one = new URL(url)
    const port = ports.length > 1 ? ports[i]! : ports[0]!
    one.searchParams.set('host', host)
    if (port === '') one.searchParams.delete('port')
    else one.searchParams.set('port', port)
    return { name: nameOf(one), url: one.href }
  })
}

const nameOf = ({ hostname, port, searchParams }: URL): string =>
  `${searchParams.get('host') || decodeURIComponent(hostname) || 'the local server'}:${searchParams.get('port') || port || 5432}`
