import { styleText } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { Command, CommanderError } from 'commander'
import { isDebugging } from '../config.ts'
import { packageVersion } from '../paths.ts'
import { declareAttach, declareDetach } from './attach.ts'
import { declareCheck } from './check.ts'
import { declareCompletion } from './completion.ts'
import { declareExport } from './export.ts'
import { failureMessage } from './failure.ts'
import { declareImportGit } from './import-git.ts'
import { declareImportMediawiki } from './import-mediawiki.ts'
import { declareImportNdjson } from './import-ndjson.ts'
import { declareMigrate } from './migrate.ts'
import { declareReindex } from './reindex.ts'
import { declareServe } from './serve.ts'

/** What `lectern` ends with; 141 is what shells show of a program that SIGPIPE ended. */
export const EXIT = { done: 0, failed: 1, usage: 2, nobodyReads: 141 } as const

/**
 * All that `lectern` takes: a file a command beside this one, in the order in which help lists them. What a
 * command needs to run is imported when it runs, so that help and completion wait for no database driver.
 */
export const makeProgram = (): Command => {
  const program = new Command('lectern')
    .description('A public, read-only HTTP API for any wiki.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print what a command takes, and examples')
    .helpCommand('help [command]', 'the same')
    .configureHelp({
      styleTitle: (text) => styleText('bold', text, { validateStream: false }),
      styleCommandText: (text) => styleText('cyan', text, { validateStream: false }),
      styleSubcommandText: (text) => styleText('cyan', text, { validateStream: false }),
      styleOptionText: (text) => styleText('cyan', text, { validateStream: false }),
    })
    .configureOutput({ outputError: (text, write) => write(inRed(text)) })
    .exitOverride()
    .addHelpText(
      'after',
      `
Configuration is by environment variables, which README.md lists; "lectern check" looks at them.
Exit status: 0 it is done; 1 it failed, or a check found something wrong; 2 the command line is wrong.

Examples:
  lectern serve                              a sample wiki on http://localhost:3000
  DATA_DIR=my-wiki lectern import git ../docs
  DATA_DIR=my-wiki lectern serve
  lectern check                              is all well?`,
    )
  declareServe(program)
  declareMigrate(program)
  const importing = program
    .command('import')
    .description('put a wiki into the database: from NDJSON, git or MediaWiki')
    .addHelpText(
      'after',
      '\nAn import is one transaction: all of it, or nothing. Importing again adds what is new.',
    )
  declareImportNdjson(importing)
  declareImportGit(importing)
  declareImportMediawiki(importing)
  declareAttach(program)
  declareDetach(program)
  declareExport(program)
  declareReindex(program)
  declareCheck(program)
  declareCompletion(program)
  pointToHelp(program, program.name())
  program.hook('preAction', (_, command) => {
    if (command.name() === 'serve') return // it logs, with the stack, what ends it
    endOnUncaught()
    // By itself V8 lets the heap grow to four times of what lives in it. (D70)
    setFlagsFromString('--heap-growing-percent=60')
  })
  return program
}

/** @returns the status to end with */
export const runCommandLine = async (argv: readonly string[]): Promise<number> => {
  process.stdout.on('error', endWithoutOutput)
  process.stderr.on('error', () => {}) // work goes on when nobody reads of its progress any more
  try {
    await makeProgram().parseAsync(argv)
    return typeof process.exitCode === 'number' ? process.exitCode : EXIT.done
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
    printError(error)
    return EXIT.failed
  }
}

/** Like other programs, one whose reader has gone (`lectern check | head -1`) ends and says nothing. */
const endWithoutOutput = ({ code, message }: NodeJS.ErrnoException): never => {
  if (code === 'EPIPE') process.exit(EXIT.nobodyReads)
  process.stderr.write(`${inRed('lectern:')} Standard output cannot be written: ${message}\n`)
  process.exit(EXIT.failed)
}

/** One message for whatever went wrong; where it happened only for who asks for it by LOG_LEVEL. */
const printError = (error: unknown): void => {
  process.stderr.write(`${inRed('lectern:')} ${failureMessage(error, isDebugging())}\n`)
}

/** What nobody waited for, such as an error of a connection, ends a command as every other error does. */
const endOnUncaught = (): void => {
  process.on('uncaughtException', (error) => {
    printError(error)
    process.exit(EXIT.failed)
  })
}

const inRed = (text: string): string => styleText('red', text, { stream: process.stderr })

/** What is wrong with a command line is said with where to read what is right. */
const pointToHelp = (command: Command, name: string): void => {
  command.showHelpAfterError(`(${name} --help says more)`)
  for (const sub of command.commands) pointToHelp(sub, `${name} ${sub.name()}`)
}
