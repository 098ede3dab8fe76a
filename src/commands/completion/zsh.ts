import type { CompletionSlot } from './slots.ts'

/** For a folder of `$fpath`, or to be sourced after `compinit`. */
export const zshScript = (places: CompletionSlot[]): string => `#compdef lectern
_lectern() {
  local at='' i
  local -a commands options
  for ((i = 2; i < CURRENT; i++)); do
    case "$at $words[i]" in
      (${cases(places.map(({ at }) => at).filter((at) => at !== ''))}) at="$at $words[i]" ;;
    esac
  done
  case "$at $words[CURRENT-1]" in
${places.flatMap(valueCases).join('\n')}
  esac
  case "$at" in
${places.map(placeCase).join('\n')}
  esac
}
if [[ $funcstack[1] == _lectern ]]; then _lectern "$@"; else compdef _lectern lectern; fi
`

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
const cases = (texts: string[]): string => texts.map(quoted).join('|')
const described = (name: string, description: string): string =>
  quoted(`${name.replaceAll(':', '\\:')}:${description}`)

const valueCases = ({ at, options }: CompletionSlot): string[] =>
  options
    .filter(({ takesValue }) => takesValue)
    .map(
      ({ flags, choices }) =>
        `    (${cases(flags.map((flag) => `${at} ${flag}`))}) compadd -- ${choices.map(quoted).join(' ')}; return ;;`,
    )

const placeCase = ({ at, commands, options, argument }: CompletionSlot): string => {
  const does = [
    `options=(${options.flatMap(({ flags, description }) => flags.map((flag) => described(flag, description))).join(' ')})`,
  ]
  if (commands.length > 0) {
    does.push(
      `commands=(${commands.map(({ name, description }) => described(name, description)).join(' ')})`,
      '_describe command commands',
    )
  }
  if (argument.kind === 'words') does.push(`compadd -- ${argument.words.map(quoted).join(' ')}`)
  if (argument.kind === 'file') does.push('_files')
  if (argument.kind === 'folder') does.push('_files -/')
  return `    (${quoted(at)})\n${[...does, '_describe -o option options'].map((one) => `      ${one}`).join('\n')} ;;`
}
