/** A median with its range. */
export interface Summary {
  median: number
  min: number
  max: number
}

const ascending = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b)

export const median = (values: readonly number[]): number => {
  const sorted = ascending(values)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** @param share 0 to 1: 0.99 for p99 */
export const quantile = (values: readonly number[], share: number): number =>
  ascending(values)[Math.min(values.length - 1, Math.floor(values.length * share))]!

export const summarize = (values: readonly number[]): Summary => ({
  median: median(values),
  min: Math.min(...values),
  max: Math.max(...values),
})

/**
 * The summary of `a / b`, round by round. Whatever slows down a whole round affects both values and cancels out.
 */
export const ratios = (a: readonly number[], b: readonly number[]): Summary =>
  summarize(a.map((value, round) => value / b[round]!))
