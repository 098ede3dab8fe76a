/** An event of a stream, as WHATWG's HTML describes it. */
export interface StreamEvent {
  /** The last `id` so far; empty if there was none. */
  id: string
  data: string
}

/** Reads server-sent events from bytes that come in parts. */
export class EventReader {
  /** What `retry` said last, milliseconds. */
  retry: number | undefined
  readonly #decoder = new TextDecoder()
  /** The line whose end has not come. */
  #rest = ''
  #id = ''
  #data: string[] = []

  /** @returns the events that are complete now */
  read(bytes: Uint8Array): StreamEvent[] {
    const text = this.#rest + this.#decoder.decode(bytes, { stream: true })
    // A CR at the end can be half of a line break.
    const lines = text.split(/\r\n|\n|\r(?!$)/)
    this.#rest = lines.pop()!
    return lines.flatMap((line) => this.#readLine(line))
  }

  #readLine(line: string): StreamEvent[] {
    if (line === '') return this.#end()
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!
    if (name === 'data') this.#data.push(value)
    else if (name === 'id' && !value.includes('\0')) this.#id = value
    else if (name === 'retry' && /^\d{1,9}$/.test(value)) this.retry = Number(value)
    return []
  }

  #end(): StreamEvent[] {
    const data = this.#data.join('\n')
    this.#data = []
    return data === '' ? [] : [{ id: this.#id, data }]
  }
}
