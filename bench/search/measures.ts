/** nDCG counts the first ten results. */
export const RESULTS = 10

const discount = (rank: number): number => 1 / Math.log2(rank + 1)

/** nDCG@10 with pages that are relevant or not: 1 if all relevant pages come first, 0 if none is found. */
export const ndcg = (found: readonly string[], relevant: ReadonlySet<string>): number => {
  let gain = 0
  for (const [i, id] of found.slice(0, RESULTS).entries()) if (relevant.has(id)) gain += discount(i + 1)
  let best = 0
  for (let rank = 1; rank <= Math.min(RESULTS, relevant.size); rank += 1) best += discount(rank)
  return best === 0 ? 0 : gain / best
}

/** Average precision over all results. Its mean over all queries is MAP, which CACM's publications report. */
export const averagePrecision = (found: readonly string[], relevant: ReadonlySet<string>): number => {
  let hits = 0
  let sum = 0
  for (const [i, id] of found.entries())
    if (relevant.has(id)) {
      hits += 1
      sum += hits / (i + 1)
    }
  return relevant.size === 0 ? 0 : sum / relevant.size
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
