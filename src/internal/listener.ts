import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { BadRequest, NotFound, PublicError } from '../errors.ts'
import { memoize } from '../memoize.ts'
import { graphiqlPage } from './graphiql.ts'
import { checkOrigin, checkProbe } from './origin.ts'
import { GRAPHQL_PATH } from './path.ts'
import type { YogaOptions } from './yoga.ts'

interface InternalOptions extends YogaOptions {
  /** Resolves when the wiki can be read. What it rejects with is logged and never answered. */
  ready: () => Promise<void>
  /** How many workers there should be and how many serve, where this is one of them. */
  fleet?: () => { configured: number; serving: number }
  /** The metrics as text. */
  metrics: () => Promise<string>
  /** Names under which browsers and GraphQL's clients reach it, besides addresses and names without a dot; lower case. */
  hosts?: readonly string[]
}

/** The exposition format of Prometheus. */
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/**
 * The listener for the people who run the wiki: `/graphql` (GraphiQL in a browser), `/live`, `/ready` and
 * `/metrics`.
 * Its server should read at most `HEADER_BYTES` of headers, which bound a query in an address too.
 */
export const makeInternalListener = (options: InternalOptions): RequestListener => {
  // A quarter of a second to load, which a start should not wait for.
  const yoga = memoize(async () => (await import('./yoga.ts')).makeYoga(options))

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url?.split('?', 1)[0]
    if (path === '/live' || path === '/ready') {
      checkReading(request)
      checkProbe(request, options.hosts)
      if (path === '/live') sendJson(response, 200, { status: 'live', workers: options.fleet?.() })
      else await sendReadiness(response, options)
      return
    }
    if (path === '/metrics') {
      checkReading(request)
      checkProbe(request, options.hosts)
      sendBytes(response, 200, METRICS_TYPE, Buffer.from(await options.metrics()))
      return
    }
    if (path !== GRAPHQL_PATH) {
      throw new NotFound('There is nothing here but /graphql, /live, /ready and /metrics.')
    }
    if (asksForGraphiql(request)) return sendGraphiql(response)
    checkOrigin(request, options.hosts)
    checkContentType(request)
    await (await yoga())(request, response)
  }

  return (request, response) => {
    response.setHeader('Cache-Control', 'no-store')
    response.setHeader('X-Content-Type-Options', 'nosniff')
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
    answer(request, response).catch((error: unknown) => {
      if (!(error instanceof PublicError)) options.logger?.error({ err: error }, 'An internal request failed')
      if (response.headersSent) response.destroy()
      else
        sendError(
          response,
          error instanceof PublicError ? error : new PublicError('internal', 'Internal error'),
        )
    })
  }
}

const sendReadiness = async (
  response: ServerResponse,
  { ready, fleet, logger }: InternalOptions,
): Promise<void> => {
  try {
    await ready()
  } catch (error) {
    // Errors of a database driver name hosts and users, and can hold a whole connection string.
    logger?.warn({ err: error }, 'Not ready')
    sendJson(response, 503, { status: 'unavailable', reason: 'The wiki cannot be read just now.' })
    return
  }
  sendJson(response, 200, { status: 'ready', workers: fleet?.() })
}

const checkReading = ({ method }: IncomingMessage): void => {
  if (method === 'GET' || method === 'HEAD') return
  throw new PublicError('method_not_allowed', 'Use GET or HEAD.', { headers: { Allow: 'GET, HEAD' } })
}

const asksForGraphiql = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.accept?.includes('text/html') === true

const sendGraphiql = async (response: ServerResponse): Promise<void> => {
  const { body, contentSecurityPolicy } = await graphiqlPage()
  response.setHeader('Content-Security-Policy', contentSecurityPolicy)
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.setHeader('Content-Type', 'text/html; charset=utf-8')
  response.setHeader('Content-Length', body.length)
  response.end(body)
}

/** Forms and plain text are what a page of another site may post without asking first. */
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
  sendBytes(response, status, 'application/json; charset=utf-8', Buffer.from(`${JSON.stringify(body)}\n`))

const sendBytes = (response: ServerResponse, status: number, type: string, bytes: Buffer): void => {
  response.statusCode = status
  response.setHeader('Content-Type', type)
  response.setHeader('Content-Length', bytes.length)
  response.end(bytes)
}
