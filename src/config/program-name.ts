import { basename, relative } from 'node:path'

interface Invocation {
  argv: readonly string[]
  environment: Readonly<Record<string, string | undefined>>
  folder: string
}

const ownInvocation = (): Invocation => ({
  argv: process.argv,
  environment: process.env,
  folder: process.cwd(),
})

/** `lectern` and a command, as messages and help write it. */
const HINT =
  /(?<=^|[\s"'`(])lectern (?=(serve|mcp|migrate|import|follow|attach|detach|export|reindex|check|completion|help|--help)\b)(serve(?! --help))?/gm

/**
 * Rewrites every `lectern COMMAND` of a message, so that it begins as the command that the user ran: `npx lectern`,
 * `node dist/src/cli.js` or `lectern`. After `npm start`, `lectern serve` becomes `npm start --`.
 */
export const withProgramName = (text: string, invocation: Invocation = ownInvocation()): string => {
  const isNpmStart = invocation.environment.npm_lifecycle_event === 'start'
  const name = programName(invocation)
  return text
    .replace(HINT, (_, _command, serve: string | undefined) => {
      if (serve === undefined) return `${name} `
      return isNpmStart ? 'npm start --' : `${name} ${serve}`
    })
    .replaceAll(/npm start --(?= *[`"']| *$)/gm, 'npm start')
}

const programName = ({ argv, environment, folder }: Invocation): string => {
  const script = argv[1] ?? 'lectern'
  if (['npx', 'start'].includes(environment.npm_lifecycle_event ?? '')) return 'npx lectern'
  if (basename(script) === 'lectern') return 'lectern'
  const fromHere = relative(folder, script)
  return `node ${fromHere.startsWith('..') ? script : fromHere}`
}
