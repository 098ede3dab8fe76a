import type { CompletionSlot } from './slots.ts'

export const fishScript = (slots: CompletionSlot[]): string => `# fish completion of lectern
function __lectern_at
    set -l tokens (commandline -opc)
    set -l at ''
    for token in $tokens[2..-1]
        switch "$at $token"
            case ${slots
              .map(({ commandPath }) => commandPath)
              .filter((path) => path !== '')
              .map(quoted)
              .join(' ')}
                set at "$at $token"
        end
    end
    test "$at" = "$argv[1]"
end
complete -c lectern -f
${slots.flatMap(linesOf).join('\n')}
`

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const linesOf = ({ commandPath, commands, options, argument }: CompletionSlot): string[] => {
  const line = (rest: string) => `complete -c lectern -n ${quoted(`__lectern_at "${commandPath}"`)} ${rest}`
  const flag = (text: string) => (text.startsWith('--') ? `-l ${text.slice(2)}` : `-s ${text.slice(1)}`)
  return [
    ...commands.map(({ name, description }) => line(`-a ${name} -d ${quoted(description)}`)),
    ...(argument.kind === 'words' ? [line(`-a ${quoted(argument.words.join(' '))}`)] : []),
    ...(argument.kind === 'file' ? [line('-F')] : []),
    ...(argument.kind === 'folder' ? [line(`-a '(__fish_complete_directories)'`)] : []),
    ...options.map(({ flags, takesValue, choices, description }) =>
      line(
        [
          ...flags.map(flag),
          ...(takesValue ? ['-x'] : []),
          ...(choices.length > 0 ? [`-a ${quoted(choices.join(' '))}`] : []),
          `-d ${quoted(description)}`,
        ].join(' '),
      ),
    ),
  ]
}
