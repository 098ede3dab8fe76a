import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { ConfigError, UsageError } from '@lectern/wiki/errors'
import { forShell, quote, redactPasswords, truncate } from '@lectern/wiki/text'
import type { Tags, YAMLError } from 'yaml'
import { inspectConfig, meantSetting } from '../config.ts'
import { fileVariables, hintOf, isSecret, setOrigins, settingOrigins } from './messages.ts'

/** What the command line says about settings. */
export interface SettingsOptions {
  port?: string
  internalPort?: string
  /** A file with a variable per line. */
  envFile?: string
  /** A YAML file whose keys are names of variables. */
  config?: string
}

/**
 * Variables of other programs that an environment file may also have, because systemd, Docker and shells read the same
 * file: those of Node, PostgreSQL's clients, AWS, locales, proxies and certificates, of a login, and of the follower's unit.
 */
const FOREIGN =
  /^(NODE_|NPM_|AWS_|PG|POSTGRES_|LC_|SSL_|GIT_|SSH_|XDG_|LECTERN_(TEST|BENCH)_)|_PROXY$|^(SOURCE|FOLLOW_OPTIONS|PATH|HOME|USER|LOGNAME|SHELL|TERM|LANG|LANGUAGE|TZ|TMPDIR|PWD|HOSTNAME|MALLOC_ARENA_MAX|UV_THREADPOOL_SIZE|NO_COLOR|FORCE_COLOR)$/i

/** The options of the command line, and the environment before anything was added to it. */
let first: { options: SettingsOptions; environment: NodeJS.ProcessEnv } | undefined

const setEnvironment = (values: NodeJS.ProcessEnv): void => {
  for (const name of Object.keys({ ...process.env, ...values }))
    if (values[name] === undefined) delete process.env[name]
    else process.env[name] = values[name]
}

/**
 * Reads the files again that the command line and `…_FILE` name. If that, or `use`, fails, nothing changes.
 * @param use gets the names of the settings that changed
 */
export const reloadSettings = async (use: (changed: string[]) => Promise<void>): Promise<void> => {
  const before = { ...process.env }
  const origins = settingOrigins()
  try {
    setEnvironment(first?.environment ?? before)
    await loadSettings(first?.options ?? {})
    await use(inspectConfig({}).names.filter((name) => process.env[name] !== before[name]))
  } catch (error) {
    setEnvironment(before)
    setOrigins(origins)
    throw error
  }
}

/**
 * Adds the settings of the command line and of files to the environment of this process, from which every setting is
 * read. The command line wins over the environment, the environment over the `.env` file, and this file over the
 * settings file. A secret may be in a file that `…_FILE` names, as those of Docker are. Names that are no settings
 * become problems of the configuration.
 * @throws UsageError if a file cannot be read; ConfigError if its content is wrong
 */
