/** Bounds of rendering Markdown as HTML. (D43, D44) */
export const RENDER_LIMITS = {
  /** Child processes that render. */
  processes: 4,
  /** A text that takes longer counts as long, milliseconds. */
  longMs: 100,
  /** Processes that may render long texts at a time. The others stay available for new texts. */
  longProcesses: 2,
  /** Time for one text, milliseconds. */
  limitMs: 1_000,
  /** Heap of one process, megabytes. */
  memoryMb: 256,
  /** Length of a text that is rendered, UTF-16 code units. */
  textLength: 1024 * 1024,
  /** Length of the HTML of one text, bytes. */
  htmlBytes: 2 * 1024 * 1024,
  /** Formulas that a process keeps with their MathML, UTF-16 code units. */
  formulaCacheCharacters: 4 * 1024 * 1024,
  /** Texts in the queue, and their UTF-16 code units in all. */
  waiting: 256,
  waitingLength: 16 * 1024 * 1024,
  /** The longest wait of a text, and of a long text, milliseconds. */
  waitMs: 5_000,
  longWaitMs: 15_000,
  /** A process without work ends after this time, milliseconds. One process always stays. */
  idleMs: 30_000,
} as const
/** Texts that failed to render: how many are remembered, and for how long; `unsureMs` if the cause is uncertain. */
export const RENDER_FAILURE_CACHE = { max: 10_000, ms: 600_000, unsureMs: 10_000 } as const
