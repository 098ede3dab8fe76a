/** PostgreSQL's wire protocol, version 3: the few messages that the bridge writes, and how it splits a stream. */

/** State of a session in ReadyForQuery: idle, in a transaction, in a failed transaction. */
export type TransactionStatus = 'I' | 'T' | 'E'

/** An error of a client that ends its connection: SQLSTATE and text of the FATAL error that it gets. */
export class ProtocolError extends Error {
  readonly code: string

  constructor(code: string, text: string) {
    super(text)
    this.code = code
  }
}

const NOTHING = Buffer.alloc(0)

const cString = (text: string): Buffer => Buffer.from(`${text}\0`)

/** A whole message: type, length, body. */
const protocolMessage = (type: string, ...body: Buffer[]): Buffer => {
  const head = Buffer.alloc(5)
  head.write(type, 'latin1')
  head.writeInt32BE(4 + body.reduce((sum, part) => sum + part.length, 0), 1)
  return Buffer.concat([head, ...body])
}

export const errorMessage = (severity: 'ERROR' | 'FATAL', code: string, text: string): Buffer =>
  protocolMessage('E', ...[`S${severity}`, `V${severity}`, `C${code}`, `M${text}`, ''].map(cString))

export const readyForQuery = (status: TransactionStatus): Buffer => protocolMessage('Z', Buffer.from(status))
export const commandComplete = (tag: string): Buffer => protocolMessage('C', cString(tag))
export const parameterStatus = (name: string, value: string): Buffer =>
  protocolMessage('S', cString(name), cString(value))
export const authenticationOk = protocolMessage('R', Buffer.alloc(4))
/** The key has no secret, since PGlite cannot cancel a query. */
export const backendKey = (id: number): Buffer => {
  const key = Buffer.alloc(8)
  key.writeInt32BE(id)
  return protocolMessage('K', key)
}
/** The reply to COPY FROM STDIN, without a description of the columns. */
export const copyInResponse = protocolMessage('G', Buffer.alloc(3))

export const queryMessage = (sql: string): Buffer => protocolMessage('Q', cString(sql))
export const parseMessage = (name: string, sql: string): Buffer =>
  protocolMessage('P', cString(name), cString(sql), Buffer.alloc(2))
export const closeStatement = (name: string): Buffer => protocolMessage('C', cString(`S${name}`))
export const copyFail = protocolMessage(
  'f',
  cString('send COPY FROM STDIN as a statement of its own, followed by its data'),
)
/**
 * A statement of the bridge, under names of its own: also within a client's transaction, it replaces neither the client's
 * unnamed statement nor its portals.
 */
export const ownQuery = (sql: string): Buffer =>
  Buffer.concat([
    parseMessage('bridge', sql),
    protocolMessage('B', cString('bridge'), cString('bridge'), Buffer.alloc(6)),
    protocolMessage('E', cString('bridge'), Buffer.alloc(4)),
    closeStatement('bridge'),
    protocolMessage('C', cString('Pbridge')),
    syncMessage,
  ])
export const syncMessage = protocolMessage('S')
export const flushMessage = protocolMessage('H')
/** Messages whose reply is an error. Another error replaces it. @param end Sync or Flush */
export const failingQuery = (end: Buffer): Buffer => Buffer.concat([parseMessage('', 'refused'), end])
/** Bind, Describe, Execute, Sync of the unnamed statement, all columns as text. */
export const runUnnamed = Buffer.concat([
  protocolMessage('B', Buffer.alloc(8)),
  protocolMessage('D', cString('P')),
  protocolMessage('E', Buffer.alloc(5)),
  syncMessage,
])

/**
 * End of the zero-terminated text that begins at `from`.
 * @throws ProtocolError when the message ends before the text does
 */
export const endOfText = (bytes: Buffer, from: number): number => {
  const end = bytes.indexOf(0, from)
  if (end < 0) throw new ProtocolError('08P01', 'a string in the message has no terminator')
  return end
}

