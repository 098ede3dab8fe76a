import type { IncomingMessage, ServerResponse } from 'node:http'
import { Overloaded, PublicError, RateLimited, Unavailable } from '@lectern/wiki/errors'
import { drained } from '../../http/unread-responses.ts'
import { SLOW_READER, STREAM_LIMITS } from '../../limits/service.ts'
import { makeSingleFlight } from '../../shared/memoize.ts'
import { makeWakeableSleep } from '../../shared/timers.ts'
import type { ReadEndpoint } from '../router.ts'
import { changeEventsRoute } from '../routes/changes.ts'
import type { Exchange } from '../transport/exchange.ts'
import { prefersEvents, readTarget, routePattern } from '../transport/request.ts'
import type { ResponseSender } from '../transport/response-sender.ts'
import { CORS_HEADERS } from '../transport/send.ts'

interface ChangeStreamsOptions {
  /** Reads the list of changes, with a cursor in each item. */
  read: ReadEndpoint
  sender: Pick<ResponseSender, 'countResponse' | 'sendError'>
}

type Limits = Readonly<Record<keyof typeof STREAM_LIMITS | 'graceMs' | 'bytesPerSecond', number>>
type Sleep = ReturnType<typeof makeWakeableSleep>

interface Part {
  events: Buffer
  cursor: string
  isLast: boolean
}

const PATTERN = routePattern(changeEventsRoute, { groups: false })

/**
 * `GET /changes` as server-sent events: first what the client has missed, then what happens. (D100) One loop for each client
 * reads a part of the list, sends it, and at the end waits until the wiki changes. Clients that wait at the same cursor share
 * the next read. The heartbeat makes all of them read too, as notices can be lost.
 */
export class ChangeStreams {
  readonly #options: ChangeStreamsOptions
  readonly #limits: Limits
  readonly #streams = new Map<Exchange, Sleep>()
  readonly #reads = makeSingleFlight<Part>()
  readonly #heartbeat: NodeJS.Timeout
  #isClosing = false

  constructor(options: ChangeStreamsOptions, limits: Limits = { ...STREAM_LIMITS, ...SLOW_READER }) {
    this.#options = options
    this.#limits = limits
    this.#heartbeat = setInterval(() => this.#sendHeartbeat(), limits.heartbeatMs).unref()
  }

  get open(): number {
    return this.#streams.size
  }

  owns(request: IncomingMessage): boolean {
    return prefersEvents(request) && PATTERN.test(readTarget(request.url!).path)
  }

