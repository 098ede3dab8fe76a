/** A client of the embedded database. */
export interface SessionClient {
  /** Statements that give the session this client's role and settings. */
  readonly settings: string
  /** Whether its statements cannot change the settings, so that the next client with the same settings need not set them. */
  readonly isReader: boolean
  /** Ends the client's connection with a FATAL error. */
  end(code: string, message: string): void
}

/** Something to run for a client. */
interface ClientEntry {
  client: SessionClient
  /** Whether the entry must run in the session that writes. */
  isPinned?: boolean
}

/**
 * Entries that wait for a session. They run in order, with two exceptions:
 * - While the session is exclusive to a client, only its entries run.
 * - After a client has announced a long transaction, only readers' entries run; when `begin` was called, its own too.
 */
export class SessionQueue<Entry extends ClientEntry> {
  exclusiveClient: SessionClient | null = null
  #entries: Entry[] = []
  readonly #addedAt = new WeakMap<Entry, number>()
  #announcement: { client: SessionClient; mayBegin: boolean } | null = null

  get isEmpty(): boolean {
    return this.#entries.length === 0
  }

  /** The client that announced a long transaction, until this has ended. */
  get longWriter(): SessionClient | null {
    return this.#announcement?.client ?? null
  }

  announce(client: SessionClient): void {
    this.#announcement = { client, mayBegin: false }
  }

  begin(): void {
    if (this.#announcement) this.#announcement.mayBegin = true
  }

  endAnnouncement(): void {
    this.#announcement = null
  }

  has(client: SessionClient): boolean {
    return this.#entries.some((entry) => entry.client === client)
  }

  add(entry: Entry, { isFirst = false } = {}): void {
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
  next(): Entry | undefined {
    const at = this.#entries.findIndex(({ client }) => this.#mayRun(client))
    return at < 0 ? undefined : this.#entries.splice(at, 1)[0]
  }

  /** Takes out the entries of each client that `isWanted` accepts and that has no pinned entry. */
  take(isWanted: (client: SessionClient) => boolean): Entry[] {
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
    if (this.#announcement === null) return true
    return client === this.#announcement.client ? this.#announcement.mayBegin : client.isReader
  }
}
