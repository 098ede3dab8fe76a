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
 * PostgreSQL's text search configurations, from version 15 on: the letter of each, which lexemes contain, its name and its
 * languages. Never change a letter, because indexes contain them.
 */
const CONFIGURATIONS = (
  '0 simple, a arabic ar, b armenian hy, c basque eu, d catalan ca, e danish da, f dutch nl, ' +
  'g english en, h estonian et, i finnish fi, j french fr, k german de, l greek el, m hindi hi, ' +
  'n hungarian hu, o indonesian id, p irish ga, q italian it, r lithuanian lt, s nepali ne, ' +
  't norwegian nb nn no, u portuguese pt, v romanian ro, w russian ru, x serbian sr, y spanish es, ' +
  'z swedish sv, A tamil ta, B turkish tr, C yiddish yi'
)
  .split(', ')
  .map((row) => row.split(' ') as [tag: string, name: string, ...locales: string[]])

const tags = new Map(CONFIGURATIONS.map(([tag, name]) => [name, tag]))
const byLanguage = new Map(
  CONFIGURATIONS.flatMap(([, name, ...locales]) => locales.map((locale) => [locale, name])),
)

/**
 * The text search configuration of a language. A server that lacks it uses `simple`.
 * @param locale in lower case; `pt-br` has the configuration of `pt`
 */
export const searchConfiguration = (locale: string): string =>
  byLanguage.get(locale.split('-')[0]!) ?? 'simple'

/** The letter of a configuration. @param configuration of PostgreSQL's text search */
export const configurationTag = (configuration: string): string => tags.get(configuration) ?? '0'

/** Configurations whose stemmers also change the beginnings of words, for example by cutting off an article. */
const PREFIX_STRIPPERS = new Set(['arabic', 'dutch', 'indonesian', 'irish', 'tamil', 'yiddish'])

/** Whether a stem can begin with other letters than its word. @param configuration of PostgreSQL's text search */
export const stripsPrefixes = (configuration: string): boolean => PREFIX_STRIPPERS.has(configuration)