  /** Sends the stream, or an error. @throws Overloaded or RateLimited when too many streams are open */
  handle(exchange: Exchange): void {
    exchange.route = changeEventsRoute.name
    this.#check(exchange)
    const sleep = makeWakeableSleep()
    this.#streams.set(exchange, sleep)
    exchange.response.once('close', () => {
      this.#streams.delete(exchange)
      sleep.end()
    })
    this.#serve(exchange, sleep).catch((error: unknown) =>
      this.#options.sender.sendError(exchange, namingHeader(exchange.request, error)),
    )
  }

  /** The wiki changed: all streams read again. */
  wake(): void {
    this.#reads.clear()
    for (const sleep of this.#streams.values()) sleep.wake()
  }

  close(): void {
    this.#isClosing = true
    clearInterval(this.#heartbeat)
    for (const [{ response }, sleep] of this.#streams) {
      if (response.headersSent && isOpen(response)) response.end(`retry: ${this.#limits.closingRetryMs}\n\n`)
      sleep.end()
    }
  }

  #sendHeartbeat(): void {
    for (const { response } of this.#streams.keys())
      if (response.headersSent && isOpen(response) && !response.writableNeedDrain) response.write(':\n\n')
    this.wake()
  }

  #check({ clientKey, pipelineDepth }: Exchange): void {
    const { open, perClient } = this.#limits
    if (this.#isClosing) throw new Overloaded(1, 'The service is stopping.')
    if (pipelineDepth > 0) throw new Overloaded(1, 'A stream cannot wait behind another response.')
    const own = [...this.#streams.keys()].filter((other) => other.clientKey === clientKey).length
    if (clientKey !== '' && own >= perClient) throw new RateLimited(RETRY_AFTER_SECONDS, tooManyOf(perClient))
    if (this.open >= open) throw new Overloaded(RETRY_AFTER_SECONDS, TOO_MANY)
  }

  /** @throws PublicError when the list cannot be read and trying again would not help */
  async #serve(exchange: Exchange, sleep: Sleep): Promise<void> {
    const { request, response, ownHeaders } = exchange
    const { heartbeatMs, retryMs } = this.#limits
    const last = request.headers['last-event-id']
    let url = last ? urlAfter(request.url!, String(last)) : request.url!
    let part: Part | undefined = await readPart(this.#options.read, exchange, url, ownHeaders)
    sendHead(exchange)
    this.#options.sender.countResponse(exchange, 200)
    if (request.method === 'HEAD') response.end()
    else response.write(`retry: ${retryMs}\n${part.events.length === 0 ? `id: ${part.cursor}\n` : ''}\n`)
    while (isOpen(response) && !this.#isClosing) {
      if (part) {
        await this.#send(response, part)
        url = urlAfter(url, part.cursor)
      }
      if (part?.isLast !== false) await sleep.sleep(part ? 2 * heartbeatMs : retryMs)
      if (!isOpen(response)) return
      const key = `${request.headers.host} ${url}`
      // A database that is lost or busy does not end the stream.
      part = await this.#reads
        .run(key, () => readPart(this.#options.read, exchange, url))
        .catch(ifUnavailable)
    }
    if (isOpen(response)) response.end()
  }

  async #send(response: ServerResponse, { events }: Part): Promise<void> {
    if (events.length === 0 || response.write(events)) return
    this.#limitUnread()
    const { graceMs, bytesPerSecond } = this.#limits
    // A client that is too slow continues with its cursor.
    await drained(response, graceMs + (events.length / bytesPerSecond) * 1000)
  }

  /** Keeps what clients have not read within bounds: closes the stream with most of it. */
  #limitUnread(): void {
    const responses = [...this.#streams.keys()].map(({ response }) => response)
    const bytes = responses.reduce((sum, { writableLength }) => sum + writableLength, 0)
    if (bytes <= this.#limits.unreadBytes) return
    responses.sort((a, b) => b.writableLength - a.writableLength)[0]!.destroy()
  }
}

const RETRY_AFTER_SECONDS = 10
const TOO_MANY = 'Too many streams of changes are open. Try again later.'
const tooManyOf = (most: number) => `One network address can have ${most} streams open. Close one.`

const isOpen = (response: ServerResponse): boolean => !response.destroyed && !response.writableEnded

/** The cursor in the header is read as `after`. If it is wrong, the error names the header. */
const namingHeader = ({ headers }: IncomingMessage, error: unknown): unknown =>
  headers['last-event-id'] && error instanceof PublicError && error.message.startsWith('after: ')
    ? new PublicError(error.code, error.message.replace('after', 'Last-Event-ID'), { headers: error.headers })
    : error

const urlAfter = (url: string, cursor: string): string => {
  const { path, query } = readTarget(url)
  const parameters = new URLSearchParams(query)
  parameters.set('after', cursor)
  return `${path}?${parameters}`
}

/** @param ownHeaders get the parameters that the route does not have @throws PublicError */
const readPart = async (
  read: ReadEndpoint,
  { request, clientKey, isStrict }: Exchange,
  url: string,
  ownHeaders?: string[],
): Promise<Part> => {
  const { host } = request.headers
  const rawRequest = `${host} ${url} events`
  const entry = await read({ url, host, rawRequest, clientKey, prefersMarkdown: false, isStrict, ownHeaders })
  const { items, next, cursor } = JSON.parse(entry.response.response.body.toString())
  return { events: Buffer.from(items.map(eventOf).join('')), cursor, isLast: next === '' }
}

const eventOf = ({ cursor, ...item }: { type: string; cursor: string }): string =>
  `event: ${item.type}\nid: ${cursor}\ndata: ${JSON.stringify(item)}\n\n`

/** @throws every other error */
const ifUnavailable = (error: unknown): undefined => {
  if (!(error instanceof Unavailable)) throw error
}

const sendHead = ({ response, ownHeaders }: Exchange): void => {
  // The next request needs another connection, also if it comes while this process stops.
  response.shouldKeepAlive = false
  const headers = {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no', // nginx must not collect events
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Accept',
    ...CORS_HEADERS,
  }
  response.writeHead(200, [...Object.entries(headers).flat(), ...ownHeaders])
}
