/** Which of several servers to use. */
export type TargetSession = 'any' | 'primary' | 'standby' | 'prefer-standby'

/** One server of a database URL. */
export interface DatabaseHost {
  /** For messages: `db.example:5432`, without user and password. */
  name: string
  /** URL of this server alone, for `pg`. */
  url: string
}

/** A parsed database URL: one server, or several servers of which one is used. */
interface DatabaseAddress {
  /** At least one, in the order in which Lectern tries them. */
  hosts: readonly DatabaseHost[]
  /** Undefined if the URL does not say. */
  target: TargetSession | undefined
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

const EXPECTED = 'must be a URL such as postgresql://user:password@host:5432/database'
const PARTS = /^(postgres(?:ql)?:\/\/)([^/?#]*)(.*)$/is

/**
 * Parses a database URL as libpq does: several hosts, separated by commas, in the authority or in the parameters `host`
 * and `port`; and `target_session_attrs`. Everything else stays unchanged.
 * @see https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING
 * @throws Error whose message continues after the name of the variable, and contains nothing of the URL
 */
export const parseDatabaseUrl = (text: string): DatabaseAddress => {
  const parts = PARTS.exec(text)
  if (!parts) throw new Error(EXPECTED)
  const [, scheme = '', authority = '', rest = ''] = parts
  const at = authority.lastIndexOf('@') + 1
  const user = authority.slice(0, at)
  const urls = authority
    .slice(at)
    .split(',')
    .map((host) => scheme + user + host + rest)
  if (!urls.every((url) => URL.canParse(url))) throw new Error(EXPECTED)
  const { searchParams } = new URL(urls[0]!)
  const targetName = searchParams.get('target_session_attrs')
  const target = targetName === null ? undefined : TARGETS[targetName]
  if (targetName !== null && target === undefined)
    throw new Error(`must be a URL whose target_session_attrs is one of ${Object.keys(TARGETS).join(', ')}`)
  const hostParameters = searchParams.get('host')?.split(',') ?? []
  if (hostParameters.length > 1) return { hosts: hostsOfParameters(urls[0]!, hostParameters), target }
  if (urls.length > 1 && urls.some((url) => new URL(url).hostname === '')) throw new Error(EXPECTED)
  return { hosts: urls.map((url) => ({ name: nameOf(new URL(url)), url })), target }
}

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
