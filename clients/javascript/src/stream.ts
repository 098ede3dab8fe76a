import { EventReader, type StreamEvent } from './events.ts'
import {
  isTemporary,
  messageOf,
  openExchange,
  pauseAfter,
  type RequestOptions,
  retryAfterOf,
  Silence,
} from './requests.ts'

/** A stream that has begun and says nothing for this time is lost, seconds: a comment comes every 15 s. */
const SILENCE_MAX = 40
/** Seconds after which a service without streams may have them. */
const OFFERED_AGAIN = 600
/** Milliseconds until the next stream, if none said it. */
const RETRY = 3000

/** The stream of a list of changes. It is opened again and again; what fails is only noted. */
export class ChangeStream {
  readonly #options: RequestOptions
  /** How often in succession there was no stream: the service is too busy, or is away. */
  #failures = 0
  #offeredAt = 0
  #opensAt = 0

  constructor(options: RequestOptions) {
    this.#options = options
  }

  /** Whether there are streams, as far as is known. */
  get isOffered(): boolean {
    return performance.now() >= this.#offeredAt
  }

  /** The time of `performance.now()` before which the service wants no other request for a stream. */
  get opensAt(): number {
    return this.#opensAt
  }

  /** The events of one connection: none if there is no stream, or it fails. @param signal ends it */
  async *events(url: string, signal?: AbortSignal): AsyncGenerator<StreamEvent, void, void> {
    if (!this.isOffered) return
    const events = new EventReader()
    let hasBegun = false
    try {
      const headers = new Headers({ Accept: 'text/event-stream' })
      const { response, next, close } = await openExchange({ url, headers, signal }, this.#options)
      try {
        if (!isStream(response)) {
          this.#refused(response)
          return
        }
        for (let chunk = await next(); chunk !== undefined; chunk = await next(SILENCE_MAX)) {
          hasBegun = true
          yield* events.read(chunk)
        }
      } finally {
        close()
      }
    } catch (error) {
      if (signal?.aborted) return
      // The first bytes come at once, unless a proxy collects them.
      if (!hasBegun && error instanceof Silence) this.#isMissing()
      else if (!hasBegun) this.#failed(messageOf(error))
    } finally {
      if (hasBegun) this.#ended(events.retry)
    }
  }

  #refused({ status, headers }: Response): void {
    if (isTemporary(status)) this.#failed(`stream: status ${status}`, retryAfterOf(headers))
    else this.#isMissing()
  }

  #isMissing(): void {
    this.#offeredAt = performance.now() + OFFERED_AGAIN * 1000
  }

  #failed(reason: string, retryAfter?: number): void {
    const attempts = ++this.#failures
    const { firstPause = 1, onRetry } = this.#options
    const pause = Math.max(pauseAfter(attempts, firstPause), pauseAfter(attempts, firstPause, retryAfter))
    this.#opensAt = performance.now() + pause * 1000
    onRetry?.({ reason, attempts, pause })
  }

  /** @param retry milliseconds */
  #ended(retry = RETRY): void {
    this.#failures = 0
    // The random part keeps clients apart whose streams ended at the same time.
    this.#opensAt = performance.now() + retry * (1 + Math.random() / 2)
  }
}

const isStream = ({ status, headers }: Response): boolean =>
  status === 200 && /^text\/event-stream\b/i.test(headers.get('Content-Type') ?? '')
