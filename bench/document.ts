import { readFile, writeFile } from 'node:fs/promises'
import { packagePath } from '../src/paths.ts'
import { PEER_NAMES } from './peers.ts'
import { formatRange, type ResultRow, resultOf } from './report.ts'

/**
 * Writes the results of `npm run bench -- --json <file>` into docs/performance.md, between the marks of this script, so
 * that no figure is copied by hand: `npm run bench:document -- <file> [<file> …]`. Results of later files replace those
 * of earlier ones.
 */

interface Results {
  machine: string[]
  options: { rounds: number; seconds: number; connections: number }
  lines: ResultRow[]
}

const SERVER_TITLES: Record<string, string> = {
  bare: 'bare `node:http`',
  handwritten: 'hand-written express + pg',
  tuned: 'tuned',
  sofa: 'sofa-api',
}

const files = process.argv.slice(2)
if (files.length === 0) {
  process.stderr.write('Usage: npm run bench:document -- <result of npm run bench -- --json> […]\n')
  process.exit(1)
}

const runs: Results[] = await Promise.all(files.map(async (file) => JSON.parse(await readFile(file, 'utf8'))))

/** The rows of each workload, from the last run that has it. */
const workloads = new Map<string, ResultRow[]>()
for (const { lines } of runs)
  for (const name of new Set(lines.map(({ workload }) => workload)))
    workloads.set(
      name,
      lines.filter(({ workload }) => workload === name),
    )

const servers = PEER_NAMES.filter(
  (name) => SERVER_TITLES[name] && [...workloads.values()].flat().some(({ server }) => server === name),
)

const tableOf = (heading: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heading, heading.map((_, i) => (i === 0 ? '---' : '---:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')

const comparison = (row: ResultRow | undefined): string => {
  if (!row?.ratio) return ''
  const failures = row.failed === 0 ? '' : `; ${row.failed} of ${row.requests} failed`
  const cpu = row.cpuRatio ? `, CPU ${row.cpuRatio.median.toFixed(2)}` : ''
  return `${formatRange(row.ratio, 2)}${cpu}${failures}`
}

const targets = (rows: readonly ResultRow[]): string =>
  rows
    .filter(({ must, server }) => must !== undefined && SERVER_TITLES[server])
    .map(
      (row) =>
        `${SERVER_TITLES[row.server]} ${row.workload === 'lone' ? '≤' : '≥'} ${row.must}: ${resultOf(row)}`,
    )
    .join('; ')

const requestTable = (): string =>
  tableOf(
    ['Workload', 'Noise', 'Lectern, requests/s', ...servers.map((name) => SERVER_TITLES[name]!), 'Targets'],
    [...workloads.values()].map((rows) => {
      const lectern = rows.find(({ server }) => server === 'lectern')!
      return [
        lectern.title,
        `${lectern.noise.min.toFixed(2)}–${lectern.noise.max.toFixed(2)}`,
        lectern.perSecond.median.toFixed(0),
        ...servers.map((name) => comparison(rows.find(({ server }) => server === name))),
        targets(rows),
      ]
    }),
  )

const section = [
  ...new Set(
    runs.map(
      ({ machine, options }) =>
        `${machine.join('; ')}; ${options.rounds} rounds of ${options.seconds} s with ${options.connections} connections.`,
    ),
  ),
  '',
  requestTable(),
].join('\n')

const path = packagePath('docs', 'performance.md')
const text = await readFile(path, 'utf8')
const [begin, end] = ['<!-- bench:requests -->', '<!-- /bench:requests -->']
const [from, to] = [text.indexOf(begin), text.indexOf(end)]
if (from < 0 || to < from) throw new Error(`docs/performance.md has no marks ${begin} and ${end}`)
await writeFile(path, `${text.slice(0, from + begin.length)}\n${section}\n${text.slice(to)}`)
