import type { ChangeItem, Included } from './changes.ts'
import { type ListOptions, makeListReader, makeUrlAfter } from './list.ts'
import { ChangeStream } from './stream.ts'
import { pauseUntil } from './waiting.ts'

/** Options of `follow`. */
export interface FollowOptions<Include extends Included = never> extends ListOptions<Include> {
  /** Seconds from one look for changes to the next, where there is no stream. Default: 60. */
  poll?: number | undefined
  /** Default: never. */
  giveUpAfter?: number | undefined
}

/** A change, and what to store after it. */
export interface FollowedChange<Include extends Included = never> {
  item: ChangeItem<Include>
  /**
   * Store it when the item is applied. Where there is no stream, it is behind within a part of the list, and empty in the
   * first: who starts again with it gets the items of this part twice.
   */
  cursor: string
}

/**
 * What the wiki has, then each change as it happens, in the order of commits. It reads the stream, and where there is
 * none, the list again and again. It survives failures of the network and of the service, and ends with `signal`, or
 * when the loop over it does.
 * @throws UnknownCursor, ApiError; Unreachable, or the ApiError of a 429 or 5xx, after `giveUpAfter`; the reason of
 * `signal`
 */
export async function* follow<Include extends Included = never>(
  options: FollowOptions<Include>,
): AsyncGenerator<FollowedChange<Include>, void, void> {
  const { after, poll = 60, giveUpAfter = Number.POSITIVE_INFINITY, signal } = options
  const urlAfter = makeUrlAfter(options)
  const readAfter = makeListReader(options, giveUpAfter)
  const stream = new ChangeStream(options)
  const pause = async (time: number) => {
    while (performance.now() < time || signal?.aborted) await pauseUntil(time, signal)
  }
  let cursor = after === 'now' ? (await readAfter(after)).cursor : (after ?? '')
  for (;;) {
    for await (const { id, data } of stream.events(urlAfter(cursor), signal)) {
      cursor = id
      yield { item: JSON.parse(data), cursor }
    }
    await pause(Math.min(stream.opensAt, performance.now() + poll * 1000))
    // The list brings what the stream cannot, waits while the service is away, and tells if the request is wrong.
    for (let isCurrent = false; !isCurrent; ) {
      const batch = await readAfter(cursor)
      const last = batch.items.at(-1)
      for (const item of batch.items) yield { item, cursor: item === last ? batch.cursor : cursor }
      ;({ cursor, isCurrent } = batch)
    }
    if (!stream.isOffered) await pause(performance.now() + poll * 1000)
  }
}
