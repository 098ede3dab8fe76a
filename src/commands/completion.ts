import { Argument, type Command } from 'commander'

/** Completion of commands, options and paths in a shell: its script asks a hidden command, which runs no other code. */

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
      process.stdout.write(SCRIPTS[shell])
    })
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .action((words: string[]) => {
      process.stdout.write(completionsOf(program, words).join(''))
    })
}

/** Names of arguments and of values of options that are paths. */
const PATHS: Record<string, 'file' | 'folder'> = {
  file: 'file',
  source: 'file',
  location: 'file',
  folder: 'folder',
  repository: 'folder',
}

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
    ...(name in PATHS ? [`:${PATHS[name]}\n`] : []),
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

/** The scripts evaluate nothing that the user has typed, unlike those of `@bomb.sh/tab` for bash. */
const SCRIPTS = {
  /** For bash 3.2 and later. It needs no other package. */
  bash: `# bash completion of lectern
_lectern() {
  local cur=\${COMP_WORDS[COMP_CWORD]} line IFS=$'\\n'
  COMPREPLY=()
  while IFS= read -r line; do
    case "$cur$line" in
      -*:file|-*:folder) ;;
      *:file) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")) ;;
      *:folder) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")) ;;
      *) [[ $line == "$cur"* ]] && COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <(lectern __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)
}
complete -F _lectern lectern
`,
  /** For a folder of `$fpath`, or to be sourced after `compinit`. */
  zsh: `#compdef lectern
_lectern() {
  local line item
  local -a commands options
  for line in "\${(@f)$(lectern __complete -- "\${(@Q)words[2,CURRENT-1]}" 2>/dev/null)}"; do
    item="\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}"
    case $line in
      :file) _files ;;
      :folder) _files -/ ;;
      -*) options+=("$item") ;;
      ?*) commands+=("$item") ;;
    esac
  done
  _describe command commands
  _describe -o option options
}
if [[ $funcstack[1] == _lectern ]]; then _lectern "$@"; else compdef _lectern lectern; fi
`,
  fish: `# fish completion of lectern
function __lectern
    set -l tokens (commandline -opc)
    for line in (lectern __complete -- $tokens[2..-1] 2>/dev/null)
        switch $line
            case :file
                __fish_complete_path (commandline -ct)
            case :folder
                __fish_complete_directories (commandline -ct)
            case '*'
                echo $line
        end
    end
end
complete -c lectern -f -a '(__lectern)'
`,
}
