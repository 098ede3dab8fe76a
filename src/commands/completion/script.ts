import type { Command } from 'commander'
import { bashScript } from './bash.ts'
import { fishScript } from './fish.ts'
import { type CompletionSlot, completionSlots } from './slots.ts'
import { zshScript } from './zsh.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

const SCRIPTS: Record<Shell, (places: CompletionSlot[]) => string> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

/** What a shell reads to complete the commands and options of a program. It starts no process to do so. (D63) */
export const scriptOf = (program: Command, shell: Shell): string => SCRIPTS[shell](completionSlots(program))
