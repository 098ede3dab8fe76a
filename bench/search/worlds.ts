import { Command } from 'commander'
import { openDatabase } from '../../src/db/open-database.ts'
import { repeatWorld } from '../world/repeat.ts'
import { onServer } from '../world/server.ts'
import { makeBenchWorld } from '../world/world.ts'

/** Generates the wikis for bench:search-speed: of 10,000 pages and of 1,000,000 pages. */

const SMALL = 10_000
const REPEATED = 100_000
const TIMES = 10
const LARGE = `lectern_bench_${REPEATED * TIMES}`

const program = new Command('npm run bench:search-worlds --')
  .description(
    `Generates wikis of ${SMALL} and ${REPEATED * TIMES} indexed pages, in databases of their own. The large one repeats ${REPEATED} pages and takes 12 GB.`,
  )
  .argument('<server>', 'URL of any database on a PostgreSQL server, as a role that can create databases')
  .option('--seed <number>', 'of the generated content', Number, 7)
  .parse()
const server = program.args[0]!
const { seed } = program.opts<{ seed: number }>()

const startedAt = performance.now()
const say = (line: string) =>
  void process.stdout.write(`${Math.round((performance.now() - startedAt) / 1000)} s: ${line}\n`)

for (const pages of [SMALL, REPEATED])
  await makeBenchWorld({ server, pages, seed, search: true, peerSearch: pages === SMALL, say })
await onServer(server, `drop database if exists ${LARGE} with (force)`)
await onServer(server, `create database ${LARGE} template lectern_bench_${REPEATED}`)
const databaseUrl = Object.assign(new URL(server), { pathname: `/${LARGE}` }).href
const database = await openDatabase({ databaseUrl, dataDir: '' }, 'owner')
try {
  await repeatWorld(database, TIMES, say)
} finally {
  await database.close()
}
