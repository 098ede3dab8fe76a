import type { Included } from './changes.ts'
import { type Batch, type ListOptions, makeListReader, makeUrlAfter } from './list.ts'
import { ChangeStream } from './stream.ts'
import { LONGEST_TIMER, pauseUntil } from './waiting.ts'

/** Options of `mirror`. */
export interface MirrorOptions<Include extends Included = never> extends ListOptions<Include> {
  /**
   * Seconds from one look for changes to the next; from 5 on, a stream tells changes at once, if the service offers it.
   * With it, the mirror never ends. Without it, it ends as soon as the copy is current.
   */
  poll?: number | undefined
  /** Default: 900 without `poll`; with it, the mirror never gives up. */
  giveUpAfter?: number | undefined
}

/** Who looks more often than that, seconds, needs no stream. */
const SHORTEST_STREAM = 5

/**
 * Everything that changed in a wiki, as batches. Apply the items of a batch, then store its cursor. Start again with
 * this cursor after any interruption: at worst, the items of one batch come twice.
 * It sends one request at a time, and survives failures of the network and of the service.
 * @throws UnknownCursor, ApiError; Unreachable, or the ApiError of a 429 or 5xx, after `giveUpAfter`
 */
export async function* mirror<Include extends Included = never>(
  options: MirrorOptions<Include>,
): AsyncGenerator<Batch<Include>, void, void> {
  const { after, poll, signal } = options
  const giveUpAfter = options.giveUpAfter ?? (poll === undefined ? 900 : Number.POSITIVE_INFINITY)
  const readAfter = makeListReader(options, giveUpAfter)
  // Titles are enough to learn that something changed.
  const urlAfter = makeUrlAfter({ ...options, include: [] })
  const stream = new ChangeStream(options)
  let cursor = after ?? ''
  let wasCurrent = false
  for (;;) {
    const batch = await readAfter(cursor)
    if (batch.items.length > 0 || batch.cursor !== cursor || batch.isCurrent !== wasCurrent) yield batch
    cursor = batch.cursor
    wasCurrent = batch.isCurrent
    if (!batch.isCurrent) continue
    if (poll === undefined) return
    await waitForChange(stream, urlAfter(cursor), poll, signal)
  }
}

/**
 * Waits until there is something to read after the cursor of a URL, or for `seconds`.
 * @throws the reason of the signal when it is aborted
 */
const waitForChange = async (stream: ChangeStream, url: string, seconds: number, signal?: AbortSignal) => {
  let end = performance.now() + seconds * 1000
  if (seconds >= SHORTEST_STREAM && stream.isOffered) {
    const controller = new AbortController()
    const stop = () => controller.abort()
    const timer = setTimeout(stop, Math.min(seconds * 1000, LONGEST_TIMER))
    signal?.addEventListener('abort', stop, { once: true })
    try {
      for await (const _ of stream.events(url, controller.signal)) return
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
    // The next look finds out what happened to a stream that has ended, or was refused.
    if (stream.isOffered) end = Math.min(end, stream.opensAt)
  }
  while (performance.now() < end || signal?.aborted) await pauseUntil(end, signal)
}
