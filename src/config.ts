import { resolve } from 'node:path'
import { problemsError } from '@lectern/wiki/errors'
import { quote } from '@lectern/wiki/text'
import { distance } from 'fastest-levenshtein'
import { nameWithOrigin, settingOrigins } from './config/origins.ts'
import { isSecret, redactPasswords } from './config/secrets.ts'
import {
  ATTRIBUTION_LENGTH_MAX,
  baseUrl,
  databaseUrl,
  databaseUrls,
  followSecret,
  hexColor,
  LOG_FORMATS,
  LOG_LEVELS,
  oneOf,
  pagePath,
  redisUrl,
  siteName,
  textUpTo,
  trueOrFalse,
  webUrl,
  wholeNumber,
  wikiAddresses,
} from './config/values.ts'
import { CONNECTION_LIFETIME, POOL_SIZE, WORKERS_MAX } from './limits/service.ts'

export interface Config {
  port: number
  /** Absent: all addresses of this machine. */
  host?: string
  internalPort: number
  internalHost: string
  /** Base URL of links to the API, without a trailing slash. Absent: derived from each request. */
  baseUrl?: string
  /** Absent: the embedded database. */
  databaseUrl?: string
  databaseReplicaUrls: readonly string[]
  /** Seconds. */
  maxReplicaLag: number
  preparedStatements: boolean
  /** Connections for statements, per process and server. */
  databasePoolSize: number
  /** How long a connection is used at most, seconds. */
  databaseConnectionLifetime: number
  /** Absolute path. */
  dataDir: string
  /** URL of the wiki by language, without a trailing slash. */
  wikiAddresses: Record<string, string>
  /** Absent: the license that is stored with the wiki. */
  licenseUrl?: string
  /** What those who use the content are asked to do. Absent: to credit the wiki and to link the page. */
  attribution?: string
  /** Requests a minute; 0: no limit. */
  rateLimit: number
  /** The same for files, which have a limit of their own. */
  mediaRateLimit: number
  trustedProxies: number
  /** Redis in which several instances share the rate limit. Absent: each instance counts alone. */
  redisUrl?: string
  /** Number of processes that serve. 1: this process alone. */
  workers: number
  cacheSeconds: number
  /** How long caches may store a file, seconds. */
  mediaCacheSeconds: number
  /** Whether the public listener serves MCP. */
  mcp: boolean
  /** What a webhook must prove to know. Absent: nothing. */
  followSecret?: string
  /** What the documentation site calls the wiki. Absent: its own name. */
  siteName?: string
  /** Absolute path of the logo of the documentation site. */
  siteLogo?: string
  /** Such as `#1b6149`. */
  siteAccentColor?: string
  /** Path of the page that examples of the documentation show. Absent: the first fitting page. */
  examplePage?: string
  /** Absolute path of the folder with persisted GraphQL documents. Absent: there are none. */
  graphqlDocuments?: string
  logLevel: (typeof LOG_LEVELS)[number]
  logFormat: (typeof LOG_FORMATS)[number]
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the environment variables; no other module does. An empty variable counts as absent.
 * @throws UsageError naming each invalid variable, the expected value, and the actual value unless it may be a password
 */
export const readConfig = (environment: Environment = process.env): Config => {
  const { config, problems } = inspectConfig(environment)
  if (problems.length > 0) throw problemsError(problems)
  return config
}

/** Whether error messages include a stack. */
export const isDebugging = (environment: Environment = process.env): boolean =>
  ['debug', 'trace'].includes(environment.LOG_LEVEL?.trim() ?? '')

/** The configuration, and everything that is wrong with it. */
export interface InspectedConfig {
  /** Invalid variables have their defaults. */
  config: Config
  /** One sentence per problem. It begins with the name of the variable. */
  problems: string[]
  /** All variables that Lectern reads. */
  names: readonly string[]
  /** Variables that Lectern does not read, and the variable that was probably meant, or an empty text. */
  unknownVariables: { name: string; suggestion: string }[]
}

/** Reads all variables and collects all problems; `readConfig` throws them. */
export const inspectConfig = (environment: Environment = process.env): InspectedConfig => {
  const isOwn = environment === process.env
  const problems: string[] = isOwn ? [...settingOrigins().problems] : []
  const names: string[] = []
  const value = <Value>(name: string, parse: (text: string) => Value, defaultValue: Value): Value => {
    names.push(name)
    const text = environment[name]?.trim()
    if (!text) return defaultValue
    try {
      return parse(text)
    } catch (error) {
      const actual = isSecret(name) ? '' : `, but is "${quote(redactPasswords(text))}"`
      problems.push(`${isOwn ? nameWithOrigin(name) : name} ${(error as Error).message}${actual}.`)
      return defaultValue
    }
  }
  const url = value<string | undefined>('DATABASE_URL', databaseUrl, undefined)
  const replicaUrls = value('DATABASE_REPLICA_URLS', databaseUrls, [])
  if (replicaUrls.length > 0 && url === undefined) {
    problems.push('DATABASE_REPLICA_URLS requires DATABASE_URL, the URL of the primary.')
  }
  const config: Config = {
    port: value('PORT', wholeNumber(0, 65_535), 3000),
    host: value<string | undefined>('HOST', String, undefined),
    internalPort: value('INTERNAL_PORT', wholeNumber(0, 65_535), 3001),
    internalHost: value('INTERNAL_HOST', String, '127.0.0.1'),
    baseUrl: value<string | undefined>('BASE_URL', baseUrl, undefined),
    databaseUrl: url,
    databaseReplicaUrls: replicaUrls,
    maxReplicaLag: value('MAX_REPLICA_LAG', wholeNumber(1, 3600), 10),
    preparedStatements: value('PREPARED_STATEMENTS', trueOrFalse, true),
    databasePoolSize: value('DATABASE_POOL_SIZE', wholeNumber(1, POOL_SIZE.max), POOL_SIZE.default),
    databaseConnectionLifetime: value(
      'DATABASE_CONNECTION_LIFETIME',
      wholeNumber(1, CONNECTION_LIFETIME.max),
      CONNECTION_LIFETIME.default,
    ),
    dataDir: resolve(value('DATA_DIR', String, '.lectern')),
    wikiAddresses: value('WIKI_ADDRESSES', wikiAddresses, {}),
    licenseUrl: value<string | undefined>('LICENSE_URL', (text) => webUrl(text).href, undefined),
    attribution: value<string | undefined>('ATTRIBUTION', textUpTo(ATTRIBUTION_LENGTH_MAX), undefined),
    rateLimit: value('RATE_LIMIT', wholeNumber(0, 1_000_000), 600),
    mediaRateLimit: value('MEDIA_RATE_LIMIT', wholeNumber(0, 1_000_000), 6_000),
    trustedProxies: value('TRUSTED_PROXIES', wholeNumber(0, 10), 0),
    redisUrl: value<string | undefined>('REDIS_URL', redisUrl, undefined),
    workers: value('WORKERS', wholeNumber(1, WORKERS_MAX), 1),
    cacheSeconds: value('CACHE_SECONDS', wholeNumber(0, 3600), 60),
    mediaCacheSeconds: value('MEDIA_CACHE_SECONDS', wholeNumber(0, 31_536_000), 86_400),
    mcp: value('MCP', trueOrFalse, false),
    followSecret: value<string | undefined>('FOLLOW_SECRET', followSecret, undefined),
    siteName: value<string | undefined>('SITE_NAME', siteName, undefined),
    siteLogo: value<string | undefined>('SITE_LOGO', (path) => resolve(path), undefined),
    siteAccentColor: value<string | undefined>('SITE_ACCENT_COLOR', hexColor, undefined),
    examplePage: value<string | undefined>('EXAMPLE_PAGE', pagePath, undefined),
    graphqlDocuments: value<string | undefined>('GRAPHQL_DOCUMENTS', (path) => resolve(path), undefined),
    logLevel: value('LOG_LEVEL', oneOf(LOG_LEVELS), 'info'),
    logFormat: value('LOG_FORMAT', oneOf(LOG_FORMATS), 'auto'),
  }
  return { config, problems, names, unknownVariables: unknownVariablesOf(environment, names) }
}

/** Variables of the tests and the benchmark. */
const TEST_VARIABLES = /^LECTERN_(TEST|BENCH)_/

/** Variables that look like Lectern's but are not: misspelled, or prefixed with the name of the program. */
const unknownVariablesOf = (
  environment: Environment,
  names: readonly string[],
): InspectedConfig['unknownVariables'] =>
  Object.keys(environment)
    .filter((name) => environment[name] && !names.includes(name) && !TEST_VARIABLES.test(name))
    .flatMap((name) => {
      const bare = name.replace(/^LECTERN_?/i, '')
      const suggestion = names.find((known) => isSimilar(bare, known)) ?? (bare === name ? undefined : '')
      return suggestion === undefined ? [] : [{ name, suggestion }]
    })

/** The setting that was probably meant by a name in a file, which has fewer foreign names than the environment. */
export const nearestSetting = (name: string, names: readonly string[]): string | undefined => {
  const bare = name.toUpperCase().replace(/^LECTERN_?/, '')
  const [best] = names.map((known) => [distance(bare, known), known] as const).sort(([a], [b]) => a - b)
  return best !== undefined && best[0] <= Math.max(2, best[1].length / 4) ? best[1] : undefined
}

/** At most one letter in four differs. Short names such as PORT must match exactly: other programs have such names, too. */
const isSimilar = (name: string, known: string): boolean => {
  const [a, b] = [name, known].map((text) => text.toUpperCase().replaceAll(/[_-]/g, '')) as [string, string]
  return distance(a, b) <= (b.length < 6 ? 0 : Math.floor(b.length / 4))
}
