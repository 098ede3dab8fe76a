import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { PublicError, UsageError } from '@lectern/wiki/errors'
import { truncate } from '@lectern/wiki/text'
import { type LoggerOptions, pino, stdSerializers, stdTimeFunctions } from 'pino'
import { LOG_LIMITS } from '../limits/service.ts'
import { makeLineWriter, standardStream } from './line-writer.ts'

export type Log = Awaited<ReturnType<typeof openLog>>

/**
 * The log on standard output, with RFC 3339 times and names of levels, and text for the operator on standard error.
 * @param format `json` is one object per line; `pretty` is for people; `auto` is pretty on a terminal
 */
export const openLog = async (level: string, format: 'auto' | 'json' | 'pretty') => {
  const reportLoss = (lost: number): void =>
    lossLogger.warn({ lost }, 'Log lines were dropped: they could not be written')
  const streams = [standardStream(1), standardStream(2)] as const
  const output = makeLineWriter(streams[0].fd, reportLoss)
  const errors = makeLineWriter(streams[1].fd, () => {})
  const logger = pino({ level, ...LINE_FORMAT }, { write: await writerOf(format, output.write) })
  const lossLogger = logger.child({}, { level: 'warn' })
  process.on('exit', () => {
    output.flushSync()
    errors.flushSync()
  })
  return {
    logger,
    /** Log lines that were dropped since the start because they could not be written. */
    dropped: (): number => output.dropped,
    /** Prints text for the operator on standard error, unless LOG_FORMAT is `json`. It does not wait for the reader either. */
    say: (text: string): void => (format === 'json' ? undefined : errors.write(`${text}\n`)),
    /** How to start a child process that writes to the same log. */
    childStdio: ['inherit' as const, ...streams.map(({ ofChildren }) => ofChildren), 'ipc' as const],
    /** Writes the lines of such a child, where it has pipes to this process. */
    relay: ({ stdout, stderr }: ChildProcess): void => {
      if (stdout) relayLines(stdout, output.write)
      if (stderr) relayLines(stderr, errors.write)
    },
  }
}

/** Unlike `readline` of newer versions of Node, it ends no line at U+2028, which JSON leaves as it is. */
const relayLines = (stream: Readable, write: (line: string) => void): void => {
  let rest = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    for (const line of lines) write(`${line}\n`)
  })
  stream.on('end', () => rest !== '' && write(`${rest}\n`))
}

const writerOf = async (format: 'auto' | 'json' | 'pretty', write: (line: string) => void) => {
  if (format === 'json' || (format === 'auto' && !process.stdout.isTTY)) return write
  const { makePrettyFormat } = await import('./pretty.ts')
  const toText = makePrettyFormat(process.stdout.hasColors?.() ?? false)
  return (line: string) => write(toText(line))
}

const isExplained = (error: Error & { code?: unknown }): boolean =>
  error instanceof UsageError ||
  'syscall' in error ||
  /^57P|^Connection terminated/.test(`${error.code ?? error.message}`)

/**
 * pino's own format of an error, with its texts cut: a message may quote what a client or an author wrote. An error whose
 * message is for clients stands for its cause. An error that the operator can fix, of the system, or of a database that
 * ends (57P…) has no stack: its message says all.
 */
export const serializeError = (error: unknown, toText = (text: string) => text): unknown => {
  if (!(error instanceof Error)) return error
  if (error instanceof PublicError && error.cause !== undefined) return serializeError(error.cause, toText)
  const { stack, ...fields } = stdSerializers.err(error)
  const cut = (value: unknown) =>
    typeof value === 'string' ? truncate(toText(value), LOG_LIMITS.textLength) : value
  const told = Object.entries(isExplained(error) ? fields : { ...fields, stack })
  return Object.fromEntries(told.map(([name, value]) => [name, cut(value)]))
}

export const LINE_FORMAT: LoggerOptions = {
  serializers: { err: serializeError },
  formatters: { level: (name) => ({ level: name }) },
  timestamp: stdTimeFunctions.isoTime,
}
