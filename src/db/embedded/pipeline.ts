import { classifyStatement, type StatementAction } from './classify-statement.ts'
import {
  closeStatement,
  commandComplete,
  copyFail,
  copyInResponse,
  endOfText,
  errorMessage,
  failingQuery,
  flushMessage,
  ProtocolError,
  parseMessage,
  readyForQuery,
  runUnnamed,
  syncMessage,
  withText,
} from './messages.ts'
import type { ReplyRewrite, SessionClient, SharedSession } from './shared-session.ts'

/** The maximum of a message, and of all messages that wait for their Sync or the end of their COPY, bytes. */
const MESSAGE_BYTES_MAX = 64 * 1024 * 1024

/** Command tags of the statements that the bridge replies to itself. */
const LOCAL_TAGS = {
  discard: 'DISCARD ALL',
  deallocate: 'DEALLOCATE ALL',
  unlisten: 'UNLISTEN',
  set: 'SET',
} as const
type LocalStatement = Extract<StatementAction, { kind: keyof typeof LOCAL_TAGS }>

/** What a pipeline needs of its connection. */
interface ConnectionContext {
  id: number
  isReader: boolean
  settings: string
  send: (reply: Buffer) => void
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
  readonly #session: SharedSession
  readonly #channels = new Set<string>()
  /** Names of the prepared statements in PostgreSQL, by the client's names. */
  readonly #statements = new Map<string, string>()
  #statementCount = 0
  #buffer: Buffer[] = []
  #bufferedBytes = 0
  /** The error of the first refused statement in the buffer. */
  #refusal: Buffer | null = null
  /** The last Parse of the unnamed statement, and whether a buffered message needs it. */
  #unnamed: Buffer | null = null
  #needsUnnamed = false
  /** The query of a COPY FROM STDIN whose data has not all arrived. */
  #copy: Buffer | null = null

  constructor(session: SharedSession, connection: ConnectionContext) {
    this.#session = session
    this.#connection = connection
    this.settings = connection.settings
    this.isReader = connection.isReader
  }

  /** Finds out whether the session can take the reader's role, unless another reader already has. */
  open(onResult: (hasRole: boolean) => void): void {
    if (this.#session.hasServedReader) {
      onResult(true)
      return
    }
    this.#enqueue(async () => {
      const reply = await this.#session.exchange(this, syncMessage)
      onResult(String.fromCharCode(reply[0]!) !== 'E')
    })
  }

  /** Whether the client is in no transaction, batch or COPY that it could still finish. */
  get isIdle(): boolean {
    return this.#buffer.length === 0 && this.#copy === null && !this.#session.isExclusiveTo(this)
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
    this.#session.removeClient(this, this.#statements.values())
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
    if (action.kind === 'listen') this.#channels.add(action.channel)
    else if (action.kind !== 'run') this.#refusal ??= refusalOf(action)
    if (name === '') {
      this.#unnamed = this.#refusal ? null : bytes
      this.#addToBuffer(bytes)
    } else {
      const internalName = this.#statements.get(name) ?? `${this.#connection.id}_${++this.#statementCount}`
      this.#statements.set(name, internalName)
      this.#addToBuffer(withText(bytes, 5, internalName))
    }
  }

  /** Buffers a message that names a prepared statement at `from`. */
  #bufferNamed(bytes: Buffer, from: number): void {
    const name = bytes.toString('utf8', from, endOfText(bytes, from))
    if (name === '') {
      this.#needsUnnamed ||= this.#unnamed === null || !this.#buffer.includes(this.#unnamed)
      this.#addToBuffer(bytes)
    } else
      this.#addToBuffer(withText(bytes, from, this.#statements.get(name) ?? `${this.#connection.id}_none`))
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

  #acceptQuery(bytes: Buffer): void {
    if (this.#buffer.length > 0) this.#sendBuffer(flushMessage)
    this.#unnamed = null
    const sql = bytes.toString('utf8', 5, endOfText(bytes, 5))
    const action = classifyStatement(sql, this.isReader)
    if (action.kind === 'listen') this.#channels.add(action.channel)
    if (action.kind === 'refuse') this.#forward(failingQuery(syncMessage), { error: refusalOf(action) })
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
    this.#enqueue(async () => {
      if (action.kind === 'discard' || action.kind === 'deallocate') {
        await this.#session.close(this.#statements.values())
        this.#statements.clear()
      }
      if (action.kind === 'discard') this.#session.forgetSettings()
      if (action.kind === 'unlisten' && action.channel !== null) this.#channels.delete(action.channel)
      else if (action.kind === 'unlisten' || action.kind === 'discard') this.#channels.clear()
      const status = this.#session.transactionStatusOf(this)
      this.#connection.send(Buffer.concat([commandComplete(LOCAL_TAGS[action.kind]), readyForQuery(status)]))
    })
  }

  #forward(messages: Buffer, rewrite: ReplyRewrite = {}, prelude: Buffer | null = null): void {
    this.#enqueue(async () =>
      this.#connection.send(await this.#session.exchange(this, messages, rewrite, prelude)),
    )
  }

  #enqueue(run: () => Promise<void>): void {
    this.#connection.onPending(1)
    this.#session.enqueue(this, async () => {
      await run()
      this.#connection.onPending(-1)
    })
  }
}

/**
 * PGlite ends when COPY FROM STDIN finds no data. So the bridge sends a CopyFail after each query that may contain one.
 * PostgreSQL ignores that message when there is no COPY.
 */
const copyGuards = (sql: string): Buffer[] => (sql.match(/\bcopy\b/gi) ?? []).map(() => copyFail)

const refusalOf = (action: StatementAction): Buffer =>
  action.kind === 'refuse'
    ? errorMessage('ERROR', action.code, action.message)
    : errorMessage('ERROR', '0A000', `${action.kind} is supported only as a simple query`)