export const loadSettings = async (options: SettingsOptions): Promise<void> => {
  first ??= { options, environment: { ...process.env } }
  const { port, internalPort, envFile, config } = options
  const origins = new Map<string, string>()
  const problems: string[] = []
  const differing: string[] = []
  const { names } = inspectConfig({})
  // With FILES_URL, each process would print text that the next version of the client of S3 needs a newer Node.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  const add = (name: string, value: string, origin: string): void => {
    process.env[name] = value
    origins.set(name, origin)
  }
  if (port !== undefined) add('PORT', port, '--port')
  if (internalPort !== undefined) add('INTERNAL_PORT', internalPort, '--internal-port')
  for (const name of names.filter(isSecret)) {
    const file = process.env[`${name}_FILE`]
    if (!file) continue
    if (process.env[name]) throw new ConfigError(`${name} and ${name}_FILE are both set: unset one of them.`)
    add(name, readSecret(file, `${name}_FILE`), `${name}_FILE`)
    delete process.env[`${name}_FILE`] // processes that the service starts get the secret itself
  }
  const addFrom = (file: string, text: string, values: object, foreign?: RegExp): void => {
    problems.push(...colorsAsComments(file, text))
    for (const [name, value] of Object.entries(values)) {
      const origin = `${quote(file)}, line ${lineOf(name, text)}`
      if (fileVariables(names).includes(name)) {
        const secret = name.replace(/_FILE$/, '')
        const path = valueText(value)
        if (secret in values)
          problems.push(`${secret} and ${name} (${origin}) are both set: unset one of them.`)
        else if (path && !process.env[secret])
          add(secret, readSecret(path, `${name} (${origin})`), `${name}, ${origin}`)
      } else if (!names.includes(name) && (!foreign?.test(name) || meantSetting(name, names)))
        problems.push(`${quote(name)} (${origin}) is no setting. ${hintOf(meantSetting(name, names, true))}`)
      else if (!process.env[name]) add(name, valueText(value), origin)
    }
  }
  // Node looks for a missing file itself. `env -S node --` would prevent that, but BusyBox has no `-S`.
  if (envFile !== undefined) {
    const { text, broken } = withoutBrokenLines(readText(envFile, '--env-file'))
    const hint = /\.ya?ml$/i.test(envFile) ? ' A YAML file needs --config.' : ''
    for (const line of broken)
      problems.push(
        `${quote(envFile)}, line ${line} must be VARIABLE=value, with both quotes or none.${hint}`,
      )
    addFrom(envFile, text, parseEnv(text), FOREIGN)
    for (const line of linesUnlike(PLAIN_LINE, text, PLAIN_QUOTED))
      differing.push(`${quote(envFile)}, line ${line} ${AMBIGUOUS}`)
  }
  if (config !== undefined) {
    const text = readText(config, '--config')
    addFrom(config, text, await settingsOf(config, text))
  }
  const files = optionsText({ '--env-file': envFile, '--config': config })
  const ports = optionsText({ '--port': port, '--internal-port': internalPort })
  setOrigins({ names: origins, problems, differing, options: { files, port: ports } })
}

/** The line of a file that sets a variable: of several, the last one, which counts. */
const lineOf = (name: string, text: string): number => {
  const lines = text
    .split('\n')
    .map((line) => /^\s*(?:export\s+)?["']?([^"'=:]*?)["']?\s*[=:]/.exec(line)?.[1])
  return lines.lastIndexOf(name) + 1
}

