import { createServer, type ServerResponse } from 'node:http'
import { readConfig } from '../../src/config.ts'

/**
 * The limit: node:http with ready bytes. Each answer is fetched from Lectern the first time that it is asked
 * for, its headers too, and is then sent without another thought. BENCH_ORIGIN says where Lectern is.
 */
interface Ready {
  status: number
  /** Names and values in turn, as `writeHead` takes them fastest. */
  headers: string[]
  body: Buffer
}

const config = readConfig()
const origin = process.env.BENCH_ORIGIN!
const ready = new Map<string, Ready>()

/** What Node's server adds by itself. */
const OWN_HEADERS = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

const fetchReady = async (url: string, ifNoneMatch: string): Promise<Ready> => {
  const answer = await fetch(origin + url, {
    headers: { 'Accept-Encoding': 'identity', ...(ifNoneMatch ? { 'If-None-Match': ifNoneMatch } : {}) },
  })
  return {
    status: answer.status,
    headers: [...answer.headers].filter(([name]) => !OWN_HEADERS.has(name)).flat(),
    body: Buffer.from(await answer.arrayBuffer()),
  }
}

const send = (response: ServerResponse, { status, headers, body }: Ready): void => {
  response.writeHead(status, headers).end(status === 304 ? undefined : body)
}

createServer((request, response) => {
  const ifNoneMatch = request.headers['if-none-match'] ?? ''
  const key = ifNoneMatch === '' ? request.url! : `${request.url} ${ifNoneMatch}`
  const found = ready.get(key)
  if (found) return send(response, found)
  fetchReady(request.url!, ifNoneMatch).then(
    (made) => {
      ready.set(key, made)
      send(response, made)
    },
    () => response.destroy(),
  )
}).listen(config.port, config.host!)
