import type { Command } from 'commander'

/** A place in a command line where something can be completed: behind `lectern`, or behind `lectern import`. */
export interface CompletionSlot {
  /** Words of the command, each with a space before it; empty at the start. */
  at: string
  commands: { name: string; description: string }[]
  options: { flags: string[]; takesValue: boolean; choices: string[]; description: string }[]
  /** What its argument may be. */
  argument: { kind: 'none' | 'file' | 'folder' } | { kind: 'words'; words: string[] }
}

/** What is completed, read from the commands themselves. */
export const completionSlots = (command: Command, at = ''): CompletionSlot[] => {
  const help = command.createHelp()
  const subcommands = help.visibleCommands(command)
  return [
    {
      at,
      commands: subcommands.map((sub) => ({ name: sub.name(), description: sub.description() })),
      options: help.visibleOptions(command).map((option) => ({
        flags: [option.short, option.long].filter((flag) => flag !== undefined && flag !== null),
        takesValue: option.required || option.optional,
        choices: option.argChoices ?? [],
        description: option.description,
      })),
      argument: argumentOf(command),
    },
    ...command.commands.flatMap((sub) => completionSlots(sub, `${at} ${sub.name()}`)),
  ]
}

const argumentOf = ({ registeredArguments: [first] }: Command): CompletionSlot['argument'] => {
  if (first?.argChoices) return { kind: 'words', words: first.argChoices }
  if (first?.name() === 'file') return { kind: 'file' }
  return { kind: first?.name() === 'repository' ? 'folder' : 'none' }
}
