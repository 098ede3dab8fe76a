/** Which of several servers is wanted, by libpq's names. */
export type TargetSession = 'any' | 'primary' | 'standby' | 'prefer-standby'

/** One server of an address. */
export interface DatabaseHost {
  /** For messages: `db.example:5432`, without user and password. */
  name: string
  /** Address of this one server, as `pg` takes it. */
  url: string
}

/** Where a database is: one server, or several of which one fits. */
export interface DatabaseAddress {
  /** In the order in which they are tried; at least one. */
  hosts: readonly DatabaseHost[]
  /** Undefined where the address does not say. */
  target: TargetSession | undefined
}

/** `read-write` asks for the primary here, and `read-only` for a standby: a guest's session never writes. */
const TARGETS: Record<string, TargetSession> = {
  any: 'any',
  'read-write': 'primary',
  primary: 'primary',
  'read-only': 'standby',
  standby: 'standby',
  'prefer-standby': 'prefer-standby',
}

const EXPECTED = 'must be an address such as postgresql://user:password@host:5432/database'
const PARTS = /^(postgres(?:ql)?:\/\/)([^/?#]*)(.*)$/is

/**
 * Reads an address as libpq does: several hosts with commas between, in the authority or as `host` and `port`, and
 * `target_session_attrs`. What else it says stays as it is.
 * @see https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING
 * @throws Error whose message goes on from the variable's name, and repeats nothing of the address
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
  const wanted = searchParams.get('target_session_attrs')
  const target = wanted === null ? undefined : TARGETS[wanted]
  if (wanted !== null && target === undefined)
    throw new Error(
      `must be an address whose target_session_attrs is one of ${Object.keys(TARGETS).join(', ')}`,
    )
  const named = searchParams.get('host')?.split(',') ?? []
  if (named.length > 1) return { hosts: hostsOfParameters(urls[0]!, named), target }
  if (urls.length > 1 && urls.some((url) => new URL(url).hostname === '')) throw new Error(EXPECTED)
  return { hosts: urls.map((url) => ({ name: nameOf(new URL(url)), url })), target }
}

const hostsOfParameters = (url: string, hosts: string[]): DatabaseHost[] => {
  const ports = new URL(url).searchParams.get('port')?.split(',') ?? ['']
  if (hosts.includes('') || (ports.length > 1 && ports.length !== hosts.length))
    throw new Error('must be an address with as many ports as hosts, or one')
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
