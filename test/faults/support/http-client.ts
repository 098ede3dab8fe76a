import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:http2'
import { request as httpsRequest } from 'node:https'

export interface Request {
  port: number
  /** Whether to speak TLS. Certificates are not verified. */
  tls: boolean
  path: string
  headers?: Record<string, string>
  /** The address of this machine that the request comes from, such as 127.0.0.2. */
  from?: string
}

export interface Response {
  status: number
  headers: IncomingHttpHeaders
  /** As it was sent, not decompressed. */
  body: Buffer
}

/** Sends one request over HTTP/1.1 to 127.0.0.1, on a connection of its own. */
export const sendHttp1 = ({ port, tls, path, headers, from }: Request): Promise<Response> =>
  new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, headers, localAddress: from, agent: false as const }
    const request = tls ? httpsRequest({ ...options, rejectUnauthorized: false }) : httpRequest(options)
    request.once('error', reject)
    request.setTimeout(120_000, () => request.destroy(new Error(`no response for ${path}`)))
    request.once('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
      )
    })
    request.end()
  })

/** Sends one request over HTTP/2 and TLS. @returns the status. @throws Error if the server does not offer HTTP/2 */
export const sendHttp2 = (port: number, path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
    session.once('error', reject)
    const stream = session.request({ ':path': path })
    stream.once('error', reject)
    stream.once('response', (headers) => resolve(headers[':status']!))
    stream.once('end', () => session.close())
    stream.resume()
    stream.end()
  })

/** A stream of events over HTTP/2 and TLS. */
export interface Http2Stream {
  /** What came so far. */
  text(): string
  isEnded(): boolean
  close(): void
}

/** Opens one on 127.0.0.1. */
export const openHttp2Stream = (port: number, path: string): Http2Stream => {
  const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
  let text = ''
  let isEnded = false
  const end = () => {
    isEnded = true
  }
  session.on('error', end)
  const stream = session.request({ ':path': path, accept: 'text/event-stream' })
  stream.on('error', end).on('end', end).setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    text += chunk
  })
  return { text: () => text, isEnded: () => isEnded, close: () => session.destroy() }
}
