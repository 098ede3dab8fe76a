import { isAscii, isUtf8, transcode } from 'node:buffer'
import { Socket } from 'node:net'

/** A message of PostgreSQL begins with its type, and its length without the type. */
const HEADER_BYTES = 5
/** As much as node:net reads at a time. */
const CAPACITY = 64 * 1024
/** A buffer that grew beyond this is given up as soon as it is empty, bytes. */
const KEPT_CAPACITY_MAX = 256 * 1024

/** Shorter texts take as long either way, bytes. */
const LONG_TEXT = 512

/**
 * `toString` of the bytes that `pg` reads, with the same results. V8 takes five times as long as `transcode` for texts
 * with letters beyond ASCII. (D133)
 */
function decodeText(this: Buffer, encoding?: BufferEncoding, start = 0, end = this.length): string {
  if (end - start >= LONG_TEXT) {
    const text = this.subarray(start, end)
    if (!isAscii(text) && isUtf8(text)) return transcode(text, 'utf8', 'utf16le').toString('utf16le')
  }
  return Buffer.prototype.toString.call(this, encoding, start, end)
}

/**
 * A socket for `pg`. Its event `data` has whole messages only, in a buffer that the next message overwrites, so a
 * listener must not keep it. node:net allocates 64 KB for each read, and `pg` copies the beginning of a long message
 * again and again while it waits for the end. (D133)
 */
export const makeMessageSocket = (): Socket => {
  let bytes = Buffer.allocUnsafeSlow(CAPACITY)
  let length = 0

  /** Keeps what follows the last whole message, and makes room for the next read. */
  const keepFrom = (start: number): void => {
    const rest = length - start
    if (rest === 0) {
      if (bytes.length > KEPT_CAPACITY_MAX) bytes = Buffer.allocUnsafeSlow(CAPACITY)
    } else if (rest === bytes.length) {
      const larger = Buffer.allocUnsafeSlow(2 * bytes.length)
      bytes.copy(larger, 0, 0, rest)
      bytes = larger
    } else if (start > 0) bytes.copyWithin(0, start, length)
    length = rest
  }
  const onRead = (count: number): boolean => {
    length += count
    const end = wholeMessagesEnd(bytes, length)
    if (end > 0) socket.emit('data', Object.assign(bytes.subarray(0, end), { toString: decodeText }))
    keepFrom(end)
    return true
  }
  const onread = { buffer: () => bytes.subarray(length), callback: onRead }
  const socket = new Socket({ onread } as object) // the published types leave it out
  return socket
}

/** @param length how many bytes were read */
const wholeMessagesEnd = (bytes: Buffer, length: number): number => {
  let end = 0
  while (end + HEADER_BYTES <= length) {
    const next = end + 1 + bytes.readUInt32BE(end + 1)
    if (next > length) break
    end = next
  }
  return end
}