/** A variable whose value stands in quotes, on one line or several. */
const QUOTED = /^([ \t]*(?:export[ \t]+)?[\w.-]+[ \t]*=[ \t]*)(["'`])[\s\S]*?\2/gm
/** An empty line, a comment, or a variable whose value does not begin with a quote. */
const WHOLE_LINE = /^\s*(?:#.*|(?:export\s+)?[\w.-]+\s*=\s*(?:[^"'`\s].*)?)?$/

/** An environment file without the lines that set no variable, which Node would join with others, and their numbers. */
const withoutBrokenLines = (text: string): { text: string; broken: number[] } => {
  const broken = linesUnlike(WHOLE_LINE, text, QUOTED)
  const lines = text.split('\n').map((line, i) => (broken.includes(i + 1) ? '' : line))
  return { text: lines.join('\n'), broken }
}

const AMBIGUOUS =
  "is read differently by systemd (EnvironmentFile=). Write VARIABLE=value, or VARIABLE='value' if it has # or \\, without export, and nothing after it."
/** A variable whose value stands in quotes that systemd reads as Node does. */
const PLAIN_QUOTED = /^([ \t]*\w+[ \t]*=[ \t]*)(?:'[^']*'|"[^"\\]*")(?=[ \t]*$)/gm
/** An empty line, a comment, or a variable that both read alike. Systemd knows no `export`, and no comment after a value. */
const PLAIN_LINE = /^\s*(?:#(?:.*[^\\])?|\w+\s*=\s*(?:[^"'`#\\\s][^#\\]*)?)?$/

/** The numbers of the lines that are not as `expected`, without their values in quotes. */
const linesUnlike = (expected: RegExp, text: string, quoted: RegExp): number[] => {
  const simple = text.replace(quoted, (whole, name: string) => name + whole.replaceAll(/[^\n]/g, ''))
  return simple.split('\n').flatMap((line, i) => (expected.test(line) ? [] : [i + 1]))
}

/** Options as a shell reads them, without those that were not given. */
const optionsText = (options: Record<string, string | undefined>): string =>
  Object.entries(options)
    .filter(([, value]) => value !== undefined)
    .map(([name, value = '']) => `${name} ${forShell(value)}`)
    .join(' ')

/** `lectern serve` as messages write it, with the folder that the environment names: files with settings are named anyway. */
export const serveAgain = (source?: string): string => {
  const folder = settingOrigins().names.has('DATA_DIR') ? '' : process.env.DATA_DIR
  const [of, what] = [folder && `DATA_DIR=${forShell(folder)}`, source && forShell(source)]
  return [of, 'lectern serve', what].filter(Boolean).join(' ')
}

/** A file without what some editors write: a byte order mark, which would belong to the first name, and CR LF. */
const readText = (file: string, option: string): string => {
  try {
    return readFileSync(file, 'utf8')
      .replace(/^\ufeff/, '')
      .replaceAll('\r\n', '\n')
  } catch (error) {
    throw new UsageError(`${option}: "${quote(file)}" cannot be read (${(error as Error).message}).`)
  }
}

/** @param setting names the file */
const readSecret = (file: string, setting: string): string => {
  const secret = readText(file, setting).trim()
  if (secret === '') throw new ConfigError(`${setting}: ${quote(file)} is empty.`)
  return secret
}

/** A color without quotes, which would be a comment. */
const COLOR_AS_COMMENT = /^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*[=:][ \t]*#[0-9a-f]{6}[ \t\r]*$/gim

const colorsAsComments = (file: string, text: string): string[] =>
  [...text.matchAll(COLOR_AS_COMMENT)].map(
    ([, name]) =>
      `${name} (${quote(file)}, line ${lineOf(name!, text)}) must stand in quotes, because # begins a comment.`,
  )

/** Numbers stay as they are written: a secret of many digits, or the name `1.10`. */
const withoutNumbers = (tags: Tags): Tags =>
  tags.filter((tag) => typeof tag === 'string' || !/:(?:int|float)$/.test(tag.tag))

const settingsOf = async (file: string, text: string): Promise<object> => {
  const { parseDocument } = await import('yaml')
  const hint = /^\s*\w+\s*=/m.test(text) ? ' Lines such as VARIABLE=value need --env-file.' : ''
  let values: unknown
  try {
    const document = parseDocument(text, { customTags: withoutNumbers })
    for (const problem of [...document.errors, ...document.warnings]) throw problem
    values = document.toJS() ?? {}
  } catch (error) {
    // Its message can contain a line with a password.
    const { code = 'WRONG_ALIAS', linePos: [at] = [] } = error as Partial<YAMLError>
    const place = at ? ` at line ${at.line}, column ${at.col}` : ''
    const reason = code.toLowerCase().replaceAll('_', ' ') + place
    throw new ConfigError(`--config: "${quote(file)}" is not YAML (${reason}).${hint}`)
  }
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    throw new ConfigError(`--config: "${quote(file)}" must be a list of settings, such as PORT: 8080.${hint}`)
  return values
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

/** Each variable that is set, its value unless it may contain a password, and its origin. An empty one is named, too. */
export const settingsInUse = (): string[] =>
  inspectConfig({})
    .names.filter((name) => process.env[name] !== undefined)
    .map((name) => {
      const text = process.env[name]!.trim()
      const value = text && isSecret(name) ? '…' : truncate(redactPasswords(text), VALUE_LENGTH_MAX)
      const origin = settingOrigins().names.get(name) ?? 'environment'
      return `${name}=${value}  (${origin}${text ? '' : '; empty, so the default counts'})`
    })

/** The same as text for a terminal. */
export const describeSettings = (): string => {
  const lines = settingsInUse().map((line) => `\n  ${line}`)
  return lines.length === 0 ? 'All settings have their defaults.' : `Settings:${lines.join('')}`
}
