import { noSpaceError } from './classify-statement.ts'
import {
  failingQuery,
  flushMessage,
  type ReplyRewrite,
  syncMessage,
  type TransactionStatus,
} from './messages.ts'
import {
  type Batch,
  BRIDGE,
  type SendMessages,
  SessionBackend,
  type SessionClient,
  SessionLost,
} from './session-backend.ts'

/** Messages of at least this length contain data, and not only a statement, bytes. */
const DATA_BYTES = 4096

/** Runs a statement of the bridge between those of clients. @returns the first column of the first row, as text */
export type RunOwn = (sql: string) => Promise<string | null>

/** Messages of a client, or a reply to it, that wait for the session. */
export interface QueueEntry {
  client: SessionClient
  /** Whether the entry must run in the session that writes. */
  isPinned?: boolean
  run(session: SharedSession): Promise<void>
}

/** What a session tells the bridge, and asks it. A session of readers needs little of it. */
interface SessionEvents {
  notify?(channel: string, notification: Buffer): void
  /** Whether the disk has space for what the owner writes. */
  hasSpace?(): boolean
  /** A client announced a long transaction. It may begin when the promise resolves. */
  onAnnouncement?(runOwn: RunOwn): Promise<void>
  /** After `reportLongWait`, when the transaction is between two batches. It goes on when the promise resolves. */
  onLongWait?(runOwn: RunOwn): Promise<void>
  /** The owner has committed or rolled back. Called before any client learns of it. */
  onTransactionEnd?(): void
  /** Called after each entry. */
  onEntryDone?(): void
  /** @param entry the one that ran when the instance was lost: it has not been replied to */
  onLost(error: SessionLost, entry: QueueEntry): void
}

/**
 * The single session of an instance of PGlite. While a client is in a transaction, or in a pipeline without its Sync,
 * the session is exclusive to it: only its entries run. The same applies to advisory locks of the session, which
 * PostgreSQL would grant to all clients: while one client holds a lock, the others wait.
 */
export class SharedSession {
  readonly #backend: SessionBackend
  readonly #events: SessionEvents
  readonly queue = new SessionQueue()
  #running: SessionClient | null = null
  #serving: Promise<void> = Promise.resolve()
  #isServing = false
  /** Whether the session has served a reader, so that the role exists. */
  hasServedReader = false
  #status: TransactionStatus = 'I'
  /** Whether the last batch ended with a Sync, so that the bridge may send statements of its own. */
  #isSynced = true
  /** Whether a client may hold an advisory lock. Checked after a batch that names one, until there is none. */
  #isLocked = false
  #isLongWait = false

  constructor(sendMessages: SendMessages, events: SessionEvents) {
    this.#backend = new SessionBackend(sendMessages, events.notify)
    this.#events = events
  }

  /** Whether a client other than a reader is in a transaction. */
  get isInOwnersTransaction(): boolean {
    return this.#status === 'T' && this.queue.exclusiveClient?.isReader === false
  }

  get isRunning(): boolean {
    return this.#running !== null
  }

  /** Whether nothing runs or waits, and no client is in a transaction. */
  get isIdle(): boolean {
    return !this.isRunning && this.queue.isEmpty && this.queue.exclusiveClient === null
  }

  /** State of the client's transaction, for a reply that does not come from PostgreSQL. */
  transactionStatusOf(client: SessionClient): TransactionStatus {
    return this.isExclusiveTo(client) ? this.#status : 'I'
  }

  /** Whether only entries of this client run now, for example because it is in a transaction. */
  isExclusiveTo(client: SessionClient): boolean {
    return this.queue.exclusiveClient === client
  }

  /** Whether the client is in a transaction here, or an entry of it waits or runs: no other session may serve it now. */
  isBoundTo(client: SessionClient): boolean {
    return this.#running === client || this.isExclusiveTo(client) || this.queue.has(client)
  }

  /** Adds an entry to the queue. An exception ends the thread; errors of SQL are replies, not exceptions. */
  enqueue(entry: QueueEntry, options?: { isFirst: boolean }): void {
    this.queue.add(entry, options)
    this.#resume()
  }

  /** Takes out the waiting entries of readers that another session may serve. */
  takeReaders(): QueueEntry[] {
    return this.queue.take(
      (client) => client.isReader && client !== this.#running && !this.isExclusiveTo(client),
    )
  }

