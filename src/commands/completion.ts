import { readFileSync } from 'node:fs'
import { Argument, type Command } from 'commander'
import { packagePath } from '../paths.ts'

/** Completion of commands, options and paths in a shell: its script asks a hidden command, which runs no other code. */

export const declareCompletion = (program: Command): void => {
  program
    .command('completion')
    .description('print a script that completes commands, options and paths in your shell')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      `
Examples:
  echo 'source <(lectern completion bash)' >> ~/.bashrc
  lectern completion zsh > ~/.zfunc/_lectern       (requires ~/.zfunc in $fpath)
  lectern completion fish > ~/.config/fish/completions/lectern.fish`,
    )
    .action((shell: string) => {
      process.stdout.write(readFileSync(packagePath('deploy', 'completion', `lectern.${shell}`)))
    })
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .action((words: string[]) => void process.stdout.write(completionsOf(program, words).join('')))
}

/** Names of arguments and of values of options that are paths. */
const PATHS = { file: /^(?:file|source|location)$/, folder: /^(?:folder|repository)$/ }

/**
 * What can follow words of a command line: a line for each candidate, with its description after a tab; `:file` or
 * `:folder` for a path.
 * @param words those after `lectern`, without the one that is completed
 */
export const completionsOf = (program: Command, words: readonly string[]): string[] => {
  const command = words.reduce((at, word) => at.commands.find((sub) => sub.name() === word) ?? at, program)
  const help = command.createHelp()
  const shared = help.visibleGlobalOptions(command).filter(({ long }) => long !== '--version')
  const options = [...help.visibleOptions(command), ...shared]
  const line = (word: string, description = '') => `${word}\t${description}\n`
  const values = (name: string, choices: readonly string[] = []) => [
    ...choices.map((choice) => line(choice)),
    ...Object.entries(PATHS).flatMap(([kind, names]) => (names.test(name) ? `:${kind}\n` : [])),
  ]
  const previous = options.find(({ short, long }) => words.length > 0 && [short, long].includes(words.at(-1)))
  const valueName = /[<[](\w+)/.exec(previous?.flags ?? '')?.[1]
  if (valueName !== undefined) return values(valueName, previous?.argChoices)
  const [argument] = command.registeredArguments
  return [
    ...help.visibleCommands(command).map((sub) => line(sub.name(), sub.description())),
    ...options.flatMap(({ short, long, description }) =>
      [short, long].filter((flag) => flag != null).map((flag) => line(flag, description)),
    ),
    ...(argument ? values(argument.name(), argument.argChoices) : []),
  ]
}
