import { endOfText, withText } from './messages.ts'

/** The prepared statements of one client, and those that its next batch needs. */
export class PreparedStatements {
  readonly #clientId: number
  /** By the client's names: the names in PostgreSQL, which no other client uses, and the Parse messages. */
  readonly #statements = new Map<string, { name: string; parse: Buffer }>()
  #count = 0
  #parsed: string[] = []
  #used = new Map<string, Buffer>()

  constructor(clientId: number) {
    this.#clientId = clientId
  }

  /** Names in PostgreSQL. */
  names(): string[] {
    return [...this.#statements.values()].map(({ name }) => name)
  }

  clear(): void {
    this.#statements.clear()
  }

  /** @param parse Parse of a statement with a name. @returns the message with the name in PostgreSQL */
  add(parse: Buffer): Buffer {
    const clientName = parse.toString('utf8', 5, endOfText(parse, 5))
    const name = this.#statements.get(clientName)?.name ?? `${this.#clientId}_${++this.#count}`
    const renamed = withText(parse, 5, name)
    this.#statements.set(clientName, { name, parse: renamed })
    this.#parsed.push(name)
    return renamed
  }

  /** @returns the message, which names a statement at `from`, with the name in PostgreSQL */
  use(message: Buffer, from: number): Buffer {
    const statement = this.#statements.get(message.toString('utf8', from, endOfText(message, from)))
    if (statement && !this.#parsed.includes(statement.name)) this.#used.set(statement.name, statement.parse)
    return withText(message, from, statement?.name ?? `${this.#clientId}_none`)
  }

  /** @param clientName the name of a statement that the client closes */
  delete(clientName: string): void {
    this.#statements.delete(clientName)
  }

  /** What the batch that ends here parses, and what it uses without having parsed it. */
  takeBatch(): { parsed: string[]; used: Map<string, Buffer> } {
    const batch = { parsed: this.#parsed, used: this.#used }
    this.#parsed = []
    this.#used = new Map()
    return batch
  }
}
