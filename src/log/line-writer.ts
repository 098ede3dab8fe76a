import { write, writeSync } from 'node:fs'
import { LOG_LIMITS } from '../limits.ts'
import type { Descriptor } from './descriptor.ts'

/** Lines on their way to a file descriptor. Nobody ever waits for whoever reads them. (D77) */
export interface LineWriter {
  /** @param line with its line break */
  write(line: string): void
  /**
   * Writes what is pending, in the last moment of a process. Takes at most `LOG.flushMs`, and no time where
   * nothing could be written for that long already.
   */
  flushSync(): void
  /** Lines that were dropped since the start. */
  readonly dropped: number
}

type LineWriterBounds = Readonly<
  Record<'pendingBytes' | 'chunkBytes' | 'gatherMs' | 'fullMs' | 'failedMs' | 'flushMs', number>
>

/**
 * Holds a bounded number of bytes while the descriptor takes none, and drops the lines that come after these.
 * @param onLoss called when lines are taken again, before the next one, with the number of those that were dropped
 */
export const makeLineWriter = (
  { fd, mayBlock, unblock }: Descriptor,
  onLoss: (lines: number) => void,
  bounds: LineWriterBounds = LOG_LIMITS,
): LineWriter => {
  const lines: string[] = []
  let pendingBytes = 0
  let dropped = 0
  /** Dropped since a line was last taken; above 0, all are dropped until half of the room is free again. */
  let lost = 0
  /** What is being written: whole lines, or the rest of them. */
  let chunk: Buffer = Buffer.alloc(0)
  let isWriting = false
  let timer: NodeJS.Timeout | undefined
  /** Since when nothing is taken, by the clock of `performance.now`. */
  let stuckSince: number | undefined

  const nextChunk = (): void => {
    let bytes = 0
    let count = 0
    while (count < lines.length) {
      bytes += Buffer.byteLength(lines[count]!)
      if (count > 0 && bytes > bounds.chunkBytes) break
      count += 1
    }
    chunk = Buffer.from(lines.splice(0, count).join(''))
  }
  const taken = (bytes: number): void => {
    stuckSince = undefined
    chunk = chunk.subarray(bytes)
    pendingBytes -= bytes
    resume()
  }
  const resume = (): void => {
    if (lost === 0 || pendingBytes > bounds.pendingBytes / 2) return
    const lines = lost
    lost = 0
    onLoss(lines)
  }
  const refused = ({ code }: NodeJS.ErrnoException): void => {
    stuckSince ??= performance.now()
    // The end of the process does not wait for these.
    later(code === 'EAGAIN' ? bounds.fullMs : bounds.failedMs).unref()
  }
  const later = (ms: number): NodeJS.Timeout => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      timer = undefined
      writeMore()
    }, ms)
    return timer
  }
  const writeMore = (): void => {
    while (!isWriting && pendingBytes > 0) {
      if (chunk.length === 0) nextChunk()
      if (mayBlock) {
        isWriting = true
        write(fd, chunk, (error, bytes) => {
          isWriting = false
          if (error) refused(error)
          else {
            taken(bytes)
            writeMore()
          }
        })
        return
      }
      try {
        unblock()
        taken(writeSync(fd, chunk))
      } catch (error) {
        refused(error as NodeJS.ErrnoException)
        return
      }
    }
  }

  return {
    write: (line) => {
      const bytes = Buffer.byteLength(line)
      resume()
      if (lost > 0 || pendingBytes + bytes > bounds.pendingBytes) {
        lost += 1
        dropped += 1
        return
      }
      lines.push(line)
      pendingBytes += bytes
      if (timer === undefined && !isWriting) later(bounds.gatherMs)
    },
    flushSync: () => {
      clearTimeout(timer)
      const end = (stuckSince ?? performance.now()) + bounds.flushMs
      // What another thread is writing is written before the process ends.
      if (isWriting) chunk = Buffer.alloc(0)
      for (;;) {
        if (chunk.length === 0) nextChunk()
        if (chunk.length === 0) return
        try {
          unblock()
          taken(writeSync(fd, chunk))
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || performance.now() >= end) return
          Atomics.wait(NEVER, 0, 0, PAUSE_MS)
        }
      }
    },
    get dropped() {
      return dropped
    },
  }
}

const NEVER = new Int32Array(new SharedArrayBuffer(4))
const PAUSE_MS = 5
