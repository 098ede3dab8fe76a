import { existsSync } from 'node:fs'
import { styleText } from 'node:util'
import { ConfigError } from '@lectern/wiki/errors'
import { Command, CommanderError, Help } from 'commander'
import { ALL_SETTINGS, withOrigin, withProgramName } from '../config/messages.ts'
import type { SettingsOptions } from '../config/settings.ts'
import { inspectConfig, isDebugging, isLogJson, joinOutputs } from '../config.ts'
import { packageVersion } from '../paths.ts'
import { declareCheck } from './check.ts'
import { declareCompletion } from './completion.ts'
import { declareExport } from './export.ts'
import { failureMessage } from './failure.ts'
import { declareAttach, declareDetach, declareFollow } from './follow.ts'
import { declareImport } from './import.ts'
import { declareMigrate, declareReindex } from './migrate.ts'
import { declareMcp, declareServe } from './serve.ts'
import { WrongOptions } from './source-options.ts'

/** Exit statuses. 78 is EX_CONFIG of sysexits.h, and 141 the status that shells report for a program that SIGPIPE ended. */
export const EXIT = { success: 0, failure: 1, usage: 2, configuration: 78, brokenPipe: 141 } as const

/** The commands that most people need: with them, the help begins. */
const STARTS = `
  lectern serve           serve a sample wiki on http://localhost:3000
  lectern serve ../docs   serve your own: a folder, a git repository, a file or a URL
  lectern check           find out what is wrong with the setup`

/** What the commands do, in a line each: the help fits a screen. */
const SUMMARIES: Readonly<Record<string, string>> = {
  serve: 'serve the API, of a source or of the database',
  mcp: 'let agents read a wiki, by MCP',
  migrate: 'create or update the schema in DATABASE_URL',
  import: 'import NDJSON, git, a folder, a MediaWiki, …',
  attach: 'serve a running Wiki.js; detach undoes it',
  export: 'export the whole wiki',
  reindex: 'update the search index',
  check: 'check settings, database, disk, ports and more',
  completion: 'print a script that completes commands',
}

/** Declares all commands, in the order of the help. Each imports its dependencies when it runs: help does not wait for them. */
export const makeProgram = (): Command => {
  const program = new Command('lectern')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print the options of a command, and examples')
    .helpCommand('help [command]', 'print the help of a command')
    .configureHelp({
      showGlobalOptions: true,
      commandUsage: (command) => (command.parent ? new Help().commandUsage(command) : STARTS),
      // Other lines of the help name these two.
      visibleCommands: (command) =>
        new Help()
          .visibleCommands(command)
          .filter((sub) => command.parent || !['detach', 'help'].includes(sub.name())),
      styleTitle: (text) => styleText('bold', text, { validateStream: false }),
      styleCommandText: inCyan,
      styleSubcommandText: inCyan,
      styleOptionText: inCyan,
    })
    .option('--env-file <file>', 'settings: a file with VARIABLE=value lines')
    .option('--config <file>', 'settings: a YAML file with VARIABLE: value lines')
    .configureOutput({
      writeOut: (text) => process.stdout.write(withProgramName(text)),
      writeErr: (text) => process.stderr.write(withProgramName(text)),
      outputError: (text, write) => write(inRed(withSourceHint(text))),
    })
    .exitOverride()
    .addHelpText('after', `Settings: ${ALL_SETTINGS}`)
  for (const declare of COMMANDS) declare(program)
  for (const command of program.commands) command.summary(SUMMARIES[command.name()] ?? '')
  addUsageHint(program, program.name())
  program.hook('preAction', (_, command) => prepare(command))
  return program
}

const COMMANDS = [
  ...[declareServe, declareMcp, declareMigrate, declareImport, declareFollow, declareAttach, declareDetach],
  ...[declareExport, declareReindex, declareCheck, declareCompletion],
]

const prepare = async (command: Command): Promise<void> => {
  const { default: cluster } = await import('node:cluster')
  const { loadSettings } = await import('../config/settings.ts')
  // A worker gets the settings of its primary through the environment. The files may have changed since.
  if (!cluster.isWorker) await loadSettings(command.optsWithGlobals<SettingsOptions>())
  if (command.name() === 'follow') joinOutputs()
  if (command.name() === 'serve') return // it logs such an error with its stack, and misspelled variables
  // An error outside the awaited code, such as one of an idle connection, ends a command like any other error.
  process.on('uncaughtException', (error) => {
    printError(error)
    process.exit(EXIT.failure)
  })
  // `check` tells them itself, and `serve` has told them when it starts another process.
  if (command.name() !== 'check' && process.send === undefined)
    for (const line of inspectConfig().misspelled) printMessage('warn', line)
}

export const runCommandLine = async (argv: readonly string[]): Promise<number> => {
  process.stdout.on('error', handleOutputError)
  process.stderr.on('error', () => {}) // the command continues even if nobody reads its progress
  try {
    await makeProgram().parseAsync(argv)
    return typeof process.exitCode === 'number' ? process.exitCode : EXIT.success
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.success : EXIT.usage
    printError(error)
    if (error instanceof WrongOptions) return EXIT.usage
    return error instanceof ConfigError ? EXIT.configuration : EXIT.failure
  }
}

/** If the reader of standard output has gone (`lectern check | head -1`), the process ends silently, as others do. */
const handleOutputError = ({ code, message }: NodeJS.ErrnoException): never => {
  if (code === 'EPIPE') process.exit(EXIT.brokenPipe)
  process.stderr.write(`${inRed('lectern:')} Cannot write to standard output: ${message}\n`)
  process.exit(EXIT.failure)
}

/** With LOG_LEVEL=debug, also the stack. */
const printError = (error: unknown): void =>
  printMessage('fatal', withProgramName(withOrigin(failureMessage(error, isDebugging()))))

/** Prints one message, as JSON if the log is. */
const printMessage = (level: 'fatal' | 'warn', msg: string): void => {
  const json = () => JSON.stringify({ level, time: new Date().toISOString(), msg })
  const start = level === 'fatal' ? inRed('lectern:') : 'Warning:'
  process.stderr.write(`${isLogJson() ? json() : `${start} ${msg}`}\n`)
}

const inCyan = (text: string): string => styleText('cyan', text, { validateStream: false })
const inRed = (text: string): string => styleText('red', text, { stream: process.stderr })

const withSourceHint = (text: string): string => {
  const name = /unknown command '(.+)'/.exec(text)?.[1] ?? ''
  if (name === 'markdown' || name === 'obsidian') return `${text}(Did you mean folder?)\n`
  if (!/[/\\]/.test(name) && !existsSync(name)) return text
  const kind = name.endsWith('.git') || existsSync(`${name}/.git`) ? 'git' : 'folder'
  return `${text}(Did you mean: lectern ${process.argv.includes('import') ? `import ${kind}` : 'serve'} ${name}?)\n`
}

/** Every usage error names the command that prints the help. */
const addUsageHint = (command: Command, name: string): void => {
  command.showHelpAfterError(`Run "${name} --help" for usage.`)
  for (const sub of command.commands) addUsageHint(sub, `${name} ${sub.name()}`)
}
