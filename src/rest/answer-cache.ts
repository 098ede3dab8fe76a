import { LRUCache } from 'lru-cache'
import { Overloaded } from '../errors.ts'
import { ANSWER_CACHE } from '../limits.ts'
import { withinHeap } from '../resources.ts'
import { type Answer, notFoundSeconds } from './answers.ts'
import { ReadyAnswer } from './send.ts'

/** An answer that is kept. */
export interface Kept {
  ready: ReadyAnswer
  /** When the making of it began, by the clock of `performance.now`, as is until when it may be given. */
  madeAt: number
  until: number
  route: string
}

/** Where an answer is kept; emptied when it is let go, so that what leads here does not hold its bytes. */
interface Slot {
  kept: Kept | undefined
  /** When it was last said to be in use. */
  usedAt: number
}

/** A request as it was sent. */
interface Address {
  key: string
  slot: Slot | undefined
}

/** How often an answer that is given again and again is said to be in use, milliseconds. */
const USED_EVERY_MS = 1_000

/** What a request means. */
export interface Meaning {
  /** The same for all requests that mean the same. */
  key: string
  /** Name of its route. */
  route: string
}

export interface CacheCounts {
  /** Requests whose answer was kept, was being made for another, had to be made. */
  hits: number
  joined: number
  made: number
  /** Answers that are kept, and what they count as. */
  entries: number
  bytes: number
}

export interface AnswerCache {
  /** Changes when the wiki does. */
  readonly generation: number
  /**
   * The answer that a request as it was sent had before, if it still may be given.
   * @param at when it is now, where that is known, by the clock of `performance.now`
   */
  find(sent: string, at?: number): Kept | undefined
  /**
   * The kept answer of a request, else a new one. Requests for one that is being made wait for it.
   * @param sent the request as it was sent: the next one like it is found by that alone
   * @param meaning what it means: the same for all requests that share an answer
   * @param began the generation when the first thing that the answer depends on was read
   * @throws what `make` throws, to all who wait; but when it was refused, each of the others tries by itself
   */
  answer(sent: string, meaning: Meaning, make: () => Promise<Answer>, began: number): Promise<Kept>
  /** The wiki changed: nothing that was kept, or is being made, counts any more. */
  clear(): void
  counts(): CacheCounts
}

/**
 * Finished answers, bounded in bytes: 200 for the time that they promise, 404 for a shorter one.
 * @param seconds how long; 0 keeps nothing, and requests wait for nobody
 */
export const makeAnswerCache = (seconds: number, now = () => performance.now()): AnswerCache => {
  const making = new Map<string, Promise<Kept>>()
  const clock = { perf: { now }, ttlResolution: 0 }
  const answers = new LRUCache<string, Slot>({
    ...clock,
    maxSize: withinHeap(ANSWER_CACHE.bytes),
    // What compression adds is less than the body again; two kilobytes for headers, key and objects.
    sizeCalculation: ({ kept }, key) => 2 * kept!.ready.answer.body.length + 2 * key.length + 2048,
    dispose: (slot) => {
      slot.kept = undefined
    },
  })
  /** Requests as they were sent, what each means, and where its answer is. */
  const addresses = new LRUCache<string, Address>({
    maxSize: withinHeap(ANSWER_CACHE.addressBytes),
    sizeCalculation: ({ key }, sent) => 2 * (key.length + sent.length) + 150,
  })
  let generation = 0
  const counts = { hits: 0, joined: 0, made: 0 }

  const make = async (
    { key, route }: Meaning,
    makeAnswer: () => Promise<Answer>,
    began: number,
  ): Promise<Kept> => {
    counts.made += 1
    const madeAt = now()
    const answer = await makeAnswer()
    const keptMs = 1000 * (answer.status === 404 ? notFoundSeconds(seconds) : seconds)
    const kept = { ready: new ReadyAnswer(answer), madeAt, until: madeAt + keptMs, route }
    if (seconds > 0 && began === generation) {
      answers.set(key, { kept, usedAt: madeAt }, { ttl: keptMs, start: madeAt })
    }
    return kept
  }

  return {
    get generation() {
      return generation
    },
    find: (sent, at = now()) => {
      const address = addresses.get(sent)
      if (address === undefined) return undefined
      const { slot } = address
      const kept = slot?.kept
      if (kept && kept.until > at && at - slot!.usedAt < USED_EVERY_MS) {
        counts.hits += 1
        return kept
      }
      const found = answers.get(address.key)
      address.slot = found
      if (!found) return undefined
      found.usedAt = at
      counts.hits += 1
      return found.kept
    },
    answer: async (sent, meaning, makeAnswer, began) => {
      if (seconds === 0 || began !== generation) return make(meaning, makeAnswer, began)
      const { key } = meaning
      const slot = answers.get(key)
      addresses.set(sent, { key, slot })
      const kept = slot?.kept
      if (kept) {
        counts.hits += 1
        return kept
      }
      const known = making.get(key)
      if (known) {
        counts.joined += 1
        return known.catch((error: unknown) => {
          // Whose request was refused had asked for too much, perhaps, which those who joined it have not. (D76)
          if (error instanceof Overloaded) return make(meaning, makeAnswer, began)
          throw error
        })
      }
      const made = make(meaning, makeAnswer, began).finally(() => {
        if (making.get(key) === made) making.delete(key)
      })
      making.set(key, made)
      return made
    },
    clear: () => {
      generation += 1
      answers.clear()
      addresses.clear()
      making.clear()
    },
    counts: () => ({ ...counts, entries: answers.size, bytes: answers.calculatedSize }),
  }
}
