import type { Socket } from 'node:net'
import { greeting, readStartup } from './handshake.ts'
import { errorMessage, Inbox, ProtocolError } from './messages.ts'
import { Pipeline } from './pipeline.ts'
import { READER_ROLE_MISSING, type SharedSession } from './shared-session.ts'

/** Batches that a client may have waiting before its socket is no longer read. */
const WAITING = 64
/** How long a client that was told of its end may take to hang up, milliseconds. */
const HANG_UP_MS = 5000

/** The session and the version it reports, once the database is there; rejects when it cannot start. */
export type ConnectionReady = Promise<{ session: SharedSession; serverVersion: string }>

/** A client's socket, from its startup packet to its end. Whatever goes wrong with it ends this client only. */
export class ClientConnection {
  readonly #id: number
  readonly #socket: Socket
  readonly #ready: ConnectionReady
  readonly #left: () => void
  readonly #inbox = new Inbox()
  #stage: 'opening' | 'starting' | 'open' | 'closed' = 'opening'
  #pipeline: Pipeline | null = null
  #waiting = 0
  /** What to tell the client as soon as it has finished what it began. */
  #farewell: string | null = null

  constructor(id: number, socket: Socket, ready: ConnectionReady, left: () => void) {
    this.#id = id
    this.#socket = socket
    this.#ready = ready
    this.#left = left
    socket.setNoDelay()
    socket.on('data', (chunk) => this.#receive(chunk))
    socket.on('drain', () => this.#flow())
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#leave())
  }

  /** Writes to the client, if it is still there. */
  send(bytes: Buffer): void {
    if (this.#stage === 'closed') return
    this.#socket.write(bytes)
    this.#flow()
  }

  /** Ends the connection once its client is in no transaction and waits for nothing. */
  finish(text: string): void {
    this.#farewell = text
    if (this.#stage !== 'open') this.end('57P03', text)
    else if (this.#waiting === 0 && this.#pipeline?.isIdle) this.end('57P01', text)
  }

  /** Ends the connection with a FATAL error. What the client still sends is thrown away. */
  end(code: string, text: string): void {
    if (this.#stage === 'closed') return
    this.#socket.end(errorMessage('FATAL', code, text))
    this.#leave()
    this.#socket.resume()
    this.#socket.setTimeout(HANG_UP_MS, () => this.#socket.destroy())
  }

  listensOn(channel: string): boolean {
    return this.#stage === 'open' && this.#pipeline !== null && this.#pipeline.listensOn(channel)
  }

  #leave(): void {
    if (this.#stage === 'closed') return
    this.#stage = 'closed'
    this.#inbox.clear()
    this.#pipeline?.leave()
    this.#left()
  }

  /** A client that sends faster than it is served, or does not read its answers, is not read for the while. */
  #flow(): void {
    if (this.#stage === 'closed') return
    const isBusy = this.#stage === 'starting' || this.#waiting > WAITING || this.#socket.writableNeedDrain
    if (isBusy) this.#socket.pause()
    else if (this.#socket.isPaused()) this.#socket.resume()
  }

  #receive(chunk: Buffer): void {
    if (this.#stage === 'closed') return
    this.#inbox.push(chunk)
    this.#readOn()
  }

  #readOn(): void {
    try {
      let isMore = true
      while (isMore) {
        if (this.#stage === 'opening') isMore = this.#readOpening()
        else isMore = this.#stage === 'open' && this.#readMessage()
      }
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      this.end(error.code, error.message)
    }
  }

  #readOpening(): boolean {
    const opening = readStartup(this.#inbox)
    if (opening?.kind === 'encryption') this.#socket.write('N')
    else if (opening?.kind === 'cancel') this.#socket.end()
    else if (opening?.kind === 'start') {
      this.#stage = 'starting'
      this.#flow()
      this.#ready.then(
        ({ session, serverVersion }) => this.#start(session, serverVersion, opening),
        (error: Error) => this.end('57P03', error.message),
      )
    }
    return opening !== null && opening.kind !== 'cancel'
  }

  /** The owner is let in at once; a reader when the session has taken its role, which may not exist yet. */
  #start(session: SharedSession, serverVersion: string, role: { isReader: boolean; settings: string }): void {
    if (this.#stage === 'closed') return
    const pipeline = new Pipeline(session, {
      ...role,
      id: this.#id,
      send: (reply) => this.send(reply),
      count: (change) => {
        this.#waiting += change
        this.#flow()
        if (this.#farewell !== null && change < 0) this.finish(this.#farewell)
      },
    })
    this.#pipeline = pipeline
    const letIn = (): void => {
      if (this.#stage === 'closed') return
      this.#stage = 'open'
      this.send(greeting(this.#id, serverVersion))
      this.#readOn()
    }
    const letInIf = (isRole: boolean): void => {
      if (isRole) letIn()
      else this.end('28000', READER_ROLE_MISSING)
    }
    if (role.isReader) pipeline.open(letInIf)
    else letIn()
  }

  #readMessage(): boolean {
    const head = this.#inbox.peek(5)
    if (head === null || this.#pipeline === null) return false
    const length = head.readInt32BE(1)
    this.#pipeline.checkLength(length)
    const bytes = this.#inbox.take(length + 1)
    if (bytes === null) return false
    const type = String.fromCharCode(bytes[0]!)
    if (type === 'X') this.#socket.end()
    else this.#pipeline.accept(type, bytes)
    return type !== 'X'
  }
}
