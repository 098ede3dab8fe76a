import { exchange, type RequestOptions } from './requests.ts'
import { LONGEST_TIMER, pauseUntil } from './waiting.ts'

/** Who looks more often than that, seconds, needs no stream. */
const SHORTEST_STREAM = 5
/** A stream that says nothing for this time is lost, seconds: the service sends a comment every 15 s. */
const SILENCE_MAX = 40

/**
 * What waits until the wiki changes: a stream of the list of changes tells it at once. Services without streams, or with
 * too many of them, are only polled.
 * @returns a function that resolves when there is something to read after the cursor of the URL, or after `seconds`. It
 * rejects only with the reason of the signal
 */
export const makeWaitForChange = (
  options: RequestOptions,
): ((url: string, seconds: number) => Promise<void>) => {
  const { signal } = options
  let isOffered = true
  /** How often in succession there was no stream: the service is too busy, or is being replaced. */
  let refusals = 0
  /** Reads a stream to its first event or its end. @returns whether it had one */
  const watch = (url: string, ended: AbortSignal): Promise<boolean> => {
    refusals += 1
    const headers = { ...options.headers, Accept: 'text/event-stream' }
    const asked = { ...options, headers, idleTimeout: SILENCE_MAX }
    return exchange({ url, signal: ended }, asked, async (response, next) => {
      if (response.status !== 200) return false
      isOffered = isEvents(response)
      if (!isOffered) return false
      refusals = 0
      return hasEvent(next)
    })
  }
  return async (url, seconds) => {
    let end = performance.now() + seconds * 1000
    if (isOffered && seconds >= SHORTEST_STREAM) {
      const controller = new AbortController()
      const stop = () => controller.abort()
      const timer = setTimeout(stop, Math.min(seconds * 1000, LONGEST_TIMER))
      signal?.addEventListener('abort', stop, { once: true })
      const hasChanged = await watch(url, controller.signal).catch(() => false)
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      if (hasChanged) return
      // The caller looks soon, and the next stream begins; later with each refusal.
      if (isOffered) end = Math.min(end, performance.now() + SHORTEST_STREAM * 2 ** refusals * 1000)
    }
    while (performance.now() < end || signal?.aborted) await pauseUntil(end, signal)
  }
}

const isEvents = ({ headers }: Response): boolean =>
  /^text\/event-stream\b/.test(headers.get('Content-Type') ?? '')

/** Reads until the first event. */
const hasEvent = async (next: () => Promise<Uint8Array | undefined>): Promise<boolean> => {
  const decoder = new TextDecoder()
  let last = ''
  for (let chunk = await next(); chunk !== undefined; chunk = await next()) {
    last += decoder.decode(chunk, { stream: true })
    if (/^event:/m.test(last)) return true
    last = last.slice(last.lastIndexOf('\n') + 1)
  }
  return false
}
