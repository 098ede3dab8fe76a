import { Command, InvalidArgumentError, Option } from 'commander'
import { packagePath } from '../paths.ts'
import type { AttachOptions } from './run-attach.ts'
import { addContentOptions, addSourceOptions, type ImportCommandOptions } from './source-options.ts'

/** The commands that keep up with a wiki: `follow` with a source, `attach` with a running Wiki.js. */

export const addFollowOptions = (command: Command): Command => {
  const text = 'time between two checks, such as 30s, 5m or 1h (default: 60s; 30s of a MediaWiki)'
  return addSourceOptions(addContentOptions(command.option('--every <duration>', text, parseDuration)))
}

/** Ends a command that got an option of a source, such as `--every`, but no source. */
export const refuseSourceOptions = (command: Command): void => {
  for (const { long } of addFollowOptions(new Command()).options)
    if (command.getOptionValueSource(new Option(long!).attributeName()) === 'cli')
      command.error(`error: ${long} needs a source, such as: lectern ${command.name()} ../docs ${long} …`)
}

export const addPortOptions = (command: Command): Command =>
  command
    .option('--port <number>', 'port of the public API (PORT)')
    .option('--internal-port <number>', 'port of the internal listener (INTERNAL_PORT)')

export const declareFollow = (program: Command): void => {
  const command = program
    .command('follow')
    .description('import a source, and keep up to date with it')
    .argument('<source>', 'a folder, a file or a URL')
  addFollowOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  lectern follow ../docs
  lectern follow https://wiki.example/tea.wiki.git --every 5m
  lectern follow /srv/dumps/tea-wiki.ndjson.gz --source tea`,
    )
    .action(async (location: string, options: ImportCommandOptions) =>
      (await import('./run-follow.ts')).runFollowCommand(location, options),
    )
}

const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000 }
const SHORTEST_MS = 1_000
const LONGEST_MS = 24 * 3_600_000

/** @returns milliseconds */
const parseDuration = (text: string): number => {
  const [, digits, unit = 's'] = /^(\d{1,6})([smh])?$/.exec(text) ?? []
  const ms = Number(digits) * UNITS[unit]!
  if (!(ms >= SHORTEST_MS && ms <= LONGEST_MS))
    throw new InvalidArgumentError('It must be a time from 1s to 24h, such as 30s, 5m or 1h.')
  return ms
}

export const declareAttach = (program: Command): void => {
  program
    .command('attach')
    .description('serve a running wiki from its own database; adds only a search index')
    .command('wikijs')
    .description('serve the Wiki.js 2.5 whose PostgreSQL database is in DATABASE_URL')
    .option('--schema <name>', 'schema of the tables of Wiki.js', 'public')
    .option(
      '--watch',
      'keep running, and update the search index and the pages that are published or hidden by date',
    )
    .addHelpText(
      'after',
      `
${packagePath('docs', 'wikijs.md')} explains what guests see and what this command adds to the database.
"lectern detach wikijs" removes everything that it added.

Examples:
  lectern attach wikijs
  lectern attach wikijs --watch`,
    )
    .action(async (options: AttachOptions) => (await import('./run-attach.ts')).runAttachCommand(options))
}

export const declareDetach = (program: Command): void => {
  program
    .command('detach')
    .description('remove everything that attach added')
    .command('wikijs')
    .description('remove it from the database of a Wiki.js; the tables of Wiki.js stay unchanged')
    .addHelpText('after', '\nExample:\n  lectern detach wikijs')
    .action(async () => (await import('./run-attach.ts')).runDetachCommand())
}
