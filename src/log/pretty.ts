import pinoPretty, { type PrettyOptions } from 'pino-pretty'

/** Fields of a request's line that its message has. */
const REQUEST_FIELDS = ['method', 'url', 'status', 'ms', 'client', 'id', 'bytes', 'agent']

const text = (value: unknown): string => (value === undefined ? '' : String(value))

/** `GET /api/v1/pages 200, 3.1 ms, 192.0.2.1`; of other lines, the message, and that of an error without a stack. */
const messageFormat: PrettyOptions['messageFormat'] = (line, messageKey) => {
  const message = text(line[messageKey])
  const { message: cause, stack } = (line.err ?? {}) as Partial<Error>
  if (message !== 'request') return cause && !stack ? `${message}. ${cause}` : message
  return `${text(line.method)} ${text(line.url)} ${text(line.status)}, ${text(line.ms)} ms, ${text(line.client)}`
}

/** @returns a function that turns a line of the log, as JSON, into text for a person at a terminal */
export const makePrettyFormat = (useColors: boolean): ((line: string) => string) => {
  const options = { colorize: useColors, singleLine: true, translateTime: 'SYS:HH:MM:ss', messageFormat }
  const formatWithout = (...names: string[]) =>
    pinoPretty.prettyFactory({ ...options, ignore: ['pid', 'hostname', ...names].join() })
  const formats = [formatWithout(...REQUEST_FIELDS), formatWithout(), formatWithout('err')]
  return (line) => formats[line.includes('"msg":"request"') ? 0 : line.includes('"stack":') ? 1 : 2]!(line)
}
