import { resolve } from 'node:path'
import { distance } from 'fastest-levenshtein'
import { API_PATH } from './api-path.ts'
import { parseDatabaseUrl } from './database-url.ts'
import { UsageError } from './errors.ts'
import { CONNECTION_LIFETIME, POOL_SIZE, WORKERS_MAX } from './limits.ts'
import { parseLocale } from './wiki/locales.ts'
import { quote } from './wiki/text.ts'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export interface Config {
  port: number
  /** Absent: every address of this machine. */
  host?: string
  internalPort: number
  internalHost: string
  /** Start of links to the API, without a slash at the end; absent: from the address that is called. */
  baseUrl?: string
  /** Absent: the embedded database. */
  databaseUrl?: string
  databaseReplicaUrls: readonly string[]
  /** Seconds. */
  maxReplicaLag: number
  preparedStatements: boolean
  /** Connections of a process for statements, to each server. */
  databasePoolSize: number
  /** Seconds that a connection is used at most. */
  databaseConnectionLifetime: number
  /** Absolute. */
  dataDir: string
  /** Address of each language's wiki, without a slash at the end. */
  wikiAddresses: Record<string, string>
  /** Absent: what the wiki itself says. */
  licenseUrl?: string
  /** Requests a minute; 0: no limit. */
  rateLimit: number
  trustedProxies: number
  /** Where several instances count together; absent: each by itself. */
  redisUrl?: string
  /** Processes that serve; 1: this one alone. */
  workers: number
  cacheSeconds: number
  logLevel: (typeof LOG_LEVELS)[number]
}

/** Variables that may hold a password. */
const SECRETS = ['DATABASE_URL', 'DATABASE_REPLICA_URLS', 'REDIS_URL']

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The only reader of environment variables. An empty variable counts as absent.
 * @throws UsageError naming the variable, what it must hold and what it holds, unless that may be a password
 */
export const readConfig = (environment: Environment = process.env): Config => {
  const { config, problems } = inspectConfig(environment)
  if (problems.length > 0) throw new UsageError(problems[0])
  return config
}

/** Whether a person looks for a defect: then errors are told with where they happened. */
export const isDebugging = (environment: Environment = process.env): boolean =>
  ['debug', 'trace'].includes(environment.LOG_LEVEL?.trim() ?? '')

/** What the environment says, and all that is wrong with it. */
export interface InspectedConfig {
  /** With defaults in place of what is wrong. */
  config: Config
  /** A sentence each, that begins with the variable. */
  problems: string[]
  /** Variables that nobody reads, and the ones that were meant. */
  unknownVariables: { name: string; meant: string }[]
}

/** Reads everything, where `readConfig` stops at the first problem. */
export const inspectConfig = (environment: Environment = process.env): InspectedConfig => {
  const problems: string[] = []
  const names: string[] = []
  const value = <Value>(name: string, read: (text: string) => Value, absent: Value): Value => {
    names.push(name)
    const text = environment[name]?.trim()
    if (!text) return absent
    try {
      return read(text)
    } catch (error) {
      const shown = SECRETS.includes(name) ? '' : `, but is "${quote(secretsHidden(text))}"`
      problems.push(`${name} ${(error as Error).message}${shown}.`)
      return absent
    }
  }
  const url = value<string | undefined>('DATABASE_URL', databaseUrl, undefined)
  const replicaUrls = value('DATABASE_REPLICA_URLS', databaseUrls, [])
  if (replicaUrls.length > 0 && url === undefined) {
    problems.push('DATABASE_REPLICA_URLS needs DATABASE_URL, their primary.')
  }
  const config: Config = {
    port: value('PORT', whole(0, 65_535), 3000),
    host: value<string | undefined>('HOST', String, undefined),
    internalPort: value('INTERNAL_PORT', whole(0, 65_535), 3001),
    internalHost: value('INTERNAL_HOST', String, '127.0.0.1'),
    baseUrl: value<string | undefined>('BASE_URL', baseUrl, undefined),
    databaseUrl: url,
    databaseReplicaUrls: replicaUrls,
    maxReplicaLag: value('MAX_REPLICA_LAG', whole(1, 3600), 10),
    preparedStatements: value('PREPARED_STATEMENTS', trueOrFalse, true),
    databasePoolSize: value('DATABASE_POOL_SIZE', whole(1, POOL_SIZE.max), POOL_SIZE.default),
    databaseConnectionLifetime: value(
      'DATABASE_CONNECTION_LIFETIME',
      whole(1, CONNECTION_LIFETIME.max),
      CONNECTION_LIFETIME.default,
    ),
    dataDir: resolve(value('DATA_DIR', String, '.lectern')),
    wikiAddresses: value('WIKI_ADDRESSES', wikiAddresses, {}),
    licenseUrl: value<string | undefined>('LICENSE_URL', (text) => webAddress(text).href, undefined),
    rateLimit: value('RATE_LIMIT', whole(0, 1_000_000), 600),
    trustedProxies: value('TRUSTED_PROXIES', whole(0, 10), 0),
    redisUrl: value<string | undefined>('REDIS_URL', redisUrl, undefined),
    workers: value('WORKERS', whole(1, WORKERS_MAX), 1),
    cacheSeconds: value('CACHE_SECONDS', whole(0, 3600), 60),
    logLevel: value('LOG_LEVEL', logLevel, 'info'),
  }
  return { config, problems, unknownVariables: unknownVariablesOf(environment, names) }
}

