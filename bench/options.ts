import { Command, InvalidArgumentError } from 'commander'

export interface BenchOptions {
  pages: number
  seed: number
  rounds: number
  /** Length of one load, seconds. */
  seconds: number
  connections: number
  /** Names of workloads and peers. Absent: all. */
  only?: string[]
  peers?: string[]
  json?: string
  svg?: string
}

const integerBetween =
  (min: number, max: number) =>
  (text: string): number => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= min && value <= max))
      throw new InvalidArgumentError(`must be an integer from ${min} to ${max}`)
    return value
  }

const splitNames = (text: string): string[] => text.split(',').map((name) => name.trim())

/** @param workloads,peers all known names, for the help and to reject others */
export const readOptions = (workloads: string[], peers: string[]): BenchOptions => {
  const knownNames = (all: string[]) => (text: string) => {
    const unknown = splitNames(text).find((name) => !all.includes(name))
    if (unknown !== undefined)
      throw new InvalidArgumentError(`"${unknown}" is unknown; choose from ${all.join(', ')}`)
    return splitNames(text)
  }
  return new Command('npm run bench --')
    .description(
      'Compares the speed of Lectern with other servers that give the same responses, on this machine.',
    )
    .option('--pages <number>', 'number of pages in the data set', integerBetween(100, 10_000_000), 10_000)
    .option(
      '--seed <number>',
      'seed of the data set: the same seed gives the same pages',
      integerBetween(0, 2 ** 31),
      1,
    )
    .option('--rounds <number>', 'measured loads per server and workload', integerBetween(1, 100), 5)
    .option('--seconds <number>', 'length of one load, seconds', integerBetween(1, 60), 4)
    .option('--connections <number>', 'concurrent connections of a load', integerBetween(1, 256), 32)
    .option(
      '--only <name,...>',
      `workloads to run (default: all): ${workloads.join(', ')}`,
      knownNames(workloads),
    )
    .option(
      '--peers <name,...>',
      `servers to compare with (default: all): ${peers.join(', ')}`,
      knownNames(peers),
    )
    .option('--json <file>', 'write the results to this file as JSON')
    .option('--svg <file>', 'write a bar chart of the results to this file as SVG')
    .addHelpText(
      'after',
      `
Environment:
  BENCH_DATABASE_URL  URL of a PostgreSQL server on this machine, with a role that may create databases (required)

Example:
  BENCH_DATABASE_URL=postgresql://postgres@127.0.0.1:5432/postgres npm run bench -- --only hot,pages --rounds 3`,
    )
    .parse()
    .opts<BenchOptions>()
}
