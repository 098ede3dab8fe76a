import { constants, fstatSync, openSync } from 'node:fs'

export interface Descriptor {
  fd: number
  /** Whether a write may have to wait: then another thread should do it. */
  mayBlock: boolean
  /** To be called before each write. */
  unblock(): void
}

/** What libuv calls `uv_stream_set_blocking`; it has no public name in Node. */
type WithHandle = NodeJS.WriteStream & { _handle?: { setBlocking?(isBlocking: boolean): void } }

/**
 * Standard output (1) or error (2), as it can be written without waiting. Pipes and terminals are opened anew, so
 * that O_NONBLOCK, which belongs to what is opened, is set for nobody else who writes there. Sockets cannot be
 * opened anew, nor what another user owns. There it is set before each write, since every process of Node that
 * starts or ends with the same standard streams takes it away.
 */
export const standardStream = (fd: 1 | 2): Descriptor => {
  const unblock = () => {}
  try {
    if (fstatSync(fd).isFile()) return { fd, mayBlock: true, unblock }
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants
    const own = openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY)
    return { fd: own, mayBlock: false, unblock }
  } catch {
    const stream = (fd === 1 ? process.stdout : process.stderr) as WithHandle
    if (stream.isTTY || process.platform === 'win32') return { fd, mayBlock: true, unblock }
    return { fd, mayBlock: false, unblock: () => stream._handle?.setBlocking?.(false) }
  }
}
