import type { Command } from 'commander'
import { bashScript } from './bash.ts'
import { fishScript } from './fish.ts'
import { type CompletionSlot, completionSlots } from './slots.ts'
import { zshScript } from './zsh.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

const SCRIPTS: Record<Shell, (slots: CompletionSlot[]) => string> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

/** A script that completes the commands and options of a program. The script starts no process. (D63) */
export const scriptOf = (program: Command, shell: Shell): string => SCRIPTS[shell](completionSlots(program))
