import { isIPv6 } from 'node:net'
import { API_PATH } from '../api-path.ts'
import { BadParameter, BadRequest } from '../errors.ts'
import { nfc } from '../wiki/text.ts'
import type { AnyRoute, Parameters, RequestContext } from './route.ts'

/**
 * A request line's target in origin form: an absolute form loses its origin.
 * @returns null when it is no path, such as `*`
 */
export const originForm = (target: string): string | null => {
  const [origin = ''] = ORIGIN.exec(target) ?? []
  const [path = ''] = target.slice(origin.length).split('#', 1)
  if (path.startsWith('/')) return path
  // A URI without a path has the path "/" (RFC 9110, 4.2.3).
  return origin !== '' && (path === '' || path.startsWith('?')) ? `/${path}` : null
}

const ORIGIN = /^https?:\/\/([^/?#]*)/i

/**
 * Host of a target in absolute form, which goes before the Host header (RFC 9112, 3.2.2).
 * @throws BadRequest where it is none
 */
export const targetHost = (target: string): string | undefined => {
  const host = ORIGIN.exec(target)?.[1]
  // An http address has a host, and no user in it is to be believed (RFC 9110, 4.2.1 and 4.2.4).
  if (host !== undefined && (/^(?::|$)/.test(host) || !isHost(host))) {
    throw new BadRequest('The address that is called has no host, or one that is none.')
  }
  return host
}

/** Path and query of a target in origin form, not decoded. */
export const readTarget = (url: string): { path: string; query: string } => {
  const at = url.indexOf('?')
  return at < 0 ? { path: url, query: '' } : { path: url.slice(0, at), query: url.slice(at + 1) }
}

/** Text out of an address: decoded, NFC. @throws BadParameter naming the parameter */
const decode = (name: string, raw: string): string => {
  let text: string
  try {
    text = decodeURIComponent(raw)
  } catch {
    throw new BadParameter(name, 'has a percent-escape that is not UTF-8')
  }
  if (text.includes('\u0000')) throw new BadParameter(name, 'must not hold U+0000')
  return nfc(text)
}

/** Name and value of each pair of a query string; a name that cannot be decoded is none that we know. */
function* pairs(query: string): Generator<{ name: string; raw: string }> {
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const name = at < 0 ? pair : pair.slice(0, at)
    try {
      yield { name: decodeURIComponent(name.replaceAll('+', ' ')), raw: at < 0 ? '' : pair.slice(at + 1) }
    } catch {}
  }
}

/**
 * Known parameters out of a query string; others are ignored.
 * @throws BadParameter for a known one that is repeated, written with brackets, or cannot be decoded
 */
const readQuery = (query: string, known: ReadonlySet<string>): Map<string, string> => {
  const found = new Map<string, string>()
  for (const { name, raw } of pairs(query)) {
    const bare = name.replace(/\[.*$/s, '')
    if (!known.has(bare)) continue
    if (bare !== name) throw new BadParameter(bare, 'takes one value, without brackets')
    if (found.has(name)) throw new BadParameter(name, 'is given twice')
    found.set(name, decode(name, raw.replaceAll('+', ' ')))
  }
  return found
}

/**
 * What matches a path: a path parameter is anything that is not empty, slashes included. The root matches with
 * and without its slash.
 * @param options.groups whether each parameter is captured
 * @param options.segments parameters that hold no slash
 */
export const patternOf = (
  path: string,
  { groups = true, segments = [] }: { groups?: boolean; segments?: readonly string[] } = {},
): RegExp => {
  const literal = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\/$/, '/?')
  const pattern = literal.replace(/\{(\w+)\}/g, (_, name: string) => {
    const text = segments.includes(name) ? '[^/]+' : '.+'
    return groups ? `(${text})` : text
  })
  return new RegExp(`^${pattern}$`, 's')
}

/** What matches the address of a route. */
export const routePattern = ({ path, parameters }: AnyRoute, options: { groups?: boolean } = {}): RegExp =>
  patternOf(API_PATH + path, {
    ...options,
    segments: Object.keys(parameters).filter((name) => (parameters as Parameters)[name]!.isSegment),
  })

export interface ReadRequest {
  /** The route's parameters: each read, checked, or at its default. */
  values: Record<string, unknown>
  /** Path under the API's base, as it was sent but for what no address may hold: decoding would make `%2F` a slash. */
  path: string
  /** Parameters of the query that are not at their default, in the order of the route. */
  query: URLSearchParams
}

/**
 * Reads a request for a route. What means the same gives the same values and the same query, however it
 * was written.
 * @throws BadParameter
 */
export const readRequest = (
  route: AnyRoute,
  pattern: RegExp,
  url: string,
  place: RequestContext,
): ReadRequest => {
  const parameters: Parameters = route.parameters
  const target = readTarget(url)
  const captured = pattern.exec(target.path)!
  const names = Object.keys(parameters)
  const inQuery = names.filter((name) => parameters[name]!.in === 'query')
  const raw = readQuery(target.query, new Set(inQuery))
  for (const [i, name] of names.filter((name) => parameters[name]!.in === 'path').entries()) {
    raw.set(name, decode(name, captured[i + 1]!))
  }
  const values: Record<string, unknown> = {}
  const query = new URLSearchParams()
  for (const name of names) {
    const parameter = parameters[name]!
    const sent = raw.get(name)
    const value = parameter.read(sent, place)
    values[name] = value
    if (parameter.in === 'path' || sent === undefined) continue
    if (typeof value === 'object') query.set(name, sent)
    else if (value !== parameter.read(undefined, place)) query.set(name, String(value))
  }
  const path = target.path.slice(API_PATH.length).replace(/["<>[\\\]^`{|}]/g, encodeURIComponent)
  return { values, path, query }
}

/**
 * `uri-host [":" port]` (RFC 9110, 7.2; RFC 3986, 3.2.2): a name, which may be empty, an IPv4 address, or an IPv6
 * address in brackets, without a user; a port may be empty too.
 */
const HOST =
  /^(?:\[([0-9a-f:.]+)\]|\[v[0-9a-f]+\.[\w.~!$&'()*+,;=:-]+\]|(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})*)(?::\d*)?$/i

const isHost = (host: string): boolean => {
  const found = HOST.exec(host)
  return found !== null && (found[1] === undefined || isIPv6(found[1]))
}

/** @throws BadRequest for what HTTP/1.1 forbids: no Host, two, or one that is none (RFC 9112, 3.2) */
export const checkHost = (rawHeaders: readonly string[], httpVersion: string): void => {
  let hosts = 0
  let host = ''
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue
    hosts += 1
    host = rawHeaders[i + 1]!
  }
  if (hosts > 1) throw new BadRequest('The request has two Host headers.')
  if (hosts === 0 && httpVersion !== '1.0') throw new BadRequest('The request has no Host header.')
  if (!isHost(host)) throw new BadRequest('Host: must be a host, with or without a port.')
}
