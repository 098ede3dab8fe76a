import type { Socket } from 'node:net'
import {
  authenticationOk,
  backendKey,
  errorMessage,
  Inbox,
  ProtocolError,
  parameterStatus,
  readyForQuery,
} from './messages.ts'
import { Pipeline } from './pipeline.ts'
import { READER_ROLE_MISSING } from './session-backend.ts'
import type { Sessions } from './sessions.ts'

/** Batches of a client that may wait before the bridge stops to read its socket. */
const PENDING_BATCHES = 64
/** How long a client may take to hang up after the bridge has ended its connection, milliseconds. */
const HANG_UP_MS = 5000

/** The sessions, and the version that it reports, when the database has started; rejects when it cannot start. */
export type ConnectionReady = Promise<{ sessions: Sessions; serverVersion: string }>

/**
 * Where a connection is in the protocol.
 *
 * ```
 * opening  --the startup packet has arrived------------> starting
 * starting --the database has started, the role exists-> open
 * any      --the client leaves, or the bridge ends it--> closed
 * ```
 */
type ConnectionStage = 'opening' | 'starting' | 'open' | 'closed'

/** The socket of a client, from its startup packet to its end. An error of one client ends only that client. */
export class ClientConnection {
  readonly #id: number
  readonly #socket: Socket
  readonly #ready: ConnectionReady
  readonly #onClosed: () => void
  readonly #inbox = new Inbox()
  #stage: ConnectionStage = 'opening'
  #pipeline: Pipeline | null = null
  #pendingBatches = 0
  /** Message of the error that ends the connection when the client has finished what it has begun. */
  #endMessage: string | null = null

