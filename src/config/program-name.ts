import { basename, relative } from 'node:path'
import { settingOrigins } from './origins.ts'

interface Invocation {
  argv: readonly string[]
  environment: Readonly<Record<string, string | undefined>>
  folder: string
  /** The options that say where settings are. */
  options: { files: string; port: string }
}

const ownInvocation = (): Invocation => ({
  argv: process.argv,
  environment: process.env,
  folder: process.cwd(),
  options: settingOrigins().options,
})

/** `lectern` and a command, as messages and help write it. */
const HINT =
  /(?<=^|[\s"'`(])lectern (serve|mcp|migrate|import|follow|attach|detach|export|reindex|check|completion|help|--help)\b( --help)?/gm

/**
 * Rewrites every `lectern COMMAND` of a message, so that it begins as the command that the user ran, with the same
 * settings: `npx lectern`, `node dist/src/cli.js` or `lectern`, then `--env-file` and `--config`, and `--port` of a
 * command that has it. After `npm start`, `lectern serve` becomes `npm start --`.
 */
export const withProgramName = (text: string, invocation: Invocation = ownInvocation()): string => {
  const { files, port } = invocation.options
  const isNpmStart = invocation.environment.npm_lifecycle_event === 'start'
  const name = programName(invocation)
  const words = (command: string, help = ''): string[] => {
    if (help !== '' || /help/.test(command)) return [name, command + help]
    const hasPort = command === 'serve' || command === 'check'
    const program = command === 'serve' && isNpmStart ? ['npm start --', files] : [name, files, command]
    return [...program, hasPort ? port : '']
  }
  return text
    .replace(HINT, (_, command: string, help?: string) => words(command, help).filter(Boolean).join(' '))
    .replaceAll(/npm start --(?= *[`"']| *$)/gm, 'npm start')
}

const programName = ({ argv, environment, folder }: Invocation): string => {
  const script = argv[1] ?? 'lectern'
  if (['npx', 'start'].includes(environment.npm_lifecycle_event ?? '')) return 'npx lectern'
  if (basename(script) === 'lectern') return 'lectern'
  const fromHere = relative(folder, script)
  return `node ${fromHere.startsWith('..') ? script : fromHere}`
}
