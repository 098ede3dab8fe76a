import type { Logger } from 'pino'
import { LOG_LIMITS } from '../limits.ts'
import { truncate } from '../wiki/text.ts'
import type { Exchange } from './exchange.ts'
import type { RefusedConnection } from './parser-errors.ts'
import { makeRefusalLog } from './refusal-log.ts'

interface RequestLog {
  /** Logs the request when its response is sent, or its connection is closed. */
  logOnClose(exchange: Exchange): void
  /** Logs a request that Node's parser refused. */
  logParserRefusal(refused: RefusedConnection): void
  /** Logs a summary of the refusals that have no line of their own. */
  close(): void
}

/** Statuses of requests that the service refuses because there are too many of them. */
const REFUSAL_STATUSES = new Set([429, 503])

/** One line for each request, at level `info`; refusals are sampled. (D78) */
export const makeRequestLog = (logger: Logger): RequestLog => {
  if (!logger.isLevelEnabled('info')) return { logOnClose() {}, logParserRefusal() {}, close() {} }
  const refusalLog = makeRefusalLog(logger)
  return {
    logOnClose: (exchange) => {
      const { request, response, id, clientAddress: client, startedAt } = exchange
      const { method, url } = request
      response.once('close', () => {
        const status = response.statusCode
        const isRefusal = exchange.isOverLimit || REFUSAL_STATUSES.has(status)
        if (isRefusal && !refusalLog.shouldLog(client, status)) return
        const ms = Math.round((performance.now() - startedAt) * 10) / 10
        const cut = response.writableFinished ? {} : { cut: true }
        logger.info(
          { id, client, method, url: truncate(url!, LOG_LIMITS.addressLength), status, ms, ...cut },
          'request',
        )
      })
    },
    logParserRefusal: ({ id, client, error: { status, message } }) => {
      if (refusalLog.shouldLog(client ?? '', status))
        logger.info({ id, client, status, reason: message }, 'refused')
    },
    close: refusalLog.summarize,
  }
}
