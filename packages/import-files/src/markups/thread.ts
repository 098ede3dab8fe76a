import { Worker } from 'node:worker_threads'
import type { ConversionTask } from './worker.ts'

/**
 * Conversions by libraries that may take quadratic time or much memory: the length of a text, characters, and the memory
 * of the thread, megabytes. Milliseconds: the processor time of one conversion, and what it may still take after all
 * conversions of more than `slowMs` took `allSlowMs`; by the clock, when a conversion hangs, and how long the thread waits
 * for the next text. Most pages of five wikis took 50 ms, the longest 0.4 s. (D99)
 */
const LIMITS = {
  characters: 1_000_000,
  ms: 5_000,
  shortMs: 500,
  slowMs: 1_000,
  allSlowMs: 60_000,
  hangMs: 120_000,
  memoryMb: 128,
  stackMb: 4,
  idleMs: 5_000,
} as const

/**
 * Processor time of this process since a reading, milliseconds. While a text is converted, the other threads mostly wait,
 * and Node 20 cannot tell the time of one thread. By the clock, pages would stay unconverted where the machine is busy.
 */
const processorMs = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Converts texts in a thread of its own, one at a time, so that no text can block or end an import. */
export class ConversionThread {
  #worker: Worker | null = null
  #idle: NodeJS.Timeout | undefined
  #last: Promise<unknown> = Promise.resolve()
  /** Total time of slow conversions since the thread waited last. */
  #slowMs = 0

  /** @returns null if the text is too long, or cannot be converted within the limits */
  convert(task: ConversionTask): Promise<string | null> {
    const result = this.#last.then(() => this.#run(task))
    this.#last = result
    return result
  }

  async #run(task: ConversionTask): Promise<string | null> {
    if (task.text.length > LIMITS.characters) return null
    clearTimeout(this.#idle)
    const before = process.cpuUsage()
    const markdown = await this.#ask(task, this.#slowMs > LIMITS.allSlowMs ? LIMITS.shortMs : LIMITS.ms)
    const ms = processorMs(before)
    if (ms > LIMITS.slowMs) this.#slowMs += ms
    if (markdown === undefined) await this.#end()
    this.#idle = setTimeout(() => {
      this.#slowMs = 0
      void this.#end()
    }, LIMITS.idleMs).unref()
    return markdown ?? null
  }

  /** @returns undefined if the thread gives no answer in time, or ends */
  async #ask(task: ConversionTask, limitMs: number): Promise<string | null | undefined> {
    this.#worker ??= this.#start()
    const worker = this.#worker
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise((resolve) => {
        const before = process.cpuUsage()
        const hangsAt = performance.now() + LIMITS.hangMs
        const check = () => {
          const leftMs = limitMs - processorMs(before)
          if (leftMs <= 0 || performance.now() > hangsAt) resolve(undefined)
          else timer = setTimeout(check, leftMs)
        }
        timer = setTimeout(check, limitMs)
        worker.once('message', ({ markdown }: { markdown: string | null }) => resolve(markdown))
        worker.once('error', () => resolve(undefined))
        worker.once('exit', () => resolve(undefined))
        worker.postMessage(task)
      })
    } finally {
      clearTimeout(timer)
      worker.removeAllListeners('message')
      worker.removeAllListeners('error').on('error', () => {})
      worker.removeAllListeners('exit')
    }
  }

  #start(): Worker {
    const worker = new Worker(new URL('./worker.js', import.meta.url), {
      execArgv: [], // a thread refuses some options of the process
      resourceLimits: { maxOldGenerationSizeMb: LIMITS.memoryMb, stackSizeMb: LIMITS.stackMb },
      stdin: false,
    })
    worker.unref() // while a text is converted, the timer keeps the process alive
    return worker
  }

  async #end(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    await worker?.terminate()
  }
}
