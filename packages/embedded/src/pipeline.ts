import {
  classifyStatement,
  copyGuards,
  LOCAL_TAGS,
  type LocalStatement,
  refusalError,
} from './classify-statement.ts'
import {
  closeStatement,
  commandComplete,
  copyInResponse,
  endOfText,
  failingQuery,
  flushMessage,
  ProtocolError,
  parseMessage,
  type ReplyRewrite,
  readyForQuery,
  runUnnamed,
  syncMessage,
  withText,
} from './messages.ts'
import type { SessionClient } from './session-backend.ts'
import type { Sessions } from './sessions.ts'
import type { SharedSession } from './shared-session.ts'

/** The maximum of a message, and of all messages that wait for their Sync or the end of their COPY, bytes. */
const MESSAGE_BYTES_MAX = 64 * 1024 * 1024

/** What a pipeline needs of its connection. */
interface ConnectionContext {
  id: number
  isReader: boolean
  settings: string
  send: (reply: Buffer) => void
  /** Ends the connection with a FATAL error. */
  end: (code: string, message: string) => void
  /** Called when a batch begins to wait (1), and when it has its reply (-1). */
  onPending: (change: 1 | -1) => void
}

/**
 * The messages of a client on their way to the session. The pipeline buffers them until a Sync, a Flush or a simple
 * query, and then sends them together, so that no other client's messages come between them. It renames prepared
 * statements, so that clients do not share names.
 */
export class Pipeline implements SessionClient {
  readonly settings: string
  readonly isReader: boolean
  readonly #connection: ConnectionContext
  readonly #sessions: Sessions
  readonly #channels = new Set<string>()
  readonly #statements: PreparedStatements
  #buffer: Buffer[] = []
  #bufferedBytes = 0
  /** The error of the first refused statement in the buffer. */
  #refusal: Buffer | null = null
  /** The last Parse of the unnamed statement, and whether a buffered message needs it. */
  #unnamed: Buffer | null = null
  #needsUnnamed = false
  /** Whether the buffer listens to a channel that only the session that writes can listen to. */
  #isPinned = false
  /** The query of a COPY FROM STDIN whose data has not all arrived. */
  #copy: Buffer | null = null

  constructor(sessions: Sessions, connection: ConnectionContext) {
    this.#sessions = sessions
    this.#connection = connection
    this.#statements = new PreparedStatements(connection.id)
    this.settings = connection.settings
    this.isReader = connection.isReader
  }