  /** Announces a long transaction of a client, within an entry of it. */
  announce(client: SessionClient): void {
    const announcement = { client, mayBegin: false }
    this.queue.announcement = announcement
    const runOwn: RunOwn = (sql) =>
      new Promise((resolve, reject) => {
        const run = async () => {
          await this.#backend.assumeRole(BRIDGE)
          await this.#backend.runOwn(sql).then(resolve, reject)
        }
        this.enqueue({ client: BRIDGE, isPinned: true, run })
      })
    void Promise.resolve(this.#events.onAnnouncement?.(runOwn)).then(() => {
      announcement.mayBegin = true
      this.#resume()
    })
  }

  /** Readers have waited long for the transaction of an owner. */
  reportLongWait(): void {
    this.#isLongWait = true
    this.#resume()
  }

  /**
   * Sends messages to PostgreSQL, within an entry of the queue. When the session cannot take the client's role, the
   * reply is that error.
   * @returns the reply
   */
  async exchange(client: SessionClient, batch: Batch, rewrite: ReplyRewrite = {}): Promise<Buffer> {
    const { messages } = batch
    if (!this.isExclusiveTo(client)) {
      const error = await this.#backend.assumeRole(client)
      if (error) return error
      if (batch.prelude) await this.#backend.sendPrelude(batch.prelude)
    }
    const isFlush = messages.subarray(-flushMessage.length).equals(flushMessage)
    if (this.#isOutOfSpace(client, messages)) {
      const failing = failingQuery(isFlush ? flushMessage : syncMessage)
      return this.exchange(client, { messages: failing }, { error: noSpaceError })
    }
    const reply = await this.#backend.sendBatch(batch, rewrite)
    // For example at the end of the stack.
    if (reply.status === null && !isFlush) throw new SessionLost('PostgreSQL stopped without a reply')
    this.#status = reply.status ?? 'T'
    this.#isSynced = reply.status !== null
    this.#isLocked ||= messages.includes('advisory')
    if (this.#status === 'I' && this.#isLocked) this.#isLocked = await this.#backend.hasLock()
    this.queue.exclusiveClient = this.#status === 'I' && !this.#isLocked ? null : client
    this.hasServedReader ||= client.isReader
    if (!client.isReader && (this.#status === 'I' || reply.hasCommitted)) this.#endTransaction(client)
    this.#backend.deliver(reply)
    return reply.bytes
  }

  /** Makes the next entry set its client's settings again. */
  forgetSettings(): void {
    this.#backend.forgetSettings()
  }

  /** Removes the entries of a client that has left, rolls back its transaction, and closes its prepared statements. */
  removeClient(client: SessionClient, statements: Iterable<string>): void {
    this.queue.remove(client)
    const run = async () => {
      if (this.isExclusiveTo(client)) {
        await this.#backend.rollback()
        this.#status = 'I'
        this.#isLocked = false
        this.queue.exclusiveClient = null
      }
      if (!client.isReader) this.#endTransaction(client)
      await this.#backend.close(statements)
    }
    if (this.queue.announcement?.client === client) this.queue.announcement.mayBegin = true
    this.enqueue({ client, isPinned: true, run })
  }

  /** Closes prepared statements when no client is in a transaction. */
  close(statements: readonly string[]): void {
    if (statements.length === 0) return
    this.enqueue({ client: BRIDGE, isPinned: true, run: () => this.#backend.close(statements) })
  }

  /** Resolves when no entry is left that could run. */
  drained(): Promise<void> {
    return this.#serving
  }

  #endTransaction(client: SessionClient): void {
    if (this.queue.announcement?.client === client) this.queue.announcement = null
    this.#isLongWait = false
    this.#events.onTransactionEnd?.()
  }

  /**
   * Whether a transaction writes data that the disk has no space for. PostgreSQL ends when there is no space for its
   * log, and then nobody can read. If the transaction fails first, readers are not affected. (D48)
   */
  #isOutOfSpace(client: SessionClient, messages: Buffer): boolean {
    const isWriting = !client.isReader && this.isExclusiveTo(client) && this.#status === 'T'
    return isWriting && messages.length >= DATA_BYTES && this.#events.hasSpace?.() === false
  }

  #resume(): void {
    if (!this.#isServing) this.#serving = this.#serve()
  }

  async #serve(): Promise<void> {
    this.#isServing = true
    for (;;) {
      if (this.#isLongWait && this.#isSynced && this.isInOwnersTransaction) {
        this.#isLongWait = false
        await this.#events.onLongWait?.((sql) => this.#backend.runOwn(sql))
      }
      const entry = this.queue.next()
      if (!entry) break
      this.#running = entry.client
      const lost = await entry.run(this).catch((error: unknown) => {
        if (error instanceof SessionLost) return error
        throw error
      })
      this.#running = null
      if (lost) return this.#events.onLost(lost, entry)
      this.#events.onEntryDone?.()
    }
    this.#isServing = false
  }
}

/**
 * Entries that wait for a session. They run in order, with two exceptions:
 * - While the session is exclusive to a client, only its entries run.
 * - After a client has announced a long transaction, only readers' entries run; when it may begin, its own too.
 */
class SessionQueue {
  exclusiveClient: SessionClient | null = null
  #entries: QueueEntry[] = []
  readonly #addedAt = new WeakMap<QueueEntry, number>()
  /** The client that announced a long transaction, until this has ended. */
  announcement: { client: SessionClient; mayBegin: boolean } | null = null

  get isEmpty(): boolean {
    return this.#entries.length === 0
  }

  has(client: SessionClient): boolean {
    return this.#entries.some((entry) => entry.client === client)
  }

  add(entry: QueueEntry, { isFirst = false } = {}): void {
    this.#addedAt.set(entry, performance.now())
    if (isFirst) this.#entries.unshift(entry)
    else this.#entries.push(entry)
  }

  /** How long a reader's entry waits already, milliseconds; null when none waits. */
  readersWait(): number | null {
    const first = this.#entries.find(({ client, isPinned }) => client.isReader && !isPinned)
    return first ? performance.now() - this.#addedAt.get(first)! : null
  }

  /** Takes the first entry that may run. */
  next(): QueueEntry | undefined {
    const at = this.#entries.findIndex(({ client }) => this.#mayRun(client))
    return at < 0 ? undefined : this.#entries.splice(at, 1)[0]
  }

  /** Takes out the entries of each client that `isWanted` accepts and that has no pinned entry. */
  take(isWanted: (client: SessionClient) => boolean): QueueEntry[] {
    const pinned = new Set(this.#entries.filter(({ isPinned }) => isPinned).map(({ client }) => client))
    const taken = this.#entries.filter(({ client }) => isWanted(client) && !pinned.has(client))
    this.#entries = this.#entries.filter((entry) => !taken.includes(entry))
    return taken
  }

  remove(client: SessionClient): void {
    this.#entries = this.#entries.filter((entry) => entry.client !== client)
  }

  #mayRun(client: SessionClient): boolean {
    if (this.exclusiveClient !== null) return client === this.exclusiveClient
    if (this.announcement === null) return true
    return client === this.announcement.client ? this.announcement.mayBegin : client.isReader
  }
}
