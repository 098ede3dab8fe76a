import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Express, Request, Response } from 'express'
import type { Logger } from 'pino'
import { MethodNotAllowed, NotFound, Overloaded, type PublicError, RateLimited } from '../errors.ts'
import { WikiDocument } from '../generated/queries.ts'
import type { PrepareStoredQuery } from '../graphql.ts'
import { placeInPipeline } from '../http/pipelining.ts'
import { keptFor } from '../kept.ts'
import { LOG, PIPELINE, SITE_REQUESTS_PER_MINUTE, WIKI_KEPT_MS } from '../limits.ts'
import { type CountRequest, windowsInMemory } from '../rate/windows.ts'
import { beginningOf } from '../wiki/text.ts'
import { type CacheCounts, type Kept, makeAnswerCache } from './answer-cache.ts'
import { errorAnswer, publicError } from './answers.ts'
import { answerPreflight } from './cors.ts'
import { makeMaking } from './making.ts'
import { makeParserErrors, type ParserErrors, type Refusal } from './parser-errors.ts'
import { makePlaces, type PlaceOptions } from './place.ts'
import { type Admission, clientAddress, clientKey, makeRateLimit, type RateLimit } from './rate-limit.ts'
import { makeRefusalLog, type RefusalLog } from './refusal-log.ts'
import { checkHost, originForm, targetHost } from './request.ts'
import { makeRouter } from './router.ts'
import { routes } from './routes/index.ts'
import { type HeaderList, ReadyAnswer, send } from './send.ts'
import { isOfSite } from './site/addresses.ts'
import { makeTraffic, type RouteCounts } from './traffic.ts'

export interface PublicListenerOptions extends Omit<PlaceOptions, 'routes'> {
  prepare: PrepareStoredQuery
  /** How many proxies stand before this server. */
  trustedProxies: number
  /** Keeps the clients' windows. */
  countRequest: CountRequest
  /** How far away the database is, milliseconds; absent: not at all. */
  roundTripMs?: () => number
  logger: Logger
}

export interface PublicListener extends ParserErrors {
  handle: RequestListener
  /** What it counts, in plain numbers. */
  counts: {
    routes(): Iterable<RouteCounts>
    making(): { kind: string; running: number; waiting: number; refused: number }[]
    answerCache(): CacheCounts
  }
  /** What its server's classes should have the prototypes of. */
  app: Express
  /** The wiki changed: nothing that is kept of it counts any more. */
  forget(): void
  /** Logs what was not logged one by one. */
  close(): void
}

/** A request's id that a caller may give: short, and nothing that could break a log line. */
const REQUEST_ID = /^[\w.:-]{1,64}$/

/** What belongs to one request. */
interface Exchange {
  id: string
  /** Who asks, by the key of the rate limit; empty where there is none, since a proxy may stand for everybody. */
  client: string
  /** Headers that only its answer has. */
  own: HeaderList
  /** When it came, by the clock of `performance.now`. */
  began: number
  /** Its place among the requests of its connection that wait for their turn; 0: it has it. */
  place: number
  /** Name of the route, or of what stands for one where none was looked for. */
  route: string
  /** Whether its client has come too often; a preflight is answered nevertheless. */
  isOverLimit: boolean
}

const TOO_MANY_WAIT = new Overloaded(1, 'Too many requests wait on this connection.')

/** Where a response that goes through express carries its exchange. A WeakMap took a tenth of a cached answer. */
const EXCHANGE = Symbol('exchange')
type Carrier = ServerResponse & { [EXCHANGE]?: Exchange }

