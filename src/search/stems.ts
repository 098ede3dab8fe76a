import { STEM_CACHE_BYTES } from '../limits.ts'
import { scaledToHeap } from '../resources.ts'
import { withoutAccents } from './folding.ts'
import { hasNoDigits, lexemesOf } from './lexemes.ts'

/** What runs the statement `stems`: a pool, or the writer's transaction. */
export type QueryStems = (
  values: [configurations: string[], words: string[]],
) => Promise<{ n: number; stems: string[] | null }[]>

/**
 * The lexemes of words, by PostgreSQL's own dictionaries: each word of a page is asked for once a process.
 * Dictionaries are the server's and do not change while it runs. When all of them together take too much, all are
 * forgotten, and asked for again as they come.
 */
const stemCache = new Map<string, Vocabulary>()
let bytes = 0
const BYTES_MAX = scaledToHeap(STEM_CACHE_BYTES)

type Vocabulary = Map<string, readonly string[]>

const vocabularyOf = (configuration: string): Vocabulary => {
  const known = stemCache.get(configuration)
  if (known) return known
  const made: Vocabulary = new Map()
  stemCache.set(configuration, made)
  return made
}

/** About what a word takes in memory: strings of two bytes a character at most, an array, an entry of a map. */
const sizeOf = (word: string, lexemes: readonly string[]): number =>
  2 * word.length + lexemes.reduce((sum, lexeme) => sum + 2 * lexeme.length + 24, 0) + 100

/** How many words are remembered, and about what they take, bytes. */
export const stemCacheSize = (): { words: number; bytes: number } => ({
  words: [...stemCache.values()].reduce((sum, { size }) => sum + size, 0),
  bytes,
})

/** Numbers, versions and ids have no stems: asking for those of a log's ids took a quarter of an import. */
const isUnstemmed = (configuration: string, word: string): boolean =>
  configuration === 'simple' || !hasNoDigits(word)

/** Of the folded words of a configuration, their lexemes; of a stop word none. */
export type Lexemes = (configuration: string, word: string) => readonly string[]

/**
 * Learns the words that are not known yet, in one statement.
 * @param asked words by configuration
 * @param areOfPages whether they are remembered: what people type is as boundless as they like, and is known already
 * where pages hold it
 */
export const loadStems = async (
  ask: QueryStems,
  asked: ReadonlyMap<string, Iterable<string>>,
  areOfPages = true,
): Promise<Lexemes> => {
  if (bytes > BYTES_MAX) {
    stemCache.clear()
    bytes = 0
  }
  // Whoever learns meanwhile may make all be forgotten: these are held.
  const known = new Map([...asked.keys()].map((name) => [name, vocabularyOf(name)]))
  const learnt = areOfPages
    ? known
    : new Map([...asked.keys()].map((name) => [name, new Map() as Vocabulary]))
  const configurations: string[] = []
  const words: string[] = []
  const unknown: { configuration: string; word: string }[] = []
  for (const [configuration, found] of asked) {
    const vocabulary = known.get(configuration)!
    for (const word of found) {
      if (isUnstemmed(configuration, word) || vocabulary.has(word)) continue
      unknown.push({ configuration, word })
      configurations.push(configuration, configuration)
      words.push(word, withoutAccents(word))
    }
  }
  if (unknown.length > 0) {
    const stems = (await ask([configurations, words])).sort((a, b) => a.n - b.n)
    for (const [i, { configuration, word }] of unknown.entries()) {
      const [written, plain] = [stems[2 * i]!.stems, stems[2 * i + 1]!.stems]
      const lexemes = lexemesOf({ written, plain })
      const vocabulary = learnt.get(configuration)!
      if (areOfPages && stemCache.get(configuration) === vocabulary && !vocabulary.has(word))
        bytes += sizeOf(word, lexemes)
      vocabulary.set(word, lexemes)
    }
  }
  return (configuration, word) =>
    isUnstemmed(configuration, word)
      ? [withoutAccents(word)]
      : (known.get(configuration)?.get(word) ?? learnt.get(configuration)?.get(word) ?? [])
}