/** A message with the zero-terminated text at `from` replaced. */
export const withText = (bytes: Buffer, from: number, text: string): Buffer => {
  const changed = Buffer.concat([
    bytes.subarray(0, from),
    Buffer.from(text),
    bytes.subarray(endOfText(bytes, from)),
  ])
  changed.writeInt32BE(changed.length - 1, 1)
  return changed
}

/** Bytes of a socket until they form whole messages. A large message is concatenated once. */
export class Inbox {
  #chunks: Buffer[] = []
  #length = 0

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#length += chunk.length
  }

  /** The first bytes, without taking them out; null until they have arrived. */
  peek(length: number): Buffer | null {
    if (this.#length < length) return null
    if ((this.#chunks[0]?.length ?? 0) < length) this.#chunks = [Buffer.concat(this.#chunks)]
    return (this.#chunks[0] ?? NOTHING).subarray(0, length)
  }

  /** Takes the first bytes out; null until they have arrived. */
  take(length: number): Buffer | null {
    const bytes = this.peek(length)
    if (bytes === null) return null
    this.#chunks[0] = (this.#chunks[0] ?? NOTHING).subarray(length)
    if (this.#chunks[0].length === 0) this.#chunks.shift()
    this.#length -= length
    return bytes
  }
}

/** How the session changes a reply before the client gets it. */
export interface ReplyRewrite {
  /** Types of messages to leave out. */
  omit?: string
  /** Replaces PostgreSQL's error. */
  error?: Buffer
}

const COMMIT_TAG = Buffer.from('COMMIT\0')

/** What PostgreSQL replied to a batch of messages. */
export interface Reply {
  bytes: Buffer
  /** Null after a Flush, which does not end a batch. */
  status: TransactionStatus | null
  isError: boolean
  /** Whether a statement of the batch was COMMIT. */
  hasCommitted: boolean
  notifications: { channel: string; bytes: Buffer }[]
}

/**
 * Takes the notifications out of a reply, and changes the rest.
 * @param preparations how many statements were closed and parsed before the client's own messages: it does not get the
 * replies to these
 */
export const readReply = (reply: Buffer, { omit = '', error }: ReplyRewrite, preparations = 0): Reply => {
  const parts: Buffer[] = []
  const notifications: Reply['notifications'] = []
  let copiedTo = 0
  let status: TransactionStatus | null = null
  let isError = false
  let hasCommitted = false
  let foreign = 2 * preparations
  for (let at = 0, end = 0; at < reply.length; at = end) {
    end = at + 1 + reply.readInt32BE(at + 1)
    const type = String.fromCharCode(reply[at]!)
    const isForeign = foreign > 0 && '13'.includes(type)
    if (isForeign) foreign -= 1
    let replacement: Buffer | null = null
    if (type === 'Z') status = String.fromCharCode(reply[at + 5]!) as TransactionStatus
    if (type === 'A') {
      const channel = reply.toString('utf8', at + 9, reply.indexOf(0, at + 9))
      notifications.push({ channel, bytes: Buffer.from(reply.subarray(at, end)) })
    } else if (type === 'C') hasCommitted ||= reply.subarray(at + 5, end).equals(COMMIT_TAG)
    else if (type === 'E') {
      isError = true
      replacement = error ?? null
    }
    if (type === 'A' || isForeign || omit.includes(type) || replacement) {
      parts.push(reply.subarray(copiedTo, at))
      if (replacement) parts.push(replacement)
      copiedTo = end
    }
  }
  const bytes = copiedTo === 0 ? reply : Buffer.concat([...parts, reply.subarray(copiedTo)])
  return { bytes, status, isError, hasCommitted, notifications }
}

/** The first column of the first row of a reply, as text; null when there is none. */
export const firstValue = (reply: Buffer): string | null => {
  for (let at = 0, end = 0; at < reply.length; at = end) {
    end = at + 1 + reply.readInt32BE(at + 1)
    if (reply[at] !== 'D'.charCodeAt(0)) continue
    const length = reply.readInt32BE(at + 7)
    return length < 0 ? null : reply.toString('utf8', at + 11, at + 11 + length)
  }
  return null
}
