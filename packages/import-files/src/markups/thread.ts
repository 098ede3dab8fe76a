import Tinypool from 'tinypool'
import type { LiquidTask } from './liquid.ts'
import type { ConversionTask } from './worker.ts'

/**
 * Conversions by libraries that may take quadratic time or much memory: characters; processor time, ms, and what it may still take after
 * all conversions of more than `slowMs` took `allSlowMs`; by the clock, when one hangs; memory; how long the thread waits for a text.
 * Most pages of five wikis took 50 ms, the longest 0.4 s. (D99)
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

/** The thread starts with the first text, and ends when it is stopped, has failed or waits too long. */
const pool = new Tinypool({
  minThreads: 0,
  maxThreads: 1,
  execArgv: [], // a thread refuses some options of the process
  resourceLimits: { maxOldGenerationSizeMb: LIMITS.memoryMb, stackSizeMb: LIMITS.stackMb },
  idleTimeout: LIMITS.idleMs,
})

let last: Promise<unknown> = Promise.resolve()
let lastEnd = 0
/** Total time of slow conversions since the thread waited last. */
let slowMs = 0

/**
 * Processor time of this process since a reading, milliseconds. While a text is converted, the other threads mostly wait,
 * and Node 20 cannot tell the time of one thread. By the clock, pages would stay unconverted where the machine is busy.
 */
const processorMs = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Converts a text in a thread of its own, one at a time, so that none can block or end an import. @param file of the converter @returns null if it is too long or invalid, or takes longer than the limits */
export const convertInThread = <Result = string>(
  task: ConversionTask | LiquidTask,
  file = './worker.js',
): Promise<Result | null> => {
  const result = last.then(() => run<Result>(task, new URL(file, import.meta.url).href))
  last = result
  return result
}

const run = async <Result>(task: ConversionTask | LiquidTask, filename: string): Promise<Result | null> => {
  if (task.text.length > LIMITS.characters) return null
  if (performance.now() - lastEnd > LIMITS.idleMs) slowMs = 0
  const limitMs = slowMs > LIMITS.allSlowMs ? LIMITS.shortMs : LIMITS.ms
  const before = process.cpuUsage()
  const hangsAt = performance.now() + LIMITS.hangMs
  const stop = new AbortController()
  const check = () => {
    const leftMs = limitMs - processorMs(before)
    if (leftMs <= 0 || performance.now() > hangsAt) stop.abort()
    else timer = setTimeout(check, leftMs)
  }
  let timer = setTimeout(check, limitMs)
  try {
    return await pool.run(task, { signal: stop.signal, filename })
  } catch {
    return null
  } finally {
    clearTimeout(timer)
    lastEnd = performance.now()
    const ms = processorMs(before)
    if (ms > LIMITS.slowMs) slowMs += ms
  }
}
