import { fstatSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError, UsageError } from '@lectern/wiki/errors'
import { FILE_BYTES_MAX } from '@lectern/wiki/limits'
import { quote, redactPasswords } from '@lectern/wiki/text'
import { distance } from 'fastest-levenshtein'
import * as messages from './config/messages.ts'
import * as values from './config/values.ts'
import { CONNECTION_LIFETIME, POOL_SIZE, WORKERS_MAX } from './limits/service.ts'

/** A variable, and how its text becomes a value. `parse` throws an Error that continues after the name: "must be …". */
const setting = <Value>(name: string, parse: (text: string) => Value, defaultValue: NoInfer<Value>) => ({
  name,
  parse,
  defaultValue,
})

const optional = <Value>(name: string, parse: (text: string) => Value) =>
  setting<Value | undefined>(name, parse, undefined)

type Setting<Value> = ReturnType<typeof setting<Value>>

const SETTINGS = {
  /** Absent: the embedded database. */
  databaseUrl: optional('DATABASE_URL', values.databaseUrl),
  databaseReplicaUrls: setting<readonly string[]>('DATABASE_REPLICA_URLS', values.databaseUrls, []),
  port: setting('PORT', values.wholeNumber(0, 65_535), 3000),
  /** Absent: all addresses of this machine. */
  host: optional('HOST', String),
  internalPort: setting('INTERNAL_PORT', values.wholeNumber(0, 65_535), 3001),
  internalHost: setting('INTERNAL_HOST', String, '127.0.0.1'),
  /** Base URL of links to the API, without a trailing slash. Absent: derived from each request. */
  baseUrl: optional('BASE_URL', values.baseUrl),
  maxReplicaLag: setting('MAX_REPLICA_LAG', values.seconds(1, 3600), 10),
  preparedStatements: setting('PREPARED_STATEMENTS', values.trueOrFalse, true),
  databasePoolSize: setting('DATABASE_POOL_SIZE', values.wholeNumber(1, POOL_SIZE.max), POOL_SIZE.default),
  databaseConnectionLifetime: setting(
    'DATABASE_CONNECTION_LIFETIME',
    values.seconds(1, CONNECTION_LIFETIME.max),
    CONNECTION_LIFETIME.default,
  ),
  dataDir: setting('DATA_DIR', values.localPath, resolve('.lectern')),
  /** URL of the wiki by language, without a trailing slash. */
  wikiAddresses: setting('WIKI_ADDRESSES', values.wikiAddresses, {}),
  licenseUrl: optional('LICENSE_URL', (text) => values.webUrl(text).href),
  /** What those who use the content are asked to do. Absent: to credit the wiki and to link the page. */
  attribution: optional('ATTRIBUTION', values.textUpTo(values.ATTRIBUTION_LENGTH_MAX)),
  /** Requests a minute; 0: no limit. Files have a limit of their own. */
  rateLimit: setting('RATE_LIMIT', values.wholeNumber(0, 100_000_000), 600),
  mediaRateLimit: setting('MEDIA_RATE_LIMIT', values.wholeNumber(0, 100_000_000), 6_000),
  trustedProxies: setting('TRUSTED_PROXIES', values.wholeNumber(0, 10, ', the number of proxies'), 0),
  /** Redis in which several instances share the rate limit. Absent: each instance counts alone. */
  redisUrl: optional('REDIS_URL', values.redisUrl),
  workers: setting('WORKERS', values.wholeNumber(1, WORKERS_MAX), 1),
  cacheSeconds: setting('CACHE_SECONDS', values.seconds(0, 3600), 60),
  mediaCacheSeconds: setting('MEDIA_CACHE_SECONDS', values.seconds(0, 31_536_000), 86_400),
  fileBytesMax: setting('FILE_BYTES_MAX', values.wholeNumber(1, 1_000_000_000, ', in bytes'), FILE_BYTES_MAX),
  /** Which files are stored: media types, their beginnings, or extensions. Absent: all of known types. */
  filesAllow: optional('FILES_ALLOW', values.fileTypes),
  /** The S3 bucket, and the beginning of the names in it, where the bytes of files are stored. Absent: the database. */
  filesUrl: optional('FILES_URL', values.s3Url),
  mcp: setting('MCP', values.trueOrFalse, false),
  /** What a webhook must prove to know. Absent: nothing. */
  followSecret: optional('FOLLOW_SECRET', values.followSecret),
  siteName: optional('SITE_NAME', values.textUpTo(60)),
  siteLogo: optional('SITE_LOGO', values.localPath),
  siteAccentColor: optional('SITE_ACCENT_COLOR', values.hexColor),
  siteStyles: optional('SITE_STYLES', values.localPath),
  /** What `/` shows: the page about the API, or the wiki. */
  siteHome: setting('SITE_HOME', values.oneOf(values.SITE_HOMES), 'api'),
  examplePage: optional('EXAMPLE_PAGE', values.pagePath),
  graphqlDocuments: optional('GRAPHQL_DOCUMENTS', values.localPath),
  logLevel: setting('LOG_LEVEL', values.oneOf(values.LOG_LEVELS), 'info'),
  logFormat: setting('LOG_FORMAT', values.oneOf(values.LOG_FORMATS), 'auto'),
}

