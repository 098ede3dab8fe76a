import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Express, Request, Response } from 'express'
import type { Logger } from 'pino'
import { MethodNotAllowed, NotFound } from '../errors.ts'
import { WikiDocument } from '../generated/queries.ts'
import type { PrepareStoredQuery } from '../graphql.ts'
import { keptFor } from '../kept.ts'
import { WIKI_KEPT_MS } from '../limits.ts'
import { type Kept, makeAnswerCache } from './answer-cache.ts'
import { errorAnswer, publicError } from './answers.ts'
import { answerPreflight } from './cors.ts'
import { makePlaces, type PlaceOptions } from './place.ts'
import { clientAddress, makeRateLimit } from './rate-limit.ts'
import { checkHost, originForm, targetHost } from './request.ts'
import { makeRouter } from './router.ts'
import { routes } from './routes/index.ts'
import { type HeaderList, ReadyAnswer, send } from './send.ts'

export interface PublicListenerOptions extends Omit<PlaceOptions, 'routes'> {
  prepare: PrepareStoredQuery
  /** How many proxies stand before this server. */
  trustedProxies: number
  logger: Logger
}

export interface PublicListener {
  handle: RequestListener
  /** What its server's classes should have the prototypes of. */
  app: Express
  /** The wiki changed: nothing that is kept of it counts any more. */
  forget(): void
}

/** A request's id that a caller may give: short, and nothing that could break a log line. */
const REQUEST_ID = /^[\w.:-]{1,64}$/

/** What belongs to one request: its id and the headers that only its answer has. */
interface Exchange {
  id: string
  own: HeaderList
}

/** The public API as one request listener. */
export const makePublicListener = (options: PublicListenerOptions): PublicListener => {
  const { logger, settings, trustedProxies } = options
  const limitRate = makeRateLimit(settings.requestsPerMinute)
  const wikiQuery = options.prepare(WikiDocument)
  const wikiInfo = keptFor(WIKI_KEPT_MS, async () => (await wikiQuery({})).wiki)
  const places = makePlaces({ ...options, routes })
  const cache = makeAnswerCache(settings.cacheSeconds)
  const exchanges = new WeakMap<ServerResponse, Exchange>()
  const sent = (request: IncomingMessage) => `${places.called(request.headers.host)} ${request.url}`

  const sendKept = (request: IncomingMessage, response: ServerResponse, { ready, madeAt }: Kept): void => {
    const { own } = exchanges.get(response)!
    const age = settings.cacheSeconds === 0 ? 0 : Math.floor((performance.now() - madeAt) / 1000)
    send(request, response, ready, age > 0 ? [...own, 'Age', String(age)] : own)
  }
  const router = makeRouter({
    routes,
    prepare: options.prepare,
    place: async (host) => places.at(host, await wikiInfo.get()),
    cache,
    sent,
    send: sendKept,
  })

  const fail = (request: IncomingMessage, response: ServerResponse, error: unknown): void => {
    const told = publicError(error)
    const { id, own } = exchanges.get(response)!
    if (told.status >= 500) logger.error({ err: withCause(error), id }, told.message)
    if (response.headersSent) response.destroy()
    else send(request, response, new ReadyAnswer(errorAnswer(told, settings.cacheSeconds)), own)
  }

  const answer = async (
    request: IncomingMessage,
    response: ServerResponse,
    address: string,
  ): Promise<void> => {
    const exchange = exchanges.get(response)!
    const { headers, refusal } = await limitRate(address)
    exchange.own.push(...headers)
    if (refusal) throw refusal
    checkHost(request.rawHeaders, request.httpVersion)
    if (request.method === 'OPTIONS') {
      answerPreflight(response, request.headers['access-control-request-headers'], exchange.own)
      return
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') throw new MethodNotAllowed()
    useOriginForm(request)
    const kept = cache.find(sent(request))
    if (kept) sendKept(request, response, kept)
    else router(request as Request, response as Response, (error: unknown) => fail(request, response, error))
  }

  const handle: RequestListener = (request, response) => {
    const id = requestId(request)
    const address = clientAddress(request, trustedProxies)
    exchanges.set(response, { id, own: ['X-Request-Id', id] })
    if (logger.isLevelEnabled('info')) logWhenDone(logger, request, response, { id, client: address })
    answer(request, response, address).catch((error: unknown) => fail(request, response, error))
  }
  const forget = () => {
    wikiInfo.forget()
    cache.clear()
  }
  return { handle, forget, app: router }
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

const logWhenDone = (
  logger: Logger,
  request: IncomingMessage,
  response: ServerResponse,
  about: { id: string; client: string },
): void => {
  const started = performance.now()
  const { method, url } = request
  response.once('close', () => {
    const ms = Math.round((performance.now() - started) * 10) / 10
    const cut = response.writableFinished ? {} : { cut: true }
    logger.info({ ...about, method, url, status: response.statusCode, ms, ...cut }, 'request')
  })
}

const requestId = (request: IncomingMessage): string => {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
}

/** An error that hides its reason from the client shows it to the log. */
const withCause = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error ? error.cause : error
