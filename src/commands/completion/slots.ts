import type { Command } from 'commander'

/** What can follow a command, such as `lectern` or `lectern import`, on the command line. */
export interface CompletionSlot {
  /** Words of the command after `lectern`, each with a space before it. */
  commandPath: string
  commands: { name: string; description: string }[]
  options: { flags: string[]; takesValue: boolean; choices: string[]; description: string }[]
  /** Its first argument. */
  argument: { kind: 'none' | 'file' | 'folder' } | { kind: 'words'; words: string[] }
}

/** The slots of a command and of all its subcommands. */
export const completionSlots = (command: Command, commandPath = ''): CompletionSlot[] => {
  const help = command.createHelp()
  const subcommands = help.visibleCommands(command)
  return [
    {
      commandPath,
      commands: subcommands.map((sub) => ({ name: sub.name(), description: sub.description() })),
      options: help.visibleOptions(command).map((option) => ({
        flags: [option.short, option.long].filter((flag) => flag !== undefined && flag !== null),
        takesValue: option.required || option.optional,
        choices: option.argChoices ?? [],
        description: option.description,
      })),
      argument: argumentOf(command),
    },
    ...command.commands.flatMap((sub) => completionSlots(sub, `${commandPath} ${sub.name()}`)),
  ]
}

const argumentOf = ({ registeredArguments: [first] }: Command): CompletionSlot['argument'] => {
  if (first?.argChoices) return { kind: 'words', words: first.argChoices }
  if (first?.name() === 'file') return { kind: 'file' }
  return { kind: first?.name() === 'repository' ? 'folder' : 'none' }
}
