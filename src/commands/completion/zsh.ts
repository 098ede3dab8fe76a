import type { CompletionSlot } from './slots.ts'

/** A completion script for zsh: put it into a folder of `$fpath`, or source it after `compinit`. */
export const zshScript = (slots: CompletionSlot[]): string => `#compdef lectern
_lectern() {
  local at='' i
  local -a commands options
  for ((i = 2; i < CURRENT; i++)); do
    case "$at $words[i]" in
      (${cases(slots.map(({ commandPath }) => commandPath).filter((path) => path !== ''))}) at="$at $words[i]" ;;
    esac
  done
  case "$at $words[CURRENT-1]" in
${slots.flatMap(valueCases).join('\n')}
  esac
  case "$at" in
${slots.map(slotCase).join('\n')}
  esac
}
if [[ $funcstack[1] == _lectern ]]; then _lectern "$@"; else compdef _lectern lectern; fi
`

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
const cases = (texts: string[]): string => texts.map(quoted).join('|')
const withDescription = (name: string, description: string): string =>
  quoted(`${name.replaceAll(':', '\\:')}:${description}`)

const valueCases = ({ commandPath, options }: CompletionSlot): string[] =>
  options
    .filter(({ takesValue }) => takesValue)
    .map(
      ({ flags, choices }) =>
        `    (${cases(flags.map((flag) => `${commandPath} ${flag}`))}) compadd -- ${choices.map(quoted).join(' ')}; return ;;`,
    )

const slotCase = ({ commandPath, commands, options, argument }: CompletionSlot): string => {
  const statements = [
    `options=(${options.flatMap(({ flags, description }) => flags.map((flag) => withDescription(flag, description))).join(' ')})`,
  ]
  if (commands.length > 0) {
    statements.push(
      `commands=(${commands.map(({ name, description }) => withDescription(name, description)).join(' ')})`,
      '_describe command commands',
    )
  }
  if (argument.kind === 'words') statements.push(`compadd -- ${argument.words.map(quoted).join(' ')}`)
  if (argument.kind === 'file') statements.push('_files')
  if (argument.kind === 'folder') statements.push('_files -/')
  return `    (${quoted(commandPath)})\n${[...statements, '_describe -o option options'].map((one) => `      ${one}`).join('\n')} ;;`
}
