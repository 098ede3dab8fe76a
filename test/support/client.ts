import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { checkResponse } from './openapi-check.ts'

export interface TestResponse {
  status: number
  headers: IncomingHttpHeaders
  /** As it was sent, decompressed. */
  text: string
  /** Parsed, where it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any
}

export interface CallOptions {
  method?: string
  headers?: Record<string, string>
}

export interface Client {
  /** Calls an address under `/api/v1` just as it is written, and holds the answer to openapi.json. */
  get(path: string, options?: CallOptions): Promise<TestResponse>
  /** Calls any address of the listener. */
  call(path: string, options?: CallOptions): Promise<TestResponse>
  /**
   * Items of a list, walked to its end by `next` as `parameter`; fails on a part over the limit, or a walk without end.
   * @param written how the client writes what it read as `next`; as it is unless said
   */
  walk(
    path: string,
    parameter: string,
    limit: number,
    written?: (next: string) => string,
    // biome-ignore lint/suspicious/noExplicitAny: see above
  ): Promise<any[]>
}

const decompress: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync }

/**
 * @param origin the listener's, such as `http://127.0.0.1:40123`
 * @param onResponse sees every answer, those within a walk too
 */
export const makeClient = (origin: string, onResponse: (answer: TestResponse) => void = () => {}): Client => {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const { hostname, port } = new URL(origin)

  const call = (path: string, { method = 'GET', headers = {} }: CallOptions = {}) =>
    new Promise<TestResponse>((resolve, reject) => {
      const sent = request({ agent, hostname, port, path, method, headers }, (response) => {
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
      sent.on('error', reject)
      sent.end()
    })

  const get = async (path: string, options: CallOptions = {}) => {
    const answer = await call(`/api/v1${path}`, options)
    checkResponse(options.method ?? 'GET', path, answer)
    onResponse(answer)
    return answer
  }

  const walk: Client['walk'] = async (path, parameter, limit, written = (next) => next) => {
    const items: unknown[] = []
    let next = ''
    do {
      const query = new URLSearchParams({
        limit: String(limit),
        ...(next === '' ? {} : { [parameter]: written(next) }),
      })
      const { body, status, text } = await get(`${path}${path.includes('?') ? '&' : '?'}${query}`)
      if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`)
      if (body.items.length > limit)
        throw new Error(`${path} answered ${body.items.length} items for limit ${limit}`)
      if (body.next !== '' && body.next === next) throw new Error(`${path} does not get on from ${next}`)
      items.push(...body.items)
      next = body.next
    } while (next !== '' && items.length < 100_000)
    return items
  }
  return { get, call, walk }
}
