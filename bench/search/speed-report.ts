import { quantile } from '../statistics.ts'
import { mean } from './measures.ts'

/** What a search cost, in ms. */
export interface SearchCost {
  wall: number
  /** CPU time of PostgreSQL's processes. */
  postgresql: number
  /** CPU time of node, with its garbage collector. */
  node: number
  /** Whether Lectern refused it, because it took too long. */
  isRefused: boolean
}

const percentiles = (samples: readonly SearchCost[], of: 'wall' | 'postgresql' | 'node'): string =>
  [0.5, 0.95]
    .map((share) =>
      quantile(
        samples.map((sample) => sample[of]),
        share,
      ).toFixed(1),
    )
    .join(', ')

const refusals = (samples: readonly SearchCost[]): string => {
  const refused = samples.filter(({ isRefused }) => isRefused).length
  return refused === 0 ? '' : ` (${refused} refused)`
}

/**
 * A table in Markdown: p50 and p95 of each measure, and how much more CPU of PostgreSQL the last database needs than the
 * first.
 * @param names of the databases
 */
export const speedTable = (
  names: readonly string[],
  results: readonly { kind: string; samples: SearchCost[][] }[],
): string[] => {
  const columns = names.flatMap((name) => [`${name}: time`, 'PostgreSQL', 'node'])
  const rows = results.map(({ kind, samples }) => {
    const cells = samples.flatMap((one) => [
      percentiles(one, 'wall') + refusals(one),
      percentiles(one, 'postgresql'),
      percentiles(one, 'node'),
    ])
    const cpu = (one: readonly SearchCost[]) => mean(one.map(({ postgresql, node }) => postgresql + node))
    const growth = samples.length > 1 ? [(cpu(samples.at(-1)!) / cpu(samples[0]!)).toFixed(1)] : []
    return `| ${[kind, ...cells, ...growth].join(' | ')} |`
  })
  const header = ['query', ...columns, ...(names.length > 1 ? ['growth'] : [])]
  return [`| ${header.join(' | ')} |`, `|---|${'---:|'.repeat(header.length - 1)}`, ...rows]
}
