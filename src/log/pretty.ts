import pinoPretty, { type PrettyOptions } from 'pino-pretty'

/** Fields of a request's line that its message has. */
const REQUEST_FIELDS = ['method', 'url', 'status', 'ms', 'client', 'id', 'bytes', 'agent']

const text = (value: unknown): string => (value === undefined ? '' : String(value))

/** `GET /api/v1/pages 200, 3.1 ms, 192.0.2.1`, and the message alone of other lines. */
const messageFormat: PrettyOptions['messageFormat'] = (line, messageKey) => {
  const message = text(line[messageKey])
  if (message !== 'request') return message
  return `${text(line.method)} ${text(line.url)} ${text(line.status)}, ${text(line.ms)} ms, ${text(line.client)}`
}

/** @returns a function that turns a line of the log, as JSON, into text for a person at a terminal */
export const makePrettyFormat = (useColors: boolean): ((line: string) => string) => {
  const options = { colorize: useColors, singleLine: true, translateTime: 'SYS:HH:MM:ss', messageFormat }
  const other = pinoPretty.prettyFactory({ ...options, ignore: 'pid,hostname' })
  const request = pinoPretty.prettyFactory({
    ...options,
    ignore: ['pid', 'hostname', ...REQUEST_FIELDS].join(),
  })
  return (line) => (line.includes('"msg":"request"') ? request(line) : other(line))
}
