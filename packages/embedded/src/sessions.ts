import type { ReaderCopy } from './instance.ts'
import type { SendMessages, SessionClient } from './session-backend.ts'
import { type QueueEntry, type RunOwn, SharedSession } from './shared-session.ts'

/**
 * How long a reader waits for a transaction that nobody announced before the bridge copies the database, milliseconds:
 * about as long as it then waits for the copy. So most transactions that change a few pages need no copy.
 */
const LONG_WAIT_MS = 500
const WATCH_MS = 100

export interface SessionsOptions {
  send: SendMessages
  notify(channel: string, notification: Buffer): void
  /** Channels that the database listens on from its start. */
  channels: readonly string[]
  hasSpace(): boolean
  /** Whether readers are connected. */
  hasReaders(): boolean
  openCopy(runOwn: RunOwn, signal: AbortSignal): Promise<ReaderCopy>
  /** Called when readers have to wait for a transaction, because there is no copy. */
  onNoCopy(reason: string): void
}

/**
 * The sessions of an embedded database: the one that everybody uses, and another one that serves readers from a copy
 * while a long transaction has the first. (D96)
 *
 * ```
 * together --a client announces a long transaction------------------> copying   (readers go on; nobody else does)
 * together --a reader has waited LONG_WAIT_MS for a transaction-----> copying   (the transaction waits too)
 * copying  --the copy is open---------------------------------------> apart     (readers have moved to the copy)
 * copying  --the copy fails-----------------------------------------> together  (once for each transaction)
 * apart    --the transaction commits or rolls back, or the copy ends> together  (readers have moved back)
 * ```
 *
 * A reader in a transaction of its own stays in its session until that transaction ends.
 */
export class Sessions {
  readonly #options: SessionsOptions
  readonly #main: SharedSession
  /** The session that readers use now. */
  #readers: SharedSession
  readonly #copies = new Map<SharedSession, ReaderCopy>()
  readonly #closing = new Set<Promise<void>>()
  /** Whether a copy was asked for since the last transaction ended. */
  #hasTried = false
  #opening: Promise<void> = Promise.resolve()
  #transactionEnd = new AbortController()
  #timer: NodeJS.Timeout | undefined

  constructor(options: SessionsOptions) {
    this.#options = options
    this.#main = new SharedSession(options.send, {
      notify: options.notify,
      hasSpace: options.hasSpace,
      onAnnouncement: async (runOwn) => {
        if (options.hasReaders()) await this.#moveOnce(runOwn)
      },
      onLongWait: (runOwn) => this.#moveOnce(runOwn),
      onTransactionEnd: () => this.#moveReadersBack(),
      onLost: (error) => {
        throw error
      },
    })
    this.#readers = this.#main
  }

  /** Whether a reader was served, so that the role exists. */
  get hasServedReader(): boolean {
    return this.#main.hasServedReader || this.#readers.hasServedReader
  }

  /** Whether the client is in a transaction. */
  isExclusiveTo(client: SessionClient): boolean {
    return this.#all().some((session) => session.isExclusiveTo(client))
  }

  isListening(channel: string): boolean {
    return this.#options.channels.includes(channel)
  }

  /** Adds an entry to the queue of the client's session. The entries of a client run in order. */
  enqueue(entry: QueueEntry): void {
    const { client } = entry
    const bound = this.#all().find((session) => session.isBoundTo(client))
    if (!client.isReader || (entry.isPinned && !bound)) this.#main.enqueue(entry)
    else if (entry.isPinned && bound !== this.#main && !bound?.isExclusiveTo(client)) {
      bound?.enqueue({ client, run: async () => this.#main.enqueue(entry) })
    } else (bound ?? this.#readers).enqueue(entry)
    if (client.isReader) this.#watchWait()
  }

  /** Closes prepared statements in every session. */
  closeStatements(statements: readonly string[]): void {
    for (const session of this.#all()) session.close(statements)
  }

  removeClient(client: SessionClient, statements: readonly string[]): void {
    for (const session of this.#all()) session.removeClient(client, statements)
  }

  /** Resolves when nothing runs any more, and all copies are removed. */
  async drained(): Promise<void> {
    await this.#main.drained()
    clearTimeout(this.#timer)
    this.#transactionEnd.abort()
    await this.#opening
    for (const session of this.#copies.keys()) this.#close(session)
    await Promise.all(this.#closing)
  }

  #all(): SharedSession[] {
    return [this.#main, ...this.#copies.keys()]
  }

  /** Notices readers that wait long, with one timer for all of them. */
  #watchWait(): void {
    const waited = this.#main.queue.readersWait()
    if (waited === null || this.#readers !== this.#main || this.#hasTried) return
    if (waited >= LONG_WAIT_MS && this.#main.isInOwnersTransaction) this.#main.reportLongWait()
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined
        this.#watchWait()
      },
      Math.max(WATCH_MS, LONG_WAIT_MS - waited),
    )
  }

  async #moveOnce(runOwn: RunOwn): Promise<void> {
    if (this.#hasTried) return
    this.#hasTried = true
    this.#opening = this.#moveReaders(runOwn)
    await this.#opening
  }

  async #moveReaders(runOwn: RunOwn): Promise<void> {
    const { signal } = this.#transactionEnd
    let copy: ReaderCopy
    try {
      copy = await this.#options.openCopy(runOwn, signal)
    } catch (error) {
      if (!signal.aborted) this.#options.onNoCopy((error as Error).message)
      return
    }
    const session = this.#makeCopySession(copy)
    if (signal.aborted) this.#close(session)
    else {
      this.#readers = session
      for (const entry of this.#main.takeReaders()) session.enqueue(entry)
    }
  }

  #makeCopySession(copy: ReaderCopy): SharedSession {
    const session: SharedSession = new SharedSession(copy.send, {
      onEntryDone: () => this.#retire(session),
      onLost: (_, entry) => this.#replace(session, entry),
    })
    this.#copies.set(session, copy)
    void copy.ended.then(() => this.#replace(session))
    return session
  }

  #moveReadersBack(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#hasTried = false
    this.#transactionEnd.abort()
    this.#transactionEnd = new AbortController()
    const session = this.#readers
    this.#readers = this.#main
    this.#retire(session)
  }

  /** Moves readers out of a copy that is no longer in use, and closes it when the last reader's transaction has ended. */
  #retire(session: SharedSession): void {
    if (session === this.#readers) return
    for (const entry of session.takeReaders()) this.#main.enqueue(entry)
    if (session.isIdle) this.#close(session)
  }

  #close(session: SharedSession): void {
    const copy = this.#copies.get(session)
    if (!copy) return
    this.#copies.delete(session)
    const closed = copy.close().finally(() => this.#closing.delete(closed))
    this.#closing.add(closed)
  }

  /**
   * The copy has ended by itself: readers wait for the transaction.
   * @param running the entry that ran, when it has failed
   */
  #replace(session: SharedSession, running?: QueueEntry): void {
    if (!this.#copies.has(session)) return
    const message = 'the copy of the embedded database has ended'
    if (session === this.#readers) {
      this.#options.onNoCopy(message)
      this.#readers = this.#main
    }
    if (session.isRunning) return // its client's next entries must not overtake the one that runs
    if (running && !session.isExclusiveTo(running.client)) this.#main.enqueue(running, { isFirst: true })
    for (const waiting of session.takeReaders()) this.#main.enqueue(waiting)
    this.#close(session)
    session.queue.exclusiveClient?.end('57P01', message)
  }
}
