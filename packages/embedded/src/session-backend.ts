import {
  closeStatement,
  errorMessage,
  firstValue,
  ownQuery,
  queryMessage,
  type Reply,
  type ReplyRewrite,
  readReply,
  readyForQuery,
  syncMessage,
} from './messages.ts'

/** The error that a reader gets before the migrations have created its role. */
export const READER_ROLE_MISSING = 'role "lectern_reader" does not exist: run `lectern migrate` first'

/** Sends messages to an instance of PGlite. @throws SessionLost when it has ended */
export type SendMessages = (messages: Buffer) => Promise<Buffer>

/** Passes a notification on to the clients that listen. */
type Notify = (channel: string, notification: Buffer) => void

/** The instance has ended. Another one can run what it has not replied to. */
export class SessionLost extends Error {}

/** Messages of a client that no other client's messages may come between. */
export interface Batch {
  messages: Buffer
  /** A Parse of the unnamed statement that the messages need: another client may have replaced it since. */
  prelude?: Buffer | null
  /** Names of the statements that the messages parse. */
  parsed?: readonly string[]
  /** The Parse of each other statement that they use, by its name: the instance may not have it yet. */
  used?: ReadonlyMap<string, Buffer>
}

/** A client of the embedded database. */
export interface SessionClient {
  /** Statements that give the session this client's role and settings. */
  readonly settings: string
  /** Whether its statements cannot change the settings, so that the next client with the same settings need not set them. */
  readonly isReader: boolean
  /** Ends the client's connection with a FATAL error. */
  end(code: string, message: string): void
}

/** The bridge itself as a client: for its own statements, and to close those of clients that have left. */
export const BRIDGE: SessionClient = {
  settings: 'reset all; set session authorization postgres',
  isReader: true,
  end: () => {},
}

const ROLLBACK = Buffer.concat([
  syncMessage,
  queryMessage('rollback'),
  queryMessage('select pg_catalog.pg_advisory_unlock_all()'),
])
const LOCKS = "select 1 from pg_catalog.pg_locks where locktype = 'advisory' limit 1"

/** An instance of PGlite: which client's settings are in force in its session, and which statements it has prepared. */
export class SessionBackend {
  readonly #sendMessages: SendMessages
  readonly #notify: Notify
  readonly #prepared = new Set<string>()
  /** The client whose settings are in force. */
  #lastClient: SessionClient | null = null

  constructor(sendMessages: SendMessages, notify: Notify = () => {}) {
    this.#sendMessages = sendMessages
    this.#notify = notify
  }

  /** Makes the next client set its settings again. */
  forgetSettings(): void {
    this.#lastClient = null
  }

  /** Sets the client's role and settings. @returns the reply to its batch if that fails */
  async assumeRole(client: SessionClient): Promise<Buffer | null> {
    if (this.#lastClient === client || (client.isReader && this.#lastClient?.settings === client.settings))
      return null
    const reply = await this.#run(queryMessage(client.settings))
    this.#lastClient = reply.isError ? null : client
    if (!reply.isError) return null
    return Buffer.concat([errorMessage('ERROR', '28000', READER_ROLE_MISSING), readyForQuery('I')])
  }

  /** Sends what a batch needs before it: nobody but its client may be in a transaction. */
  async sendPrelude(prelude: Buffer): Promise<void> {
    await this.#run(Buffer.concat([prelude, syncMessage]))
  }

  /** Sends a batch, and first prepares the statements that the instance lacks. The caller delivers the notifications. */
  async sendBatch({ messages, parsed = [], used }: Batch, rewrite: ReplyRewrite): Promise<Reply> {
    const missing = [...(used ?? [])].filter(([name]) => !this.#prepared.has(name))
    const preparations = missing.flatMap(([name, parse]) => [closeStatement(name), parse])
    const bytes = preparations.length > 0 ? Buffer.concat([...preparations, messages]) : messages
    const reply = readReply(await this.#sendMessages(bytes), rewrite, missing.length)
    // After an error it is unknown which of them exist: the next batch that uses one prepares it again.
    for (const name of [...parsed, ...missing.map(([missed]) => missed)]) {
      if (reply.isError) this.#prepared.delete(name)
      else this.#prepared.add(name)
    }
    return reply
  }

  deliver({ notifications }: Reply): void {
    for (const { channel, bytes } of notifications) this.#notify(channel, bytes)
  }

  /** Closes those of the statements that are prepared. */
  async close(statements: Iterable<string>): Promise<void> {
    const names = [...statements].filter((name) => this.#prepared.delete(name))
    if (names.length > 0) await this.#run(Buffer.concat([...names.map(closeStatement), syncMessage]))
  }

  async rollback(): Promise<void> {
    await this.#run(ROLLBACK)
  }

  /** Whether the session holds an advisory lock. */
  async hasLock(): Promise<boolean> {
    return (await this.runOwn(LOCKS)) !== null
  }

  /**
   * Runs a statement of the bridge, also within a client's transaction: it touches no statement or portal of the client.
   * @returns the first column of the first row, as text
   */
  async runOwn(sql: string): Promise<string | null> {
    const { bytes, isError } = await this.#run(ownQuery(sql))
    if (isError) throw new Error(`The embedded database refused: ${sql}`)
    return firstValue(bytes)
  }

  async #run(messages: Buffer): Promise<Reply> {
    const reply = readReply(await this.#sendMessages(messages), {})
    this.deliver(reply)
    return reply
  }
}
