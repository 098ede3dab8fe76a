import { Command, InvalidArgumentError } from 'commander'

export interface BenchOptions {
  pages: number
  seed: number
  rounds: number
  /** Length of one load, seconds. */
  seconds: number
  connections: number
  /** Names of workloads and peers; absent: all. */
  only?: string[]
  peers?: string[]
  soakMinutes: number
  growTo: number
  git?: string
  layout: string[]
  json?: string
  svg?: string
}

const whole =
  (min: number, max: number) =>
  (text: string): number => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= min && value <= max))
      throw new InvalidArgumentError(`must be a whole number from ${min} to ${max}`)
    return value
  }

const names = (text: string): string[] => text.split(',').map((name) => name.trim())

/** @param workloads,trials,peers those there are, for the help and to refuse others */
export const readOptions = (workloads: string[], trials: string[], peers: string[]): BenchOptions => {
  const known = (all: string[]) => (text: string) => {
    const wrong = names(text).find((name) => !all.includes(name))
    if (wrong !== undefined) throw new InvalidArgumentError(`"${wrong}" is none of ${all.join(', ')}`)
    return names(text)
  }
  return new Command('npm run bench --')
    .description('Measures Lectern beside other servers of the same answers, on this machine.')
    .option('--pages <number>', 'pages of the world', whole(100, 10_000_000), 10_000)
    .option('--seed <number>', 'which world', whole(0, 2 ** 31), 1)
    .option('--rounds <number>', 'loads of each server for each workload', whole(1, 100), 5)
    .option('--seconds <number>', 'length of one load', whole(1, 60), 4)
    .option('--connections <number>', 'connections of a load', whole(1, 256), 32)
    .option(
      '--only <name,...>',
      `of ${workloads.join(', ')}; or of what runs only when it is named: ${trials.join(', ')}`,
      known([...workloads, ...trials]),
    )
    .option('--peers <peer,...>', peers.join(', '), known(peers))
    .option('--soak-minutes <number>', 'length of soak', whole(4, 600), 10)
    .option(
      '--grow-to <number>',
      'pages of the world that growth compares with',
      whole(1000, 10_000_000),
      1_000_000,
    )
    .option('--git <repository>', 'what import reads besides ndjson')
    .option('--layout <pattern...>', 'where its pages are, as `lectern import git` takes it', [])
    .option('--json <file>', 'write the figures there')
    .option('--svg <file>', 'draw a chart there')
    .addHelpText(
      'after',
      '\nBENCH_DATABASE_URL is the address of a PostgreSQL server on this machine, with a user who may create databases.',
    )
    .parse()
    .opts<BenchOptions>()
}
