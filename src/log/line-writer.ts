import { constants, fstatSync, openSync, writeSync } from 'node:fs'
import { LOG_LIMITS } from '../limits/service.ts'

/**
 * Writes lines to a file descriptor. It does not make its caller wait for the reader of a pipe or terminal.
 * Buffers a bounded number of bytes while the descriptor accepts none, and drops the lines that come after them.
 * Long: its functions share the pending lines, and the count of dropped ones.
 * @param onLoss called with the number of dropped lines when lines are accepted again, before the next one
 */
export const makeLineWriter = (fd: number, onLoss: (lines: number) => void) => {
  const lines: string[] = []
  /** What is written next: whole lines, or the rest of them. */
  let chunk: Buffer = Buffer.alloc(0)
  /** Bytes of the chunk and of the lines after it. */
  let pendingBytes = 0
  let timer: NodeJS.Timeout | undefined
  let dropped = 0
  /** Dropped since a line was last accepted. Above 0, all lines are dropped until half of the buffer is free. */
  let droppedInARow = 0
  /** Since when every write fails, by the clock of `performance.now`. */
  let failingSince: number | undefined

  const reportLoss = (): void => {
    if (droppedInARow === 0 || pendingBytes > LOG_LIMITS.pendingBytes / 2) return
    const lost = droppedInARow
    droppedInARow = 0
    onLoss(lost)
  }
  const writeChunk = (): void => {
    if (chunk.length === 0) chunk = takeChunk(lines, LOG_LIMITS.chunkBytes)
    const written = writeSync(fd, chunk)
    failingSince = undefined
    chunk = chunk.subarray(written)
    pendingBytes -= written
    reportLoss()
  }
  const writePending = (): void => {
    timer = undefined
    try {
      while (pendingBytes > 0) writeChunk()
    } catch (error) {
      failingSince ??= performance.now()
      const { code } = error as NodeJS.ErrnoException
      clearTimeout(timer)
      // The process does not stay alive for the next attempt.
      timer = setTimeout(writePending, code === 'EAGAIN' ? LOG_LIMITS.fullMs : LOG_LIMITS.failedMs).unref()
    }
  }

  return {
    /** @param line with its line break */
    write: (line: string): void => {
      const bytes = Buffer.byteLength(line)
      reportLoss()
      if (droppedInARow > 0 || pendingBytes + bytes > LOG_LIMITS.pendingBytes) {
        droppedInARow += 1
        dropped += 1
        return
      }
      lines.push(line)
      pendingBytes += bytes
      timer ??= setTimeout(writePending, LOG_LIMITS.gatherMs)
    },
    /** Writes what is pending at the end of the process, within `flushMs`; nothing if writing has failed that long. */
    flushSync: (): void => {
      clearTimeout(timer)
      const end = (failingSince ?? performance.now()) + LOG_LIMITS.flushMs
      while (pendingBytes > 0) {
        try {
          writeChunk()
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || performance.now() >= end) return
          Atomics.wait(NEVER_WOKEN, 0, 0, FLUSH_PAUSE_MS)
        }
      }
    },
    get dropped(): number {
      return dropped
    },
  }
}

const NEVER_WOKEN = new Int32Array(new SharedArrayBuffer(4))
const FLUSH_PAUSE_MS = 5

/** Removes the first line, and all further ones that fit into one chunk. */
const takeChunk = (lines: string[], bytesMax: number): Buffer => {
  let bytes = 0
  let count = 0
  while (count < lines.length) {
    bytes += Buffer.byteLength(lines[count]!)
    if (count > 0 && bytes > bytesMax) break
    count += 1
  }
  return Buffer.from(lines.splice(0, count).join(''))
}

/**
 * Standard output (1) or error (2), for writes that do not block.
 * Pipes and terminals are opened again. O_NONBLOCK belongs to an open file, so this sets it for no other process that
 * writes there. Sockets, and what another user owns, cannot be opened again. There Node sets it when it opens its stream,
 * and would reset it for a child that has the same stream: such a child writes to a pipe to this process.
 */
export const standardStream = (fd: 1 | 2): { fd: number; ofChildren: 'inherit' | 'pipe' } => {
  try {
    if (fstatSync(fd).isFile()) return { fd, ofChildren: 'inherit' }
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants
    const opened = openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY)
    return { fd: opened, ofChildren: 'inherit' }
  } catch {
    const { isTTY } = fd === 1 ? process.stdout : process.stderr
    return { fd, ofChildren: isTTY ? 'inherit' : 'pipe' }
  }
}
