import type { Database } from '../../db/database.ts'
import { statement } from '../../db/statements.ts'
import { configurationTag } from '../lexemes.ts'
import type { SearchQuery } from './parse.ts'
import type { WordWeight } from './patterns.ts'
import { type QueryWord, queryWords } from './query-words.ts'
import { type SearchedLanguage, type WeightedWord, weighWords } from './word-weights.ts'

/** A query and the languages in which it is searched. */
export interface SearchedQuery {
  /** With the deadline of the search. */
  database: Pick<Database, 'query'>
  query: SearchQuery
  languages: readonly SearchedLanguage[]
  /** The configurations of the languages, and the lexemes of a word in each. */
  configurations: readonly { config: string; lexemes: (word: string) => readonly string[] }[]
}

/** The words of a query in each configuration, and how much they say about the pages of each language. */
export interface QueryWeights {
  wordsOf: ReadonlyMap<string, readonly QueryWord[]>
  weighted: ReadonlyMap<SearchedLanguage, readonly WeightedWord[]>
}

const wordsStatement = statement('search_words')

export const loadQueryWeights = async ({
  database,
  query,
  languages,
  configurations,
}: SearchedQuery): Promise<QueryWeights> => {
  const wordsOf = new Map(
    configurations.map(({ config, lexemes }) => [
      config,
      queryWords(query, configurationTag(config), lexemes),
    ]),
  )
  const asked = languages.flatMap(({ locale, config }) =>
    wordsOf.get(config)!.flatMap(({ lexemes }) => lexemes.map((word) => ({ locale, word }))),
  )
  const counts = new Map<string, number>()
  if (asked.length > 0) {
    const rows = await database.query(wordsStatement, [
      asked.map(({ locale }) => locale),
      asked.map(({ word }) => word),
    ])
    for (const { locale, word, pages } of rows) counts.set(`${locale} ${word}`, pages)
  }
  const weighted = languages.map((language): [SearchedLanguage, WeightedWord[]] => [
    language,
    weighWords(wordsOf.get(language.config)!, language, (lexeme) =>
      counts.get(`${language.locale} ${lexeme}`),
    ),
  ])
  return { wordsOf, weighted: new Map(weighted) }
}

/** The weights of words for passages. A word that was not weighed, such as a part of a code, weighs nothing by itself. */
export const passageWeights = ({ weighted }: QueryWeights): WordWeight => {
  const idfs = new Map<string, number>()
  for (const [{ locale }, words] of weighted)
    for (const { lexemes, idf } of words)
      for (const lexeme of lexemes) {
        const key = `${locale} ${lexeme}`
        idfs.set(key, Math.max(idf, idfs.get(key) ?? 0))
      }
  return (locale, lexemes) => Math.max(0, ...lexemes.map((lexeme) => idfs.get(`${locale} ${lexeme}`) ?? 0))
}
