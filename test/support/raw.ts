import { connect } from 'node:net'

export interface RawResponse {
  status: number
  /** By lower-case name. Repeated headers are joined with commas. */
  headers: Record<string, string>
  body: string
}

/** How long a server may keep a finished connection open, milliseconds. */
const TIMEOUT_MS = 60_000

/**
 * Sends bytes without the corrections of `node:http`, and waits until the server closes the connection. A valid request
 * needs `Connection: close`.
 * @param origin origin of the listener, for example `http://127.0.0.1:40123`
 * @param request a string is sent as Latin-1, one byte per character
 * @returns all responses
 */
export const exchange = (origin: string, request: string | Buffer): Promise<RawResponse[]> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin)
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname)
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('the server keeps the connection open')))
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error)
    })
    socket.on('close', () => resolve(readResponses(Buffer.concat(chunks))))
    socket.write(typeof request === 'string' ? Buffer.from(request, 'latin1') : request)
  })

/** The only response to a request. @throws Error when there is none, or more than one */
export const exchangeOne = async (origin: string, request: string | Buffer): Promise<RawResponse> => {
  const responses = await exchange(origin, request)
  if (responses.length !== 1) throw new Error(`${responses.length} responses instead of one`)
  return responses[0]!
}

const readResponses = (bytes: Buffer): RawResponse[] => {
  const responses: RawResponse[] = []
  let rest = bytes
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) throw new Error(`not HTTP: ${rest.toString('latin1').slice(0, 100)}`)
    const [statusLine = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n')
    const headers: Record<string, string> = {}
    for (const line of lines) {
      const at = line.indexOf(':')
      const name = line.slice(0, at).toLowerCase()
      const value = line.slice(at + 1).trim()
      headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
    }
    const length = Number(headers['content-length'] ?? 0)
    const body = rest.subarray(end + 4, end + 4 + length).toString('utf8')
    responses.push({ status: Number(statusLine.split(' ')[1]), headers, body })
    rest = rest.subarray(end + 4 + length)
  }
  return responses
}
