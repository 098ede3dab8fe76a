import type { Worker } from 'node:cluster'
import type { ToWorker } from './messages.ts'

/** Longest wait for the metrics of a worker, milliseconds; one that is later is left out. */
const REPLY_TIMEOUT_MS = 1_000

interface PendingCollection {
  waiting: Set<Worker>
  all: object[][]
  done(all: object[][]): void
}

/** Asks workers for their metrics. */
interface MetricsAggregation {
  /** What each has, of those that answered in time. */
  collect(workers: Iterable<Worker>): Promise<object[][]>
  onReply(worker: Worker, number: number, own: object[]): void
  /** It will not answer any more. */
  onWorkerExit(worker: Worker): void
}

export const makeMetricsAggregation = (
  tell: (worker: Worker, message: ToWorker) => void,
): MetricsAggregation => {
  const questions = new Map<number, PendingCollection>()
  let number = 0
  const settle = (question: PendingCollection, worker: Worker): void => {
    if (question.waiting.delete(worker) && question.waiting.size === 0) question.done(question.all)
  }
  return {
    collect: (workers) =>
      new Promise((resolve) => {
        number += 1
        const mine = number
        const done = (all: object[][]) => {
          clearTimeout(timer)
          questions.delete(mine)
          resolve(all)
        }
        const question: PendingCollection = { waiting: new Set(workers), all: [], done }
        const timer = setTimeout(() => done(question.all), REPLY_TIMEOUT_MS)
        questions.set(mine, question)
        for (const worker of question.waiting) tell(worker, { type: 'own metrics', number: mine })
      }),
    onReply: (worker, answered, own) => {
      const question = questions.get(answered)
      question?.all.push(own)
      if (question) settle(question, worker)
    },
    onWorkerExit: (worker) => {
      for (const question of questions.values()) settle(question, worker)
    },
  }
}
