import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { until } from './until.ts'

/** One item of the list of changes, as tests need it. */
interface Item {
  type: string
  path: string
  locale: string
  title?: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read items of every shape
  [name: string]: any
}

export interface StreamEvent {
  event: string
  id: string
  item: Item
}

/** An open connection to a stream of server-sent events. */
export class EventStream {
  status = 0
  headers: IncomingHttpHeaders = {}
  text = ''
  isClosed = false
  readonly #request: ClientRequest
  #response: IncomingMessage | undefined
  #isPaused = false

  /** @param url of the stream, of which no certificate is verified @param headers besides `Accept` */
  constructor(url: string, headers: Record<string, string> = {}) {
    const options = { agent: false as const, headers: { Accept: 'text/event-stream', ...headers } }
    this.#request = url.startsWith('https:')
      ? httpsRequest(url, { ...options, rejectUnauthorized: false })
      : request(url, options)
    this.#request
      .on('error', () => {})
      .on('close', () => {
        this.isClosed = true
      })
    this.#request.on('response', (response) => {
      this.status = response.statusCode!
      this.headers = response.headers
      this.#response = response
      response.setEncoding('utf8').on('error', () => {})
      response.on('data', (text: string) => {
        this.text += text
      })
      if (this.#isPaused) response.pause()
    })
    this.#request.end()
  }

  /** Complete events so far. Fails if the text is not as WHATWG describes it. */
  get events(): StreamEvent[] {
    const blocks = this.text.split('\n\n').slice(0, -1)
    return blocks
      .filter((block) => !/^(:|retry: \d+(\nid: [\w-]+)?)$/.test(block))
      .map((block) => {
        const [, event, id, data] = /^event: (\w+)\nid: ([\w-]+)\ndata: (\{.*\})$/.exec(block) ?? []
        if (event === undefined) throw new Error(`not an event: ${block}`)
        return { event, id: id!, item: JSON.parse(data!) }
      })
  }

  /** Paths so far: `tea` for an upsert, `-tea` for an address that is gone. */
  get paths(): string[] {
    return this.events.map(({ event, item }) => (event === 'gone' ? `-${item.path}` : item.path))
  }

  async untilOpen(): Promise<this> {
    await until('the stream has begun', () => this.status !== 0 && this.text !== '')
    return this
  }

  async untilEvents(count: number): Promise<StreamEvent[]> {
    await until(`${count} events`, () => this.events.length >= count)
    return this.events
  }

  async untilClosed(): Promise<void> {
    await until('the stream has ended', () => this.isClosed)
  }

  /** Stops reading. */
  pause(): void {
    this.#isPaused = true
    this.#response?.pause()
  }

  resume(): void {
    this.#isPaused = false
    this.#response?.resume()
  }

  close(): void {
    this.#request.destroy()
  }
}