/** What the tests and the benchmark read. */
const OTHERS = /^LECTERN_(TEST|BENCH)_/

/** Variables that look like ours and are none: misspelt, or with the name of the program before them. */
const unknownVariablesOf = (
  environment: Environment,
  names: readonly string[],
): InspectedConfig['unknownVariables'] =>
  Object.keys(environment)
    .filter((name) => environment[name] && !names.includes(name) && !OTHERS.test(name))
    .flatMap((name) => {
      const bare = name.replace(/^LECTERN_?/i, '')
      const meant = names.find((known) => isLecternVariable(bare, known)) ?? (bare === name ? undefined : '')
      return meant === undefined ? [] : [{ name, meant }]
    })

/** A letter in four may be wrong; of names as short as PORT none, since others are as short. */
const isLecternVariable = (name: string, known: string): boolean => {
  const [a, b] = [name, known].map((text) => text.toUpperCase().replaceAll(/[_-]/g, '')) as [string, string]
  return distance(a, b) <= (b.length < 6 ? 0 : Math.floor(b.length / 4))
}

/** Passwords in addresses are not repeated on a terminal. */
const secretsHidden = (text: string): string => text.replace(/\/\/[^\s,]*@/g, '//…@')

const whole =
  (min: number, max: number) =>
  (text: string): number => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
    if (!(number >= min && number <= max)) throw new Error(`must be a whole number from ${min} to ${max}`)
    return number
  }

const webAddress = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error('must be an http or https address')
  if (url.username !== '' || url.password !== '') {
    throw new Error('must be an address that everyone may see, without user and password')
  }
  return url
}

const withoutSlash = (address: string): string => address.replace(/\/+$/, '')

const baseUrl = (text: string): string => {
  const address = withoutSlash(webAddress(text).href)
  if (!address.endsWith(API_PATH)) throw new Error(`must be an address that ends with ${API_PATH}`)
  return address
}

const databaseUrl = (text: string): string => {
  parseDatabaseUrl(text)
  return text
}

const databaseUrls = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map(databaseUrl)

const trueOrFalse = (text: string): boolean => {
  if (text !== 'true' && text !== 'false') throw new Error('must be true or false')
  return text === 'true'
}

const redisUrl = (text: string): string => {
  if (!URL.canParse(text) || !/^rediss?:\/\//i.test(text)) {
    throw new Error('must be an address such as redis://:password@host:6379')
  }
  return text
}

const wikiAddresses = (text: string): Record<string, string> => {
  const addresses: Record<string, string> = {}
  for (const part of text.split(',').filter((one) => one.trim() !== '')) {
    const [code = '', address] = part.split(/=(.*)/s).map((one) => one.trim())
    const locale = parseLocale(code)
    if (locale === null || address === undefined) {
      throw new Error('must be a list such as en=https://en.wiki.example,ru=https://ru.wiki.example')
    }
    if (locale in addresses)
      throw new Error(`must be a list that names each language once, not ${locale} twice`)
    const url = webAddress(address)
    if (url.search !== '' || url.hash !== '') throw new Error('must be addresses without ? and #')
    addresses[locale] = withoutSlash(url.href)
  }
  return addresses
}

const logLevel = (text: string): Config['logLevel'] => {
  const found = LOG_LEVELS.find((level) => level === text)
  if (!found) throw new Error(`must be one of ${LOG_LEVELS.join(', ')}`)
  return found
}
