import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import type { Tags } from 'yaml'
import { inspectConfig } from '../config.ts'
import { UsageError } from '../errors.ts'
import { quote, truncate } from '../wiki/text.ts'
import { isSecret, redactPasswords } from './secrets.ts'

/** What the command line says about settings. */
export interface SettingsOptions {
  port?: string
  /** A file with a variable per line. */
  envFile?: string
  /** A YAML file whose keys are names of variables. */
  config?: string
}

/** Where settings come from that are not in the environment. */
const origins = new Map<string, string>()

/**
 * Adds the settings of the command line and of files to the environment of this process, from which every setting is
 * read. The command line wins over the environment, the environment over the `.env` file, and this file over the
 * settings file.
 * @throws UsageError if a file cannot be read, or the settings file has an unknown setting
 */
export const loadSettings = async ({ port, envFile, config }: SettingsOptions): Promise<void> => {
  const add = (name: string, value: string, origin: string): void => {
    process.env[name] = value
    origins.set(name, origin)
  }
  if (port !== undefined) add('PORT', port, '--port')
  const addFrom = (file: string, values: Iterable<[string, string]>): void => {
    for (const [name, value] of values) if (!process.env[name]) add(name, value, file)
  }
  if (envFile !== undefined) {
    const values = parseEnv(readText(envFile, '--env-file')) as Record<string, string>
    addFrom(envFile, Object.entries(values))
  }
  if (config !== undefined) addFrom(config, await settingsOf(config))
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
  const { names } = inspectConfig({})
  return Object.entries(values).map(([name, value]) => {
    if (!names.includes(name)) {
      const [unknown] = inspectConfig({ [name]: 'x' }).unknownVariables
      const hint = unknown?.suggestion ? ` Did you mean ${unknown.suggestion}?` : ''
      throw new UsageError(`--config: "${quote(file)}" has ${quote(name)}, which is no setting.${hint}`)
    }
    return [name, valueText(value)]
  })
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
      return `  ${name}=${value}  (${origins.get(name) ?? 'environment'})`
    })
  return lines.length === 0 ? 'All settings have their defaults.' : `Settings:\n${lines.join('\n')}`
}
