import { truncate } from '@lectern/wiki/text'
import type { Logger } from 'pino'
import { LOG_LIMITS, REFUSAL_LOG_LIMITS } from '../../limits/service.ts'
import { getOrAdd } from '../../shared/memoize.ts'
import { clientKey } from '../admission/rate-limit.ts'
import type { Exchange } from './exchange.ts'
import type { RefusedConnection } from './parser-errors.ts'

/** Statuses of requests that the service refuses because there are too many of them. */
const REFUSAL_STATUSES = new Set([429, 503])

const UNTRUSTED_PROXY =
  'A request has X-Forwarded-For or Forwarded, which is not read: all clients of a proxy share one rate limit. Behind a proxy, set TRUSTED_PROXIES=1.'

const FOREIGN_HOST =
  'Requests name a host to which the links in their responses do not lead. Set BASE_URL to the public URL of the API.'

const TOO_MANY_PROXIES =
  'Requests come through fewer proxies than TRUSTED_PROXIES says: then clients can forge their address. Set it to the number of proxies that all requests pass.'

/**
 * So many requests in a row show that a setting is wrong: of those with a foreign host, they name the same one, because a scanner
 * can name any; of those of a proxy, they have too few addresses.
 */
const WRONG_REQUESTS = 10

/** Counts requests in a row that passed too few proxies, until it has warned of them. */
const makeProxyCount = (logger: Logger, trustedProxies: number) => {
  let requests = 0
  return (forwarded: string): void => {
    if (requests === WRONG_REQUESTS) return
    const passed = forwarded.split(',').length
    requests = passed < trustedProxies ? requests + 1 : 0
    if (requests === WRONG_REQUESTS) logger.warn({ passed, trustedProxies }, TOO_MANY_PROXIES)
  }
}

/**
 * One line for each request, at level `info`, or `debug` for the files of a page; refusals are sampled. Settings that a
 * request shows to be wrong get one warning.
 * @param trustedProxies undefined: no rate limit distinguishes clients
 * @param isForeign whether links lead to another host than the requested one
 */
export const makeRequestLog = (
  logger: Logger,
  trustedProxies: number | undefined,
  isForeign: (host: string) => boolean,
) => {
  const due = { proxy: trustedProxies === 0, host: true }
  const foreign = { host: '', requests: 0 }
  const countProxies = makeProxyCount(logger, trustedProxies ?? 0)
  const warn = ({ request: { headers }, clientAddress: proxy }: Exchange): void => {
    const { host = '' } = headers
    if (due.proxy && (headers['x-forwarded-for'] ?? headers.forwarded) !== undefined) {
      due.proxy = false
      logger.warn({ proxy }, UNTRUSTED_PROXY)
    }
    if (headers['x-forwarded-for']) countProxies(String(headers['x-forwarded-for']))
    if (!due.host || !isForeign(host)) return
    if (foreign.host !== host) Object.assign(foreign, { host, requests: 0 })
    foreign.requests += 1
    if (foreign.requests < WRONG_REQUESTS) return
    due.host = false
    logger.warn({ host: truncate(host, LOG_LIMITS.agentLength) }, FOREIGN_HOST)
  }
  if (!logger.isLevelEnabled('info')) return { logOnClose: warn, logParserRefusal() {}, close() {} }
  const refusalLog = makeRefusalLog(logger)
  return {
    /** Logs the request when its response is sent, or its connection is closed. */
    logOnClose: (exchange: Exchange): void => {
      warn(exchange)
      const { request, response, id, clientAddress: client, startedAt } = exchange
      const { method, socket, headers } = request
      const url = truncate(request.url!, LOG_LIMITS.addressLength)
      const agent = headers['user-agent'] && truncate(headers['user-agent'], LOG_LIMITS.agentLength)
      const sentBefore = socket.bytesWritten
      response.once('close', () => {
        const status = response.statusCode
        const isRefusal = exchange.isOverLimit || REFUSAL_STATUSES.has(status)
        if (isRefusal && !refusalLog.shouldLog(client, status)) return
        const ms = Math.round((performance.now() - startedAt) * 10) / 10
        const cut = response.writableFinished ? {} : { cut: true }
        logger[exchange.route === 'asset' && status < 400 ? 'debug' : 'info'](
          { id, client, method, url, status, ms, bytes: socket.bytesWritten - sentBefore, agent, ...cut },
          'request',
        )
      })
    },
    /** Logs a request that Node's parser refused. */
    logParserRefusal: ({ id, client, error: { status, message } }: RefusedConnection): void => {
      if (refusalLog.shouldLog(client ?? '', status))
        logger.info({ id, client, status, reason: message }, 'refused')
    },
    /** Logs a summary of the refusals that have no line of their own. */
    close: refusalLog.summarize,
  }
}

