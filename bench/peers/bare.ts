import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { readConfig } from '../../src/config.ts'

/**
 * The upper limit: node:http that sends stored bytes. The server reads each response, with its headers, from Lectern
 * at the first request, and sends the stored copy from then on. BENCH_ORIGIN is the origin of Lectern.
 */
interface StoredResponse {
  status: number
  /** Names and values in alternation, as Lectern sends them: node:http takes longer for names in upper case. */
  headers: string[]
  body: Buffer
}

const config = readConfig()
const origin = process.env.BENCH_ORIGIN!
const responses = new Map<string, StoredResponse>()

/** Headers that Node's HTTP server adds itself. */
const NODE_HEADERS = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

const readFromLectern = async (url: string, ifNoneMatch: string): Promise<StoredResponse> => {
  const request = get(origin + url, { headers: ifNoneMatch ? { 'If-None-Match': ifNoneMatch } : {} })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const { statusCode, rawHeaders } = response
  return {
    status: statusCode!,
    headers: rawHeaders.filter((_, i) => !NODE_HEADERS.has(rawHeaders[i - (i % 2)]!.toLowerCase())),
    body: await buffer(response),
  }
}

const send = (response: ServerResponse, { status, headers, body }: StoredResponse): void => {
  response.writeHead(status, headers).end(status === 304 ? undefined : body)
}

createServer((request, response) => {
  const ifNoneMatch = request.headers['if-none-match'] ?? ''
  const key = ifNoneMatch === '' ? request.url! : `${request.url} ${ifNoneMatch}`
  const stored = responses.get(key)
  if (stored) return send(response, stored)
  readFromLectern(request.url!, ifNoneMatch).then(
    (fetched) => {
      responses.set(key, fetched)
      send(response, fetched)
    },
    () => response.destroy(),
  )
}).listen(config.port, config.host!)
