import { LRUCache } from 'lru-cache'
import { Overloaded } from '../errors.ts'
import { RESPONSE_CACHE } from '../limits.ts'
import { makeSingleFlight } from '../memoize.ts'
import { scaledToHeap } from '../resources.ts'
import { type ApiResponse, notFoundMaxAge } from './responses.ts'
import { EncodedResponse } from './send.ts'

/** An answer that is kept. */
export interface CacheEntry {
  response: EncodedResponse
  /** When the making of it began, by the clock of `performance.now`, as is until when it may be given. */
  createdAt: number
  expiresAt: number
  route: string
}

/** Where an answer is kept; emptied when it is let go, so that what leads here does not hold its bytes. */
interface Slot {
  entry: CacheEntry | undefined
  /** When it was last said to be in use. */
  usedAt: number
}

/** A request as it was sent. */
interface Alias {
  key: string
  slot: Slot | undefined
}

/** How often an answer that is given again and again is said to be in use, milliseconds. */
const TOUCH_INTERVAL_MS = 1_000

/** What a request means. */
interface CanonicalKey {
  /** The same for all requests that mean the same. */
  key: string
  /** Name of its route. */
  route: string
}

export interface CacheCounts {
  /** Requests whose answer was kept, was being made for another, had to be made. */
  hits: number
  coalesced: number
  misses: number
  /** Answers that are kept, and what they count as. */
  entries: number
  bytes: number
}

export interface ResponseCache {
  /** Changes when the wiki does. */
  readonly generation: number
  /**
   * The answer that a request as it was sent had before, if it still may be given.
   * @param at when it is now, where that is known, by the clock of `performance.now`
   */
  find(rawRequest: string, at?: number): CacheEntry | undefined
  /**
   * The kept answer of a request, else a new one. Requests for one that is being made wait for it.
   * @param rawRequest the request as it was sent: the next one like it is found by that alone
   * @param canonical what it means: the same for all requests that share an answer
   * @param generationAtStart the generation when the first thing that the answer depends on was read
   * @throws what `make` throws, to all who wait; but when it was refused, each of the others tries by itself
   */
  getOrCreate(
    rawRequest: string,
    canonical: CanonicalKey,
    create: () => Promise<ApiResponse>,
    generationAtStart: number,
  ): Promise<CacheEntry>
  /** The wiki changed: nothing that was kept, or is being made, counts any more. */
  clear(): void
  counts(): CacheCounts
}

/**
 * Finished answers, bounded in bytes: 200 for the time that they promise, 404 for a shorter one.
 * @param seconds how long; 0 keeps nothing, and requests wait for nobody
 */
export const makeResponseCache = (seconds: number, now = () => performance.now()): ResponseCache => {
  const inFlight = makeSingleFlight<CacheEntry>()
  const clock = { perf: { now }, ttlResolution: 0 }
  const slots = new LRUCache<string, Slot>({
    ...clock,
    maxSize: scaledToHeap(RESPONSE_CACHE.bytes),
    // What compression adds is less than the body again; two kilobytes for headers, key and objects.
    sizeCalculation: ({ entry }, key) => 2 * entry!.response.response.body.length + 2 * key.length + 2048,
    dispose: (slot) => {
      slot.entry = undefined
    },
  })
  /** Requests as they were sent, what each means, and where its answer is. */
  const aliases = new LRUCache<string, Alias>({
    maxSize: scaledToHeap(RESPONSE_CACHE.aliasBytes),
    sizeCalculation: ({ key }, rawRequest) => 2 * (key.length + rawRequest.length) + 150,
  })
  let generation = 0
  const counts = { hits: 0, coalesced: 0, misses: 0 }

  const create = async (
    { key, route }: CanonicalKey,
    createResponse: () => Promise<ApiResponse>,
    generationAtStart: number,
  ): Promise<CacheEntry> => {
    counts.misses += 1
    const createdAt = now()
    const response = await createResponse()
    const ttlMs = 1000 * (response.status === 404 ? notFoundMaxAge(seconds) : seconds)
    const entry = { response: new EncodedResponse(response), createdAt, expiresAt: createdAt + ttlMs, route }
    if (seconds > 0 && generationAtStart === generation) {
      slots.set(key, { entry, usedAt: createdAt }, { ttl: ttlMs, start: createdAt })
    }
    return entry
  }

  return {
    get generation() {
      return generation
    },
    find: (rawRequest, at = now()) => {
      const alias = aliases.get(rawRequest)
      if (alias === undefined) return undefined
      const { slot } = alias
      const entry = slot?.entry
      if (entry && entry.expiresAt > at && at - slot!.usedAt < TOUCH_INTERVAL_MS) {
        counts.hits += 1
        return entry
      }
      const found = slots.get(alias.key)
      alias.slot = found
      if (!found) return undefined
      found.usedAt = at
      counts.hits += 1
      return found.entry
    },
    getOrCreate: async (rawRequest, canonical, createResponse, generationAtStart) => {
      if (seconds === 0 || generationAtStart !== generation)
        return create(canonical, createResponse, generationAtStart)
      const { key } = canonical
      const slot = slots.get(key)
      aliases.set(rawRequest, { key, slot })
      const entry = slot?.entry
      if (entry) {
        counts.hits += 1
        return entry
      }
      const pending = inFlight.pending(key)
      if (pending) {
        counts.coalesced += 1
        return pending.catch((error: unknown) => {
          // Whose request was refused had asked for too much, perhaps, which those who joined it have not. (D76)
          if (error instanceof Overloaded) return create(canonical, createResponse, generationAtStart)
          throw error
        })
      }
      return inFlight.run(key, () => create(canonical, createResponse, generationAtStart))
    },
    clear: () => {
      generation += 1
      slots.clear()
      aliases.clear()
      inFlight.clear()
    },
    counts: () => ({ ...counts, entries: slots.size, bytes: slots.calculatedSize }),
  }
}
