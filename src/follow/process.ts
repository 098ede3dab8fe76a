import { type ChildProcess, fork } from 'node:child_process'
import { UsageError } from '@lectern/wiki/errors'
import type { Log } from '../log/log.ts'
import { makeWakeableSleep, restartBackoff } from '../shared/timers.ts'

/** What a follower tells the process that started it: the wiki has the source's content. */
const READY = 'lectern: the source is imported'

/** Tells the process that started this one, if it waits for it, that the source is imported. */
export const reportReady = (): void => {
  process.send?.(READY)
}

/** Resolves with a signal when it arrives, or when the process that started this one has ended. */
export const onStop = (): Promise<NodeJS.Signals | undefined> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, resolve)
    process.once('disconnect', () => resolve(undefined))
  })

/** How long a follower may take to end, milliseconds. */
const STOP_MS = 4_000

/**
 * Starts a follower as a process of its own, so that imports neither slow down responses nor take their memory. It is
 * started again if it ends.
 * @param args command line arguments of `lectern follow`
 */
export const launchFollower = (args: readonly string[], { logger, childStdio, relay }: Log) => {
  const sleep = makeWakeableSleep()
  let child: ChildProcess | undefined
  let isStopped = false
  let running: Promise<void> = Promise.resolve()
  const ready = new Promise<void>((resolve, reject) => {
    running = run(resolve, () =>
      reject(new UsageError('The source could not be imported, so the service does not start.')),
    )
  })

  async function run(onReady: () => void, onFailure: () => void): Promise<void> {
    const backoff = restartBackoff()
    let wasReady = false
    while (!isStopped) {
      const startedAt = performance.now()
      child = fork(process.argv[1]!, ['follow', ...args], { stdio: childStdio })
      relay(child)
      child.on('message', (message) => {
        if (message !== READY) return
        wasReady = true
        onReady()
      })
      const status = await new Promise<number | NodeJS.Signals | null>((resolve) => {
        child!.once('error', () => resolve(null))
        child!.once('close', (code, signal) => resolve(code ?? signal))
      })
      if (isStopped || !wasReady) return onFailure() // no effect after `onReady`
      logger.error({ status }, 'The follower has ended. It starts again')
      await sleep.sleep(backoff(performance.now() - startedAt))
    }
  }

  return {
    /**
     * Resolves when the wiki has the content of the source, now or from an earlier run.
     * @throws UsageError if it could not be imported; the process has printed why, or was stopped before
     */
    ready,
    stop: async (): Promise<void> => {
      isStopped = true
      sleep.end()
      child?.kill('SIGTERM')
      const timer = setTimeout(() => child?.kill('SIGKILL'), STOP_MS)
      await running
      clearTimeout(timer)
    },
  }
}
