import type { Database } from '../db/database.ts'
import { statement } from '../db/statements.ts'
import { STEM_CACHE_BYTES } from '../limits/service.ts'
import { scaledToHeap } from '../shared/resources.ts'
import { withoutAccents } from './folding.ts'
import { hasNoDigits, unstemmedLexemes } from './lexemes.ts'

/** Runs the statement `stems`, on a pool or in the transaction of the writer. It returns stems with spaces between them. */
export type QueryStems = (
  values: [configurations: string[], words: string[]],
) => Promise<{ n: number; stems: string | null }[]>

export const stemsFrom =
  (database: Pick<Database, 'query'>): QueryStems =>
  (values) =>
    database.query(statement('stems'), values)

/** The lexemes of a folded word in a configuration; none for a stop word. */
export type Lexemes = (configuration: string, word: string) => readonly string[]

type Vocabulary = Map<string, readonly string[]>

/**
 * The lexemes of words by configuration, from PostgreSQL's dictionaries: a process queries each word only once. The
 * dictionaries belong to the server and do not change while it runs. When the cache is too large, all of it is emptied.
 */
const stemCache = new Map<string, Vocabulary>()
let bytes = 0
const BYTES_MAX = scaledToHeap(STEM_CACHE_BYTES)

/** Approximate memory of a word: strings of at most two bytes per character, an array, and a map entry. */
const sizeOf = (word: string, lexemes: readonly string[]): number =>
  2 * word.length + lexemes.reduce((sum, lexeme) => sum + 2 * lexeme.length + 24, 0) + 100

/** How many words the cache contains, and their approximate size in bytes. */
export const stemCacheSize = (): { words: number; bytes: number } => ({
  words: [...stemCache.values()].reduce((sum, { size }) => sum + size, 0),
  bytes,
})

/** Numbers, versions and ids have no stems: to query the ids of a log took a quarter of an import. */
const isUnstemmed = (configuration: string, word: string): boolean =>
  configuration === 'simple' || !hasNoDigits(word)

/** How letters with a mark are written on keyboards that lack them, and their first letters: `ue` for `ü`. */
const DIGRAPHS: Record<string, RegExp> = {
  german: /([ao])e|(?<![aeoq])(u)e/g,
  danish: /(a)a|(o)e/g,
  norwegian: /(a)a|(o)e/g,
}

/** The form of a word that its spellings without accents have in common: `garten` for `gärten` and `gaerten`. (D111) */
const plainForm = (configuration: string, word: string): string => {
  const digraphs = DIGRAPHS[configuration]
  const plain = withoutAccents(word)
  return digraphs === undefined ? plain : plain.replace(digraphs, (_, a, b) => a ?? b)
}

/**
 * Lexemes of a word: its stem without accents, and the stem of the word without accents. The first one distinguishes
 * the words that the language distinguishes. The second one equals the stem of a word that was typed without accents.
 * @param stems with spaces between them
 */
const stemmedLexemes = (stems: string): string[] =>
  // The Turkish stemmer adds accents: c at the end becomes ç.
  Array.from(new Set((stems.match(/[^ ]+/g) ?? []).map(withoutAccents)))

/**
 * Loads the lexemes of the words that are not cached, in one statement.
 * @param wordsOf words by configuration, each once
 */
export const loadStems = async (
  query: QueryStems,
  wordsOf: ReadonlyMap<string, Iterable<string>>,
): Promise<Lexemes> => {
  if (bytes > BYTES_MAX) {
    stemCache.clear()
    bytes = 0
  }
  // A concurrent call may empty the cache. These references keep the vocabularies alive until the result is used.
  for (const name of wordsOf.keys()) if (!stemCache.has(name)) stemCache.set(name, new Map())
  const vocabularies = new Map([...wordsOf.keys()].map((name) => [name, stemCache.get(name)!]))
  const missing = [...wordsOf].flatMap(([configuration, words]) => {
    const isMissing = (word: string) =>
      !vocabularies.get(configuration)!.has(word) && !isUnstemmed(configuration, word)
    return [...words].filter(isMissing).map((word) => ({ configuration, word }))
  })
  if (missing.length > 0) {
    const forms = missing.flatMap(({ configuration, word }) => [word, plainForm(configuration, word)])
    const configurations = missing.flatMap(({ configuration }) => [configuration, configuration])
    const stems: string[] = []
    for (const row of await query([configurations, forms])) stems[row.n - 1] = row.stems ?? ''
    for (const [i, { configuration, word }] of missing.entries()) {
      const lexemes = stemmedLexemes(`${stems[2 * i]} ${stems[2 * i + 1]}`)
      const vocabulary = vocabularies.get(configuration)!
      if (stemCache.get(configuration) === vocabulary && !vocabulary.has(word)) bytes += sizeOf(word, lexemes)
      vocabulary.set(word, lexemes)
    }
  }
  return (configuration, word) =>
    vocabularies.get(configuration)?.get(word) ??
    (isUnstemmed(configuration, word) ? unstemmedLexemes(word) : [])
}
