import { expect } from 'chai'

const longest = new Map<string, { ms: number; most: number }>()

/**
 * How much longer than it should something may take before a test fails, milliseconds. It ends what hangs, and is no
 * promise: on a busy machine, anything can take seconds more.
 */
const HANGS_AFTER = 30_000

/**
 * Keeps the longest time of its name, beside the time that it should take where the machine has nothing else to do, for
 * the table that the run ends with. Fails only if it took so long that something hangs.
 */
export const takesAtMost = (most: number, what: string, ms: number): void => {
  longest.set(what, { ms: Math.max(ms, longest.get(what)?.ms ?? 0), most })
  expect(ms, `${what}, milliseconds`).to.be.at.most(most + HANGS_AFTER)
}

/** What was measured since the last call, a line each, as docs/reliability.md quotes it. */
export const takeMeasurements = (): string => {
  const lines = [...longest].map(
    ([what, { ms, most }]) => `  ${String(Math.round(ms)).padStart(5)} ms of ${most}: ${what}\n`,
  )
  longest.clear()
  return lines.join('')
}
