import { LRUCache } from 'lru-cache'
import { ANSWER_CACHE } from '../limits.ts'
import { type Answer, notFoundSeconds } from './answers.ts'
import { ReadyAnswer } from './send.ts'

/** An answer that is kept, and when it was made, by the clock of `performance.now`. */
export interface Kept {
  ready: ReadyAnswer
  madeAt: number
}

export interface AnswerCache {
  /** Changes when the wiki does. */
  readonly generation: number
  /** The answer that a request as it was sent had before, if it still may be given. */
  find(sent: string): Kept | undefined
  /**
   * The kept answer of a request, else a new one. Requests for one that is being made wait for it.
   * @param sent the request as it was sent: the next one like it is found by that alone
   * @param key the same for all requests that mean the same
   * @param began the generation when the first thing that the answer depends on was read
   * @throws what `make` throws, to all who wait
   */
  answer(sent: string, key: string, make: () => Promise<Answer>, began: number): Promise<Kept>
  /** The wiki changed: nothing that was kept, or is being made, counts any more. */
  clear(): void
}

/**
 * Finished answers, bounded in bytes: 200 for the time that they promise, 404 for a shorter one.
 * @param seconds how long; 0 keeps nothing, and requests wait for nobody
 */
export const makeAnswerCache = (seconds: number, now = () => performance.now()): AnswerCache => {
  const making = new Map<string, Promise<Kept>>()
  const clock = { perf: { now }, ttlResolution: 0 }
  const answers = new LRUCache<string, Kept>({
    ...clock,
    maxSize: ANSWER_CACHE.bytes,
    // What compression adds is less than the body again; two kilobytes for headers, key and objects.
    sizeCalculation: ({ ready }, key) => 2 * ready.answer.body.length + 2 * key.length + 2048,
  })
  /** Requests as they were sent, and the key of what each means. */
  const keys = new LRUCache<string, string>({
    maxSize: ANSWER_CACHE.addressBytes,
    sizeCalculation: (key, sent) => 2 * (key.length + sent.length) + 100,
  })
  let generation = 0

  const make = async (key: string, makeAnswer: () => Promise<Answer>, began: number): Promise<Kept> => {
    const madeAt = now()
    const answer = await makeAnswer()
    const kept = { ready: new ReadyAnswer(answer), madeAt }
    const keep = answer.status === 404 ? notFoundSeconds(seconds) : seconds
    if (began === generation) answers.set(key, kept, { ttl: keep * 1000 })
    return kept
  }

  return {
    get generation() {
      return generation
    },
    find: (sent) => {
      const key = keys.get(sent)
      return key === undefined ? undefined : answers.get(key)
    },
    answer: async (sent, key, makeAnswer, began) => {
      if (seconds === 0 || began !== generation) {
        return { ready: new ReadyAnswer(await makeAnswer()), madeAt: now() }
      }
      keys.set(sent, key)
      const known = answers.get(key) ?? making.get(key)
      if (known) return known
      const made = make(key, makeAnswer, began).finally(() => {
        if (making.get(key) === made) making.delete(key)
      })
      making.set(key, made)
      return made
    },
    clear: () => {
      generation += 1
      answers.clear()
      keys.clear()
      making.clear()
    },
  }
}
