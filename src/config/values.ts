import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { UsageError } from '@lectern/wiki/errors'
import { MEDIA_TYPES } from '@lectern/wiki/files/media-type'
import { FIELD_BYTES_MAX } from '@lectern/wiki/limits'
import { parseLocale } from '@lectern/wiki/locales'
import { quote } from '@lectern/wiki/text'
import { closest, distance } from 'fastest-levenshtein'
import { parseDatabaseUrl } from '../database-url.ts'
import { API_PATH } from '../paths.ts'

/** The parsers of variables. Each throws an Error whose message continues after the name of the variable: "must be …"; UsageError: a file is absent. */

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
/** `auto` is `pretty` on a terminal, and otherwise `json`. */
export const LOG_FORMATS = ['auto', 'json', 'pretty'] as const
export const SITE_HOMES = ['api', 'wiki'] as const
/** Characters of `ATTRIBUTION`: a few sentences. */
export const ATTRIBUTION_LENGTH_MAX = 500

/** A parser of texts that are valid as they are. @param message what a valid text is: "must be …" */
const textThat =
  (isValid: (text: string) => boolean, message: string) =>
  (text: string): string => {
    if (!isValid(text)) throw new Error(message)
    return text
  }

export const wholeNumber =
  (min: number, max: number, what = '') =>
  (text: string): number => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
    if (!(number >= min && number <= max))
      throw new Error(`must be a whole number from ${min} to ${max}${what}`)
    return number
  }

export const seconds = (min: number, max: number) => wholeNumber(min, max, ', in seconds')

export const webUrl = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error('must be an http or https URL')
  if (url.username !== '' || url.password !== '')
    throw new Error('must be a URL without user and password, because everyone can see it')
  return url
}

const withoutTrailingSlash = (url: string): string => url.replace(/\/+$/, '')

export const baseUrl = (text: string): string => {
  const url = withoutTrailingSlash(webUrl(text).href)
  if (!url.endsWith(API_PATH)) throw new Error(`must be a URL that ends with ${API_PATH}`)
  return url
}

export const databaseUrl = (text: string): string => {
  const query = new URL(parseDatabaseUrl(text).hosts[0]!.url).searchParams
  const missing = ['sslrootcert', 'sslcert', 'sslkey'].find((key) => !existsSync(query.get(key) ?? '.'))
  if (missing) throw new UsageError(`must be a URL whose ${missing} exists: ${quote(query.get(missing)!)}`)
  return text
}

const partsOf = (list: string): string[] =>
  list
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')

export const databaseUrls = (text: string): string[] => partsOf(text).map(databaseUrl)

/** Media types, their beginnings up to the slash, and extensions, in lower case. */
export const fileTypes = (text: string): string[] => {
  const types = partsOf(text.toLowerCase())
  const known = MEDIA_TYPES.flatMap((type) => [type, type.split('/')[0]!])
  const wrong = types.find((one) => !/^\.[a-z0-9.]+$/.test(one) && !known.includes(one))
  if (wrong === undefined) return types
  const nearest = MEDIA_TYPES.find((type) => type.endsWith(`/${wrong}`)) ?? closest(wrong, known)
  const isNear = nearest.endsWith(`/${wrong}`) || distance(wrong, nearest) <= 2
  const correct = isNear ? nearest : 'an extension'
  throw new Error(
    `must be a list such as image,application/pdf,.zip, with ${correct} instead of ${quote(wrong)}`,
  )
}

/** @returns the absolute path. A file of settings, such as that of systemd, keeps a `~` as it is. */
export const localPath = (text: string): string => {
  if (/^~(?:\/|$)/.test(text)) throw new Error('must be a path without ~, which only shells replace')
  return resolve(text)
}

export const s3Url = textThat(
  (text) => /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[\w.-]+)*\/?$/.test(text),
  'must be a URL such as s3://bucket or s3://bucket/folder, with the bucket in lower case, and no host or password',
)

export const trueOrFalse = (text: string): boolean => {
  if (text !== 'true' && text !== 'false') throw new Error('must be true or false')
  return text === 'true'
}

export const redisUrl = textThat(
  (text) => URL.canParse(text) && /^rediss?:\/\/[^/?#]*(?:[/?#][^@]*)?$/i.test(text),
  'must be a URL such as redis://:password@host:6379, with %40 for @, %2F for / and %23 for # in the password',
)

export const wikiAddresses = (text: string): Record<string, string> => {
  const urls: Record<string, string> = {}
  for (const part of partsOf(text)) {
    const [code = '', urlText] = part.split(/=(.*)/s).map((one) => one.trim())
    const locale = parseLocale(code)
    if (locale === null && /^[\w-]+$/.test(code) && urlText)
      throw new Error(`must be a list of languages such as en or pt-br and their URLs, not ${quote(code)}`)
    if (locale === null || urlText === undefined || /[;\s]/.test(urlText))
      throw new Error('must be a list such as en=https://en.wiki.example,ru=https://ru.wiki.example')
    if (locale in urls)
      throw new Error(`must be a list that names each language only once (not ${locale} twice)`)
    try {
      const url = webUrl(urlText)
      if (url.search !== '' || url.hash !== '') throw new Error('must be a URL without ? and #')
      urls[locale] = withoutTrailingSlash(url.href)
    } catch (error) {
      throw new Error((error as Error).message.replace('must be', `must be a list in which ${locale} has`))
    }
  }
  return urls
}

const FOLLOW_SECRET_LENGTH_MIN = 16

export const followSecret = textThat(
  (text) => text.length >= FOLLOW_SECRET_LENGTH_MIN,
  `must be a random text of at least ${FOLLOW_SECRET_LENGTH_MIN} characters`,
)

export const oneOf =
  <Word extends string>(words: readonly Word[]) =>
  (text: string): Word => {
    const word = words.find((one) => one === text)
    if (word === undefined) throw new Error(`must be one of ${words.join(', ')}`)
    return word
  }

export const textUpTo = (max: number) =>
  textThat(
    (text) => text.length <= max && !/\p{Cc}/u.test(text),
    `must be one line of at most ${max} characters`,
  )

/** Refuses what no page has as its path, such as a URL. */
export const pagePath = textThat(
  (text) => !text.startsWith('/') && !text.includes('://') && Buffer.byteLength(text) <= FIELD_BYTES_MAX.path,
  'must be the path of a page, such as tea/sencha',
)

export const hexColor = (text: string): string => {
  if (!/^#[0-9a-f]{6}$/i.test(text)) throw new Error('must be a color of six digits, such as #1b6149')
  return text.toLowerCase()
}
