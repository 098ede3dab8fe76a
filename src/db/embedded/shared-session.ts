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

/** The error that a reader gets before the migrations have created its role. */
export const READER_ROLE_MISSING = 'role "lectern_reader" does not exist: run `lectern migrate` first'

/** A client of the session. */
export interface SessionClient {
  /** Statements that give the session this client's role and settings. */
  readonly settings: string
  /** Whether its statements cannot change the settings, so that the next client with the same settings need not set them. */
  readonly isReader: boolean
}

/** How the session changes a reply before the client gets it. */
export interface ReplyRewrite {
  /** Types of messages to leave out. */
  omit?: string
  /** Replaces PostgreSQL's error. */
  error?: Buffer
}

interface QueueEntry {
  client: SessionClient
  run: () => Promise<void>
}

/** Messages of at least this length contain data, and not only a statement, bytes. */
const DATA_BYTES = 4096
const NO_SPACE = errorMessage(
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
 * The single session of PGlite. Entries of the queue run in order. While a client is in a transaction, or in a
 * pipeline without its Sync, the session is exclusive to it: only its entries run. The same applies to advisory locks of
 * the session, which PostgreSQL would grant to all clients: while one client holds a lock, the others wait.
 */
export class SharedSession {
  readonly #database: PGlite
  readonly #notify: (channel: string, notification: Buffer) => void
  readonly #hasSpace: () => boolean
  #queue: QueueEntry[] = []
  #isBusy = false
  #serving: Promise<void> = Promise.resolve()
  #exclusiveClient: SessionClient | null = null
  #status: TransactionStatus = 'I'
  /** Whether a client may hold an advisory lock. Checked after a batch that names one, until there is none. */
  #isLocked = false
  #hasServedReader = false
  /** The client whose settings are in force. */
  #lastClient: SessionClient | null = null

  constructor(
    database: PGlite,
    notify: (channel: string, notification: Buffer) => void,
    hasSpace: () => boolean,
  ) {
    this.#database = database
    this.#notify = notify
    this.#hasSpace = hasSpace
  }

  /** Whether the session has served a reader, so that the role exists. */
  get hasServedReader(): boolean {
    return this.#hasServedReader
  }

  /** State of the client's transaction, for a reply that does not come from PostgreSQL. */
  transactionStatusOf(client: SessionClient): TransactionStatus {
    return this.#exclusiveClient === client ? this.#status : 'I'
  }

  /** Whether only entries of this client run now, for example because it is in a transaction. */
  isExclusiveTo(client: SessionClient): boolean {
    return this.#exclusiveClient === client
  }

  /** Adds an entry to the queue. An exception ends the thread; errors of SQL are replies, not exceptions. */
  enqueue(client: SessionClient, run: () => Promise<void>): void {
    this.#queue.push({ client, run })
    if (!this.#isBusy) this.#serving = this.#serve()
  }

  /**
   * Sends messages to PostgreSQL, within an entry of the queue. When the session cannot take the client's role, the
   * reply is that error.
   * @param prelude a Parse that the messages need: another client may have replaced it since
   * @returns the reply
   */
  async exchange(
    client: SessionClient,
    messages: Buffer,
    rewrite: ReplyRewrite = {},
    prelude: Buffer | null = null,
  ): Promise<Buffer> {
    if (this.#exclusiveClient !== client) {
      const error = await this.#assumeRole(client)
      if (error) return error
      if (prelude !== null) await this.#send(Buffer.concat([prelude, syncMessage]))
    }
    if (this.#isOutOfSpace(client, messages)) {
      const end = messages.subarray(-flushMessage.length).equals(flushMessage) ? flushMessage : syncMessage
      return this.exchange(client, failingQuery(end), { error: NO_SPACE })
    }
    const reply = await this.#send(messages, rewrite)
    if (reply.status === null && !messages.subarray(-flushMessage.length).equals(flushMessage)) {
      throw new Error('PostgreSQL stopped without a reply') // for example at the end of the stack
    }
    this.#status = reply.status ?? 'T'
    this.#isLocked ||= messages.includes('advisory')
    if (this.#status === 'I' && this.#isLocked) {
      this.#isLocked = (await this.#send(LOCKS)).bytes.includes('SELECT 1\0')
    }
    this.#exclusiveClient = this.#status === 'I' && !this.#isLocked ? null : client
    this.#hasServedReader ||= client.isReader
    return reply.bytes
  }

  /** Makes the next entry set its client's settings again. */
  forgetSettings(): void {
    this.#lastClient = null
  }

  /** Removes the entries of a client that has left, rolls back its transaction, and closes its prepared statements. */
  removeClient(client: SessionClient, statements: Iterable<string>): void {
    this.#queue = this.#queue.filter((entry) => entry.client !== client)
    this.enqueue(client, async () => {
      if (this.#exclusiveClient === client) {
        await this.#send(ROLLBACK)
        this.#exclusiveClient = null
        this.#isLocked = false
      }
      await this.close(statements)
    })
  }

  /** Resolves when no entry is left that could run. */
  drained(): Promise<void> {
    return this.#serving
  }

  /** Closes prepared statements, within an entry of the queue. */
  async close(statements: Iterable<string>): Promise<void> {
    const messages = [...statements].map(closeStatement)
    if (messages.length > 0) await this.#send(Buffer.concat([...messages, syncMessage]))
  }

  /**
   * Whether a transaction writes data that the disk has no space for. PostgreSQL ends when there is no space for its
   * log, and then nobody can read. If the transaction fails first, readers are not affected. (D83)
   */
  #isOutOfSpace(client: SessionClient, messages: Buffer): boolean {
    const isWriting = !client.isReader && this.#exclusiveClient === client && this.#status === 'T'
    return isWriting && messages.length >= DATA_BYTES && !this.#hasSpace()
  }

  async #serve(): Promise<void> {
    this.#isBusy = true
    for (let entry = this.#next(); entry; entry = this.#next()) await entry.run()
    this.#isBusy = false
  }

  #next(): QueueEntry | undefined {
    const at = this.#exclusiveClient
      ? this.#queue.findIndex((entry) => entry.client === this.#exclusiveClient)
      : 0
    return at < 0 ? undefined : this.#queue.splice(at, 1)[0]
  }

  async #assumeRole(client: SessionClient): Promise<Buffer | null> {
    if (this.#lastClient === client || (client.isReader && this.#lastClient?.settings === client.settings))
      return null
    const reply = await this.#send(queryMessage(client.settings))
    this.#lastClient = reply.isError ? null : client
    if (!reply.isError) return null
    return Buffer.concat([errorMessage('ERROR', '28000', READER_ROLE_MISSING), readyForQuery('I')])
  }

  async #send(messages: Buffer, rewrite: ReplyRewrite = {}): Promise<Reply> {
    const chunks: Buffer[] = []
    await this.#database.execProtocolRawStream(messages, {
      syncToFs: false,
      onRawData: (bytes) => chunks.push(Buffer.from(bytes)),
    })
    return this.#read(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks), rewrite)
  }

  #read(reply: Buffer, { omit = '', error }: ReplyRewrite): Reply {
    const parts: Buffer[] = []
    let copiedTo = 0
    let status: TransactionStatus | null = null
    let isError = false
    for (let at = 0, end = 0; at < reply.length; at = end) {
      end = at + 1 + reply.readInt32BE(at + 1)
      const type = String.fromCharCode(reply[at]!)
      let replacement: Buffer | null = null
      if (type === 'Z') status = String.fromCharCode(reply[at + 5]!) as TransactionStatus
      if (type === 'A') {
        const channel = reply.toString('utf8', at + 9, reply.indexOf(0, at + 9))
        this.#notify(channel, Buffer.from(reply.subarray(at, end)))
      } else if (type === 'E') {
        isError = true
        replacement = error ?? null
      }
      if (type === 'A' || omit.includes(type) || replacement) {
        parts.push(reply.subarray(copiedTo, at))
        if (replacement) parts.push(replacement)
        copiedTo = end
      }
    }
    const bytes = copiedTo === 0 ? reply : Buffer.concat([...parts, reply.subarray(copiedTo)])
    return { bytes, status, isError }
  }
}

interface Reply {
  bytes: Buffer
  /** Null after a Flush, which does not end a batch. */
  status: TransactionStatus | null
  isError: boolean
}
