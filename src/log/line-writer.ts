import { constants, fstatSync, openSync, write, writeSync } from 'node:fs'
import { LOG_LIMITS } from '../limits/service.ts'

/** Writes lines to a file descriptor. It never makes its caller wait for the reader. (D77) */
interface LineWriter {
  /** @param line with its line break */
  write(line: string): void
  /**
   * Writes what is pending when the process ends. Takes at most `flushMs`, and no time if writing has been failing for
   * that long already.
   */
  flushSync(): void
  /** Lines that were dropped since the start. */
  readonly dropped: number
}

type LineWriterBounds = Readonly<
  Record<'pendingBytes' | 'chunkBytes' | 'gatherMs' | 'fullMs' | 'failedMs' | 'flushMs', number>
>

/**
 * - `idle`: nothing is pending.
 * - `scheduled`: lines are pending, and a timer runs.
 * - `writing`: a chunk is being written.
 *
 * idle → scheduled, when a line arrives; scheduled → writing, when the timer fires; writing → scheduled, when a write
 * fails; writing → idle, when nothing is pending.
 */
type WriterState = 'idle' | 'scheduled' | 'writing'

/**
 * Buffers a bounded number of bytes while the descriptor accepts none, and drops the lines that come after them.
 * Long: its functions share one state, and the count of dropped lines.
 * @param onLoss called with the number of dropped lines when lines are accepted again, before the next one
 */
export const makeLineWriter = (
  { fd, mayBlock, unblock }: Descriptor,
  onLoss: (lines: number) => void,
  bounds: LineWriterBounds = LOG_LIMITS,
): LineWriter => {
  const pending = new PendingLines(bounds.chunkBytes)
  let state: WriterState = 'idle'
  let timer: NodeJS.Timeout | undefined
  let dropped = 0
  /** Dropped since a line was last accepted. Above 0, all lines are dropped until half of the buffer is free. */
  let droppedInARow = 0
  /** Since when every write fails, by the clock of `performance.now`. */
  let failingSince: number | undefined

  const reportLoss = (): void => {
    if (droppedInARow === 0 || pending.bytes > bounds.pendingBytes / 2) return
    const lines = droppedInARow
    droppedInARow = 0
    onLoss(lines)
  }
  const onWritten = (bytes: number): void => {
    failingSince = undefined
    pending.advance(bytes)
    reportLoss()
  }
  const onFailure = ({ code }: NodeJS.ErrnoException): void => {
    failingSince ??= performance.now()
    // The process does not stay alive for the next attempt.
    schedule(code === 'EAGAIN' ? bounds.fullMs : bounds.failedMs).unref()
  }
  const schedule = (ms: number): NodeJS.Timeout => {
    state = 'scheduled'
    timer = setTimeout(writePending, ms)
    return timer
  }
  const writePending = (): void => {
    state = 'writing'
    if (mayBlock) writeInThreadPool()
    else writeAll()
  }
  const writeAll = (): void => {
    try {
      while (pending.bytes > 0) {
        unblock()
        onWritten(writeSync(fd, pending.chunk))
      }
      state = 'idle'
    } catch (error) {
      onFailure(error as NodeJS.ErrnoException)
    }
  }
  const writeInThreadPool = (): void => {
    if (pending.bytes === 0) {
      state = 'idle'
      return
    }
    write(fd, pending.chunk, (error, bytes) => {
      if (error) return onFailure(error)
      onWritten(bytes)
      writeInThreadPool()
    })
  }

  return {
    write: (line) => {
      const bytes = Buffer.byteLength(line)
      reportLoss()
      if (droppedInARow > 0 || pending.bytes + bytes > bounds.pendingBytes) {
        droppedInARow += 1
        dropped += 1
        return
      }
      pending.add(line, bytes)
      if (state === 'idle') schedule(bounds.gatherMs)
    },
    flushSync: () => {
      clearTimeout(timer)
      const end = (failingSince ?? performance.now()) + bounds.flushMs
      // Node finishes what its thread pool is writing before the process ends.
      if (mayBlock && state === 'writing') pending.discardChunk()
      while (pending.chunk.length > 0) {
        try {
          unblock()
          onWritten(writeSync(fd, pending.chunk))
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || performance.now() >= end) return
          Atomics.wait(NEVER_WOKEN, 0, 0, FLUSH_PAUSE_MS)
        }
      }
    },
    get dropped() {
      return dropped
    },
  }
}

const NEVER_WOKEN = new Int32Array(new SharedArrayBuffer(4))
const FLUSH_PAUSE_MS = 5

/** Lines that wait to be written, and the chunk of them that is being written. */
class PendingLines {
  readonly #chunkBytes: number
  readonly #lines: string[] = []
  /** Whole lines, or the rest of them. */
  #chunk: Buffer = Buffer.alloc(0)
  #bytes = 0

  /** @param chunkBytes largest chunk of more than one line */
  constructor(chunkBytes: number) {
    this.#chunkBytes = chunkBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  add(line: string, bytes: number): void {
    this.#lines.push(line)
    this.#bytes += bytes
  }

  /** What to write next; empty when nothing is pending. */
  get chunk(): Buffer {
    if (this.#chunk.length === 0 && this.#lines.length > 0) this.#chunk = this.#nextChunk()
    return this.#chunk
  }

  /** The first bytes of the chunk have been written. */
  advance(bytes: number): void {
    this.#chunk = this.#chunk.subarray(bytes)
    this.#bytes -= bytes
  }

  discardChunk(): void {
    this.#chunk = Buffer.alloc(0)
  }

  #nextChunk(): Buffer {
    let bytes = 0
    let count = 0
    while (count < this.#lines.length) {
      bytes += Buffer.byteLength(this.#lines[count]!)
      if (count > 0 && bytes > this.#chunkBytes) break
      count += 1
    }
    return Buffer.from(this.#lines.splice(0, count).join(''))
  }
}

interface Descriptor {
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
