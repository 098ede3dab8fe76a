import { constants, fstatSync, openSync } from 'node:fs'

export interface Descriptor {
  fd: number
  /** Whether a write may block. Then the thread pool has to do it. */
  mayBlock: boolean
  /** The writer calls this before each write. */
  unblock(): void
}

/** libuv's `uv_stream_set_blocking`, which has no public name in Node. */
type WithHandle = NodeJS.WriteStream & { _handle?: { setBlocking?(isBlocking: boolean): void } }

/**
 * Standard output (1) or error (2), for writes that do not block.
 *
 * Pipes and terminals are opened again. O_NONBLOCK belongs to an open file, so this sets it for no other process that
 * writes there. Sockets, and what another user owns, cannot be opened again. There it is set before each write,
 * because every Node process that starts or ends with the same standard streams resets it.
 */
export const standardStream = (fd: 1 | 2): Descriptor => {
  const unblock = () => {}
  try {
    if (fstatSync(fd).isFile()) return { fd, mayBlock: true, unblock }
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants
    const ownFd = openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY)
    return { fd: ownFd, mayBlock: false, unblock }
  } catch {
    const stream = (fd === 1 ? process.stdout : process.stderr) as WithHandle
    if (stream.isTTY || process.platform === 'win32') return { fd, mayBlock: true, unblock }
    return { fd, mayBlock: false, unblock: () => stream._handle?.setBlocking?.(false) }
  }
}
