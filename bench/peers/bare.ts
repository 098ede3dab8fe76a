import { createServer, type ServerResponse } from 'node:http'
import { readConfig } from '../../src/config.ts'

/**
 * The upper limit: node:http that sends stored bytes. The server fetches each response, with its headers, from Lectern
 * at the first request, and sends the stored copy from then on. BENCH_ORIGIN is the origin of Lectern.
 */
interface StoredResponse {
  status: number
  /** Names and values in alternation, the fastest form for `writeHead`. */
  headers: string[]
  body: Buffer
}

const config = readConfig()
const origin = process.env.BENCH_ORIGIN!
const responses = new Map<string, StoredResponse>()

/** Headers that Node's HTTP server adds itself. */
const NODE_HEADERS = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

const fetchFromLectern = async (url: string, ifNoneMatch: string): Promise<StoredResponse> => {
  const fetched = await fetch(origin + url, {
    headers: { 'Accept-Encoding': 'identity', ...(ifNoneMatch ? { 'If-None-Match': ifNoneMatch } : {}) },
  })
  return {
    status: fetched.status,
    headers: [...fetched.headers].filter(([name]) => !NODE_HEADERS.has(name)).flat(),
    body: Buffer.from(await fetched.arrayBuffer()),
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
  fetchFromLectern(request.url!, ifNoneMatch).then(
    (fetched) => {
      responses.set(key, fetched)
      send(response, fetched)
    },
    () => response.destroy(),
  )
}).listen(config.port, config.host!)
