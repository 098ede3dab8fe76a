import type { CompletionSlot } from './slots.ts'

/** A completion script for bash 3.2 and later. It needs no other package. */
export const bashScript = (slots: CompletionSlot[]): string => `# bash completion of lectern
_lectern() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at='' words='' kind='' i
  local IFS=$'\\n'
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${cases(slots.map(({ commandPath }) => commandPath).filter((path) => path !== ''))}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at $prev" in
${slots.flatMap(valueCases).join('\n')}
  esac
  case "$at" in
${slots.map(slotCase).join('\n')}
  esac
  case "$kind$cur" in
    file-*|folder-*) COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;
    file*) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")) ;;
    folder*) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;
  esac
}
complete -F _lectern lectern
`

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
const cases = (texts: string[]): string => texts.map(quoted).join('|')
/** A `$'…'` string with one word per line, because the script sets IFS to a newline. */
const wordsOf = (words: string[]): string => `$'${words.join('\\n')}'`

/** After an option with a value, only the values of this option are completed. */
const valueCases = ({ commandPath, options }: CompletionSlot): string[] =>
  options
    .filter(({ takesValue }) => takesValue)
    .map(
      ({ flags, choices }) =>
        `    ${cases(flags.map((flag) => `${commandPath} ${flag}`))}) COMPREPLY=($(compgen -W ${wordsOf(choices)} -- "$cur")); return ;;`,
    )

const slotCase = ({ commandPath, commands, options, argument }: CompletionSlot): string => {
  const names = [
    ...commands.map(({ name }) => name),
    ...(argument.kind === 'words' ? argument.words : []),
    ...options.flatMap(({ flags }) => flags),
  ]
  const kind = argument.kind === 'file' || argument.kind === 'folder' ? ` kind=${argument.kind}` : ''
  return `    ${quoted(commandPath)}) words=${wordsOf(names)}${kind} ;;`
}