  /** Finds out whether the session can take the reader's role, unless another reader already has. */
  open(onResult: (hasRole: boolean) => void): void {
    if (this.#sessions.hasServedReader) {
      onResult(true)
      return
    }
    this.#enqueue(async (session) => {
      const reply = await session.exchange(this, { messages: syncMessage })
      onResult(String.fromCharCode(reply[0]!) !== 'E')
    })
  }

  /** Whether the client is in no transaction, batch or COPY that it could still finish. */
  get isIdle(): boolean {
    return this.#buffer.length === 0 && this.#copy === null && !this.#sessions.isExclusiveTo(this)
  }

  listensOn(channel: string): boolean {
    return this.#channels.has(channel)
  }

  /** @throws ProtocolError when a message has an invalid length, or is too long */
  checkLength(length: number): void {
    if (length < 4) throw new ProtocolError('08P01', 'invalid message length')
    if (length + this.#bufferedBytes <= MESSAGE_BYTES_MAX) return
    throw new ProtocolError(
      '54000',
      `a message or a batch of messages may have at most ${MESSAGE_BYTES_MAX} bytes: send less at a time`,
    )
  }

  /** Handles a whole message. @throws ProtocolError */
  accept(type: string, bytes: Buffer): void {
    if (this.#copy) this.#acceptCopy(type, bytes, this.#copy)
    else if (type === 'Q') this.#acceptQuery(bytes)
    else if (type === 'P') this.#acceptParse(bytes)
    else if (type === 'B') this.#bufferNamed(bytes, endOfText(bytes, 5) + 1)
    else if (type === 'D' || type === 'C') this.#acceptDescribeOrClose(type, bytes)
    else if (type === 'E') this.#addToBuffer(bytes)
    else if (type === 'S' || (type === 'H' && this.#buffer.length > 0)) this.#sendBuffer(bytes)
    else if (!'Hdcf'.includes(type)) throw new ProtocolError('08P01', `unexpected message of type ${type}`)
  }

  /** The client has left. */
  leave(): void {
    this.#buffer = []
    this.#sessions.removeClient(this, this.#statements.names())
  }

  end(code: string, message: string): void {
    this.#connection.end(code, message)
  }

  #addToBuffer(bytes: Buffer): void {
    this.#buffer.push(bytes)
    this.#bufferedBytes += bytes.length
  }

  #takeBuffer(...last: Buffer[]): Buffer {
    const messages = Buffer.concat([...this.#buffer, ...last])
    this.#buffer = []
    this.#bufferedBytes = 0
    return messages
  }

  #acceptParse(bytes: Buffer): void {
    const endOfName = endOfText(bytes, 5)
    const name = bytes.toString('utf8', 5, endOfName)
    const action = classifyStatement(
      bytes.toString('utf8', endOfName + 1, endOfText(bytes, endOfName + 1)),
      this.isReader,
    )
    if (action.kind === 'listen') this.#listen(action.channel)
    else if (action.kind !== 'run') this.#refusal ??= refusalError(action)
    if (name === '') {
      this.#unnamed = this.#refusal ? null : bytes
      this.#addToBuffer(bytes)
    } else this.#addToBuffer(this.#statements.add(bytes))
  }

  /** Buffers a message that names a prepared statement at `from`. */
  #bufferNamed(bytes: Buffer, from: number): void {
    const name = bytes.toString('utf8', from, endOfText(bytes, from))
    if (name === '') {
      this.#needsUnnamed ||= this.#unnamed === null || !this.#buffer.includes(this.#unnamed)
      this.#addToBuffer(bytes)
    } else this.#addToBuffer(this.#statements.use(bytes, from))
  }

  #acceptDescribeOrClose(type: string, bytes: Buffer): void {
    const isStatement = String.fromCharCode(bytes[5] ?? 0) === 'S'
    if (isStatement) this.#bufferNamed(bytes, 6)
    else this.#addToBuffer(bytes)
    if (isStatement && type === 'C') this.#statements.delete(bytes.toString('utf8', 6, endOfText(bytes, 6)))
  }

  #sendBuffer(end: Buffer): void {
    const messages = this.#takeBuffer(end)
    const prelude = this.#needsUnnamed ? (this.#unnamed ?? closeStatement('')) : null
    const refusal = this.#refusal
    this.#needsUnnamed = false
    this.#refusal = null
    if (refusal) this.#forward(failingQuery(end), { error: refusal })
    else this.#forward(messages, {}, prelude)
  }

  #listen(channel: string): void {
    this.#channels.add(channel)
    this.#isPinned ||= !this.#sessions.isListening(channel)
  }

  #acceptQuery(bytes: Buffer): void {
    if (this.#buffer.length > 0) this.#sendBuffer(flushMessage)
    this.#unnamed = null
    const sql = bytes.toString('utf8', 5, endOfText(bytes, 5))
    const action = classifyStatement(sql, this.isReader)
    if (action.kind === 'listen') this.#listen(action.channel)
    if (action.kind === 'refuse') this.#forward(failingQuery(syncMessage), { error: refusalError(action) })
    else if (action.kind === 'copy' && /\bfrom\s+stdin\b/i.test(sql)) {
      this.#copy = bytes
      this.#enqueue(async () => this.#connection.send(copyInResponse))
    } else if (action.kind in LOCAL_TAGS) this.#replyLocally(action as LocalStatement)
    else if (this.isReader) this.#forward(Buffer.concat([parseMessage('', sql), runUnnamed]), { omit: '12n' })
    else this.#forward(Buffer.concat([bytes, ...copyGuards(sql)]), { omit: 'G' })
  }

  #acceptCopy(type: string, bytes: Buffer, copy: Buffer): void {
    if (type === 'd') this.#addToBuffer(bytes)
    else if (type === 'c' || type === 'f') {
      this.#copy = null
      this.#forward(Buffer.concat([copy, this.#takeBuffer(bytes), ...copyGuards(copy.toString('utf8'))]), {
        omit: 'G',
      })
    } else if (type !== 'S' && type !== 'H') {
      throw new ProtocolError('08P01', `unexpected message of type ${type} during COPY`)
    }
  }

  /** Replies to a statement that would affect other clients if PostgreSQL ran it. It affects only this client. */
  #replyLocally(action: LocalStatement): void {
    this.#enqueue(async (session) => {
      if (action.kind === 'announce') session.announce(this)
      if (action.kind === 'discard' || action.kind === 'deallocate') {
        this.#sessions.closeStatements(this.#statements.names())
        this.#statements.clear()
      }
      if (action.kind === 'discard') session.forgetSettings()
      if (action.kind === 'unlisten' && action.channel !== null) this.#channels.delete(action.channel)
      else if (action.kind === 'unlisten' || action.kind === 'discard') this.#channels.clear()
      const status = session.transactionStatusOf(this)
      this.#connection.send(Buffer.concat([commandComplete(LOCAL_TAGS[action.kind]), readyForQuery(status)]))
    })
  }

  #forward(messages: Buffer, rewrite: ReplyRewrite = {}, prelude: Buffer | null = null): void {
    const batch = { messages, prelude, ...this.#statements.takeBatch() }
    const isPinned = this.#isPinned
    this.#isPinned = false
    this.#enqueue(
      async (session) => this.#connection.send(await session.exchange(this, batch, rewrite)),
      isPinned,
    )
  }

  #enqueue(run: (session: SharedSession) => Promise<void>, isPinned = false): void {
    this.#connection.onPending(1)
    this.#sessions.enqueue({
      client: this,
      isPinned,
      run: async (session) => {
        await run(session)
        this.#connection.onPending(-1)
      },
    })
  }
}

