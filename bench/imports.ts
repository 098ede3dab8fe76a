import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { findPostmaster } from './imports/cpu.ts'
import { blobsOf, type Floor, measureFloor, NDJSON_READER } from './imports/floor.ts'
import { type Cost, measureCost, runLectern, totalOf } from './imports/programs.ts'
import { describeMachine } from './machine.ts'
import { median, ratios } from './statistics.ts'
import { onServer } from './world/server.ts'

/**
 * Measures an import into PostgreSQL, and compares its CPU time with that of the work that no import can avoid: by
 * turns, so that a busy machine affects both.
 */

const whole = (text: string): number => {
  if (!/^[1-9]\d?$/.test(text)) throw new InvalidArgumentError('must be a whole number from 1 to 99')
  return Number(text)
}

const { source, layout, rounds } = new Command('npm run bench:imports --')
  .description(
    'Measures the speed and memory of an import, and its CPU time compared with the least possible.',
  )
  .requiredOption('--source <path>', 'a folder with a git repository, or an NDJSON file')
  .option('--layout <pattern...>', 'layout of the repository, as for `lectern import git --layout`', [])
  .option('--rounds <number>', 'measured imports', whole, 3)
  .addHelpText(
    'after',
    '\nEnvironment:\n  BENCH_DATABASE_URL  URL of a PostgreSQL server on this machine, with a role that may create databases',
  )
  .parse()
  .opts<{ source: string; layout: string[]; rounds: number }>()
const server = process.env.BENCH_DATABASE_URL
if (!server) {
  process.stderr.write('BENCH_DATABASE_URL is not set.\n')
  process.exit(1)
}

const DATABASE = 'lectern_bench_imports'
const databaseUrl = Object.assign(new URL(server), { pathname: `/${DATABASE}` }).href
const isGit = !/\.(ndjson|jsonl|gz)$/.test(source)

interface Round {
  imported: Cost
  floor: Floor
  edits: number
  peakMb: number
}

const measureRound = async (postmaster: number, file: string, blobs: string[]): Promise<Round> => {
  await onServer(server, `drop database if exists ${DATABASE} with (force)`)
  await onServer(server, `create database ${DATABASE}`)
  await runLectern(databaseUrl, 'migrate')
  const args = isGit
    ? ['git', source, ...(layout.length > 0 ? ['--layout', ...layout] : [])]
    : ['ndjson', source]
  const { cost: imported, result } = await measureCost(postmaster, () =>
    runLectern(databaseUrl, 'import', ...args),
  )
  const reader = isGit
    ? {
        program: 'git',
        args: ['-C', source, 'cat-file', '--batch', '--buffer'],
        input: blobs.map((blob) => `${blob}\n`).join(''),
      }
    : { program: process.execPath, args: ['-e', NDJSON_READER, source] }
  const floor = await measureFloor({ postmaster, databaseUrl, file, reader })
  const edits = Number(/(\d+) edits \(/.exec(result.stderr)?.[1])
  return { imported, floor, edits, peakMb: result.peakMb }
}

const format = (numbers: number[], digits = 2): string =>
  `${median(numbers).toFixed(digits)} (${Math.min(...numbers).toFixed(digits)}–${Math.max(...numbers).toFixed(digits)})`

const row = (title: string, costs: Cost[]): string =>
  `| ${[
    title,
    format(costs.map(({ client }) => client)),
    format(costs.map(({ server }) => server)),
    format(costs.map(totalOf)),
    format(costs.map(({ seconds }) => seconds)),
  ].join(' | ')} |`

const report = (results: Round[]): string => {
  const imports = results.map(({ imported }) => imported)
  const floors = results.map(({ floor }) => totalOf(floor.read) + totalOf(floor.copy) + totalOf(floor.words))
  const ratio = ratios(imports.map(totalOf), floors)
  const rates = results.map(({ edits, imported }) => edits / imported.seconds)
  return [
    '| | CPU s, client | CPU s, PostgreSQL | CPU s | seconds |',
    '|---|---:|---:|---:|---:|',
    row('import', imports),
    row(
      isGit ? 'git cat-file' : 'JSON.parse of each line',
      results.map(({ floor }) => floor.read),
    ),
    row(
      'COPY of the same texts',
      results.map(({ floor }) => floor.copy),
    ),
    row(
      'words and HTML of the live pages',
      results.map(({ floor }) => floor.words),
    ),
    '',
    `${results[0]!.edits} edits: ${format(rates, 0)} edits/s, at most ${format(
      results.map(({ peakMb }) => peakMb),
      0,
    )} MB.`,
    `The import takes ${ratio.median.toFixed(2)} × the CPU time of the other rows (${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)}).`,
    '',
  ].join('\n')
}

const folder = await mkdtemp(join(tmpdir(), 'lectern-bench-'))
try {
  const postmaster = await findPostmaster(server)
  const blobs = isGit ? await blobsOf(source, layout) : []
  process.stdout.write(`${describeMachine()[1]}\n\n`)
  const results: Round[] = []
  for (let round = 0; round < rounds; round += 1)
    results.push(await measureRound(postmaster, join(folder, 'revisions'), blobs))
  process.stdout.write(report(results))
} finally {
  await rm(folder, { recursive: true, force: true })
  await onServer(server, `drop database if exists ${DATABASE} with (force)`)
}
