import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { UsageError } from '@lectern/wiki/errors'
import { quote, truncate } from '@lectern/wiki/text'
import type { Tags } from 'yaml'
import { inspectConfig, nearestSetting } from '../config.ts'
import { isSecret, redactPasswords, setOrigins, settingOrigins } from './messages.ts'

/** What the command line says about settings. */
export interface SettingsOptions {
  port?: string
  /** A file with a variable per line. */
  envFile?: string
  /** A YAML file whose keys are names of variables. */
  config?: string
}

/**
 * Variables of other programs that an environment file may also have, because systemd, Docker and shells read the same
 * file: those of Node, PostgreSQL's clients, AWS, locales, proxies and certificates, and of a login.
 */
const FOREIGN =
  /^(NODE_|NPM_|AWS_|PG|POSTGRES_|LC_|SSL_|GIT_|SSH_|XDG_|LECTERN_(TEST|BENCH)_)|_PROXY$|^(PATH|HOME|USER|LOGNAME|SHELL|TERM|LANG|LANGUAGE|TZ|TMPDIR|PWD|HOSTNAME|MALLOC_ARENA_MAX|UV_THREADPOOL_SIZE|NO_COLOR|FORCE_COLOR)$/i

/**
 * Adds the settings of the command line and of files to the environment of this process, from which every setting is
 * read. The command line wins over the environment, the environment over the `.env` file, and this file over the
 * settings file. Names that are no settings become problems of the configuration.
 * @throws UsageError if a file cannot be read
 */
export const loadSettings = async ({ port, envFile, config }: SettingsOptions): Promise<void> => {
  const origins = new Map<string, string>()
  const problems: string[] = []
  const { names } = inspectConfig({})
  const add = (name: string, value: string, origin: string): void => {
    process.env[name] = value
    origins.set(name, origin)
  }
  if (port !== undefined) add('PORT', port, '--port')
  const addFrom = (file: string, values: Iterable<[string, string]>, foreign?: RegExp): void => {
    for (const [name, value] of values) {
      if (!names.includes(name) && !foreign?.test(name)) problems.push(unknownSetting(name, file, names))
      else if (!process.env[name]) add(name, value, file)
    }
  }
  // Node looks for a missing file itself. `env -S node --` would prevent that, but BusyBox has no `-S`.
  if (envFile !== undefined) {
    const values = parseEnv(readText(envFile, '--env-file')) as Record<string, string>
    addFrom(envFile, Object.entries(values), FOREIGN)
  }
  if (config !== undefined) addFrom(config, await settingsOf(config))
  const files = [optionText('--env-file', envFile), optionText('--config', config)].filter(Boolean).join(' ')
  setOrigins({ names: origins, problems, options: { files, port: optionText('--port', port) } })
}

const unknownSetting = (name: string, file: string, names: readonly string[]): string => {
  const nearest = nearestSetting(name, names)
  const hint = nearest === undefined ? 'README.md lists all settings.' : `Did you mean ${nearest}?`
  return `${quote(name)} (in ${quote(file)}) is no setting. ${hint}`
}

/** An option as a shell reads it; empty if it was not given. */
const optionText = (option: string, value: string | undefined): string => {
  if (value === undefined) return ''
  return `${option} ${/^[\w./:@%+=-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`}`
}

/** A file without a byte order mark, which some editors write, and which would belong to the first name. */
const readText = (file: string, option: string): string => {
  const text = readFile(file, option).replace(/^\ufeff/, '')
  const name = COLOR_AS_COMMENT.exec(text)?.[1]
  if (name !== undefined)
    throw new UsageError(
      `${option}: in "${quote(file)}", the value of ${quote(name)} must stand in quotes, because # begins a comment.`,
    )
  return text
}

/** A color without quotes, which would be a comment. */
const COLOR_AS_COMMENT = /^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*[=:][ \t]*#[0-9a-f]{6}[ \t\r]*$/im

const readFile = (file: string, option: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${option}: "${quote(file)}" cannot be read (${(error as Error).message}).`)
  }
}

/** Numbers stay as they are written: a secret of many digits, or the name `1.10`. */
const withoutNumbers = (tags: Tags): Tags =>
  tags.filter((tag) => typeof tag === 'string' || !/:(?:int|float)$/.test(tag.tag))

const settingsOf = async (file: string): Promise<[string, string][]> => {
  const { parse } = await import('yaml')
  let values: unknown
  try {
    values = parse(readText(file, '--config'), { customTags: withoutNumbers }) ?? {}
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`--config: "${quote(file)}" is not YAML: ${(error as Error).message}`)
  }
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    throw new UsageError(`--config: "${quote(file)}" must be a list of settings, such as PORT: 8080.`)
  return Object.entries(values).map(([name, value]) => [name, valueText(value)])
}

/** A list has commas in the environment; `en: https://…` is `en=https://…`. */
const valueText = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(valueText).join(',')
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([name, one]) => `${name}=${valueText(one)}`)
      .join(',')
  return value == null ? '' : String(value)
}

const VALUE_LENGTH_MAX = 80

/** Each setting that is not a default, its value unless it may contain a password, and where it comes from. */
export const describeSettings = (): string => {
  const lines = inspectConfig(process.env)
    .names.filter((name) => process.env[name]?.trim())
    .map((name) => {
      const value = isSecret(name)
        ? '…'
        : truncate(redactPasswords(process.env[name]!.trim()), VALUE_LENGTH_MAX)
      return `  ${name}=${value}  (${settingOrigins().names.get(name) ?? 'environment'})`
    })
  return lines.length === 0 ? 'All settings have their defaults.' : `Settings:\n${lines.join('\n')}`
}
