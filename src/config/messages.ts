import { basename, relative } from 'node:path'
import { packagePath } from '../paths.ts'

/** What messages say of settings, without passwords, and how they name the program. */

/** What the command line and its files say about settings, for messages. A worker process has none. */
interface SettingOrigins {
  /** Where a setting comes from, by its name: a line of a file, or an option. Absent: the environment. */
  names: ReadonlyMap<string, string>
  /** What is wrong with the names of a file, one sentence per name. */
  problems: readonly string[]
  /** Lines of the environment file that systemd's `EnvironmentFile` reads differently, one sentence per line. */
  differing?: readonly string[]
  /** The options as they were given, such as `--env-file a.env`, quoted for a shell. */
  options: { files: string; port: string }
}

/** The document that lists all settings, where it is installed. */
export const ALL_SETTINGS = packagePath('README.md')

/** What to do about a name that is no setting. @param meant the one that was probably meant */
export const hintOf = (meant: string | undefined): string =>
  meant === undefined ? `${ALL_SETTINGS} lists all settings.` : `Did you mean ${meant}?`

let current: SettingOrigins = { names: new Map(), problems: [], options: { files: '', port: '' } }

export const setOrigins = (origins: SettingOrigins): void => {
  current = origins
}

export const settingOrigins = (): SettingOrigins => current

/** A setting as messages begin with it: `PORT (environment)`, `PORT (a.env, line 3)`; a default has no origin. */
export const nameWithOrigin = (name: string): string => {
  const origin = current.names.get(name) ?? (process.env[name]?.trim() ? 'environment' : undefined)
  return origin === undefined ? name : `${name} (${origin})`
}

/** Adds its origin to the setting with which a message begins, if it has none. */
export const withOrigin = (message: string): string =>
  message.replace(/^[A-Z][A-Z_]+(?=:| (?!\())/, nameWithOrigin)

type Invocation = ReturnType<typeof ownInvocation>

/** How the user started the program, with the options that say where settings are. */
const ownInvocation = () => ({
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
 * settings: `npx lectern`, `node dist/src/cli.js` or `lectern`, then `--env-file` and `--config`, and the ports of a
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

/** Variables that may contain a password. Nothing prints their values. */
const SECRET_VARIABLES = ['DATABASE_URL', 'DATABASE_REPLICA_URLS', 'REDIS_URL', 'FOLLOW_SECRET']

export const isSecret = (name: string): boolean => SECRET_VARIABLES.includes(name)

/** The variables that name files with secrets. */
export const fileVariables = (names: readonly string[]): string[] =>
  names.filter(isSecret).map((name) => `${name}_FILE`)

/** @param problems sentences, each of which begins with the name of a setting */
export const problemsText = (problems: readonly string[]): string =>
  problems.length === 1 ? problems[0]! : [`${problems.length} problems:`, ...problems].join('\n  ')
