import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { FAILURES_KEPT, HTML_CACHE_BYTES } from '../limits.ts'
import { withinHeap } from '../resources.ts'
import { sourceAsHtml } from '../wiki/html.ts'
import type { Job, Render } from './rendering.ts'

/** The HTML of texts, made when it is asked for, once for all who ask, and kept within bounds. */
export interface KeptHtml {
  /**
   * What has no HTML comes as its source, and is not tried again for a while.
   * @throws Unavailable, to all who wait
   */
  of(job: Job): Promise<string>
}

/**
 * HTML is kept by a digest of all that it is made of. So a text that was changed in place, or languages that came
 * and went, have other HTML at once, whether or not anybody could hear of the change. (D44)
 */
export const makeKeptHtml = (render: Render): KeptHtml => {
  const rendered = new LRUCache<string, string>({
    maxSize: withinHeap(HTML_CACHE_BYTES),
    sizeCalculation: (html) => 2 * html.length + 250,
  })
  const failed = new LRUCache<string, true>({ max: FAILURES_KEPT.max })
  const rendering = new Map<string, Promise<string>>()

  const make = async (key: string, { markdown, place }: Job): Promise<string> => {
    const result = await render(markdown, place)
    if ('failure' in result) {
      failed.set(key, true, { ttl: result.isSure ? FAILURES_KEPT.ms : FAILURES_KEPT.unsureMs })
      return sourceAsHtml(markdown)
    }
    rendered.set(key, result.html)
    return result.html
  }

  return {
    of: async (job) => {
      const key = digestOf(job)
      const known = rendered.get(key) ?? rendering.get(key)
      if (known !== undefined) return known
      if (failed.has(key)) return sourceAsHtml(job.markdown)
      const made = make(key, job).finally(() => rendering.delete(key))
      rendering.set(key, made)
      return made
    },
  }
}

/** The wiki's addresses are left out: they stay the same as long as the process runs. */
const digestOf = ({ markdown, place: { locale, path, locales } }: Job): string =>
  hash('sha256', JSON.stringify([locale, path, [...locales].sort(), markdown]), 'base64')
