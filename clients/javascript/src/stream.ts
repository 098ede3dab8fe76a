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
  /** How often in succession there was no stream: the service is too busy, or is being replaced. */
  let refusals = 0
  /** Reads a stream to its first event or its end. @returns whether it had one */
  const watch = async (url: string, ended: AbortSignal, onBytes: () => void): Promise<boolean> => {
    const sent = new Headers(headers)
    sent.set('Accept', 'text/event-stream')
    refusals += 1
    const response = await fetch(url, { headers: sent, signal: ended })
    if (response.status !== 200) return false
    isOffered = isEvents(response)
    if (!isOffered) return false
    refusals = 0
    return hasEvent(response, onBytes)
  }
  return async (url, seconds) => {
    let end = performance.now() + seconds * 1000
    if (isOffered && seconds >= SHORTEST_STREAM) {
      const controller = new AbortController()
      const stop = () => controller.abort()
      const timer = setTimeout(stop, Math.min(seconds * 1000, LONGEST_TIMER))
      let idle = setTimeout(stop, SILENCE_MAX)
      const onBytes = () => {
        clearTimeout(idle)
        idle = setTimeout(stop, SILENCE_MAX)
      }
      signal?.addEventListener('abort', stop, { once: true })
      const hasChanged = await watch(url, controller.signal, onBytes).catch(() => false)
      clearTimeout(timer)
      clearTimeout(idle)
      signal?.removeEventListener('abort', stop)
      stop()
      if (hasChanged) return
      // The caller looks soon, and the next stream begins; later with each refusal.
      if (isOffered) end = Math.min(end, performance.now() + SHORTEST_STREAM * 2 ** refusals * 1000)
    }
    while (performance.now() < end || signal?.aborted) await pauseUntil(end, signal)
  }
}

/** Who looks more often than that, seconds, needs no stream. */
const SHORTEST_STREAM = 5
/** A stream that says nothing for this time is lost, milliseconds: the service sends a comment every 15 s. */
const SILENCE_MAX = 40_000

const isEvents = ({ headers }: Response): boolean =>
  /^text\/event-stream\b/.test(headers.get('Content-Type') ?? '')

/** Reads until the first event. */
const hasEvent = async ({ body }: Response, onBytes: () => void): Promise<boolean> => {
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
  let last = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return false
    onBytes()
    last += value
    if (/^event:/m.test(last)) return true
    last = last.slice(last.lastIndexOf('\n') + 1)
  }
}
