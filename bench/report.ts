import type { Measurement, WorkloadResult } from './measure.ts'
import type { PeerName } from './peers.ts'
import { ratios, type Summary, summarize } from './statistics.ts'

/** The results of one server in one workload, as printed and as written to the JSON file. */
export interface ResultRow {
  workload: string
  title: string
  server: 'lectern' | PeerName
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
  reached?: boolean
}

const valuesOf = (measurements: Measurement[], name: keyof Measurement): number[] =>
  measurements.map((measurement) => measurement[name])

export const resultRows = ({ workload, measurements }: WorkloadResult): ResultRow[] => {
  const lectern = measurements.get('lectern')!
  return [...measurements].map(([server, all]) => {
    const isSequential = workload.kind === 'sequential'
    const metric = isSequential ? 'p50Ms' : 'perSecond'
    const ratio = server === 'lectern' ? undefined : ratios(valuesOf(lectern, metric), valuesOf(all, metric))
    const must = server === 'lectern' ? undefined : workload.peers[server]
    return {
      workload: workload.name,
      title: workload.title,
      server,
      perSecond: summarize(valuesOf(all, 'perSecond')),
      p50Ms: summarize(valuesOf(all, 'p50Ms')),
      p99Ms: summarize(valuesOf(all, 'p99Ms')),
      cpuPerThousand: summarize(valuesOf(all, 'cpuPerThousand')),
      memoryMb: summarize(valuesOf(all, 'memoryMb')),
      ratio,
      cpuRatio:
        server === 'lectern'
          ? undefined
          : ratios(valuesOf(all, 'cpuPerThousand'), valuesOf(lectern, 'cpuPerThousand')),
      must,
      reached:
        ratio && must !== undefined
          ? isSequential
            ? ratio.median <= must
            : ratio.median >= must
          : undefined,
    }
  })
}

const formatRange = ({ median, min, max }: Summary, digits: number): string =>
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
  row.reached === undefined ? '' : row.reached ? 'reached' : 'MISSED',
]

/** The columns of the tables, explained once per run. */
export const TABLE_NOTE =
  "Figures are medians of the rounds, with ranges in brackets; MB is the maximum. ratio: Lectern's requests/s divided by the peer's; for single requests, Lectern's p50 divided by the peer's. CPU ratio: the peer's CPU time per request divided by Lectern's. target: the ratio that Lectern should reach."

/** The rows of one workload as a Markdown table under its title. */
export const markdownTable = (results: ResultRow[]): string => {
  const rows = [[...HEADINGS], ...results.map(cells)]
  const widths = HEADINGS.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)))
  const format = (row: string[]) => `| ${row.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`
  const rule = `|${widths.map((width, i) => `${'-'.repeat(width + 1)}${i === 0 ? '-' : ':'}`).join('|')}|`
  return [`### ${results[0]!.title}`, '', format(rows[0]!), rule, ...rows.slice(1).map(format), ''].join('\n')
}
