import { expect } from 'chai'
import { EventStream } from './event-stream.ts'

const bytesOf = (cursor: string): Buffer => Buffer.from(cursor, 'base64url')

/** `moved_to` is looked up when a change is read, and can be another one later. */
const withoutMove = (item: object) => ({ ...item, moved_to: undefined })

/** A client of the stream of changes, which keeps the last change of each address, and goes on with its cursor. */
export class StreamClient {
  readonly query: string
  readonly #urlOf: (query: string) => string
  readonly #seen = new Map<string, object>()
  #last = ''
  #applied = 0
  #stream: EventStream

  /** @param urlOf of the stream of such a query @param query empty, or it begins with `?` */
  constructor(urlOf: (query: string) => string, query: string) {
    this.query = query
    this.#urlOf = urlOf
    this.#stream = new EventStream(urlOf(query))
  }

  /** Takes what came. Fails if a change comes twice, or before an earlier one. */
  apply(): void {
    for (const { id, item } of this.#stream.events.slice(this.#applied)) {
      expect(Buffer.compare(bytesOf(id), bytesOf(this.#last)), 'order').to.equal(1)
      this.#last = id
      this.#applied += 1
      this.#seen.set(`${item.locale} ${item.path}`, withoutMove(item))
    }
  }

  /** Loses its connection, and opens another one. */
  reconnect(): void {
    this.close()
    this.apply()
    this.#applied = 0
    const headers: Record<string, string> = this.#last === '' ? {} : { 'Last-Event-ID': this.#last }
    this.#stream = new EventStream(this.#urlOf(this.query), headers)
  }

  /** Whether it has what a list says from the beginning. @throws AssertionError if not */
  has(items: readonly object[]): true {
    // A service may refuse a stream while it is busy, or be away.
    if (this.#stream.isClosed) this.reconnect()
    this.apply()
    expect([...this.#seen.values()]).to.have.deep.members(items.map(withoutMove))
    return true
  }

  close(): void {
    this.#stream.close()
  }
}
