import type { Database } from '../db/database.ts'
import { statement } from '../db/statements.ts'

/** Increase it when the words or links of a page change: then `lectern migrate` and `lectern reindex` index all again. */
export const INDEX_VERSION = 6

/** Whether another version of Lectern indexed the pages, so that search does not find all of them. */
export const isReindexDue = async (reader: Database): Promise<boolean> => {
  const [row] = await reader.query(statement('index_version'), [])
  return row?.indexVersion !== INDEX_VERSION
}

/**
 * PostgreSQL's text search configurations, from version 15 on: the letter of each, which lexemes contain, and its languages.
 * Never change a letter, because indexes contain them.
 */
const CONFIGURATIONS: Record<string, readonly [tag: string, ...locales: string[]]> = {
  simple: ['0'],
  arabic: ['a', 'ar'],
  armenian: ['b', 'hy'],
  basque: ['c', 'eu'],
  catalan: ['d', 'ca'],
  danish: ['e', 'da'],
  dutch: ['f', 'nl'],
  english: ['g', 'en'],
  estonian: ['h', 'et'],
  finnish: ['i', 'fi'],
  french: ['j', 'fr'],
  german: ['k', 'de'],
  greek: ['l', 'el'],
  hindi: ['m', 'hi'],
  hungarian: ['n', 'hu'],
  indonesian: ['o', 'id'],
  irish: ['p', 'ga'],
  italian: ['q', 'it'],
  lithuanian: ['r', 'lt'],
  nepali: ['s', 'ne'],
  norwegian: ['t', 'nb', 'nn', 'no'],
  portuguese: ['u', 'pt'],
  romanian: ['v', 'ro'],
  russian: ['w', 'ru'],
  serbian: ['x', 'sr'],
  spanish: ['y', 'es'],
  swedish: ['z', 'sv'],
  tamil: ['A', 'ta'],
  turkish: ['B', 'tr'],
  yiddish: ['C', 'yi'],
}

const byLanguage = new Map(
  Object.entries(CONFIGURATIONS).flatMap(([name, [, ...locales]]) => locales.map((locale) => [locale, name])),
)

/**
 * The text search configuration of a language. A server that lacks it uses `simple`.
 * @param locale in lower case; `pt-br` has the configuration of `pt`
 */
export const searchConfiguration = (locale: string): string =>
  byLanguage.get(locale.split('-')[0]!) ?? 'simple'

/** The letter of a configuration. @param configuration of PostgreSQL's text search */
export const configurationTag = (configuration: string): string =>
  (CONFIGURATIONS[configuration] ?? CONFIGURATIONS.simple!)[0]

/** Configurations whose stemmers also change the beginnings of words, for example by cutting off an article. */
const PREFIX_STRIPPERS = new Set(['arabic', 'dutch', 'indonesian', 'irish', 'tamil', 'yiddish'])

/** Whether a stem can begin with other letters than its word. @param configuration of PostgreSQL's text search */
export const stripsPrefixes = (configuration: string): boolean => PREFIX_STRIPPERS.has(configuration)
