import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import { BadParameter, BadRequest, INVALID_HEADER, NotFound } from '@lectern/wiki/errors'
import { nfc } from '@lectern/wiki/text'
import { distance } from 'fastest-levenshtein'
import Negotiator from 'negotiator'
import { API_PATH } from '../../paths.ts'
import { memoizeLast } from '../../shared/memoize.ts'
import type { AnyRoute, Parameter, Parameters, RequestContext } from '../route.ts'
import { type HeaderList, IGNORED_HEADER } from './responses.ts'

const ORIGIN = /^https?:\/\/([^/?#]*)/i

/**
 * Reduces the target of a request to path and query. The host of an absolute form overrides Host (RFC 9112, 3.2.2).
 * @throws NotFound for a target that is not a path, such as `*`; BadRequest for an invalid host
 */
export const useOriginForm = (request: IncomingMessage): void => {
  const url = request.url!
  if (url.startsWith('/') && !url.includes('#')) return
  const [origin = '', host] = ORIGIN.exec(url) ?? []
  const [path = ''] = url.slice(origin.length).split('#', 1)
  // A URI without a path has the path "/" (RFC 9110, 4.2.3).
  const hasNoPath = origin !== '' && (path === '' || path.startsWith('?'))
  if (!hasNoPath && !path.startsWith('/')) throw new NotFound('This URL does not exist.')
  // An http URL must have a host, and must not contain a user (RFC 9110, 4.2.1 and 4.2.4).
  if (host !== undefined && (/^(?::|$)/.test(host) || !isHost(host)))
    throw new BadRequest('The URL in the request line has no valid host.')
  request.headers.host = host ?? request.headers.host
  request.url = hasNoPath ? `/${path}` : path
}

/** Path and query of a target in origin form, not decoded. */
export const readTarget = (url: string): { path: string; query: string } => {
  const at = url.indexOf('?')
  return at < 0 ? { path: url, query: '' } : { path: url.slice(0, at), query: url.slice(at + 1) }
}

/** Text from a URL: decoded, and normalized to NFC. @throws BadParameter with the name of the parameter */
const decode = (name: string, raw: string): string => {
  let text = raw
  try {
    if (raw.includes('%')) text = decodeURIComponent(raw)
  } catch {
    throw new BadParameter(name, 'contains percent-encoding that is not valid UTF-8')
  }
  if (text.includes('\u0000')) throw new BadParameter(name, 'must not contain U+0000')
  return nfc(text)
}

const formOf = (name: string, parameter: Parameter): string => {
  if (parameter.readAll) return `is repeated without brackets: ${name}=a&${name}=b`
  return parameter.isList ? `takes values with commas: ${name}=a,b` : 'takes one value, without brackets'
}

/** Runs a step, and keeps what is wrong with its parameter: of several errors, the first. */
const attempt = (wrong: Map<string, BadParameter>, name: string, step: () => void): void => {
  try {
    step()
  } catch (error) {
    if (!(error instanceof BadParameter)) throw error
    if (!wrong.has(name)) wrong.set(name, error)
  }
}

/**
 * Reads the known parameters of a query string, and ignores all others.
 * @param wrong gets those that have brackets, cannot be decoded, or are repeated and cannot be
 * @returns the texts of each parameter, in the order of the query string
 */
const readQuery = (query: string, known: Map<string, Parameter>, wrong: Map<string, BadParameter>) => {
  const values = new Map<string, string[]>()
  const ignored: string[] = []
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const plain = at < 0 ? pair : pair.slice(0, at)
    const [written = ''] = known.has(plain) ? [plain] : new URLSearchParams(`?${pair}`).keys()
    const name = written.replace(/\[.*$/s, '')
    const parameter = known.get(name)
    if (!parameter) ignored.push(name)
    else
      attempt(wrong, name, () => {
        if (name !== written) throw new BadParameter(name, formOf(name, parameter))
        const text = decode(name, at < 0 ? '' : pair.slice(at + 1).replaceAll('+', ' '))
        const earlier = values.get(name)
        if (!earlier) values.set(name, [text])
        else if (parameter.readAll) earlier.push(text)
        else throw new BadParameter(name, `appears more than once, but ${formOf(name, parameter)}`)
      })
  }
  return { values, ignored }
}

/**
 * The pattern of a path template. A path parameter matches any text that is not empty, slashes included. The root
 * matches with and without its slash.
 * @param options.groups whether to capture each parameter
 * @param options.segments names of the parameters that match no slash
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

export const routePattern = ({ path, parameters }: AnyRoute, options: { groups?: boolean } = {}): RegExp =>
  patternOf(API_PATH + path, { ...options, segments: segmentParametersOf(parameters) })

export const segmentParametersOf = (parameters: Parameters): string[] =>
  Object.keys(parameters).filter((name) => parameters[name]!.isSegment)

export type ReadRequest = ReturnType<ReturnType<typeof requestReader>>

/** How many ignored parameters a response names, and how much of each name. */
const IGNORED_MAX = { names: 10, characters: 50 } as const

/** What other APIs call some parameters, and the names that they can have here. */
const NAMES_ELSEWHERE: readonly [pattern: RegExp, names: readonly string[]][] = [
  [/^(?:lang|language|hl)$/, ['locale']],
  [/^(?:page|start|cursor|continue)$/, ['after', 'before', 'offset']],
  [/^(?:per_page|page_size|size|count|rows)$/, ['limit']],
  [/^(?:user|editor)$/, ['author']],
  [/^(?:from|start_date)$/, ['since']],
  [/^(?:to|end_date)$/, ['until']],
  [/^(?:sort|direction)$/, ['order']],
  [/^(?:fields|expand)$/, ['include']],
]

/**
 * The unknown parameters of a request, encoded as in a URL, each with the parameter of the route that is a letter away, its
 * beginning, or that has this name in other APIs.
 */
const describeUnknown = (unknown: readonly string[], known: readonly string[]) =>
  [...new Set(unknown)].slice(0, IGNORED_MAX.names).map((name) => {
    const beginning = name.slice(0, IGNORED_MAX.characters).toWellFormed()
    const similar =
      known.find((one) => distance(beginning, one) <= 1) ??
      known.find((one) => beginning.startsWith(one)) ??
      NAMES_ELSEWHERE.find(([pattern]) => pattern.test(beginning))?.[1].find((one) => known.includes(one))
    return { name: encodeURIComponent(beginning), similar }
  })

/** Reads requests for a route. Requests that mean the same get the same values and query, however they are written. */
export const requestReader = (route: AnyRoute, pattern: RegExp) => {
  const parameters = Object.entries(route.parameters as Parameters)
  const inPath = parameters.filter(([, parameter]) => parameter.in === 'path').map(([name]) => name)
  const inQuery = new Map(parameters.filter(([, parameter]) => !parameter.in))
  const known = [...inQuery.keys()]
  const required = parameters.filter(([, { isRequired }]) => isRequired).map(([name]) => name)
  /** @param isStrict whether it refuses unknown parameters @throws BadParameter that tells of all wrong parameters */
  return (url: string, context: RequestContext, isStrict = false) => {
    const target = readTarget(url)
    const captured = pattern.exec(target.path)!
    const wrong = new Map<string, BadParameter>()
    const { values: raw, ignored } = readQuery(target.query, inQuery, wrong)
    const unknown = describeUnknown(ignored, known)
    const missing = required.filter((name) => !raw.has(name))
    if (isStrict) {
      for (const { name, similar } of unknown)
        wrong.set(name, new BadParameter(name, `is unknown${similar ? `; did you mean ${similar}?` : ''}`))
      for (const name of missing) wrong.set(name, new BadParameter(name, 'is required'))
    }
    for (const [i, name] of inPath.entries())
      attempt(wrong, name, () => void raw.set(name, [decode(name, captured[i + 1]!)]))
    /** The values of the route's parameters, validated or at their defaults. */
    const values: Record<string, unknown> = {}
    /** The query parameters that are not at their defaults, in the order of the route. */
    const query: [name: string, value: string][] = []
    const read = (name: string, parameter: Parameter): void => {
      const texts = raw.get(name)
      const value = parameter.readAll?.(texts ?? []) ?? parameter.read(texts?.[0], context)
      values[name] = value
      if (parameter.in || texts === undefined) return
      if (typeof value === 'object') query.push(...texts.map((text): [string, string] => [name, text]))
      else if (value !== parameter.read(undefined, context)) query.push([name, String(value)])
    }
    for (const [name, parameter] of parameters)
      if (!wrong.has(name)) attempt(wrong, name, () => read(name, parameter))
    const [first, ...others] = wrong.values()
    if (first)
      throw Object.assign(first, {
        message: [first, ...others].map((one) => one.message).join('; '),
        headers: { [INVALID_HEADER]: [...wrong.keys()].join(', ') },
      })
    /** The path under the base URL as the client sent it, encoded as a URL must be; decoded, `%2F` would be a slash. */
    const path = target.path.slice(API_PATH.length).replace(/["<>[\\\]^`{|}]/g, encodeURIComponent)
    const ownHeaders: HeaderList = []
    // Such as `limt;known=limit, query;known=q, x`.
    const ignoredNames = unknown.map(({ name, similar }) => (similar ? `${name};known=${similar}` : name))
    if (ignoredNames.length > 0) ownHeaders.push(IGNORED_HEADER, ignoredNames.join(', '))
    const isFiltered = Boolean(values.category || values.author)
    if (!isStrict && (unknown.length + missing.length > 0 || isFiltered)) ownHeaders.push('Vary', 'Prefer')
    /** `ownHeaders`: of responses to this spelling. `isChecked`: whether to refuse filters that the wiki does not have. */
    return { values, path, query, ownHeaders, isChecked: isStrict && isFiltered }
  }
}

/**
 * `uri-host [":" port]` (RFC 9110, 7.2; RFC 3986, 3.2.2): a name, an IPv4 address, or an IPv6 address in brackets,
 * without a user. The name and the port can be empty.
 */
const HOST =
  /^(?:\[([0-9a-f:.]+)\]|\[v[0-9a-f]+\.[\w.~!$&'()*+,;=:-]+\]|(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})*)(?::\d*)?$/i

const isHost = memoizeLast((host: string) => {
  const match = HOST.exec(host)
  return match !== null && (match[1] === undefined || isIPv6(match[1]))
})

/** @throws BadRequest if the Host header is missing, repeated or invalid, which HTTP/1.1 forbids (RFC 9112, 3.2) */
export const checkHost = (rawHeaders: readonly string[], httpVersion: string): void => {
  let host: string | undefined
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.length !== 4 || rawHeaders[i]!.toLowerCase() !== 'host') continue
    if (host !== undefined) throw new BadRequest('The request has more than one Host header.')
    host = rawHeaders[i + 1]!
  }
  if (host === undefined && httpVersion !== '1.0') throw new BadRequest('The request has no Host header.')
  if (!isHost(host ?? ''))
    throw new BadRequest('Host: must be a host name or an IP address, optionally with a port.')
}

/** Without one of these, JSON is as good as Markdown. Looking for them is faster than parsing the header. */
const MAY_PREFER_MARKDOWN = /text\/(?:\*|markdown)|json\s*;/i

/** With parameters, because a client may name them. Without preference, JSON is the first. */
const JSON_TYPE = 'application/json;charset=utf-8'
const MARKDOWN_TYPE = 'text/markdown;charset=utf-8;variant=GFM'
const EVENTS_TYPE = 'text/event-stream;charset=utf-8'

/** Whether a client asks for HTML, as browsers do when a visitor opens a URL. */
export const acceptsHtml = ({ headers }: IncomingMessage): boolean => /text\/html/i.test(headers.accept ?? '')

/** Whether a client prefers a type to JSON, by the weights of its Accept header (RFC 9110, 12.5.1). @param hint what the header then has */
const prefers = (request: IncomingMessage, type: string, hint: RegExp): boolean =>
  hint.test(request.headers.accept ?? '') && new Negotiator(request).mediaType([JSON_TYPE, type]) === type

/** Whether a client prefers Markdown to JSON. (D102) */
export const prefersMarkdown = (request: IncomingMessage): boolean =>
  prefers(request, MARKDOWN_TYPE, MAY_PREFER_MARKDOWN)

/** Whether a client asks for server-sent events, and prefers them to JSON. */
export const prefersEvents = (request: IncomingMessage): boolean =>
  prefers(request, EVENTS_TYPE, /text\/event-stream/i)

/** Whether a client wants errors instead of what is ignored otherwise (RFC 7240, 4.4). */
export const prefersStrict = ({ headers }: IncomingMessage): boolean =>
  /(?:^|,)\s*handling\s*=\s*"?strict"?\s*(?:[;,]|$)/i.test(String(headers.prefer))

/** What a key of the cache ends with: responses differ by these preferences. */
export const preferencesKey = (client: { prefersMarkdown?: boolean; isStrict?: boolean }): string =>
  (client.prefersMarkdown ? ' markdown' : '') + (client.isStrict ? ' strict' : '')
