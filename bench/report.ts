import type { Measured, Reading } from './measure.ts'
import type { PeerName } from './peers.ts'
import { ratios, type Summary, summary } from './statistics.ts'

/** One server's part of a workload, as it is printed and written. */
export interface Line {
  workload: string
  title: string
  server: 'lectern' | PeerName
  perSecond: Summary
  p50Ms: Summary
  p99Ms: Summary
  cpuPerThousand: Summary
  memoryMb: Summary
  /** How many times the peer Lectern is: of the rates, or for lone requests of the median latencies. */
  ratio?: Summary
  /** How many times Lectern's CPU time the peer takes for a request: steadier on a machine that others use. */
  cpuRatio?: Summary
  /** What the ratio must reach (for lone requests: must not pass). */
  must?: number
  reached?: boolean
}

const column = (readings: Reading[], name: keyof Reading): number[] => readings.map((one) => one[name])

export const linesOf = ({ workload, readings }: Measured): Line[] => {
  const own = readings.get('lectern')!
  return [...readings].map(([server, all]) => {
    const lone = workload.kind === 'lone'
    const compared = lone ? 'p50Ms' : 'perSecond'
    const ratio = server === 'lectern' ? undefined : ratios(column(own, compared), column(all, compared))
    const must = server === 'lectern' ? undefined : workload.peers[server]
    return {
      workload: workload.name,
      title: workload.title,
      server,
      perSecond: summary(column(all, 'perSecond')),
      p50Ms: summary(column(all, 'p50Ms')),
      p99Ms: summary(column(all, 'p99Ms')),
      cpuPerThousand: summary(column(all, 'cpuPerThousand')),
      memoryMb: summary(column(all, 'memoryMb')),
      ratio,
      cpuRatio:
        server === 'lectern'
          ? undefined
          : ratios(column(all, 'cpuPerThousand'), column(own, 'cpuPerThousand')),
      must,
      reached: ratio && must !== undefined ? (lone ? ratio.median <= must : ratio.median >= must) : undefined,
    }
  })
}

const spread = ({ median, min, max }: Summary, digits: number): string =>
  `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`

const HEAD = [
  'server',
  'requests/s',
  'p50 ms',
  'p99 ms',
  'CPU s/1000',
  'MB',
  'Lectern ×',
  'by CPU ×',
  'must',
  '',
] as const

const cells = (line: Line): string[] => [
  line.server,
  spread(line.perSecond, 0),
  line.p50Ms.median.toFixed(2),
  line.p99Ms.median.toFixed(2),
  line.cpuPerThousand.median.toFixed(3),
  line.memoryMb.max.toFixed(0),
  line.ratio ? spread(line.ratio, 2) : '',
  line.cpuRatio ? line.cpuRatio.median.toFixed(2) : '',
  line.must === undefined ? '' : `${line.workload === 'lone' ? '≤' : '≥'} ${line.must}`,
  line.reached === undefined ? '' : line.reached ? 'reached' : 'MISSED',
]

/** A workload's lines as a Markdown table under its title. */
export const tableOf = (lines: Line[]): string => {
  const rows = [[...HEAD], ...lines.map(cells)]
  const widths = HEAD.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)))
  const print = (row: string[]) => `| ${row.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`
  const rule = `|${widths.map((width, i) => `${'-'.repeat(width + 1)}${i === 0 ? '-' : ':'}`).join('|')}|`
  return [`### ${lines[0]!.title}`, '', print(rows[0]!), rule, ...rows.slice(1).map(print), ''].join('\n')
}
