import type { PGlite } from '@electric-sql/pglite'
import { EMBEDDED_RESERVE_BYTES } from '../../limits.ts'
import {
  closeStatement,
  errorMessage,
  failingQuery,
  flushMessage,
  queryMessage,
  readyForQuery,
  syncMessage,
  type TransactionStatus,
} from './messages.ts'

/** What a reader is told before the migrations have made its role. */
export const READER_ROLE_MISSING = 'role "lectern_reader" does not exist: run `lectern migrate` first'

/** One that takes turns at the session. */
export interface SessionClient {
  /** Statements that give the session this client's role and settings. */
  readonly settings: string
  /** Whether its statements cannot change the settings, so that the next of the same settings need not set them. */
  readonly isReader: boolean
}

/** How a reply is changed on its way to the client. */
export interface ReplyRewrite {
  /** Types of messages left out. */
  omit?: string
  /** Takes the place of PostgreSQL's error. */
  error?: Buffer
}

interface QueueEntry {
  client: SessionClient
  run: () => Promise<void>
}

/** Messages of that length bring data, and not only a statement, bytes. */
const DATA_BYTES = 4096
const NO_ROOM = errorMessage(
  'ERROR',
  '53100',
  `less than ${EMBEDDED_RESERVE_BYTES / 1024 ** 2} MB are free on the disk of the embedded database`,
)
const ROLLBACK = Buffer.concat([
  syncMessage,
  queryMessage('rollback'),
  queryMessage('select pg_catalog.pg_advisory_unlock_all()'),
])
const LOCKS = queryMessage("select from pg_catalog.pg_locks where locktype = 'advisory' limit 1")

/**
 * The one session of PGlite. Turns come in the order they were asked for, but once a transaction (or a
 * pipeline without its Sync) is open, only its client's turns come until it ends. The same goes for advisory
 * locks of a session, which PostgreSQL would grant to all of us: who has one keeps the others waiting.
 */
export class SharedSession {
  readonly #database: PGlite
  readonly #notify: (channel: string, notification: Buffer) => void
  readonly #hasRoom: () => boolean
  #turns: QueueEntry[] = []
  #isBusy = false
  #served: Promise<void> = Promise.resolve()
  #holder: SessionClient | null = null
  #status: TransactionStatus = 'I'
  /** Whether an advisory lock may be held: looked up when a batch has named one, until there is none. */
  #isLocked = false
  #readerIsKnown = false
  /** Whose settings are in force. */
  #last: SessionClient | null = null

  constructor(
    database: PGlite,
    notify: (channel: string, notification: Buffer) => void,
    hasRoom: () => boolean,
  ) {
    this.#database = database
    this.#notify = notify
    this.#hasRoom = hasRoom
  }

  /** Whether a client of the reader's role has been served: that it exists need not be found out again. */
  get readerIsKnown(): boolean {
    return this.#readerIsKnown
  }

  /** State of the client's transaction, for a reply that PostgreSQL has no part in. */
  transactionStatusOf(client: SessionClient): TransactionStatus {
    return this.#holder === client ? this.#status : 'I'
  }

  /** Whether only this client's turns come for now: it is in a transaction, say. */
  isHeldBy(client: SessionClient): boolean {
    return this.#holder === client
  }