export type Config = {
  [Key in keyof typeof SETTINGS]: (typeof SETTINGS)[Key] extends Setting<infer Value> ? Value : never
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the environment variables; no other module does. An empty variable counts as absent, except DATABASE_URL.
 * @throws ConfigError, or UsageError if only files cannot be read, naming each invalid variable, the expected value, and the actual value unless it may be a password
 */
export const readConfig = (environment: Environment = process.env): Config => {
  const { config, problems, isFinal } = inspectConfig(environment, false)
  if (problems.length > 0) throw new (isFinal ? ConfigError : UsageError)(messages.problemsText(problems))
  return config
}

/** Whether error messages include a stack. */
export const isDebugging = (): boolean => ['debug', 'trace'].includes(process.env.LOG_LEVEL?.trim() ?? '')

/** Whether the log is JSON, whatever standard output is: then nothing else is printed beside it. */
export const isLogJson = (): boolean => process.env.LOG_FORMAT?.trim() === 'json'

/** Makes the log JSON if output and errors go to one file or pipe, where text would be between its lines. */
export const joinOutputs = (): void => {
  const [output, errors] = [1, 2].map((fd) => fstatSync(fd))
  const isOne = output!.ino === errors!.ino && output!.dev === errors!.dev
  if (isOne && !process.stdout.isTTY && !process.env.LOG_FORMAT) process.env.LOG_FORMAT = 'json'
}

/** Whether the service runs for others than its developer, so that it makes no sample wiki. */
export const isProduction = (): boolean => process.env.NODE_ENV === 'production'

export type InspectedConfig = ReturnType<typeof inspectConfig>

/** Reads all variables and collects all problems; `readConfig` throws them. @param opensPorts whether two ports must differ */
export const inspectConfig = (environment: Environment = process.env, opensPorts = true) => {
  const isOwn = environment === process.env
  const named = isOwn ? messages.nameWithOrigin : String
  let unreadable = 0
  const problems: string[] = isOwn ? [...messages.settingOrigins().problems] : []
  const read = <Value>({ name, parse, defaultValue }: Setting<Value>): Value => {
    const text = environment[name]?.trim()
    if (!text) return defaultValue
    try {
      return parse(text)
    } catch (error) {
      const actual = messages.isSecret(name) ? '' : `, but is "${quote(redactPasswords(text))}"`
      if (error instanceof UsageError) unreadable += 1
      problems.push(`${named(name)} ${(error as Error).message}${actual}.`)
      return defaultValue
    }
  }
  const entries = Object.entries<Setting<unknown>>(SETTINGS).map(([key, one]) => [key, read(one)])
  const config: Config = Object.fromEntries(entries)
  if (environment.DATABASE_URL?.trim() === '')
    problems.push(`${named('DATABASE_URL')} is empty. For the embedded database, unset it.`)
  if (config.databaseReplicaUrls.length > 0 && !environment.DATABASE_URL?.trim())
    problems.push(`${named('DATABASE_REPLICA_URLS')} requires DATABASE_URL, the URL of the primary.`)
  if (config.filesUrl !== undefined && !environment.DATABASE_URL?.trim())
    problems.push(`${named('FILES_URL')} requires DATABASE_URL: the embedded database has its own files.`)
  const { port, host = '::', internalPort, internalHost } = config
  const isShared = host === internalHost || [host, internalHost].some((one) => /^(::|0\.0\.0\.0)$/.test(one))
  if (opensPorts && port !== 0 && port === internalPort && isShared)
    problems.push(`${named('PORT')} and ${named('INTERNAL_PORT')} are both ${port}.`)
  const names = Object.values(SETTINGS).map(({ name }) => name)
  const misspelled: string[] = []
  for (const { name, meant } of unknownVariables(environment, names)) {
    const decides = DECISIVE.find((one) => meant === one || meant === `${one}_FILE`)
    const isWrong =
      decides !== undefined && !environment.DATABASE_URL?.trim() && !environment[decides]?.trim()
    ;(isWrong ? problems : misspelled).push(`${name} (environment) is not read. ${messages.hintOf(meant)}`)
  }
  return {
    /** Invalid variables have their defaults. */
    config,
    /** One sentence per problem. It begins with the name of the variable. */
    problems,
    /** Whether a value or a name is wrong. A file that cannot be read can be readable at the next start. */
    isFinal: problems.length > unreadable,
    names,
    /** A sentence for each variable that looks like one that Lectern reads, but is not. */
    misspelled,
  }
}

/** Which wiki is served. If one is absent, a variable that is like it is an error. */
const DECISIVE = ['DATABASE_URL', 'DATA_DIR']

/** Variables of the tests and the benchmark, and those that Kubernetes and Docker set for a service called "lectern". */
const FOREIGN = /^LECTERN_(?:TEST|BENCH)_|_SERVICE_(?:HOST|PORT)|_PORT_\d+_(?:TCP|UDP)|=(?:tcp|udp):/

/** Variables that look like Lectern's but are not: misspelled, or prefixed with the name of the program. */
const unknownVariables = (environment: Environment, names: readonly string[]) => {
  const read = [...names, ...messages.fileVariables(names)]
  return Object.entries(environment)
    .filter(([name, value]) => value && !read.includes(name) && !FOREIGN.test(`${name}=${value}`))
    .map(([name]) => ({ name, meant: meantSetting(name, names) }))
    .filter(({ name, meant }) => meant !== undefined || /^LECTERN/i.test(name))
}

/**
 * The setting that was probably meant by a name that is none. At most one letter in four differs. Short names such as
 * PORT have the same letters: other programs have such names, too.
 * @param isInFile whether it stands in a file of settings, which has fewer foreign names than the environment
 */
export const meantSetting = (name: string, names: readonly string[], isInFile = false) => {
  const bare = name.toUpperCase().replace(/^LECTERN_?/, '')
  const words = (text: string) => text.split(/[_-]/).sort().join()
  const letters = (text: string) => text.replaceAll(/[_-]/g, '')
  const isNear = (known: string, typos: number): boolean => {
    const { length } = letters(known.replace(/_FILE$/, ''))
    if (!isInFile && length < 6 && [...bare].sort().join() !== [...known].sort().join()) return false
    return typos <= Math.max(isInFile ? 2 : 1, length / 4)
  }
  const likely = [...names, ...messages.fileVariables(names)].filter(
    ({ length }) => Math.abs(length - bare.length) < 7,
  )
  const [nearest] = likely
    .map((known) => ({ known, typos: typosIn(letters(bare), letters(known)) }))
    .filter(({ known, typos }) => isNear(known, typos))
    .sort((a, b) => a.typos - b.typos)
  return likely.find((known) => bare === `${known}_FILE` || words(bare) === words(known)) ?? nearest?.known
}

/** Letters of a name to add, remove, replace, or, once, to exchange with the next one. */
const typosIn = (name: string, correct: string): number => {
  const letters = distance(name, correct) > 2 + correct.length / 4 ? [] : [...name]
  const swaps = letters.map((one, i) => name.slice(0, i) + (name[i + 1] ?? '') + one + name.slice(i + 2))
  return Math.min(distance(name, correct), ...swaps.map((one) => 1 + distance(one, correct)))
}
