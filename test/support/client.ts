import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { checkResponse } from './openapi-check.ts'
import { until } from './until.ts'

export interface TestResponse {
  status: number
  headers: IncomingHttpHeaders
  /** The decompressed body. */
  text: string
  /** The parsed body, if it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  body: any
}

export interface CallOptions {
  method?: string
  headers?: Record<string, string>
}

export interface Client {
  /** Requests a path under `/api/v1` without normalizing it, and checks the response against openapi.json. */
  get(path: string, options?: CallOptions): Promise<TestResponse>
  /** Like `get`, but asks again while the service is too busy: a slow machine is no failure. */
  getServed(path: string): Promise<TestResponse>
  /** Requests any path of the listener. */
  call(path: string, options?: CallOptions): Promise<TestResponse>
  /**
   * Returns all items of a list, by following `next` as `parameter`. Fails if a part exceeds the limit, or if the list
   * does not end.
   * @param format changes `next` before it is sent; default: unchanged
   */
  walk(
    path: string,
    parameter: string,
    limit: number,
    format?: (next: string) => string,
    // biome-ignore lint/suspicious/noExplicitAny: see above
  ): Promise<any[]>
}

const decompress: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync }

/**
 * @param origin origin of the listener, for example `http://127.0.0.1:40123`
 * @param onResponse called with every response, including those of a walk
 */
export const makeClient = (origin: string, onResponse: (answer: TestResponse) => void = () => {}): Client => {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const { hostname, port } = new URL(origin)

  const call = (path: string, { method = 'GET', headers = {} }: CallOptions = {}) =>
    new Promise<TestResponse>((resolve, reject) => {
      const outgoing = request({ agent, hostname, port, path, method, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const bytes = Buffer.concat(chunks)
          const decode = decompress[response.headers['content-encoding'] ?? '']
          const text = (decode && bytes.length > 0 ? decode(bytes) : bytes).toString('utf8')
          const isJson = response.headers['content-type']?.startsWith('application/json') && text !== ''
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            text,
            body: isJson ? JSON.parse(text) : undefined,
          })
        })
      })
      outgoing.on('error', reject)
      outgoing.end()
    })

  const get = async (path: string, options: CallOptions = {}) => {
    const response = await call(`/api/v1${path}`, options)
    checkResponse(options.method ?? 'GET', path, response)
    // Lists are not always written by JSON.stringify. (D101)
    if (response.body?.items) expect(response.text).to.equal(JSON.stringify(response.body))
    onResponse(response)
    return response
  }

  const getServed = async (path: string): Promise<TestResponse> => {
    let response = await get(path)
    await until(`${path} is served`, async () => {
      if (response.status === 503) response = await get(path)
      return response.status !== 503
    })
    return response
  }

  const walk: Client['walk'] = async (path, parameter, limit, format = (next) => next) => {
    const items: unknown[] = []
    let next = ''
    do {
      const query = new URLSearchParams({
        limit: String(limit),
        ...(next === '' ? {} : { [parameter]: format(next) }),
      })
      const { body, status, text } = await getServed(`${path}${path.includes('?') ? '&' : '?'}${query}`)
      if (status !== 200) throw new Error(`${path} returned status ${status}: ${text}`)
      if (body.items.length > limit)
        throw new Error(`${path} returned ${body.items.length} items for limit ${limit}`)
      if (body.next !== '' && body.next === next) throw new Error(`${path} returned the cursor ${next} again`)
      items.push(...body.items)
      next = body.next
    } while (next !== '' && items.length < 100_000)
    return items
  }
  return { get, getServed, call, walk }
}
