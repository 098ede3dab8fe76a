import { LRUCache } from 'lru-cache'
import { FAILURES_KEPT, HTML_CACHE_BYTES, HTML_KEPT_MS } from '../limits.ts'
import { withinHeap } from '../resources.ts'
import { sourceAsHtml } from '../wiki/html.ts'
import type { Job, Render } from './rendering.ts'

/** The HTML of edits, made when it is asked for, once for all who ask, and kept within bounds. */
export interface KeptHtml {
  /**
   * What has no HTML comes as its source, and is not tried again for a while.
   * @param load the edit's text and where it stands
   * @throws Unavailable, and what `load` throws, to all who wait
   */
  of(revisionId: string, load: () => Promise<Job>): Promise<string>
  /** The wiki changed: names and links may have. */
  forget(): void
}

export const makeKeptHtml = (render: Render): KeptHtml => {
  const rendered = new LRUCache<string, string>({
    maxSize: withinHeap(HTML_CACHE_BYTES),
    sizeCalculation: (html) => 2 * html.length + 200,
    // An edit's text hardly ever changes; this bounds what a change that was not heard of leaves behind.
    ttl: HTML_KEPT_MS,
  })
  /**
   * Edits whose text failed. Changes of the wiki are no reason to try them again: imports would make each of
   * them take its second again. The text itself is read anew, so that what is shown is true. (D44)
   */
  const failed = new LRUCache<string, true>({ max: FAILURES_KEPT.max })
  let making = new Map<string, Promise<string>>()

  const make = async (id: string, load: () => Promise<Job>): Promise<string> => {
    const began = making
    const { markdown, place } = await load()
    if (failed.has(id)) return sourceAsHtml(markdown)
    const rendering = await render(markdown, place)
    if ('failure' in rendering) {
      failed.set(id, true, { ttl: rendering.isSure ? FAILURES_KEPT.ms : FAILURES_KEPT.unsureMs })
      return sourceAsHtml(markdown)
    }
    if (began === making) rendered.set(id, rendering.html)
    return rendering.html
  }

  return {
    of: async (id, load) => {
      const known = rendered.get(id) ?? making.get(id)
      if (known !== undefined) return known
      const own = making
      const made = make(id, load).finally(() => own.delete(id))
      own.set(id, made)
      return made
    },
    forget: () => {
      making = new Map()
      rendered.clear()
    },
  }
}