/**
 * The prepared statements of one client, and those that its next batch needs. By the client's names: the names in
 * PostgreSQL, which no other client uses, and the Parse messages.
 */
class PreparedStatements extends Map<string, { name: string; parse: Buffer }> {
  readonly #clientId: number
  #count = 0
  #parsed: string[] = []
  #used = new Map<string, Buffer>()

  constructor(clientId: number) {
    super()
    this.#clientId = clientId
  }

  /** Names in PostgreSQL. */
  names(): string[] {
    return [...this.values()].map(({ name }) => name)
  }

  /** @param parse Parse of a statement with a name. @returns the message with the name in PostgreSQL */
  add(parse: Buffer): Buffer {
    const clientName = parse.toString('utf8', 5, endOfText(parse, 5))
    const name = this.get(clientName)?.name ?? `${this.#clientId}_${++this.#count}`
    const renamed = withText(parse, 5, name)
    this.set(clientName, { name, parse: renamed })
    this.#parsed.push(name)
    return renamed
  }

  /** @returns the message, which names a statement at `from`, with the name in PostgreSQL */
  use(message: Buffer, from: number): Buffer {
    const statement = this.get(message.toString('utf8', from, endOfText(message, from)))
    if (statement && !this.#parsed.includes(statement.name)) this.#used.set(statement.name, statement.parse)
    return withText(message, from, statement?.name ?? `${this.#clientId}_none`)
  }

  /** What the batch that ends here parses, and what it uses without having parsed it. */
  takeBatch(): { parsed: string[]; used: Map<string, Buffer> } {
    const batch = { parsed: this.#parsed, used: this.#used }
    this.#parsed = []
    this.#used = new Map()
    return batch
  }
}
