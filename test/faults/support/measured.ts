import { expect } from 'chai'

const longest = new Map<string, { ms: number; most: number }>()

/** Holds a time to its bound and keeps the longest of its name, for the table that the run ends with. */
export const takesAtMost = (most: number, what: string, ms: number): void => {
  longest.set(what, { ms: Math.max(ms, longest.get(what)?.ms ?? 0), most })
  expect(ms, `${what}, milliseconds`).to.be.at.most(most)
}

/** What was measured since the last call, a line each, as docs/reliability.md quotes it. */
export const takeMeasurements = (): string => {
  const lines = [...longest].map(
    ([what, { ms, most }]) => `  ${String(Math.round(ms)).padStart(5)} ms of ${most}: ${what}\n`,
  )
  longest.clear()
  return lines.join('')
}
