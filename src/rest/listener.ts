import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Request, Response } from 'express'
import type { Logger } from 'pino'
import { MethodNotAllowed, NotFound } from '../errors.ts'
import type { PrepareStoredQuery } from '../graphql.ts'
import { errorAnswer, publicError, send } from './answers.ts'
import { answerPreflight, CORS_HEADERS } from './cors.ts'
import { type PlaceOptions, placeOf } from './place.ts'
import { clientAddress, makeRateLimit } from './rate-limit.ts'
import { checkHost, originForm, targetHost } from './request.ts'
import { makeRouter } from './router.ts'
import { routes } from './routes/index.ts'
import { makeWikiInfo } from './wiki-info.ts'

export interface PublicListenerOptions extends Omit<PlaceOptions, 'routes'> {
  prepare: PrepareStoredQuery
  /** How many proxies stand before this server. */
  trustedProxies: number
  logger: Logger
}

export interface PublicListener {
  handle: RequestListener
  /** The wiki changed: nothing that is kept of it counts any more. */
  forget(): void
}

/** A request's id that a caller may give: short, and nothing that could break a log line. */
const REQUEST_ID = /^[\w.:-]{1,64}$/

/** The public API as one request listener. */
export const makePublicListener = (options: PublicListenerOptions): PublicListener => {
  const { logger, settings, trustedProxies } = options
  const limitRate = makeRateLimit(settings.requestsPerMinute)
  const wikiInfo = makeWikiInfo(options.prepare)
  const placeAt = placeOf({ ...options, routes })
  const router = makeRouter({
    routes,
    prepare: options.prepare,
    place: async (host) => placeAt(host, await wikiInfo.get()),
    send,
  })

  const fail = (request: IncomingMessage, response: ServerResponse, error: unknown): void => {
    const told = publicError(error)
    if (told.status >= 500)
      logger.error({ err: withCause(error), id: response.getHeader('X-Request-Id') }, told.message)
    if (response.headersSent) response.destroy()
    else send(request, response, errorAnswer(told, settings.cacheSeconds)).catch(() => response.destroy())
  }

  const admit = async (
    request: IncomingMessage,
    response: ServerResponse,
    address: string,
  ): Promise<void> => {
    await limitRate(response, address)
    checkHost(request.rawHeaders, request.httpVersion)
    if (!['GET', 'HEAD', 'OPTIONS'].includes(request.method!)) throw new MethodNotAllowed()
    const target = originForm(request.url!)
    if (target === null) throw new NotFound('There is nothing at this address.')
    request.headers.host = targetHost(request.url!) ?? request.headers.host
    request.url = target
  }

  const handle: RequestListener = (request, response) => {
    const started = performance.now()
    const id = requestId(request)
    const address = clientAddress(request, trustedProxies)
    const { method, url } = request
    response.setHeader('X-Request-Id', id)
    response.setHeader('X-Content-Type-Options', 'nosniff')
    for (const name in CORS_HEADERS) response.setHeader(name, CORS_HEADERS[name]!)
    response.once('close', () => {
      const ms = Math.round((performance.now() - started) * 10) / 10
      const cut = response.writableFinished ? {} : { cut: true }
      logger.info({ id, method, url, status: response.statusCode, ms, client: address, ...cut }, 'request')
    })
    admit(request, response, address)
      .then(() => {
        if (request.method === 'OPTIONS') {
          answerPreflight(response, request.headers['access-control-request-headers'])
        } else {
          router(request as Request, response as Response, (error: unknown) => fail(request, response, error))
        }
      })
      .catch((error: unknown) => fail(request, response, error))
  }
  return { handle, forget: wikiInfo.forget }
}

const requestId = (request: IncomingMessage): string => {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
}

/** An error that hides its reason from the client shows it to the log. */
const withCause = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error ? error.cause : error
