import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { HTML_CACHE_BYTES } from '../limits/content.ts'
import { RENDER_FAILURE_CACHE } from '../limits/rendering.ts'
import { makeSingleFlight } from '../memoize.ts'
import { scaledToHeap } from '../resources.ts'
import { sourceAsHtml, wellFormed } from '../wiki/source-text.ts'
import type { Render, RenderJob } from './render-result.ts'

/** What texts become, rendered on demand: once for concurrent callers. The cache has a maximum size. */
export interface HtmlCache {
  /**
   * A text that cannot be rendered gives its source, as HTML or as text, or one section with all of it. It is not
   * rendered again for a while.
   * @throws Unavailable, to every concurrent caller
   */
  get(job: RenderJob): Promise<string>
}

/**
 * The key of an entry is a digest of everything that its HTML depends on. So when a text changes in place, or the
 * languages of the wiki change, the HTML changes at once, even if no notice of the change arrives. (D44)
 */
export const makeHtmlCache = (render: Render): HtmlCache => {
  const rendered = new LRUCache<string, string>({
    maxSize: scaledToHeap(HTML_CACHE_BYTES),
    sizeCalculation: (html) => 2 * html.length + 250,
  })
  const failed = new LRUCache<string, true>({ max: RENDER_FAILURE_CACHE.max })
  const rendering = makeSingleFlight<string>()

  const renderAndStore = async (key: string, job: RenderJob): Promise<string> => {
    const result = await render(job)
    if ('failure' in result) {
      failed.set(key, true, { ttl: result.isSure ? RENDER_FAILURE_CACHE.ms : RENDER_FAILURE_CACHE.unsureMs })
      return sourceOf(job)
    }
    rendered.set(key, result.output)
    return result.output
  }

  return {
    get: async (job) => {
      const key = digestOf(job)
      const cached = rendered.get(key) ?? rendering.pending(key)
      if (cached !== undefined) return cached
      if (failed.has(key)) return sourceOf(job)
      return rendering.run(key, () => renderAndStore(key, job))
    },
  }
}

/** The source of a text that cannot be rendered, in the place of what it would have become. */
const sourceOf = ({ markdown, target }: RenderJob): string => {
  if (target.form === 'sections') {
    const whole = { id: '', level: 0, title: '', start: 0, end: markdown.length }
    return JSON.stringify(markdown.trim() === '' ? [] : [whole])
  }
  const source = markdown.slice(target.section?.start, target.section?.end)
  return target.form === 'html' ? sourceAsHtml(source) : wellFormed(source)
}

/** The wiki's URLs are left out, since they do not change while the process runs. */
const digestOf = ({ markdown, context: { locale, path, locales, pages }, target }: RenderJob): string =>
  hash(
    'sha256',
    JSON.stringify([locale, path, [...locales].sort(), [...(pages ?? [])], target, markdown]),
    'base64',
  )
