import { type ExitResult, type LaunchOptions, start } from '../../support/cli.ts'

export interface LecternResponse {
  status: number
  /** From the first byte sent to the last received, milliseconds. */
  ms: number
  headers: Headers
  text: string
}

/** A running `lectern serve`, and a client of it. */
export interface Lectern {
  readonly pid: number
  /** Start of the API's addresses, ending with /api/v1. */
  readonly url: string
  readonly internalUrl: string
  /** Asks for an address under /api/v1. */
  get(path: string, headers?: Record<string, string>): Promise<LecternResponse>
  /** Status of `/ready` and of `/live`. */
  ready(): Promise<LecternResponse>
  live(): Promise<LecternResponse>
  /** Whether its process is the one that was started. */
  isRunning(): boolean
  /** What it has logged so far, a line a record. */
  logged(): string
  /** Stops reading what it logs, until it has ended. */
  pauseLog(): void
  /** Asks it to end, and waits until it has. */
  stop(): Promise<ExitResult>
}

/** Starts `lectern serve` as a process of its own, on ports of the system's choice. */
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
  const [, internalUrl] = await running.prints(/alone: (\S+)\/graphql/)
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

/** One request; it fails only when nothing was answered within 15 s. */
export const request = async (
  address: string,
  headers: Record<string, string> = {},
): Promise<LecternResponse> => {
  const began = performance.now()
  const response = await fetch(address, { headers, signal: AbortSignal.timeout(15_000) })
  const text = await response.text()
  return { status: response.status, ms: performance.now() - began, headers: response.headers, text }
}
