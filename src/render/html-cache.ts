import { hash } from 'node:crypto'
import { sourceAsHtml, wellFormed } from '@lectern/wiki/text'
import { LRUCache } from 'lru-cache'
import { RENDER_FAILURE_CACHE, RENDER_RETRIES } from '../limits/rendering.ts'
import { HTML_CACHE_BYTES } from '../limits/responses.ts'
import { makeSingleFlight } from '../shared/memoize.ts'
import { scaledToHeap } from '../shared/resources.ts'
import { type Render, type RenderJob, type RenderResult, RenderUnfinished } from './render-result.ts'
import { rendererVersion } from './renderer-version.ts'

/** Reads what the database has for a digest. Null: nothing. */
type ReadStored = (digest: string) => Promise<string | null>

/**
 * What texts become, rendered on demand: once for concurrent callers. The cache has a maximum size.
 * The key of an entry is a digest of everything that its HTML depends on. So when a text changes in place, or the
 * languages of the wiki change, the HTML changes at once, even if no notice of the change arrives.
 */
export const makeHtmlCache = (render: Render, now = () => performance.now()) => {
  const rendered = new LRUCache<string, string>({
    maxSize: scaledToHeap(HTML_CACHE_BYTES),
    sizeCalculation: (html) => 2 * html.length + 250,
  })
  const failed = new LRUCache<string, true>({ max: RENDER_FAILURE_CACHE.max, ttl: RENDER_FAILURE_CACHE.ms })
  const unfinished = new LRUCache<string, Unfinished>({ max: RENDER_RETRIES.max })
  const rendering = makeSingleFlight<string>()

  const readOrRender = async (key: string, job: RenderJob, stored?: ReadStored): Promise<string> => {
    const found = stored ? await stored(key) : null
    if (found !== null) rendered.set(key, found)
    return found ?? renderAndStore(key, job)
  }
  const renderAndStore = async (key: string, job: RenderJob): Promise<string> => {
    const before = unfinished.get(key)
    if (before && now() < before.retryAt) throw unfinishedError(before, now())
    const result = await render(job).catch((error: unknown): RenderResult => {
      if (!(error instanceof RenderUnfinished)) throw error
      const entry = nextUnfinished(error, before, now())
      if (entry.losses >= RENDER_RETRIES.losses) return { failure: 'memory' }
      unfinished.set(key, entry)
      throw unfinishedError(entry, now())
    })
    unfinished.delete(key)
    if ('failure' in result) {
      failed.set(key, true)
      return sourceOf(job)
    }
    rendered.set(key, result.output)
    return result.output
  }

  return {
    /**
     * A text that cannot be rendered gives its source, as HTML or as text, or one section with all of it. It is not
     * rendered again for a while.
     * @throws Unavailable, to every concurrent caller; RenderUnfinished also without trying, in the pause after several
     * renderings that did not finish
     */
    get: async (job: RenderJob, stored?: ReadStored): Promise<string> => {
      const key = renderDigest(job)
      const cached = rendered.get(key) ?? rendering.pending(key)
      if (cached !== undefined) return cached
      if (failed.has(key)) return sourceOf(job)
      return rendering.run(key, () => readOrRender(key, job, stored))
    },
  }
}

/** A text whose last renderings did not finish. */
interface Unfinished extends Pick<RenderUnfinished, 'interruption'> {
  count: number
  /** How often its process was lost in a row. Nothing but the text has that in common. */
  losses: number
  /** By the clock of the cache, milliseconds. */
  retryAt: number
}

const nextUnfinished = ({ interruption }: RenderUnfinished, before: Unfinished | undefined, now: number) => {
  const { count, losses } = before ?? { count: 0, losses: 0 }
  const pause = count === 0 ? 0 : RENDER_RETRIES.firstPauseMs * 2 ** (count - 1)
  return {
    interruption,
    count: count + 1,
    losses: interruption === 'lost' ? losses + 1 : 0,
    retryAt: now + Math.min(pause, RENDER_RETRIES.longestPauseMs),
  }
}

const unfinishedError = ({ interruption, retryAt }: Unfinished, now: number): RenderUnfinished =>
  new RenderUnfinished(interruption, Math.max(1, Math.ceil((retryAt - now) / 1000)))

/** The source of a text that cannot be rendered, in the place of what it would have become. */
const sourceOf = ({ markdown, target }: RenderJob): string => {
  if (target.form === 'sections') {
    const whole = { id: '', level: 0, title: '', start: 0, end: markdown.length }
    return JSON.stringify(markdown.trim() === '' ? [] : [whole])
  }
  const source = markdown.slice(target.section?.start, target.section?.end)
  return target.form === 'html' ? sourceAsHtml(source) : wellFormed(source)
}

/**
 * What the HTML of a text depends on, except the URLs of the wiki and of its files' origin: these do not change while the
 * process runs, and stored HTML does not have them.
 */
export const renderDigest = ({ markdown, context, target }: RenderJob): string => {
  const { locale, path, dialect } = context
  const locales = [...context.locales].sort()
  const pages = [...(context.pages ?? [])]
  const files = [...(context.files ?? [])].map(([reference, file]) => {
    const url = file.url.slice(file.url.lastIndexOf('/media/'))
    return [reference, { ...file, url }]
  })
  const parts = [rendererVersion(), locale, path, dialect, locales, pages, files, target, markdown]
  return hash('sha256', JSON.stringify(parts), 'base64')
}
