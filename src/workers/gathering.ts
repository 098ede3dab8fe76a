import type { Worker } from 'node:cluster'
import type { ToWorker } from './messages.ts'

/** Longest wait for the metrics of a worker, milliseconds; one that is later is left out. */
const PATIENCE_MS = 1_000

interface Question {
  waiting: Set<Worker>
  all: object[][]
  done(all: object[][]): void
}

/** Asks workers for their metrics. */
export interface Gathering {
  /** What each has, of those that answered in time. */
  ask(workers: Iterable<Worker>): Promise<object[][]>
  answered(worker: Worker, number: number, own: object[]): void
  /** It will not answer any more. */
  left(worker: Worker): void
}

export const gatherMetrics = (tell: (worker: Worker, message: ToWorker) => void): Gathering => {
  const questions = new Map<number, Question>()
  let number = 0
  const settle = (question: Question, worker: Worker): void => {
    if (question.waiting.delete(worker) && question.waiting.size === 0) question.done(question.all)
  }
  return {
    ask: (workers) =>
      new Promise((resolve) => {
        number += 1
        const mine = number
        const done = (all: object[][]) => {
          clearTimeout(timer)
          questions.delete(mine)
          resolve(all)
        }
        const question: Question = { waiting: new Set(workers), all: [], done }
        const timer = setTimeout(() => done(question.all), PATIENCE_MS)
        questions.set(mine, question)
        for (const worker of question.waiting) tell(worker, { type: 'own metrics', number: mine })
      }),
    answered: (worker, answered, own) => {
      const question = questions.get(answered)
      question?.all.push(own)
      if (question) settle(question, worker)
    },
    left: (worker) => {
      for (const question of questions.values()) settle(question, worker)
    },
  }
}
