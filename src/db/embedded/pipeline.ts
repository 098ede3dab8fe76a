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

/** Bytes of a message, and of all that waits for its Sync or the end of its COPY: the most. */
const MESSAGE_BYTES = 64 * 1024 * 1024

const TAGS = {
  discard: 'DISCARD ALL',
  deallocate: 'DEALLOCATE ALL',
  unlisten: 'UNLISTEN',
  set: 'SET',
} as const
type Answered = Extract<StatementAction, { kind: keyof typeof TAGS }>

/** What a pipeline needs of its connection. */
interface ConnectionContext {
  id: number
  isReader: boolean
  settings: string
  send: (reply: Buffer) => void
  /** Told after each batch that was asked for (1) and served (-1). */
  count: (change: 1 | -1) => void
}

/**
 * A client's messages on their way to the session. They are held until a Sync, a Flush or a simple query,
 * then sent together, so that nobody else's come between them. Its prepared statements get names of its own.
 */
export class Pipeline implements SessionClient {
  readonly settings: string
  readonly isReader: boolean
  readonly #line: ConnectionContext
  readonly #session: SharedSession
  readonly #channels = new Set<string>()
  /** Prepared statements by the client's names: what PostgreSQL calls them. */
  readonly #statements = new Map<string, string>()
  #statementsMade = 0
  #held: Buffer[] = []
  #heldBytes = 0
  /** The error of the first statement refused of what is held. */
  #refusal: Buffer | null = null
  /** The last Parse of the unnamed statement, and whether what is held builds on it. */
  #unnamed: Buffer | null = null
  #needsUnnamed = false
  /** The query of a COPY FROM STDIN whose data is coming. */
  #copy: Buffer | null = null

  constructor(session: SharedSession, line: ConnectionContext) {
    this.#session = session
    this.#line = line
    this.settings = line.settings
    this.isReader = line.isReader
  }

