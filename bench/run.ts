import { writeFile } from 'node:fs/promises'
import { chartOf } from './chart.ts'
import { CORES, describeMachine, pinLoad } from './machine.ts'
import { measure } from './measure.ts'
import { findPrograms, PACKAGES } from './mediawiki/packages.ts'
import { MEDIAWIKI_NOTE } from './mediawiki/settings.ts'
import { readOptions } from './options.ts'
import { makeServers, PEER_NAMES, type PeerName } from './peers.ts'
import { type Line, linesOf, tableOf } from './report.ts'
import { takeSample } from './sample.ts'
import { growth } from './trials/growth.ts'
import { importing } from './trials/import.ts'
import { soak } from './trials/soak.ts'
import { measureStart } from './trials/start.ts'
import { type Figure, figureTable, type Trial } from './trials/trial.ts'
import { WORKLOADS } from './workloads.ts'
import { makeBenchWorld } from './world/world.ts'

/** `npm run bench`: see `--help`. */

const TRIALS: Record<string, Trial> = { start: measureStart, import: importing, soak, growth }

/** Larger worlds are made without search, whose words take hours to sort. */
const SEARCHABLE_PAGES = 100_000

const say = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

const options = readOptions(
  WORKLOADS.map(({ name }) => name),
  Object.keys(TRIALS),
  [...PEER_NAMES],
)
const server = process.env.BENCH_DATABASE_URL
if (!server) {
  say('BENCH_DATABASE_URL is not set: the address of a PostgreSQL server on this machine, such as')
  say('  BENCH_DATABASE_URL=postgresql://postgres@127.0.0.1:5432/postgres npm run bench')
  process.exit(1)
}

const search = options.pages <= SEARCHABLE_PAGES
const world = await makeBenchWorld({ ...options, server, search, say })
const machine = [`${options.pages} pages, seed ${options.seed}`, ...describeMachine()]
pinLoad()
process.stdout.write(`${machine.join('; ')}\n\n`)

const isHere = (peer: PeerName): boolean => peer !== 'mediawiki' || findPrograms() !== undefined
if (!isHere('mediawiki') && (options.peers?.includes('mediawiki') ?? true)) {
  say(`mediawiki is left out; it needs Debian's packages ${PACKAGES}`)
}

const lines: Line[] = []
const servers = makeServers(world)
try {
  const sample = takeSample(world.plan)
  for (const workload of WORKLOADS) {
    if (!(options.only?.includes(workload.name) ?? true)) continue
    if (!search && workload.searches) continue
    const peers = (Object.keys(workload.peers) as PeerName[]).filter(
      (name) => (options.peers?.includes(name) ?? true) && isHere(name),
    )
    say(workload.title)
    let measured: Line[]
    try {
      measured = linesOf(await measure(workload, peers, sample, servers, options))
    } catch (error) {
      // What was measured before is kept, and what comes after is measured.
      say(`${workload.title}: left out, because ${(error as Error).message}`)
      process.exitCode = 1
      continue
    }
    lines.push(...measured)
    process.stdout.write(`${tableOf(measured)}\n`)
    if (peers.includes('mediawiki')) process.stdout.write(`${MEDIAWIKI_NOTE}\n\n`)
  }
} finally {
  await servers.stop()
}

pinLoad(CORES.all)
const figures: Figure[] = []
for (const [name, trial] of Object.entries(TRIALS)) {
  if (!options.only?.includes(name)) continue
  say(name)
  const found = await trial(world, { ...options, server, say })
  figures.push(...found)
  process.stdout.write(`${figureTable(name, found)}\n`)
}

if (options.json) {
  await writeFile(options.json, `${JSON.stringify({ machine, options, lines, figures }, null, 2)}\n`)
}
if (options.svg) await writeFile(options.svg, chartOf(lines))
