import pg from 'pg'

/** What `pg` has of a connection; its types leave this out. */
interface ProtocolConnection {
  /** The text of each statement that is prepared, and of each that is being prepared, by name. */
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
  parse(statement: { name?: string; text: string }): void
  bind(portal: { statement?: string; values: unknown[] }): void
  execute(portal: Record<string, never>): void
}

/** What `pg` calls of a query; its types leave this out. */
interface ProtocolQuery extends pg.Submittable {
  name?: string
  text: string
  requiresPreparation(): boolean
  hasBeenParsed(connection: ProtocolConnection): boolean
  prepare(connection: ProtocolConnection): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: ProtocolConnection): void
}

type Callback = (error: Error | undefined, result: pg.QueryResult) => void

const Query = pg.Query as unknown as new (config: pg.QueryConfig, callback: Callback) => ProtocolQuery

const SET_TIMEOUT = {
  name: 'set_timeout',
  text: "select pg_catalog.set_config('statement_timeout', $1, true)",
}

/**
 * A statement with a timeout of its own. PostgreSQL executes everything up to the next Sync message in one transaction, so one
 * round trip sets the timeout and executes the statement, and a pooler keeps both together. (D120)
 * @see https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
export class TimedQuery extends Query {
  readonly #timeoutMs: number
  #isTimeoutSet = false

  /** @param callback gets the result of the statement */
  constructor(config: pg.QueryConfig, timeoutMs: number, callback: Callback) {
    super(config, callback)
    this.#timeoutMs = timeoutMs
  }

  /** As opposed to a simple query, which has no parameters. */
  override requiresPreparation(): boolean {
    return true
  }

  override prepare(connection: ProtocolConnection): void {
    const name = this.name === undefined ? undefined : SET_TIMEOUT.name
    // `pg` takes the first reply for that of this statement.
    if (this.name !== undefined && !this.hasBeenParsed(connection)) {
      connection.parse({ name: this.name, text: this.text })
      connection.submittedNamedStatements[this.name] = this.text
    }
    if (name === undefined || connection.parsedStatements[name] === undefined)
      connection.parse({ name, text: SET_TIMEOUT.text })
    connection.bind({ statement: name, values: [String(this.#timeoutMs)] })
    connection.execute({})
    super.prepare(connection)
  }

  override handleDataRow(message: unknown): void {
    if (this.#isTimeoutSet) super.handleDataRow(message)
  }

  override handleCommandComplete(message: unknown, connection: ProtocolConnection): void {
    if (this.#isTimeoutSet) {
      super.handleCommandComplete(message, connection)
      return
    }
    this.#isTimeoutSet = true
    if (this.name !== undefined) connection.parsedStatements[SET_TIMEOUT.name] = SET_TIMEOUT.text
  }
}
