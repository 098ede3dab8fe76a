import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipelineDepth } from '../../http/pipelining.ts'
import { clientAddress, clientKey } from '../admission/rate-limit.ts'
import type { HeaderList } from './responses.ts'

/** One request and its response, and what the stages of the listener know about them. */
export type Exchange = NonNullable<ReturnType<typeof openExchange>>

/** A request id that a caller may choose: short, and without characters that could break a log line. */
const REQUEST_ID = /^[\w.:-]{1,64}$/

/**
 * @param options.knowsClients whether the rate limit distinguishes clients
 * @returns undefined when the connection is closed: node:http still delivers requests of the same packet
 */
export const openExchange = (
  request: IncomingMessage,
  response: ServerResponse,
  { trustedProxies, knowsClients }: { trustedProxies: number; knowsClients: boolean },
) => {
  const { socket } = request
  const depth = response.socket === null ? pipelineDepth(socket, response) : 0
  // pipelineDepth closes connections on which too many requests wait.
  if (socket.destroyed) return undefined
  const given = request.headers['x-request-id']
  const id = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
  const address = clientAddress(request, trustedProxies)
  return {
    request,
    response,
    /** The request id: the caller's, or a UUID. */
    id,
    clientAddress: address,
    /** The client's key in the rate limit. Empty without a rate limit, because one proxy may stand for all clients. */
    clientKey: knowsClients ? clientKey(address) : '',
    ownHeaders: ['X-Request-Id', id] as HeaderList,
    /** Arrival of the request, by the clock of `performance.now`. */
    startedAt: performance.now(),
    /** Position among the requests of the connection that wait behind another response; 0: it does not wait. */
    pipelineDepth: depth,
    /** Name of the matched route. `none` until the request is admitted to one. */
    route: 'none',
    /** Whether the client prefers Markdown to JSON, where a route offers both. */
    prefersMarkdown: false,
    /** Whether the client wants errors instead of what is ignored otherwise. */
    isStrict: false,
    /** Host and target as the client sent them, and what it prefers: the key of the response cache for this spelling of the request. */
    rawRequest: '',
    /** Whether the client is over its rate limit. Preflights get their response nevertheless. */
    isOverLimit: false,
  }
}

/** Where a request that Express handles carries its exchange. A WeakMap took a tenth of a cached response's time. */
const EXCHANGE = Symbol('exchange')
type Carrier = IncomingMessage & { [EXCHANGE]?: Exchange }

export const attachExchange = (exchange: Exchange): void => {
  ;(exchange.request as Carrier)[EXCHANGE] = exchange
}

export const exchangeOf = (request: IncomingMessage): Exchange => (request as Carrier)[EXCHANGE]!
