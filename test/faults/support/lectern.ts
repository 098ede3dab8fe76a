import { type ExitResult, type LaunchOptions, start } from '../../support/cli.ts'

export interface LecternResponse {
  status: number
  /** From the first byte sent to the last received, milliseconds. */
  ms: number
  headers: Headers
  text: string
}

/** A running `lectern serve`, and a client for it. */
export interface Lectern {
  readonly pid: number
  /** Base URL of the API: it ends with /api/v1. */
  readonly url: string
  readonly internalUrl: string
  /** Requests a path under /api/v1. */
  get(path: string, headers?: Record<string, string>): Promise<LecternResponse>
  /** Requests `/ready`. */
  ready(): Promise<LecternResponse>
  /** Requests `/live`. */
  live(): Promise<LecternResponse>
  /** Whether the process that was started still runs. */
  isRunning(): boolean
  /** The log so far, one record per line. */
  logged(): string
  /** Stops reading its log until it ends. */
  pauseLog(): void
  /** Sends SIGTERM, and waits until the process has ended. */
  stop(): Promise<ExitResult>
}

/**
 * Starts `lectern serve` as a separate process, on free ports. A test that puts it under load gives `nodeOptions`, since
 * code that runs for long is worth optimising. A previous build prints `alone` instead of `only`.
 */
export const startLectern = async (
  environment: Record<string, string>,
  launch?: LaunchOptions,
): Promise<Lectern> => {
  const settings = {
    PORT: '0',
    HOST: '127.0.0.1',
    INTERNAL_PORT: '0',
    RATE_LIMIT: '0',
    LOG_LEVEL: 'warn',
    ...environment,
  }
  const running = start(['serve'], settings, launch)
  const [, url] = await running.prints(/Lectern serves (\S+)/)
  const [, internalUrl] = await running.prints(/(?:machine|network) (?:only|alone): (\S+)\/graphql/)
  let ended = false
  void running.ended.then(() => {
    ended = true
  })
  return {
    pid: running.process.pid!,
    url: url!,
    internalUrl: internalUrl!,
    get: (path, headers) => request(url + path, headers),
    ready: () => request(`${internalUrl}/ready`),
    live: () => request(`${internalUrl}/live`),
    isRunning: () => !ended,
    logged: () => running.logged(),
    pauseLog: () => void running.process.stdout!.pause(),
    stop: async () => {
      running.process.kill('SIGTERM')
      running.process.once('exit', () => running.process.stdout?.resume())
      return running.ended
    },
  }
}

/** Sends one request. It fails only if there is no response within 15 s. */
export const request = async (
  url: string,
  headers: Record<string, string> = {},
): Promise<LecternResponse> => {
  const startedAt = performance.now()
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(120_000) })
  const text = await response.text()
  return { status: response.status, ms: performance.now() - startedAt, headers: response.headers, text }
}
