/** How many workers are configured, and how many serve. */
export interface WorkerCounts {
  configured: number
  serving: number
}

/** What a worker calls in its primary. */
export type PrimaryFunctions = {
  /** The worker serves. @param greeting for a person at the terminal */
  serving(greeting: string): void
  /** The worker cannot start. @param reason which the operator can correct */
  refused(reason: string): void
  /** Counts a request of a client for all workers. @returns requests in the window, and milliseconds until it ends */
  count(client: string): { requests: number; msLeft: number }
  /** @returns the metrics of every process */
  metrics(): Promise<object[][]>
  /** The worker ends, with these metrics. */
  ending(metrics: object[]): void
  /** Asks the followers to check their sources now. */
  follow(): void
}

/** What the primary calls in a worker. */
export type WorkerFunctions = {
  /** Takes the connection that comes with the call. @param setting of the port that it came to */
  connection(setting: string, socket: unknown): void
  /** How many workers there are now. */
  fleet(counts: WorkerCounts): void
  /** @returns the metrics of this worker */
  metrics(): Promise<object[]>
  /** Shows that the worker responds. */
  ping(): void
  /** Finishes the running requests, then ends. */
  stop(): void
}

type Functions = Record<string, (argument: never, handle: unknown) => unknown>

/** A message of Lectern. Its key tells it from those of node:cluster and other packages on the same channel. */
interface Message {
  lectern: { call: string; argument: unknown; id: number } | { result: unknown; id: number }
}

export type Channel<Remote extends Functions> = ReturnType<typeof makeChannel<Functions, Remote>>

/**
 * @param send sends a message, and ignores that the other process is just ending
 * @param own the functions that the other process calls; they do not throw
 */
export const makeChannel = <Own extends Functions, Remote extends Functions>(
  send: (message: object, handle?: unknown) => void,
  own: Own,
) => {
  const pending = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>()
  let calls = 0
  let isClosed = false
  const reply = async (name: string, argument: unknown, handle: unknown, id: number): Promise<void> => {
    const result = await own[name]!(argument as never, handle)
    send({ lectern: { result, id } } satisfies Message)
  }
  return {
    /** Calls a function of the other process. Rejects when the channel closes. @param handle a socket to send along */
    call: <Name extends keyof Remote & string>(
      name: Name,
      argument?: Parameters<Remote[Name]>[0],
      handle?: unknown,
    ): Promise<Awaited<ReturnType<Remote[Name]>>> =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new Error('The process has ended'))
        calls += 1
        pending.set(calls, { resolve, reject })
        send({ lectern: { call: name, argument, id: calls } } satisfies Message, handle)
      }),
    /** For the event `message`. */
    receive: (message: unknown, handle: unknown): void => {
      if (message === null || typeof message !== 'object' || !('lectern' in message)) return
      const { lectern } = message as Message
      if ('call' in lectern) return void reply(lectern.call, lectern.argument, handle, lectern.id)
      pending.get(lectern.id)?.resolve(lectern.result as never)
      pending.delete(lectern.id)
    },
    close: (): void => {
      isClosed = true
      for (const { reject } of pending.values()) reject(new Error('The process has ended'))
      pending.clear()
    },
  }
}
