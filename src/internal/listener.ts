import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { BadRequest, MethodNotAllowed, NotFound, PublicError } from '@lectern/wiki/errors'
import { redactPasswords } from '@lectern/wiki/text'
import { printSchema } from 'graphql'
import type { SourceStatus } from '../db/followed-sources.ts'
import type { ServerState } from '../db/server.ts'
import { memoize } from '../shared/memoize.ts'
import { checkOrigin, checkWebhook } from './access.ts'
import { GRAPHQL_PATH, graphiqlPage } from './graphiql.ts'
import type { YogaOptions } from './yoga.ts'

interface InternalOptions extends YogaOptions {
  /** Resolves if the wiki can be read. Otherwise rejects with an error, whose cause the client sees without passwords. */
  ready: () => Promise<void>
  /** The servers of the database as this process sees them. */
  servers: () => Pick<ServerState, 'name' | 'health'>[]
  /** How many workers are configured, and how many serve. Absent if this process is not a worker. */
  fleet?: () => { configured: number; serving: number }
  following: {
    /** The sources that processes follow, or did. Does not reject. */
    sources: () => Promise<SourceStatus[]>
    /** Asks the followers to check their sources now. Rejects if they cannot be reached. */
    request: () => Promise<void>
    /** What a request to `/follow` must prove to know. Absent: nothing. */
    secret?: string
  }
  metrics: () => Promise<string>
  /** Host names that browsers and GraphQL clients may use, besides IP addresses and names without a dot, in lower case. */
  hosts?: readonly string[]
}

/** The exposition format of Prometheus. */
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/**
 * The listener for the operators of the wiki: `/graphql` (GraphiQL in a browser), `/schema.graphql`, `/live`, `/ready`,
 * `/metrics` and `POST /follow`.
 * Its server must limit headers to `HEADER_BYTES_MAX`, which also limits a query in the URL.
 */
export const makeInternalListener = (options: InternalOptions): RequestListener => {
  // Loaded with the first request: it takes a quarter of a second, and the start of the service should not wait for it.
  const yoga = memoize(async () => (await import('./yoga.ts')).makeYoga(options))

  const probes: Record<string, (response: ServerResponse) => void | Promise<void>> = {
    '/live': (response) => sendJson(response, 200, { status: 'live', workers: options.fleet?.() }),
    '/ready': makeReadiness(options),
    '/metrics': async (response) => sendBytes(response, 200, METRICS_TYPE, await options.metrics()),
    '/schema.graphql': (response) =>
      sendBytes(response, 200, 'text/plain; charset=utf-8', `${printSchema(options.schema)}\n`),
  }
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url?.split('?', 1)[0]
    const probe = probes[path ?? '']
    if (probe) {
      checkMethod(request, 'GET', 'HEAD')
      checkOrigin(request, options.hosts, { isProbe: true })
      return probe(response)
    }
    if (path === '/follow') return acceptWebhook(request, response, options)
    if (path !== GRAPHQL_PATH)
      throw new NotFound(
        'This URL does not exist. The internal listener serves /graphql, /schema.graphql, /live, /ready, /metrics and /follow.',
      )
    const isVisit = request.method === 'GET' && request.headers.accept?.includes('text/html')
    if (isVisit) return sendGraphiql(response)
    checkOrigin(request, options.hosts)
    checkContentType(request)
    await (await yoga())(request, response)
  }

  return (request, response) => {
    response.setHeader('Cache-Control', 'no-store')
    response.setHeader('X-Content-Type-Options', 'nosniff')
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
    respond(request, response).catch((error: unknown) => {
      const shown = error instanceof PublicError ? error : new PublicError('internal', 'Internal error')
      if (shown !== error) options.logger?.error({ err: error }, 'An internal request failed')
      if (response.headersSent) response.destroy()
      else sendError(response, shown)
    })
  }
}

/** Responds to `/ready`. The log tells changes only, because a balancer asks twice a second. */
const makeReadiness = ({ ready, servers, fleet, following, logger }: InternalOptions) => {
  let wasReady = true
  return async (response: ServerResponse): Promise<void> => {
    try {
      const [ages] = await Promise.all([following.sources(), ready()])
      if (!wasReady) logger?.info('Ready again')
      wasReady = true
      const down = servers().flatMap(({ name, health }) => (health === 'up' ? [] : [[name, health]]))
      sendJson(response, 200, {
        status: 'ready',
        workers: fleet?.(),
        // Neither makes the service unready: other servers are read from, and it can still serve what it has.
        servers: down.length > 0 ? Object.fromEntries(down) : undefined,
        sources: ages.length > 0 ? ages.map(sourceJson) : undefined,
      })
    } catch (error) {
      const { message } = ((error as Error).cause ?? error) as Error
      const reason = redactPasswords(message) // errors of a driver can contain a whole connection string
      if (wasReady) logger?.warn({ reason }, 'Not ready')
      wasReady = false
      sendJson(response, 503, { status: 'unavailable', reason })
    }
  }
}

const sourceJson = ({ name, checkedAgo, failingFor, endedAgo }: SourceStatus): object => ({
  name,
  checked_seconds_ago: checkedAgo === null ? null : Math.round(checkedAgo),
  failing_seconds: failingFor === null ? 0 : Math.round(failingFor),
  ended_seconds_ago: endedAgo === null ? undefined : Math.round(endedAgo),
})

/** Code hosts expect a response before the import ends. */
const acceptWebhook = async (
  request: IncomingMessage,
  response: ServerResponse,
  { hosts, following }: InternalOptions,
): Promise<void> => {
  checkMethod(request, 'POST')
  checkOrigin(request, hosts, { isProbe: true })
  await checkWebhook(request, following.secret)
  await following.request()
  sendJson(response, 202, { status: 'accepted' })
}

const checkMethod = ({ method = '' }: IncomingMessage, ...allowed: string[]): void => {
  if (!allowed.includes(method))
    throw new MethodNotAllowed(allowed.join(', '), `Use ${allowed.join(' or ')}.`)
}

const sendGraphiql = async (response: ServerResponse): Promise<void> => {
  const { body, contentSecurityPolicy } = await graphiqlPage()
  response.setHeader('Content-Security-Policy', contentSecurityPolicy)
  response.setHeader('Referrer-Policy', 'no-referrer')
  sendBytes(response, 200, 'text/html; charset=utf-8', body)
}

/** A page of another site can post forms and plain text without a CORS preflight, but not JSON. */
const checkContentType = ({ method, headers }: IncomingMessage): void => {
  if (method !== 'POST') return
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw new BadRequest('Content-Type: must be application/json.', 415)
}

const sendError = (response: ServerResponse, { code, message, status, headers }: PublicError): void => {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  sendJson(response, status, { error: { code, message } })
}

const sendJson = (response: ServerResponse, status: number, body: object): void =>
  sendBytes(response, status, 'application/json; charset=utf-8', `${JSON.stringify(body)}\n`)

const sendBytes = (response: ServerResponse, status: number, type: string, body: string | Buffer): void => {
  response.statusCode = status
  response.setHeader('Content-Type', type)
  response.setHeader('Content-Length', Buffer.byteLength(body))
  response.end(body)
}