/** Refusals of one client, or of several, in the current window. */
type Tally = ReturnType<typeof newTally>

/** `unlogged`: how many refusals had no line of their own, by status. */
const newTally = () => ({ refusals: 0, unlogged: new Map<number, number>() })

/** Decides which refused requests get log lines of their own, and sums up the others. */
export const makeRefusalLog = (
  logger: Logger,
  bounds: Readonly<Record<keyof typeof REFUSAL_LOG_LIMITS, number>> = REFUSAL_LOG_LIMITS,
) => {
  const clients = new Map<string, Tally>()
  /** Of the clients beyond the first `bounds.clients`. */
  let otherClients = newTally()
  let lines = 0
  let startedAt = 0
  let timer: NodeJS.Timeout | undefined

  const tallyOf = (address: string): Tally => {
    const key = clientKey(address)
    if (clients.size >= bounds.clients && !clients.has(key)) return otherClients
    return getOrAdd(clients, key, newTally)
  }
  const startWindow = (): void => {
    startedAt = performance.now()
    timer = setTimeout(summarize, bounds.windowMs)
    timer.unref()
  }
  /** Logs a summary of the refusals since the last one. Runs by itself at the end of each window. */
  const summarize = (): void => {
    clearTimeout(timer)
    timer = undefined
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    logSummary(logger, [...clients], otherClients, { seconds, named: bounds.named })
    clients.clear()
    otherClients = newTally()
    lines = 0
  }
  return {
    /** Whether the caller should log the refusal. If not, the refusal is counted for the summary. */
    shouldLog: (client: string, status: number): boolean => {
      if (timer === undefined) startWindow()
      const tally = tallyOf(client)
      tally.refusals += 1
      if (tally.refusals <= bounds.perClient && lines < bounds.lines) {
        lines += 1
        return true
      }
      addUnlogged(tally, status, 1)
      return false
    },
    summarize,
  }
}

/** Logs one line for each of the `named` clients with the most refusals, and one for all others. */
const logSummary = (
  logger: Logger,
  clients: readonly [string, Tally][],
  otherClients: Tally,
  { seconds, named }: { seconds: number; named: number },
): void => {
  const unlogged = clients.filter(([, tally]) => tally.unlogged.size > 0)
  unlogged.sort(([, a], [, b]) => unloggedCount(b) - unloggedCount(a))
  for (const [client, { unlogged: statuses }] of unlogged.slice(0, named))
    logger.info({ client, statuses: Object.fromEntries(statuses), seconds }, 'more refused')
  const unnamed = unlogged.slice(named)
  for (const [, tally] of unnamed)
    for (const [status, count] of tally.unlogged) addUnlogged(otherClients, status, count)
  if (otherClients.unlogged.size > 0) {
    const statuses = Object.fromEntries(otherClients.unlogged)
    logger.info({ otherClients: unnamed.length, statuses, seconds }, 'more refused')
  }
}

const unloggedCount = ({ unlogged }: Tally) => [...unlogged.values()].reduce((sum, count) => sum + count, 0)

const addUnlogged = ({ unlogged }: Tally, status: number, count: number): void => {
  unlogged.set(status, (unlogged.get(status) ?? 0) + count)
}
