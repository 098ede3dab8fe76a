/** A middle with its spread. */
export interface Summary {
  median: number
  min: number
  max: number
}

const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b)

export const median = (values: readonly number[]): number => {
  const all = sorted(values)
  const middle = all.length >> 1
  return all.length % 2 === 1 ? all[middle]! : (all[middle - 1]! + all[middle]!) / 2
}

export const summary = (values: readonly number[]): Summary => ({
  median: median(values),
  min: Math.min(...values),
  max: Math.max(...values),
})

/** How many times `b` each `a` of the same round is: what slows a whole round cancels out. */
export const ratios = (a: readonly number[], b: readonly number[]): Summary =>
  summary(a.map((value, round) => value / b[round]!))