/** The public API as one request listener. */
export const makePublicListener = (options: PublicListenerOptions): PublicListener => {
  const { logger, settings, trustedProxies } = options
  const isLogged = logger.isLevelEnabled('info')
  const limitRate = makeRateLimit(settings.requestsPerMinute, options.countRequest)
  const siteLimit = settings.requestsPerMinute === 0 ? 0 : SITE_REQUESTS_PER_MINUTE
  let limitSite: RateLimit | undefined
  const wikiQuery = options.prepare(WikiDocument)
  const wikiInfo = keptFor(WIKI_KEPT_MS, async () => (await wikiQuery({})).wiki)
  // D52
  const limitOf = (url: string): RateLimit => {
    if (!isOfSite(url)) return limitRate
    limitSite ??= makeRateLimit(siteLimit, windowsInMemory(), 'site') // its windows take 2 MB, and 16 ms to make
    return limitSite
  }
  const places = makePlaces({ ...options, routes })
  const cache = makeAnswerCache(settings.cacheSeconds)
  const knowsClients = settings.requestsPerMinute > 0
  const making = makeMaking(routes, knowsClients, options.roundTripMs)
  const refusalLog = makeRefusalLog(logger)
  const traffic = makeTraffic()
  /** Paths begin with a slash, which hosts do not hold. */
  const sent = ({ headers, url }: IncomingMessage) => places.called(headers.host) + url!

  const sendKept = (
    request: IncomingMessage,
    response: ServerResponse,
    { ready, madeAt, route }: Kept,
    { own, began }: Exchange,
  ): void => {
    const age = Math.max(0, Math.floor((began - madeAt) / 1000)) // it can be younger than the request
    const status = send(request, response, ready, own, age)
    traffic.of(route)(status, performance.now() - began)
  }
  const router = makeRouter({
    routes,
    prepare: options.prepare,
    place: async (host) => places.at(host, await wikiInfo.get()),
    cache,
    making,
    routed: (response, route) => {
      const exchange = (response as Carrier)[EXCHANGE]!
      exchange.route = route
      return exchange.client
    },
    sent,
    send: (request, response, kept) => sendKept(request, response, kept, (response as Carrier)[EXCHANGE]!),
  })

  const overloaded = new Map<PublicError, ReadyAnswer>()
  const errorReady = (told: PublicError): ReadyAnswer => {
    const known = overloaded.get(told)
    if (known) return known
    const ready = new ReadyAnswer(errorAnswer(told, settings.cacheSeconds))
    if (told instanceof Overloaded) overloaded.set(told, ready)
    return ready
  }
  const fail = (
    request: IncomingMessage,
    response: ServerResponse,
    { id, own, began, route }: Exchange,
    error: unknown,
  ): void => {
    const told = publicError(error)
    // What is refused in an overload is counted, and logged as a request: a stack for each would add to it.
    if (told.status >= 500 && !(error instanceof Overloaded)) {
      logger.error({ err: withCause(error), id }, told.message)
    }
    traffic.of(route)(told.status, performance.now() - began)
    if (response.headersSent) response.destroy()
    else send(request, response, errorReady(told), own)
  }

  const refusals = new Map<number, ReadyAnswer>()
  /** An answer for each number of seconds: making it and throwing an error took twice as long as a kept answer. */
  const refusal = (wait: number): ReadyAnswer => {
    const known = refusals.get(wait)
    if (known) return known
    const made = new ReadyAnswer(errorAnswer(new RateLimited(wait), settings.cacheSeconds))
    refusals.set(wait, made)
    return made
  }

  /** @throws PublicError */
  const answerOrThrow = (request: IncomingMessage, response: ServerResponse, exchange: Exchange): void => {
    checkHost(request.rawHeaders, request.httpVersion)
    if (request.method === 'OPTIONS') {
      answerPreflight(response, request.headers['access-control-request-headers'], exchange.own)
      traffic.of('preflight')(204, performance.now() - exchange.began)
      return
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') throw new MethodNotAllowed()
    useOriginForm(request)
    const kept = cache.find(sent(request), exchange.began)
    if (kept) {
      sendKept(request, response, kept, exchange)
      return
    }
    if (exchange.place > PIPELINE) throw TOO_MANY_WAIT
    // Before express routes it, which takes several times as long as refusing it.
    const limit = making.at(request.url!)
    if (limit.isFull(exchange.client)) throw limit.refuse()
    ;(response as Carrier)[EXCHANGE] = exchange
    router(request as Request, response as Response, (error: unknown) =>
      fail(request, response, exchange, error),
    )
  }

  /** Nothing in here waits, so that a kept answer is sent in the turn that its request came in. */
  const answer = (
    request: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
    { headers, wait }: Admission,
  ): void => {
    for (const text of headers) exchange.own.push(text)
    exchange.isOverLimit = wait !== undefined
    // A refused preflight would hide from a script that, and for how long, it is refused. (D55)
    if (wait !== undefined && request.method !== 'OPTIONS') {
      traffic.of(exchange.route)(429, performance.now() - exchange.began)
      send(request, response, refusal(wait), exchange.own)
      return
    }
    try {
      answerOrThrow(request, response, exchange)
    } catch (error) {
      fail(request, response, exchange, error)
    }
  }

  const answerLater = (
    request: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
    admission: Promise<Admission>,
  ): void => {
    admission.then(
      (admitted) => answer(request, response, exchange, admitted),
      (error: unknown) => fail(request, response, exchange, error),
    )
  }

  const handle: RequestListener = (request, response) => {
    // Node goes on with what came in the same packet as a request whose connection was cut.
    if (request.socket.destroyed) return
    const place = response.socket === null ? placeInPipeline(request.socket, response) : 0
    if (request.socket.destroyed) return
    const id = requestId(request)
    const address = clientAddress(request, trustedProxies)
    const exchange = {
      id,
      client: knowsClients ? clientKey(address) : '',
      own: ['X-Request-Id', id],
      began: performance.now(),
      place,
      route: 'none',
      isOverLimit: false,
    }
    if (isLogged) logWhenDone(logger, refusalLog, request, response, exchange, address)
    const admission = limitOf(request.url!)(address)
    if (admission instanceof Promise) answerLater(request, response, exchange, admission)
    else answer(request, response, exchange, admission)
  }
  const forget = () => {
    wikiInfo.forget()
    cache.clear()
  }
  const refused = ({ id, client, refused: { status, message } }: Refusal): void => {
    traffic.of('unreadable')(status, 0)
    if (isLogged && refusalLog.admits(client ?? '', status))
      logger.info({ id, client, status, reason: message }, 'refused')
  }
  const counts = {
    routes: traffic.routes,
    making: making.kinds,
    answerCache: cache.counts,
  }
  return { handle, ...makeParserErrors(refused), forget, close: refusalLog.summarize, counts, app: router }
}

/** @throws NotFound for what is no path, such as `*` */
const useOriginForm = (request: IncomingMessage): void => {
  const url = request.url!
  if (url.startsWith('/') && !url.includes('#')) return
  const target = originForm(url)
  if (target === null) throw new NotFound('There is nothing at this address.')
  request.headers.host = targetHost(url) ?? request.headers.host
  request.url = target
}

/** Answers that refuse whoever asks too often, or more than there is time for. */
const REFUSING = new Set([429, 503])

const logWhenDone = (
  logger: Logger,
  refusalLog: RefusalLog,
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
  client: string,
): void => {
  const { method, url } = request
  response.once('close', () => {
    const { id, began, isOverLimit } = exchange
    const status = response.statusCode
    if ((isOverLimit || REFUSING.has(status)) && !refusalLog.admits(client, status)) return
    const ms = Math.round((performance.now() - began) * 10) / 10
    const cut = response.writableFinished ? {} : { cut: true }
    logger.info(
      { id, client, method, url: beginningOf(url!, LOG.addressLength), status, ms, ...cut },
      'request',
    )
  })
}

const requestId = (request: IncomingMessage): string => {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
}

/** An error that hides its reason from the client shows it to the log. */
const withCause = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error ? error.cause : error
