import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { Unavailable } from '@lectern/wiki/errors'
import { Command, InvalidArgumentError } from 'commander'
import type { Database } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { makeSearchLoader, type SearchArguments } from '../../src/search/query/search.ts'
import { runSql } from '../world/fill.ts'
import { loadSpeedWords, type QueryOf, SPEED_KINDS, type SpeedWords } from './speed-kinds.ts'
import { type SearchCost, speedTable } from './speed-report.ts'

/**
 * Measures searches one at a time, in databases of different sizes by turns: the time of the clock, and the CPU time of
 * PostgreSQL and of node. On a busy machine, only the CPU times say something. (D112)
 */

function whole(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('must be a whole number')
  return Number(text)
}

const program = new Command('npm run bench:search-speed --')
  .description('Measures searches one at a time, the given databases by turns.')
  .argument('<url...>', 'URLs of databases that hold worlds (bench:search-worlds), the smallest first')
  .option('--queries <number>', 'of each kind and database', whole, 60)
  .option('--kinds <kinds...>', 'only kinds whose name contains one of these')
  .option('--json <file>', 'write the figures there')
  .parse()
const { queries, kinds, json } = program.opts<{ queries: number; kinds?: string[]; json?: string }>()

/** Searches of each kind that warm up connections, plans and the compiler, before the first kind is measured. */
const WARM_UP = 15
/** Hits of a response. */
const FIRST = 20

/**
 * CPU time of the processes that serve a database, in ms. Linux counts it in ns. A process can end in the meantime: then
 * its CPU time is not known.
 * @see proc(5), /proc/[pid]/schedstat
 */
const backendCpu = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => {
    const file = `/proc/${pid}/schedstat`
    return sum + (existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[0]) : 0)
  }, 0) / 1e6

const nodeCpu = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Processes that serve this program's readers, without those of the owner. */
const readersOf = async (owner: Database): Promise<number[]> => {
  const { rows } = await runSql(
    owner,
    `select pid from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
  )
  return rows.map(({ pid }) => pid)
}

/** Whether a search took longer than its time limit. */
const isRefusedSearch = async (search: Promise<unknown>): Promise<boolean> => {
  try {
    await search
    return false
  } catch (error) {
    if (error instanceof Unavailable) return true
    throw error
  }
}

const keyOf = (queryOf: QueryOf, words: SpeedWords, n: number): SearchArguments => ({
  ...{ locale: 'en', first: FIRST, offset: 0 },
  ...queryOf(words, n),
})

const places = program.args.map((databaseUrl) => ({ databaseUrl, dataDir: '' }))
const owners = await Promise.all(places.map((place) => openDatabase(place, 'owner')))
const readers = await Promise.all(places.map((place) => openDatabase(place, 'reader')))
const loaders = readers.map((reader) => makeSearchLoader(reader))
try {
  const words = await Promise.all(owners.map(loadSpeedWords))
  for (const queryOf of Object.values(SPEED_KINDS))
    for (let n = 0; n < WARM_UP; n += 1)
      for (const [i, loader] of loaders.entries())
        await isRefusedSearch(loader.load(keyOf(queryOf, words[i]!, n)))
  const results: { kind: string; samples: SearchCost[][] }[] = []
  for (const [kind, queryOf] of Object.entries(SPEED_KINDS)) {
    if (kinds && !kinds.some((part) => kind.includes(part))) continue
    const samples: SearchCost[][] = loaders.map(() => [])
    for (let n = 0; n < queries; n += 1)
      for (const [i, loader] of loaders.entries()) {
        const key = keyOf(queryOf, words[i]!, n + WARM_UP)
        const pids = await readersOf(owners[i]!)
        const [postgresql, node, startedAt] = [backendCpu(pids), nodeCpu(), performance.now()]
        const isRefused = await isRefusedSearch(loader.load(key))
        const [wall, nodeMs] = [performance.now() - startedAt, nodeCpu() - node]
        samples[i]!.push({
          wall,
          postgresql: Math.max(0, backendCpu(pids) - postgresql),
          node: nodeMs,
          isRefused,
        })
      }
    results.push({ kind, samples })
  }
  const names = places.map(({ databaseUrl }) => new URL(databaseUrl).pathname.slice(1))
  process.stdout.write(`${speedTable(names, results).join('\n')}\n`)
  if (json) await writeFile(json, `${JSON.stringify(results)}\n`)
} finally {
  for (const database of [...readers, ...owners]) await database.close()
}
