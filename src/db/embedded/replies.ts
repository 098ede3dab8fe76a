import type { TransactionStatus } from './messages.ts'

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