  constructor(id: number, socket: Socket, ready: ConnectionReady, onClosed: () => void) {
    this.#id = id
    this.#socket = socket
    this.#ready = ready
    this.#onClosed = onClosed
    socket.setNoDelay()
    socket.on('data', (chunk) => {
      if (this.#stage === 'closed') return
      this.#inbox.push(chunk)
      this.#readMessages()
    })
    socket.on('drain', () => this.#updateFlow())
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#markClosed())
  }

  /** Writes to the client, unless the connection is closed. */
  send(bytes: Buffer): void {
    if (this.#stage === 'closed') return
    this.#socket.write(bytes)
    this.#updateFlow()
  }

  /** Ends the connection when its client is in no transaction, and waits for no reply. */
  finish(message: string): void {
    this.#endMessage = message
    if (this.#stage !== 'open') this.end('57P03', message)
    else if (this.#pendingBatches === 0 && this.#pipeline?.isIdle) this.end('57P01', message)
  }

  /** Ends the connection with a FATAL error. The bridge discards what the client sends afterwards. */
  end(code: string, message: string): void {
    if (this.#stage === 'closed') return
    this.#socket.end(errorMessage('FATAL', code, message))
    this.#markClosed()
    this.#socket.resume()
    this.#socket.setTimeout(HANG_UP_MS, () => this.#socket.destroy())
  }

  get isReader(): boolean {
    return this.#stage === 'open' && this.#pipeline?.isReader === true
  }

  listensOn(channel: string): boolean {
    return this.#stage === 'open' && this.#pipeline?.listensOn(channel) === true
  }

  #markClosed(): void {
    if (this.#stage === 'closed') return
    this.#stage = 'closed'
    this.#pipeline?.leave()
    this.#onClosed()
  }

  /** Stops to read from a client that sends faster than the session runs, or that does not read its replies. */
  #updateFlow(): void {
    if (this.#stage === 'closed') return
    const isBusy =
      this.#stage === 'starting' || this.#pendingBatches > PENDING_BATCHES || this.#socket.writableNeedDrain
    if (isBusy) this.#socket.pause()
    else if (this.#socket.isPaused()) this.#socket.resume()
  }

  #readMessages(): void {
    try {
      let hasMore = true
      while (hasMore) {
        if (this.#stage === 'opening') hasMore = this.#readStartup()
        else hasMore = this.#stage === 'open' && this.#readMessage()
      }
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      this.end(error.code, error.message)
    }
  }

  #readStartup(): boolean {
    const startup = readStartup(this.#inbox)
    if (startup?.kind === 'encryption') this.#socket.write('N')
    else if (startup?.kind === 'cancel') this.#socket.end()
    else if (startup?.kind === 'start') {
      this.#stage = 'starting'
      this.#updateFlow()
      this.#ready.then(
        ({ sessions, serverVersion }) => this.#start(sessions, serverVersion, startup),
        (error: Error) => this.end('57P03', error.message),
      )
    }
    return startup !== null && startup.kind !== 'cancel'
  }

  /** Opens the connection of the owner at once; of a reader when the session has taken its role, which may not exist yet. */
  #start(sessions: Sessions, serverVersion: string, role: { isReader: boolean; settings: string }): void {
    if (this.#stage === 'closed') return
    const pipeline = new Pipeline(sessions, {
      ...role,
      id: this.#id,
      send: (reply) => this.send(reply),
      end: (code, message) => this.end(code, message),
      onPending: (change) => {
        this.#pendingBatches += change
        this.#updateFlow()
        if (this.#endMessage !== null && change < 0) this.finish(this.#endMessage)
      },
    })
    this.#pipeline = pipeline
    const open = (): void => {
      if (this.#stage === 'closed') return
      this.#stage = 'open'
      this.send(greeting(this.#id, serverVersion))
      this.#readMessages()
    }
    if (!role.isReader) open()
    else pipeline.open((hasRole) => (hasRole ? open() : this.end('28000', READER_ROLE_MISSING)))
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

/** The first packet of a client. */
type StartupMessage =
  | { kind: 'encryption' | 'cancel' }
  | { kind: 'start'; isReader: boolean; settings: string }

const STARTUP_BYTES = 10_000
const CANCEL = 80_877_102
const ENCRYPTION = [80_877_103, 80_877_104]
const VERSION_3 = 196_608
const ROLES = ['postgres', 'lectern_reader']

/**
 * Takes a startup packet; null until all of it has arrived.
 * @throws ProtocolError when the packet is invalid, or the user unknown
 */
const readStartup = (inbox: Inbox): StartupMessage | null => {
  const length = inbox.peek(4)?.readInt32BE(0)
  if (length === undefined) return null
  if (length < 8 || length > STARTUP_BYTES)
    throw new ProtocolError('08P01', 'invalid length of startup packet')
  const packet = inbox.take(length)
  if (packet === null) return null
  const code = packet.readInt32BE(4)
  if (ENCRYPTION.includes(code)) return { kind: 'encryption' }
  if (code === CANCEL) return { kind: 'cancel' }
  if (code !== VERSION_3) throw new ProtocolError('0A000', 'only protocol version 3.0 is supported')
  return readParameters(packet.toString('utf8', 8).split('\0'))
}

/** Tells the client that the connection is open. The name of the database does not matter: there is only one. */
const greeting = (id: number, serverVersion: string): Buffer =>
  Buffer.concat([
    authenticationOk,
    parameterStatus('server_version', serverVersion),
    parameterStatus('server_encoding', 'UTF8'),
    parameterStatus('client_encoding', 'UTF8'),
    parameterStatus('DateStyle', 'ISO, MDY'),
    parameterStatus('TimeZone', 'UTC'),
    parameterStatus('integer_datetimes', 'on'),
    parameterStatus('standard_conforming_strings', 'on'),
    backendKey(id),
    readyForQuery('I'),
  ])

const readParameters = (texts: string[]): StartupMessage => {
  const parameters = new Map<string, string>()
  for (let i = 0; i + 1 < texts.length; i += 2) parameters.set(texts[i]!, texts[i + 1]!)
  const user = parameters.get('user') ?? ''
  if (!ROLES.includes(user))
    throw new ProtocolError('28000', `unknown user: the only users are ${ROLES.join(' and ')}`)
  const isReader = user === 'lectern_reader'
  const path = /(?:^|\s)-c\s*search_path=([\w,]+)/.exec(parameters.get('options') ?? '')?.[1]
  return { kind: 'start', isReader, settings: settingsOf(user, isReader, path?.split(',')) }
}

/**
 * `reset all` restores the defaults of the server, among them UTC and ISO dates. `reset session authorization` has no
 * effect in PGlite, so the statement names the owner too.
 */
const settingsOf = (user: string, isReader: boolean, path?: string[]): string =>
  [
    'reset all',
    `set session authorization ${user}`,
    ...(isReader ? ['set default_transaction_read_only = on'] : []),
    ...(path || isReader ? [`set search_path = ${path?.map((name) => `"${name}"`).join(', ') ?? "''"}`] : []),
  ].join('; ')
