import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { HTML_CACHE_BYTES, RENDER_FAILURE_CACHE } from '../limits.ts'
import { scaledToHeap } from '../resources.ts'
import { sourceAsHtml } from '../wiki/html.ts'
import type { Render, RenderJob } from './render-result.ts'

/** The HTML of texts, made when it is asked for, once for all who ask, and kept within bounds. */
interface HtmlCache {
  /**
   * What has no HTML comes as its source, and is not tried again for a while.
   * @throws Unavailable, to all who wait
   */
  get(job: RenderJob): Promise<string>
}

/**
 * HTML is kept by a digest of all that it is made of. So a text that was changed in place, or languages that came
 * and went, have other HTML at once, whether or not anybody could hear of the change. (D44)
 */
export const makeHtmlCache = (render: Render): HtmlCache => {
  const rendered = new LRUCache<string, string>({
    maxSize: scaledToHeap(HTML_CACHE_BYTES),
    sizeCalculation: (html) => 2 * html.length + 250,
  })
  const failed = new LRUCache<string, true>({ max: RENDER_FAILURE_CACHE.max })
  const rendering = new Map<string, Promise<string>>()

  const make = async (key: string, { markdown, context }: RenderJob): Promise<string> => {
    const result = await render(markdown, context)
    if ('failure' in result) {
      failed.set(key, true, { ttl: result.isSure ? RENDER_FAILURE_CACHE.ms : RENDER_FAILURE_CACHE.unsureMs })
      return sourceAsHtml(markdown)
    }
    rendered.set(key, result.html)
    return result.html
  }

  return {
    get: async (job) => {
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
const digestOf = ({ markdown, context: { locale, path, locales } }: RenderJob): string =>
  hash('sha256', JSON.stringify([locale, path, [...locales].sort(), markdown]), 'base64')