  /** Asks for a turn. What it throws ends the worker: errors of SQL are no exceptions here. */
  enqueue(client: SessionClient, run: () => Promise<void>): void {
    this.#turns.push({ client, run })
    if (!this.#isBusy) this.#served = this.#serve()
  }

  /**
   * Messages to PostgreSQL within a turn, and its reply. When the client's role cannot be taken, that error
   * is the reply.
   * @param before what these messages build on (a Parse), sent first since another client may have run in between
   */
  async exchange(
    client: SessionClient,
    messages: Buffer,
    edit: ReplyRewrite = {},
    before: Buffer | null = null,
  ): Promise<Buffer> {
    if (this.#holder !== client) {
      const error = await this.#enter(client)
      if (error) return error
      if (before !== null) await this.#send(Buffer.concat([before, syncMessage]))
    }
    if (this.#isTooMuch(client, messages)) {
      const end = messages.subarray(-flushMessage.length).equals(flushMessage) ? flushMessage : syncMessage
      return this.exchange(client, failingQuery(end), { error: NO_ROOM })
    }
    const reply = await this.#send(messages, edit)
    if (reply.status === null && !messages.subarray(-flushMessage.length).equals(flushMessage)) {
      throw new Error('PostgreSQL broke off without an answer') // such as the end of the stack
    }
    this.#status = reply.status ?? 'T'
    this.#isLocked ||= messages.includes('advisory')
    if (this.#status === 'I' && this.#isLocked) {
      this.#isLocked = (await this.#send(LOCKS)).bytes.includes('SELECT 1\0')
    }
    this.#holder = this.#status === 'I' && !this.#isLocked ? null : client
    this.#readerIsKnown ||= client.isReader
    return reply.bytes
  }

  /** Makes the next turn set its settings anew. */
  forgetSettings(): void {
    this.#last = null
  }

  /** The client is gone: its turns are dropped, its transaction is rolled back, its statements are closed. */
  removeClient(client: SessionClient, statements: Iterable<string>): void {
    this.#turns = this.#turns.filter((turn) => turn.client !== client)
    this.enqueue(client, async () => {
      if (this.#holder === client) {
        await this.#send(ROLLBACK)
        this.#holder = null
        this.#isLocked = false
      }
      await this.close(statements)
    })
  }

  /** Resolves when no turn is left that could be taken. */
  drained(): Promise<void> {
    return this.#served
  }

  /** Closes prepared statements, within a turn. */
  async close(statements: Iterable<string>): Promise<void> {
    const messages = [...statements].map(closeStatement)
    if (messages.length > 0) await this.#send(Buffer.concat([...messages, syncMessage]))
  }

  /**
   * Whether a transaction brings data that the disk has no room for. PostgreSQL ends when its log finds none, and
   * then nobody can read; ending the transaction before leaves the readers theirs. (D83)
   */
  #isTooMuch(client: SessionClient, messages: Buffer): boolean {
    const brings = !client.isReader && this.#holder === client && this.#status === 'T'
    return brings && messages.length >= DATA_BYTES && !this.#hasRoom()
  }

  async #serve(): Promise<void> {
    this.#isBusy = true
    for (let turn = this.#next(); turn; turn = this.#next()) await turn.run()
    this.#isBusy = false
  }

  #next(): QueueEntry | undefined {
    const at = this.#holder ? this.#turns.findIndex((turn) => turn.client === this.#holder) : 0
    return at < 0 ? undefined : this.#turns.splice(at, 1)[0]
  }

  async #enter(client: SessionClient): Promise<Buffer | null> {
    if (this.#last === client || (client.isReader && this.#last?.settings === client.settings)) return null
    const reply = await this.#send(queryMessage(client.settings))
    this.#last = reply.failed ? null : client
    if (!reply.failed) return null
    return Buffer.concat([errorMessage('ERROR', '28000', READER_ROLE_MISSING), readyForQuery('I')])
  }

  async #send(messages: Buffer, edit: ReplyRewrite = {}): Promise<Reply> {
    const chunks: Buffer[] = []
    await this.#database.execProtocolRawStream(messages, {
      syncToFs: false,
      onRawData: (bytes) => chunks.push(Buffer.from(bytes)),
    })
    return this.#read(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks), edit)
  }

  #read(reply: Buffer, { omit = '', error }: ReplyRewrite): Reply {
    const kept: Buffer[] = []
    let keptTo = 0
    let status: TransactionStatus | null = null
    let failed = false
    for (let at = 0, end = 0; at < reply.length; at = end) {
      end = at + 1 + reply.readInt32BE(at + 1)
      const type = String.fromCharCode(reply[at]!)
      let replacement: Buffer | null = null
      if (type === 'Z') status = String.fromCharCode(reply[at + 5]!) as TransactionStatus
      if (type === 'A') {
        const channel = reply.toString('utf8', at + 9, reply.indexOf(0, at + 9))
        this.#notify(channel, Buffer.from(reply.subarray(at, end)))
      } else if (type === 'E') {
        failed = true
        replacement = error ?? null
      }
      if (type === 'A' || omit.includes(type) || replacement) {
        kept.push(reply.subarray(keptTo, at))
        if (replacement) kept.push(replacement)
        keptTo = end
      }
    }
    const bytes = keptTo === 0 ? reply : Buffer.concat([...kept, reply.subarray(keptTo)])
    return { bytes, status, failed }
  }
}

interface Reply {
  bytes: Buffer
  /** Absent after a Flush, which ends nothing. */
  status: TransactionStatus | null
  failed: boolean
}
