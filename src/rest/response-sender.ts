import type { Logger } from 'pino'
import { Overloaded, type PublicError, RateLimited } from '../errors.ts'
import { sendPreflight } from './cors.ts'
import type { Exchange } from './exchange.ts'
import type { RequestMetrics } from './request-metrics.ts'
import type { CacheEntry } from './response-cache.ts'
import { type ApiResponse, errorResponse, toPublicError } from './responses.ts'
import { EncodedResponse, send } from './send.ts'

/** Sends the response of an exchange, and counts it in the metrics of its route. */
export interface ResponseSender {
  sendEntry(exchange: Exchange, entry: CacheEntry): void
  /** Sends what the client may know of the error, and logs the rest. */
  sendError(exchange: Exchange, error: unknown): void
  /** The response of an error that is not sent as such. Logs what a client may not know. */
  responseOf(error: unknown): ApiResponse
  /** @param waitSeconds when the client may continue: whole, at least 1 */
  sendRateLimited(exchange: Exchange, waitSeconds: number): void
  /** @param methods that the URL has, if not those of the API */
  sendPreflight(exchange: Exchange, methods?: string): void
}

export const makeResponseSender = (
  requestMetrics: RequestMetrics,
  cacheSeconds: number,
  logger: Logger,
): ResponseSender => {
  const count = (route: string, status: number, { startedAt }: Exchange): void =>
    requestMetrics.counterOf(route)(status, performance.now() - startedAt)
  const encode = (error: PublicError) => new EncodedResponse(errorResponse(error, cacheSeconds))
  const overloadResponses = new Map<Overloaded, EncodedResponse>()
  const rateLimitResponses = new Map<number, EncodedResponse>()
  /** One response for each of the few errors that shed load. */
  const overloadResponse = (error: Overloaded): EncodedResponse => {
    const known = overloadResponses.get(error)
    if (known) return known
    const encoded = encode(error)
    overloadResponses.set(error, encoded)
    return encoded
  }
  /** One response for each number of seconds: a new error and response took twice as long as a cached response. */
  const rateLimitResponse = (waitSeconds: number): EncodedResponse => {
    const known = rateLimitResponses.get(waitSeconds)
    if (known) return known
    const encoded = encode(new RateLimited(waitSeconds))
    rateLimitResponses.set(waitSeconds, encoded)
    return encoded
  }

  return {
    sendEntry: (exchange, { response: encoded, createdAt, route }) => {
      const { request, response, ownHeaders, startedAt } = exchange
      const age = Math.max(0, Math.floor((startedAt - createdAt) / 1000)) // the entry can be younger than the request
      count(route, send(request, response, encoded, ownHeaders, age), exchange)
    },
    sendError: (exchange, error) => {
      const { request, response, id, ownHeaders, route } = exchange
      const publicError = explain(logger, error, id)
      const isShed = publicError instanceof Overloaded
      count(route, publicError.status, exchange)
      if (response.headersSent) response.destroy()
      else send(request, response, isShed ? overloadResponse(publicError) : encode(publicError), ownHeaders)
    },
    responseOf: (error) => errorResponse(explain(logger, error), cacheSeconds),
    sendRateLimited: (exchange, waitSeconds) => {
      const { request, response, ownHeaders, route } = exchange
      count(route, 429, exchange)
      send(request, response, rateLimitResponse(waitSeconds), ownHeaders)
    },
    sendPreflight: (exchange, methods) => {
      const { request, response, ownHeaders } = exchange
      sendPreflight(response, request.headers['access-control-request-headers'], ownHeaders, methods)
      count('preflight', 204, exchange)
    },
  }
}

/** The error that a client sees. The log gets what it hides. @param id of the request */
const explain = (logger: Logger, error: unknown, id?: string): PublicError => {
  const publicError = toPublicError(error)
  // A shed request has a line in the request log; a stack for each would add to the load.
  if (publicError.status >= 500 && !(publicError instanceof Overloaded))
    logger.error({ err: withCause(error), id }, publicError.message)
  return publicError
}

/** The log gets the cause that the client does not see. */
const withCause = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error ? error.cause : error
