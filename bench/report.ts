import type { Measurement, WorkloadResult } from './measure.ts'
import type { PeerName } from './peers.ts'
import { median, ratios, type Summary, summarize } from './statistics.ts'

/** The results of one server in one workload, as printed and as written to the JSON file. */
export interface ResultRow {
  workload: string
  title: string
  server: 'lectern' | PeerName
  /** Requests of all rounds, and those of them that failed. */
  requests: number
  failed: number
  /** The bare server's rate in each round divided by its median. */
  noise: Summary
  perSecond: Summary
  p50Ms: Summary
  p99Ms: Summary
  cpuPerThousand: Summary
  memoryMb: Summary
  /** Lectern's rate divided by the peer's. For the workload `lone`: Lectern's p50 divided by the peer's. */
  ratio?: Summary
  /**
   * The peer's CPU time per request divided by Lectern's. It varies less than the rate on a machine that runs other
   * programs too.
   */
  cpuRatio?: Summary
  /** The target: the smallest ratio, or for the workload `lone` the largest ratio, that is acceptable. */
  must?: number
  /** Whether the rate reaches the target, and whether the CPU time does. */
  reached?: boolean
  cpuReached?: boolean
}

const valuesOf = (measurements: Measurement[], name: keyof Measurement): number[] =>
  measurements.map((measurement) => measurement[name])

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)

export const resultRows = ({ workload, measurements, noise }: WorkloadResult): ResultRow[] => {
  const lectern = measurements.get('lectern')!
  const usualNoise = median(noise)
  return [...measurements].map(([server, all]) => {
    const isSequential = workload.kind === 'sequential'
    const metric = isSequential ? 'p50Ms' : 'perSecond'
    const ratio = server === 'lectern' ? undefined : ratios(valuesOf(lectern, metric), valuesOf(all, metric))
    const cpuRatio =
      server === 'lectern'
        ? undefined
        : ratios(valuesOf(all, 'cpuPerThousand'), valuesOf(lectern, 'cpuPerThousand'))
    const must = server === 'lectern' ? undefined : workload.peers[server]
    return {
      workload: workload.name,
      title: workload.title,
      server,
      requests: sum(valuesOf(all, 'requests')),
      failed: sum(valuesOf(all, 'failed')),
      noise: summarize(noise.map((rate) => rate / usualNoise)),
      perSecond: summarize(valuesOf(all, 'perSecond')),
      p50Ms: summarize(valuesOf(all, 'p50Ms')),
      p99Ms: summarize(valuesOf(all, 'p99Ms')),
      cpuPerThousand: summarize(valuesOf(all, 'cpuPerThousand')),
      memoryMb: summarize(valuesOf(all, 'memoryMb')),
      ratio,
      cpuRatio,
      must,
      reached:
        ratio && must !== undefined
          ? isSequential
            ? ratio.median <= must
            : ratio.median >= must
          : undefined,
      cpuReached: cpuRatio && must !== undefined && !isSequential ? cpuRatio.median >= must : undefined,
    }
  })
}

/** A summary such as `2.03 (1.69–2.34)`. */
export const formatRange = ({ median, min, max }: Summary, digits: number): string =>
  `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`

const HEADINGS = [
  'server',
  'requests/s',
  'p50 ms',
  'p99 ms',
  'CPU s/1000',
  'MB',
  'ratio',
  'CPU ratio',
  'target',
  'result',
  'failed',
] as const

const cells = (row: ResultRow): string[] => [
  row.server,
  formatRange(row.perSecond, 0),
  row.p50Ms.median.toFixed(2),
  row.p99Ms.median.toFixed(2),
  row.cpuPerThousand.median.toFixed(3),
  row.memoryMb.max.toFixed(0),
  row.ratio ? formatRange(row.ratio, 2) : '',
  row.cpuRatio ? row.cpuRatio.median.toFixed(2) : '',
  row.must === undefined ? '' : `${row.workload === 'lone' ? '≤' : '≥'} ${row.must}`,
  resultOf(row),
  row.failed === 0 ? '' : `${row.failed} of ${row.requests}`,
]

/** `reached` or `MISSED`; both, if the rate reaches the target and the CPU time does not, or the other way round. */
export const resultOf = ({ reached, cpuReached = reached }: ResultRow): string => {
  if (reached === undefined) return ''
  if (reached === cpuReached) return reached ? 'reached' : 'MISSED'
  return reached ? 'reached, CPU MISSED' : 'MISSED, CPU reached'
}

/** How much the rate of the bare server differs between rounds. */
export const noiseNote = ({ min, max }: Summary): string =>
  `Noise: the bare server reached ${min.toFixed(2)} to ${max.toFixed(2)} times its median.`

/** The columns of the tables, explained once per run. */
export const TABLE_NOTE =
  "Figures are medians of the rounds, with ranges in brackets; MB is the maximum. ratio: Lectern's requests/s divided by the peer's; for single requests, Lectern's p50 divided by the peer's. CPU ratio: the peer's CPU time per request divided by Lectern's. target: the ratio that Lectern should reach, by rate and by CPU time. failed: requests with an unexpected status or no response."

/** The rows of one workload as a Markdown table under its title. */
export const markdownTable = (results: ResultRow[]): string => {
  const rows = [[...HEADINGS], ...results.map(cells)]
  const widths = HEADINGS.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)))
  const format = (row: string[]) => `| ${row.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`
  const rule = `|${widths.map((width, i) => `${'-'.repeat(width + 1)}${i === 0 ? '-' : ':'}`).join('|')}|`
  return [
    `### ${results[0]!.title}`,
    '',
    noiseNote(results[0]!.noise),
    '',
    format(rows[0]!),
    rule,
    ...rows.slice(1).map(format),
    '',
  ].join('\n')
}
