import { type Logger, pino, stdSerializers } from 'pino'
import { LOG_LIMITS } from '../limits.ts'
import { truncate } from '../wiki/text.ts'
import { standardStream } from './descriptor.ts'
import { makeLineWriter } from './line-writer.ts'

export interface Log {
  logger: Logger
  /** Lines that could not be written since the start. */
  dropped(): number
  /** Prints text for a person at the terminal on standard error; it waits for nobody either. */
  say(text: string): void
}

/** The log on standard output, a JSON object a line, and what a person should read on standard error. (D77) */
export const openLog = (level: string): Log => {
  const told = (lost: number): void =>
    always.warn({ lost }, 'Log lines were dropped: they could not be written')
  const log = makeLineWriter(standardStream(1), told)
  const errors = makeLineWriter(standardStream(2), () => {})
  const logger = pino({ level, serializers: { err: shortError } }, { write: log.write })
  const always = logger.child({}, { level: 'warn' })
  process.on('exit', () => {
    log.flushSync()
    errors.flushSync()
  })
  return { logger, dropped: () => log.dropped, say: (text) => errors.write(`${text}\n`) }
}

/** As pino writes an error, with its texts cut: a message may quote what a client or an author wrote. */
const shortError = (error: unknown): unknown =>
  error instanceof Error
    ? Object.fromEntries(
        Object.entries(stdSerializers.err(error)).map(([name, value]) => [
          name,
          typeof value === 'string' ? truncate(value, LOG_LIMITS.textLength) : value,
        ]),
      )
    : error
