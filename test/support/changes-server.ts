import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a request meets instead of a response; `none`: nothing, it gets its response. */
export type Disturbance =
  | 'none'
  | 'busy'
  | 'limited'
  | 'defect'
  | 'reset'
  | 'half'
  | 'cut'
  | 'garbage'
  | 'portal'
  | 'missing'
  | 'silence'

/** A page of the stand-in, at its last change. */
interface Row {
  path: string
  locale: string
  markdown: string | undefined
  order: number
}

/** A server that answers `GET /changes` as Lectern does, from memory, and disturbs its clients. */
export interface ChangesServer {
  /** The URL of the API. */
  api: string
  put(path: string, markdown: string, locale?: string): void
  remove(path: string, locale?: string): void
  /** What a mirror must have: `locale path` and the Markdown. */
  pages(): Map<string, string>
  /** The database becomes another one, which knows no cursor of before. */
  restore(): void
  /** What the next requests meet, in this order. */
  disturb(...disturbances: Disturbance[]): void
  /** The requests so far; `at` is in milliseconds. */
  requests: { at: number; query: URLSearchParams; headers: IncomingMessage['headers'] }[]
  /** Answers requests for the stream. Without it, the list is the answer to them too, as of an older service. */
  onStream?: (response: ServerResponse) => void
  /** Called with each request. */
  onRequest?: () => void
  /** Header `RateLimit` of the next response. */
  rateLimit?: string
  /** Seconds in `Retry-After` of refusals. */
  retryAfter: string
  close(): Promise<void>
}

const TIME = '2024-05-01T12:00:00.000000Z'

export const startChangesServer = async (): Promise<ChangesServer> => {
  let rows = new Map<string, Row>()
  let order = 0
  let generation = 1
  const waiting: Disturbance[] = []

  const itemOf = ({ path, locale, markdown }: Row) => {
    const page = { path, locale, ns: 'main', changed_at: TIME }
    if (markdown === undefined) return { type: 'gone', ...page }
    const revision = { id: '11111111-1111-4111-8111-111111111111', created_at: TIME, author: { name: 'Ada' } }
    return { type: 'upsert', ...page, title: path, url: `https://wiki.example/${path}`, revision, markdown }
  }
  const answer = (query: URLSearchParams) => {
    const [of, after] = (query.get('after') ?? `${generation}-0`).split('-').map(Number)
    if (of !== generation)
      return { status: 400, body: { error: { code: 'bad_parameter', message: 'after: unknown cursor' } } }
    const limit = Number(query.get('limit') ?? 50)
    const found = [...rows.values()]
      .filter((row) => row.order > after! && (query.has('after') || row.markdown !== undefined))
      .sort((a, b) => a.order - b.order)
    const items = found.slice(0, limit)
    const cursor = `${generation}-${items.at(-1)?.order ?? after}`
    return {
      status: 200,
      body: { items: items.map(itemOf), next: found.length > limit ? cursor : '', cursor },
    }
  }
  const change = (path: string, locale: string, markdown: string | undefined) => {
    order += 1
    rows.set(`${locale} ${path}`, { path, locale, markdown, order })
  }
  const server = createServer((request, response) => {
    const { searchParams: query } = new URL(request.url!, 'http://localhost')
    started.requests.push({ at: performance.now(), query, headers: request.headers })
    started.onRequest?.()
    if (started.onStream && request.headers.accept === 'text/event-stream') {
      started.onStream(response)
      return
    }
    const { status, body } = answer(query)
    respond(response, status, JSON.stringify(body), waiting.shift())
  })
  const respond = (response: ServerResponse, status: number, text: string, disturbance?: Disturbance) => {
    const json = { 'Content-Type': 'application/json' }
    const refuse = (status: number) =>
      response
        .writeHead(status, { ...json, 'Retry-After': started.retryAfter })
        .end('{"error":{"code":"x","message":"x"}}')
    const half = text.slice(0, text.length / 2)
    if (disturbance === 'silence') return
    if (disturbance === 'busy') refuse(503)
    else if (disturbance === 'limited') refuse(429)
    else if (disturbance === 'defect') response.writeHead(500).end('<h1>Bad gateway</h1>')
    else if (disturbance === 'reset') response.destroy()
    else if (disturbance === 'missing') response.writeHead(404).end('<h1>Not found</h1>')
    else if (disturbance === 'portal') response.writeHead(200).end('<h1>Please log in</h1>')
    else if (disturbance === 'garbage') response.writeHead(200, json).end('{"items":[],"next":""}')
    else if (disturbance === 'half') {
      response.writeHead(200, { ...json, 'Content-Length': Buffer.byteLength(text) })
      response.write(half, () => response.destroy())
    } else if (disturbance === 'cut') response.writeHead(200, { ...json, Connection: 'close' }).end(half)
    else {
      const limit = started.rateLimit
      delete started.rateLimit
      response.writeHead(status, { ...json, ...(limit && { RateLimit: limit }) }).end(text)
    }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const started: ChangesServer = {
    api: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
    put: (path, markdown, locale = 'en') => change(path, locale, markdown),
    remove: (path, locale = 'en') => change(path, locale, undefined),
    pages: () =>
      new Map(
        [...rows.values()].flatMap(({ path, locale, markdown }) =>
          markdown === undefined ? [] : [[`${locale} ${path}`, markdown]],
        ),
      ),
    restore: () => {
      generation += 1
      rows = new Map([...rows].filter(([, { markdown }]) => markdown !== undefined))
    },
    disturb: (...disturbances) => waiting.push(...disturbances),
    requests: [],
    retryAfter: '1',
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return started
}
