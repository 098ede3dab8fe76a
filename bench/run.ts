import { writeFile } from 'node:fs/promises'
import { drawChart } from './chart.ts'
import { describeMachine, pinLoad } from './machine.ts'
import { measureWorkload } from './measure.ts'
import { readOptions } from './options.ts'
import { makeServers, PEER_NAMES, type PeerName } from './peers.ts'
import { markdownTable, type ResultRow, resultRows, TABLE_NOTE } from './report.ts'
import { takeSample } from './sample.ts'
import { WORKLOADS } from './workloads.ts'
import { makeBenchWorld } from './world/world.ts'

/** Runs the benchmark (`npm run bench`). `--help` lists the options. */

/** Larger data sets have no search index, because building it takes hours. */
const SEARCHABLE_PAGES = 100_000

const say = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

const options = readOptions(
  WORKLOADS.map(({ name }) => name),
  [...PEER_NAMES],
)
const server = process.env.BENCH_DATABASE_URL
if (!server) {
  say('BENCH_DATABASE_URL is not set. Set it to the URL of a PostgreSQL server on this machine, for example:')
  say('  BENCH_DATABASE_URL=postgresql://postgres@127.0.0.1:5432/postgres npm run bench')
  process.exit(1)
}

const search = options.pages <= SEARCHABLE_PAGES
const world = await makeBenchWorld({ ...options, server, search, say })
const machine = [`${options.pages} pages, seed ${options.seed}`, ...describeMachine()]
pinLoad()
process.stdout.write(`${machine.join('; ')}\n\n`)

const workloads = WORKLOADS.filter(
  ({ name, needsSearch }) => (options.only?.includes(name) ?? true) && (search || !needsSearch),
)
if (workloads.length > 0) process.stdout.write(`${TABLE_NOTE}\n\n`)

const rows: ResultRow[] = []
const servers = makeServers(world)
try {
  const sample = takeSample(world.plan)
  for (const workload of workloads) {
    const peers = (Object.keys(workload.peers) as PeerName[]).filter(
      (name) => options.peers?.includes(name) ?? true,
    )
    say(workload.title)
    let workloadRows: ResultRow[]
    try {
      const result = await measureWorkload(workload, peers, sample, servers, options)
      for (const [peer, reason] of result.absent) {
        say(`${workload.title}: without ${peer}, because of an error: ${reason}`)
        process.exitCode = 1
      }
      workloadRows = resultRows(result)
    } catch (error) {
      // One failed workload does not stop the run, and earlier results stay.
      say(`${workload.title}: skipped, because of an error: ${(error as Error).message}`)
      process.exitCode = 1
      continue
    }
    rows.push(...workloadRows)
    process.stdout.write(`${markdownTable(workloadRows)}\n`)
  }
} finally {
  await servers.stop()
}

if (options.json) {
  await writeFile(options.json, `${JSON.stringify({ machine, options, lines: rows }, null, 2)}\n`)
}
if (options.svg) await writeFile(options.svg, drawChart(rows))
