import { Argument, type Command } from 'commander'

export const declareCompletion = (program: Command): void => {
  program
    .command('completion')
    .description('print a script that completes commands, options and paths in your shell')
    .addArgument(new Argument('<shell>').choices(Object.keys(SCRIPTS)))
    .addHelpText(
      'after',
      `
Examples:
  echo 'source <(lectern completion bash)' >> ~/.bashrc
  lectern completion zsh > ~/.zfunc/_lectern       (requires ~/.zfunc in $fpath)
  lectern completion fish > ~/.config/fish/completions/lectern.fish`,
    )
    .action((shell: keyof typeof SCRIPTS) => {
      process.stdout.write(completionScript(program, shell))
    })
}

/** A script that completes the commands and options of a program. The script starts no process. (D63) */
export const completionScript = (program: Command, shell: keyof typeof SCRIPTS): string =>
  SCRIPTS[shell](completionSlots(program))

/** What an argument or an option accepts. */
interface Values {
  words: readonly string[]
  paths?: 'file' | 'folder'
}

/** What can follow a command, such as `lectern` or `lectern import`, on the command line. */
interface CompletionSlot {
  /** Words of the command after `lectern`, each with a space before it. */
  commandPath: string
  commands: { name: string; description: string }[]
  /** An option without `values` takes no value. */
  options: { flags: string[]; values?: Values; description: string }[]
  /** Its first argument. */
  argument: Values
}

/** Names of arguments and of values of options that are paths. */
const PATHS: Record<string, Values['paths']> = {
  file: 'file',
  source: 'file',
  location: 'file',
  folder: 'folder',
  repository: 'folder',
}

/** The slots of a command and of all its subcommands. */
export const completionSlots = (command: Command, commandPath = ''): CompletionSlot[] => {
  const help = command.createHelp()
  const { registeredArguments, commands } = command
  const shared = help.visibleGlobalOptions(command).filter(({ long }) => long !== '--version')
  const allOptions = [...help.visibleOptions(command), ...shared]
  return [
    {
      commandPath,
      commands: help
        .visibleCommands(command)
        .map((sub) => ({ name: sub.name(), description: sub.description() })),
      options: allOptions.map(({ flags, short, long, description, argChoices: words = [] }) => {
        const name = /[<[](\w+)/.exec(flags)?.[1]
        return {
          flags: [short, long].filter((flag) => flag != null),
          ...(name === undefined ? {} : { values: { words, paths: PATHS[name] } }),
          description,
        }
      }),
      argument: {
        words: registeredArguments[0]?.argChoices ?? [],
        paths: PATHS[registeredArguments[0]?.name() ?? ''],
      },
    },
    ...commands.flatMap((sub) => completionSlots(sub, `${commandPath} ${sub.name()}`)),
  ]
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
/** Alternatives of a pattern in `case`. */
const cases = (texts: string[]): string => texts.map(quoted).join('|')
const subcommandCases = (slots: CompletionSlot[]): string =>
  cases(slots.map(({ commandPath }) => commandPath).filter((path) => path !== ''))

/** Branches of `case "$at $previous_word"`: after an option with a value, only this value is completed. */
const valueBranches = (slots: CompletionSlot[], complete: (values: Values) => string): string =>
  slots
    .flatMap(({ commandPath, options }) =>
      options.flatMap(({ flags, values }) => {
        const patterns = cases(flags.map((flag) => `${commandPath} ${flag}`))
        return values ? [`    ${patterns}) ${complete(values)}; return ;;`] : []
      }),
    )
    .join('\n')

/** For bash 3.2 and later. It needs no other package. */
const bashScript = (slots: CompletionSlot[]): string => {
  const complete = ({ words, paths }: Values) => `_lectern_complete '${paths ?? ''}' $'${words.join('\\n')}'`
  const branches = slots.map(({ commandPath, commands, options, argument: { words, paths } }) => {
    const all = [...commands.map(({ name }) => name), ...words, ...options.flatMap(({ flags }) => flags)]
    return `    ${quoted(commandPath)}) ${complete({ words: all, paths })} ;;`
  })
  return `# bash completion of lectern
_lectern() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at='' i
  local IFS=$'\\n'
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${subcommandCases(slots)}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at $prev" in
${valueBranches(slots, complete)}
  esac
  case "$at" in
${branches.join('\n')}
  esac
}
_lectern_complete() {
  case "$1:$cur" in
    file:-*|folder:-*|:*) COMPREPLY=($(compgen -W "$2" -- "$cur")) ;;
    file:*) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")) ;;
    folder:*) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")) ;;
  esac
}
complete -F _lectern lectern
`
}

/** For a folder of `$fpath`, or to be sourced after `compinit`. */
const zshScript = (slots: CompletionSlot[]): string => {
  const complete = ({ words, paths }: Values) =>
    paths === undefined
      ? `compadd -- ${words.map(quoted).join(' ')}`
      : `_files${paths === 'folder' ? ' -/' : ''}`
  const described = (items: { name: string; description: string }[]) =>
    items.map(({ name, description }) => quoted(`${name.replaceAll(':', '\\:')}:${description}`)).join(' ')
  const branches = slots.map(({ commandPath, commands, options, argument }) => {
    const flags = options.flatMap(({ flags, description }) => flags.map((name) => ({ name, description })))
    return `    (${quoted(commandPath)})
      options=(${described(flags)}); commands=(${described(commands)})
      _describe command commands
      ${complete(argument)}
      _describe -o option options ;;`
  })
  return `#compdef lectern
_lectern() {
  local at='' i
  local -a commands options
  for ((i = 2; i < CURRENT; i++)); do
    case "$at $words[i]" in
      (${subcommandCases(slots)}) at="$at $words[i]" ;;
    esac
  done
  case "$at $words[CURRENT-1]" in
${valueBranches(slots, complete)}
  esac
  case "$at" in
${branches.join('\n')}
  esac
}
if [[ $funcstack[1] == _lectern ]]; then _lectern "$@"; else compdef _lectern lectern; fi
`
}

const fishScript = (slots: CompletionSlot[]): string => {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const complete = ({ words, paths }: Values): string[] => {
    if (paths === 'file') return ['-F']
    if (paths === 'folder') return [`-a '(__fish_complete_directories)'`]
    return words.length > 0 ? [`-a ${quoted(words.join(' '))}`] : []
  }
  const flag = (text: string) => (text.startsWith('--') ? `-l ${text.slice(2)}` : `-s ${text.slice(1)}`)
  const lines = slots.flatMap(({ commandPath, commands, options, argument }) =>
    [
      ...commands.map(({ name, description }) => `-a ${name} -d ${quoted(description)}`),
      ...complete(argument),
      ...options.map(({ flags, values, description }) =>
        [
          ...flags.map(flag),
          ...(values ? [values.paths === 'file' ? '-r' : '-x', ...complete(values)] : []),
          `-d ${quoted(description)}`,
        ].join(' '),
      ),
    ].map((rest) => `complete -c lectern -n ${quoted(`__lectern_at "${commandPath}"`)} ${rest}`),
  )
  return `# fish completion of lectern
function __lectern_at
    set -l tokens (commandline -opc)
    set -l at ''
    for token in $tokens[2..-1]
        switch "$at $token"
            case ${subcommandCases(slots).replaceAll('|', ' ')}
                set at "$at $token"
        end
    end
    test "$at" = "$argv[1]"
end
complete -c lectern -f
${lines.join('\n')}
`
}

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript }
