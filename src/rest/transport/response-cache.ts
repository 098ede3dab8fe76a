import { Overloaded } from '@lectern/wiki/errors'
import { LRUCache } from 'lru-cache'
import { RESPONSE_CACHE } from '../../limits/service.ts'
import { makeSingleFlight } from '../../shared/memoize.ts'
import { scaledToHeap } from '../../shared/resources.ts'
import { type ApiResponse, type HeaderList, IGNORED_HEADER, notFoundMaxAge } from './responses.ts'
import { EncodedResponse } from './send.ts'

export interface CacheEntry {
  response: EncodedResponse
  /** When its creation started, and until when it is valid, by the clock of `performance.now`. */
  createdAt: number
  expiresAt: number
  route: string
}

/** The entry of a response that is not in the cache. */
export const uncachedEntry = (response: EncodedResponse, route: string): CacheEntry => {
  const now = performance.now()
  return { response, createdAt: now, expiresAt: now, route }
}

interface CanonicalKey {
  /** The same for all spellings of the request. */
  key: string
  route: string
  /** Headers of responses to this spelling alone. */
  ownHeaders?: Readonly<HeaderList>
}

export type CacheCounts = ReturnType<ResponseCache['counts']>

export type ResponseCache = ReturnType<typeof makeResponseCache>

/**
 * Finished responses, bounded in bytes: a 200 for its `max-age`, a 404 for a shorter time.
 * Long: its functions share one generation of entries, aliases and running work.
 * @param seconds how long a 200 is valid; 0 caches nothing, and requests share nothing
 * @param countUnknownParameters called when `find` finds the response of a spelling that has an unknown parameter
 */
export const makeResponseCache = (
  seconds: number,
  now = () => performance.now(),
  countUnknownParameters: (route: string) => void = () => {},
) => {
  const entries = new LRUCache<string, CacheEntry>({
    maxSize: scaledToHeap(RESPONSE_CACHE.bytes),
    // Compressed bodies take less than the body again; headers, key and objects take two kilobytes.
    sizeCalculation: ({ response }, key) => 2 * response.response.body.length + 2 * key.length + 2048,
  })
  /** What spellings of requests mean. They hold no entry, so that evicted bytes leave the memory. */
  const aliases = new LRUCache<string, CanonicalKey>({
    maxSize: scaledToHeap(RESPONSE_CACHE.aliasBytes),
    sizeCalculation: ({ key }, rawRequest) => 2 * (key.length + rawRequest.length) + 150,
  })
  const inFlight = makeSingleFlight<CacheEntry>()
  /** Requests whose response was cached, that waited for the response of another one, and whose response was created. */
  const counts = { hits: 0, coalesced: 0, misses: 0 }
  let generation = 0

  const createEntry = async (
    { key, route }: CanonicalKey,
    create: () => Promise<ApiResponse>,
    generationAtStart: number,
  ): Promise<CacheEntry> => {
    counts.misses += 1
    const createdAt = now()
    const response = await create()
    const ttlMs = 1000 * (response.status === 404 ? notFoundMaxAge(seconds) : seconds)
    const entry = { response: new EncodedResponse(response), createdAt, expiresAt: createdAt + ttlMs, route }
    if (seconds > 0 && response.isStored !== false && generationAtStart === generation)
      entries.set(key, entry)
    return entry
  }

  const validEntry = (key: string): CacheEntry | undefined => {
    const entry = entries.get(key)
    return entry !== undefined && entry.expiresAt >= now() ? entry : undefined
  }

  return {
    /** Increases when the wiki changes. */
    get generation(): number {
      return generation
    },
    /**
     * The valid entry that a request of the same spelling had before.
     * @param ownHeaders get those of the spelling
     */
    find: (rawRequest: string, ownHeaders?: HeaderList): CacheEntry | undefined => {
      const alias = aliases.get(rawRequest)
      const entry = alias && validEntry(alias.key)
      if (!entry) return undefined
      counts.hits += 1
      if (alias.ownHeaders?.includes(IGNORED_HEADER)) countUnknownParameters(alias.route)
      ownHeaders?.push(...(alias.ownHeaders ?? []))
      return entry
    },
    /**
     * The cached response of a request, or else a new one. Concurrent requests for the same response share one.
     * @param rawRequest the request as it was sent. The next request of the same spelling needs nothing else
     * @param canonical what the request means
     * @param generationAtStart the generation before anything that the response depends on was read
     * @throws what `create` throws, to all requests that share it. If it throws Overloaded, the others create their own.
     */
    getOrCreate: async (
      rawRequest: string,
      canonical: CanonicalKey,
      create: () => Promise<ApiResponse>,
      generationAtStart: number,
    ): Promise<CacheEntry> => {
      if (seconds === 0 || generationAtStart !== generation)
        return createEntry(canonical, create, generationAtStart)
      const { key } = canonical
      aliases.set(rawRequest, canonical)
      const entry = validEntry(key)
      if (entry) {
        counts.hits += 1
        return entry
      }
      const pending = inFlight.pending(key)
      if (!pending) return inFlight.run(key, () => createEntry(canonical, create, generationAtStart))
      counts.coalesced += 1
      return pending.catch((error: unknown) => {
        // The client of the first request may be over its share, which the clients of the others are not. (D41)
        if (error instanceof Overloaded) return createEntry(canonical, create, generationAtStart)
        throw error
      })
    },
    /** The wiki changed: no response is valid any more, including those that are being created. */
    clear: (): void => {
      generation += 1
      entries.clear()
      aliases.clear()
      inFlight.clear()
    },
    /** `entries`: responses in the cache; `bytes`: their estimated size. */
    counts: () => ({ ...counts, entries: entries.size, bytes: entries.calculatedSize }),
  }
}
