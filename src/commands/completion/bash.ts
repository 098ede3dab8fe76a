import type { CompletionSlot } from './slots.ts'

/** Needs nothing but bash, 3.2 and later. */
export const bashScript = (places: CompletionSlot[]): string => `# bash completion of lectern
_lectern() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at='' words='' kind='' i
  local IFS=$'\\n'
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${cases(places.map(({ at }) => at).filter((at) => at !== ''))}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at $prev" in
${places.flatMap(valueCases).join('\n')}
  esac
  case "$at" in
${places.map(placeCase).join('\n')}
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
/** In `$'…'`, a word a line: as IFS has it. */
const wordsOf = (words: string[]): string => `$'${words.join('\\n')}'`

/** Behind an option that takes a value, only such values are completed. */
const valueCases = ({ at, options }: CompletionSlot): string[] =>
  options
    .filter(({ takesValue }) => takesValue)
    .map(
      ({ flags, choices }) =>
        `    ${cases(flags.map((flag) => `${at} ${flag}`))}) COMPREPLY=($(compgen -W ${wordsOf(choices)} -- "$cur")); return ;;`,
    )

const placeCase = ({ at, commands, options, argument }: CompletionSlot): string => {
  const names = [
    ...commands.map(({ name }) => name),
    ...(argument.kind === 'words' ? argument.words : []),
    ...options.flatMap(({ flags }) => flags),
  ]
  const kind = argument.kind === 'file' || argument.kind === 'folder' ? ` kind=${argument.kind}` : ''
  return `    ${quoted(at)}) words=${wordsOf(names)}${kind} ;;`
}
