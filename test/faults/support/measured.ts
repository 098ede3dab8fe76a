import { availableParallelism, loadavg } from 'node:os'
import { expect } from 'chai'

const longest = new Map<string, { ms: number; most: number }>()

/** How many processes share a core, by the last minute: other work lengthens everything that is measured. At least 1. */
const processesPerCore = (): number => Math.max(1, loadavg()[0]! / availableParallelism())

/**
 * Holds a time to its bound, or to a multiple of it while other processes keep the machine busy, and keeps the longest
 * of its name, for the table that the run ends with.
 */
export const takesAtMost = (most: number, what: string, ms: number): void => {
  longest.set(what, { ms: Math.max(ms, longest.get(what)?.ms ?? 0), most })
  expect(ms, `${what}, milliseconds`).to.be.at.most(most * processesPerCore())
}

/** What was measured since the last call, a line each, as docs/reliability.md quotes it. */
export const takeMeasurements = (): string => {
  const lines = [...longest].map(
    ([what, { ms, most }]) => `  ${String(Math.round(ms)).padStart(5)} ms of ${most}: ${what}\n`,
  )
  longest.clear()
  return lines.join('')
}
