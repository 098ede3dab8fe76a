export const RENDER_LIMITS = {
  processes: 4,
  /** A text counts as long once it has taken more milliseconds, or if it has more UTF-16 code units. */
  longMs: 100,
  longLength: 32 * 1024,
  /** Length of a text that is unlikely to take long, UTF-16 code units, and after how many milliseconds it does: on a busy machine, it waits. */
  shortLength: 8 * 1024,
  shortMs: 500,
  /** Processes that may render long texts at a time. The others stay available for new texts. */
  longProcesses: 2,
  /** Processor time for one text, milliseconds. */
  cpuMs: 1_000,
  /** Time for one text, milliseconds. A text that gets little processor time takes longer than `cpuMs`. */
  wallMs: 30_000,
  memoryMb: 256,
  /** Length of a text that is rendered, UTF-16 code units. */
  textLength: 1024 * 1024,
  /** Length of the HTML of one text, bytes. */
  htmlBytes: 2 * 1024 * 1024,
  /** Texts in the queue, and their UTF-16 code units in all. */
  waiting: 256,
  waitingLength: 16 * 1024 * 1024,
  /** The longest wait of a text, and of a long text, milliseconds. */
  waitMs: 5_000,
  longWaitMs: 15_000,
  /** A process without work ends after this time, milliseconds. One process always stays. */
  idleMs: 30_000,
} as const
/** Texts that failed to render: how many are remembered, and for how long. */
export const RENDER_FAILURE_CACHE = { max: 10_000, ms: 600_000 } as const
/**
 * Texts whose rendering did not finish: how many are remembered; the pause after the second time, which doubles up to
 * the longest one, milliseconds; and how many losses of their process in a row make them to blame. Until then, the
 * response is 503 and not the source: a copy of the wiki would store the source for good.
 */
export const RENDER_RETRIES = { max: 10_000, firstPauseMs: 1_000, longestPauseMs: 60_000, losses: 5 } as const
