import { Overloaded, type PublicError } from '@lectern/wiki/errors'
import type { Logger } from 'pino'
import { UNAVAILABLE_LOG_MS } from '../../limits/service.ts'
import type { Exchange } from './exchange.ts'
import type { RequestMetrics } from './request-metrics.ts'
import type { CacheEntry } from './response-cache.ts'
import { errorResponse, toPublicError } from './responses.ts'
import { EncodedResponse, send, sendPreflight } from './send.ts'

/** Sends the response of an exchange, and counts it in the metrics of its route. */
export type ResponseSender = ReturnType<typeof makeResponseSender>

export const makeResponseSender = (requestMetrics: RequestMetrics, cacheSeconds: number, logger: Logger) => {
  const count = (route: string, status: number, { startedAt }: Exchange): void =>
    requestMetrics.countResponse(route, status, performance.now() - startedAt)
  const explain = makeExplainer(logger)

  return {
    sendEntry: (exchange: Exchange, { response: encoded, createdAt, route }: CacheEntry): void => {
      // The entry can be younger than the request.
      const age = Math.max(0, Math.floor((exchange.startedAt - createdAt) / 1000))
      count(route, send(exchange, encoded, age), exchange)
    },
    /** Sends what the client may know of the error, and logs the rest. */
    sendError: (exchange: Exchange, error: unknown): void => {
      const { response, id, route } = exchange
      const publicError = explain(error, { id, route })
      count(route, publicError.status, exchange)
      if (response.headersSent) response.destroy()
      else send(exchange, new EncodedResponse(errorResponse(publicError, cacheSeconds)))
    },
    /** Counts a response that another module sends. */
    countResponse: (exchange: Exchange, status: number): void => count(exchange.route, status, exchange),
    /** The response of an error that is not sent as such. Logs what a client may not know. */
    responseOf: (error: unknown) => errorResponse(explain(error), cacheSeconds),
    /** @param methods that the URL has, if not those of the API */
    sendPreflight: (exchange: Exchange, methods?: string): void => {
      sendPreflight(exchange, methods)
      count('preflight', 204, exchange)
    },
  }
}

/** @param now milliseconds */
export const makeExplainer = (logger: Pick<Logger, 'error'>, now = () => performance.now()) => {
  const unavailableLoggedAt = new Map<string, number>()
  const isDue = ({ status, message }: PublicError): boolean => {
    if (status !== 503) return status >= 500
    if (now() - (unavailableLoggedAt.get(message) ?? Number.NEGATIVE_INFINITY) < UNAVAILABLE_LOG_MS)
      return false
    unavailableLoggedAt.set(message, now())
    return true
  }
  /** The error that a client sees. The log gets what it hides. */
  return (error: unknown, request: { id?: string; route?: string } = {}): PublicError => {
    const publicError = toPublicError(error)
    // A shed request has a line in the request log; a stack for each would add to the load.
    if (!(publicError instanceof Overloaded) && isDue(publicError))
      logger.error({ err: error, ...request }, 'A request failed')
    return publicError
  }
}
