import { LRUCache } from 'lru-cache'
import { QUERY_WORD_CACHE_SIZE, STEM_CACHE_BYTES } from '../limits/service.ts'
import { scaledToHeap } from '../shared/resources.ts'
import { withoutAccents } from './folding.ts'
import { hasNoDigits, stemmedLexemes, unstemmedLexemes } from './lexemes.ts'

/** Runs the statement `stems`, on a pool or in the transaction of the writer. It returns stems with spaces between them. */
export type QueryStems = (
  values: [configurations: string[], words: string[]],
) => Promise<{ n: number; stems: string | null }[]>

/**
 * The lexemes of words by configuration, from PostgreSQL's dictionaries: a process queries each word of a page only
 * once. The dictionaries belong to the server and do not change while it runs. When the cache is too large, all of it
 * is emptied.
 */
const stemCache = new Map<string, Vocabulary>()
let bytes = 0
const BYTES_MAX = scaledToHeap(STEM_CACHE_BYTES)

type Vocabulary = Map<string, readonly string[]>

/** The lexemes of words that only queries contained, by configuration and word. Their number has a bound of its own. */
const queryWords = new LRUCache<string, readonly string[]>({ max: QUERY_WORD_CACHE_SIZE })

const vocabularyOf = (configuration: string): Vocabulary => {
  const cached = stemCache.get(configuration)
  if (cached) return cached
  const vocabulary: Vocabulary = new Map()
  stemCache.set(configuration, vocabulary)
  return vocabulary
}

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

const stemsOf = ({ stems }: { stems: string | null }): string[] | null => {
  if (stems === null) return null
  return stems === '' ? [] : stems.split(' ')
}

/** The lexemes of a folded word in a configuration; none for a stop word. */
export type Lexemes = (configuration: string, word: string) => readonly string[]

/**
 * Loads the lexemes of the words that are not cached, in one statement.
 * @param wordsOf words by configuration; they may repeat
 * @param areOfPages whether to cache them with the words of pages. Words of queries have a small cache of their own, because
 * anybody can send new ones
 */
export const loadStems = async (
  query: QueryStems,
  wordsOf: ReadonlyMap<string, Iterable<string>>,
  areOfPages = true,
): Promise<Lexemes> => {
  if (bytes > BYTES_MAX) {
    stemCache.clear()
    bytes = 0
  }
  // A concurrent call may empty the cache. These references keep the vocabularies alive until the result is used.
  const cached = new Map([...wordsOf.keys()].map((name) => [name, vocabularyOf(name)]))
  const loaded = areOfPages
    ? cached
    : new Map([...wordsOf.keys()].map((name) => [name, new Map() as Vocabulary]))
  const configurations: string[] = []
  const words: string[] = []
  const missing: { configuration: string; word: string; plainIndex: number }[] = []
  for (const [configuration, candidates] of wordsOf) {
    const vocabulary = cached.get(configuration)!
    const queried = new Set<string>()
    for (const word of candidates) {
      if (vocabulary.has(word) || queried.has(word) || isUnstemmed(configuration, word)) continue
      const known = areOfPages ? undefined : queryWords.get(`${configuration} ${word}`)
      if (known) {
        loaded.get(configuration)!.set(word, known)
        continue
      }
      queried.add(word)
      const plain = plainForm(configuration, word)
      configurations.push(configuration)
      words.push(word)
      if (plain !== word) {
        configurations.push(configuration)
        words.push(plain)
      }
      missing.push({ configuration, word, plainIndex: words.length - 1 })
    }
  }
  if (missing.length > 0) {
    const stems: (readonly string[] | null)[] = []
    for (const row of await query([configurations, words])) stems[row.n - 1] = stemsOf(row)
    let index = 0
    for (const { configuration, word, plainIndex } of missing) {
      const lexemes = stemmedLexemes({ written: stems[index]!, plain: stems[plainIndex]! })
      index = plainIndex + 1
      const vocabulary = loaded.get(configuration)!
      if (areOfPages && stemCache.get(configuration) === vocabulary && !vocabulary.has(word))
        bytes += sizeOf(word, lexemes)
      if (!areOfPages) queryWords.set(`${configuration} ${word}`, lexemes)
      vocabulary.set(word, lexemes)
    }
  }
  return (configuration, word) =>
    cached.get(configuration)?.get(word) ??
    (areOfPages ? undefined : loaded.get(configuration)?.get(word)) ??
    (isUnstemmed(configuration, word) ? unstemmedLexemes(word) : [])
}
