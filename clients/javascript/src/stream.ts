import type { RequestOptions } from './requests.ts'
import { LONGEST_TIMER, pauseUntil } from './waiting.ts'

/**
 * What waits until the wiki changes: a stream of the list of changes tells it at once. Services without streams, or with
 * too many of them, are only polled.
 * @returns a function that resolves when there is something to read after the cursor of the URL, or after `seconds`. It
 * rejects only with the reason of the signal
 */
export const makeWaitForChange = ({
  fetch = (...values) => globalThis.fetch(...values),
  headers,
  signal,
}: RequestOptions): ((url: string, seconds: number) => Promise<void>) => {
  let isOffered = true
  /** Reads a stream to its first event or its end. */
  const watch = async (url: string, ended: AbortSignal): Promise<'changed' | 'ended' | 'refused'> => {
    const sent = new Headers(headers)
    sent.set('Accept', 'text/event-stream')
    const response = await fetch(url, { headers: sent, signal: ended })
    if (response.status !== 200) return 'refused'
    isOffered = isEvents(response)
    if (!isOffered) return 'refused'
    return (await hasEvent(response)) ? 'changed' : 'ended'
  }
  return async (url, seconds) => {
    let end = performance.now() + seconds * 1000
    if (isOffered && seconds >= SHORTEST_STREAM) {
      const controller = new AbortController()
      const stop = () => controller.abort()
      const timer = setTimeout(stop, Math.min(seconds * 1000, LONGEST_TIMER))
      signal?.addEventListener('abort', stop, { once: true })
      const outcome = await watch(url, controller.signal).catch(() => 'ended')
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      stop()
      if (outcome === 'changed') return
      // The service may have been replaced: the caller looks soon, and the next stream begins.
      if (outcome === 'ended') end = Math.min(end, performance.now() + SHORTEST_STREAM * 1000)
    }
    while (performance.now() < end || signal?.aborted) await pauseUntil(end, signal)
  }
}

/** Who looks more often than that, seconds, needs no stream. */
const SHORTEST_STREAM = 5

const isEvents = ({ headers }: Response): boolean =>
  /^text\/event-stream\b/.test(headers.get('Content-Type') ?? '')

/** Reads until the first event. */
const hasEvent = async ({ body }: Response): Promise<boolean> => {
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
  let last = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return false
    last += value
    if (/^event:/m.test(last)) return true
    last = last.slice(last.lastIndexOf('\n') + 1)
  }
}