  /** Finds out whether the session can take this reader's role: in its turn, unless another has already. */
  open(opened: (isRole: boolean) => void): void {
    if (this.#session.readerIsKnown) {
      opened(true)
      return
    }
    this.#take(async () => {
      const reply = await this.#session.exchange(this, syncMessage)
      opened(String.fromCharCode(reply[0]!) !== 'E')
    })
  }

  /** Whether nothing has been begun that could still be finished. */
  get isIdle(): boolean {
    return this.#held.length === 0 && this.#copy === null && !this.#session.isHeldBy(this)
  }

  listensOn(channel: string): boolean {
    return this.#channels.has(channel)
  }

  /** Throws a ProtocolError when a message of that length cannot be taken in. */
  checkLength(length: number): void {
    if (length < 4) throw new ProtocolError('08P01', 'invalid message length')
    if (length + this.#heldBytes <= MESSAGE_BYTES) return
    throw new ProtocolError(
      '54000',
      `a message, or a batch of them, may have ${MESSAGE_BYTES} bytes: send less at a time`,
    )
  }

  /** Takes in a whole message. Throws a ProtocolError. */
  accept(type: string, bytes: Buffer): void {
    if (this.#copy) this.#acceptCopy(type, bytes, this.#copy)
    else if (type === 'Q') this.#acceptQuery(bytes)
    else if (type === 'P') this.#acceptParse(bytes)
    else if (type === 'B') this.#holdNamed(bytes, endOfText(bytes, 5) + 1)
    else if (type === 'D' || type === 'C') this.#acceptDescribeOrClose(type, bytes)
    else if (type === 'E') this.#hold(bytes)
    else if (type === 'S' || (type === 'H' && this.#held.length > 0)) this.#sendHeld(bytes)
    else if (!'Hdcf'.includes(type)) throw new ProtocolError('08P01', `unexpected message of type ${type}`)
  }

  /** The client is gone. */
  leave(): void {
    this.#held = []
    this.#session.removeClient(this, this.#statements.values())
  }

  #hold(bytes: Buffer): void {
    this.#held.push(bytes)
    this.#heldBytes += bytes.length
  }

  #release(...last: Buffer[]): Buffer {
    const held = Buffer.concat([...this.#held, ...last])
    this.#held = []
    this.#heldBytes = 0
    return held
  }

  #acceptParse(bytes: Buffer): void {
    const endOfName = endOfText(bytes, 5)
    const name = bytes.toString('utf8', 5, endOfName)
    const verdict = classifyStatement(
      bytes.toString('utf8', endOfName + 1, endOfText(bytes, endOfName + 1)),
      this.isReader,
    )
    if (verdict.kind === 'listen') this.#channels.add(verdict.channel)
    else if (verdict.kind !== 'run') this.#refusal ??= refusalOf(verdict)
    if (name === '') {
      this.#unnamed = this.#refusal ? null : bytes
      this.#hold(bytes)
    } else {
      const known = this.#statements.get(name) ?? `${this.#line.id}_${++this.#statementsMade}`
      this.#statements.set(name, known)
      this.#hold(withText(bytes, 5, known))
    }
  }

  /** Holds a message that names a prepared statement at `from`. */
  #holdNamed(bytes: Buffer, from: number): void {
    const name = bytes.toString('utf8', from, endOfText(bytes, from))
    if (name === '') {
      this.#needsUnnamed ||= this.#unnamed === null || !this.#held.includes(this.#unnamed)
      this.#hold(bytes)
    } else this.#hold(withText(bytes, from, this.#statements.get(name) ?? `${this.#line.id}_none`))
  }

  #acceptDescribeOrClose(type: string, bytes: Buffer): void {
    const isStatement = String.fromCharCode(bytes[5] ?? 0) === 'S'
    if (isStatement) this.#holdNamed(bytes, 6)
    else this.#hold(bytes)
    if (isStatement && type === 'C') this.#statements.delete(bytes.toString('utf8', 6, endOfText(bytes, 6)))
  }

  #sendHeld(end: Buffer): void {
    const held = this.#release(end)
    const before = this.#needsUnnamed ? (this.#unnamed ?? closeStatement('')) : null
    const refusal = this.#refusal
    this.#needsUnnamed = false
    this.#refusal = null
    if (refusal) this.#forward(failingQuery(end), { error: refusal })
    else this.#forward(held, {}, before)
  }

  #acceptQuery(bytes: Buffer): void {
    if (this.#held.length > 0) this.#sendHeld(flushMessage)
    this.#unnamed = null
    const sql = bytes.toString('utf8', 5, endOfText(bytes, 5))
    const verdict = classifyStatement(sql, this.isReader)
    if (verdict.kind === 'listen') this.#channels.add(verdict.channel)
    if (verdict.kind === 'refuse') this.#forward(failingQuery(syncMessage), { error: refusalOf(verdict) })
    else if (verdict.kind === 'copy' && /\bfrom\s+stdin\b/i.test(sql)) {
      this.#copy = bytes
      this.#take(async () => this.#line.send(copyInResponse))
    } else if (verdict.kind in TAGS) this.#answer(verdict as Answered)
    else if (this.isReader) this.#forward(Buffer.concat([parseMessage('', sql), runUnnamed]), { omit: '12n' })
    else this.#forward(Buffer.concat([bytes, ...copyGuards(sql)]), { omit: 'G' })
  }

  #acceptCopy(type: string, bytes: Buffer, copy: Buffer): void {
    if (type === 'd') this.#hold(bytes)
    else if (type === 'c' || type === 'f') {
      this.#copy = null
      this.#forward(Buffer.concat([copy, this.#release(bytes), ...copyGuards(copy.toString('utf8'))]), {
        omit: 'G',
      })
    } else if (type !== 'S' && type !== 'H') {
      throw new ProtocolError('08P01', `unexpected message of type ${type} during COPY`)
    }
  }

  /** Answers what would take from the others, were it run: only this client's share is given up. */
  #answer(verdict: Answered): void {
    this.#take(async () => {
      if (verdict.kind === 'discard' || verdict.kind === 'deallocate') {
        await this.#session.close(this.#statements.values())
        this.#statements.clear()
      }
      if (verdict.kind === 'discard') this.#session.forgetSettings()
      if (verdict.kind === 'unlisten' && verdict.channel !== null) this.#channels.delete(verdict.channel)
      else if (verdict.kind === 'unlisten' || verdict.kind === 'discard') this.#channels.clear()
      const status = this.#session.transactionStatusOf(this)
      this.#line.send(Buffer.concat([commandComplete(TAGS[verdict.kind]), readyForQuery(status)]))
    })
  }

  #forward(messages: Buffer, edit: ReplyRewrite = {}, before: Buffer | null = null): void {
    this.#take(async () => this.#line.send(await this.#session.exchange(this, messages, edit, before)))
  }

  #take(run: () => Promise<void>): void {
    this.#line.count(1)
    this.#session.enqueue(this, async () => {
      await run()
      this.#line.count(-1)
    })
  }
}

/**
 * PGlite ends when a COPY FROM STDIN finds no data behind it, so a query that may hide one is followed by
 * a failure of it. Where there is no COPY, PostgreSQL ignores that message.
 */
const copyGuards = (sql: string): Buffer[] => (sql.match(/\bcopy\b/gi) ?? []).map(() => copyFail)

const refusalOf = (verdict: StatementAction): Buffer =>
  verdict.kind === 'refuse'
    ? errorMessage('ERROR', verdict.code, verdict.message)
    : errorMessage('ERROR', '0A000', `${verdict.kind} is taken as a simple query only`)
