import { connect } from 'node:net'

export interface RawAnswer {
  status: number
  /** By lower-case name; a repeated one is joined with commas. */
  headers: Record<string, string>
  body: string
}

/** How long a server may keep a connection open that should be over, milliseconds. */
const PATIENCE = 8_000

/**
 * Sends bytes as they are, for what `node:http` would put right, and waits until the server closes the
 * connection: a request that is in order needs `Connection: close`.
 * @param origin the listener's, such as `http://127.0.0.1:40123`
 * @param request text is sent as Latin-1, one byte a character
 * @returns every answer that came
 */
export const exchange = (origin: string, request: string | Buffer): Promise<RawAnswer[]> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin)
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname)
    socket.setTimeout(PATIENCE, () => socket.destroy(new Error('the server keeps the connection open')))
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error)
    })
    socket.on('close', () => resolve(readAnswers(Buffer.concat(chunks))))
    socket.write(typeof request === 'string' ? Buffer.from(request, 'latin1') : request)
  })

/** The only answer to a request. @throws Error when there is none, or more than one */
export const exchangeOne = async (origin: string, request: string | Buffer): Promise<RawAnswer> => {
  const answers = await exchange(origin, request)
  if (answers.length !== 1) throw new Error(`${answers.length} answers instead of one`)
  return answers[0]!
}

const readAnswers = (bytes: Buffer): RawAnswer[] => {
  const answers: RawAnswer[] = []
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
    answers.push({ status: Number(statusLine.split(' ')[1]), headers, body })
    rest = rest.subarray(end + 4 + length)
  }
  return answers
}
