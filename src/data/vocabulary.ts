import { withinHeap } from '../resources.ts'
import { withoutAccents } from '../wiki/search/folding.ts'
import { isLetters, lexemesOf } from '../wiki/search/lexemes.ts'

/** What runs the statement `stems`: a pool, or the writer's transaction. */
export type AskStems = (
  values: [configurations: string[], words: string[]],
) => Promise<{ n: number; stems: string[] | null }[]>

/** Words that are remembered of each configuration; then all are forgotten, and asked for again as they come. */
const REMEMBERED = withinHeap(200_000)

/**
 * The lexemes of words, by PostgreSQL's own dictionaries: each word is asked for once a process. Dictionaries
 * are the server's and do not change while it runs.
 */
const remembered = new Map<string, Map<string, readonly string[]>>()

const vocabularyOf = (configuration: string): Map<string, readonly string[]> => {
  const known = remembered.get(configuration)
  if (known && known.size <= REMEMBERED) return known
  const made = new Map<string, readonly string[]>()
  remembered.set(configuration, made)
  return made
}

/** Numbers, versions and ids have no stems: asking for those of a log's ids took a quarter of an import. */
const isAsItIs = (configuration: string, word: string): boolean =>
  configuration === 'simple' || !isLetters(word)

/** Of the folded words of a configuration, their lexemes; of a stop word none. */
export type Lexemes = (configuration: string, word: string) => readonly string[]

/** Learns the words that are not known yet, in one statement. @param asked words by configuration */
export const learn = async (
  ask: AskStems,
  asked: ReadonlyMap<string, Iterable<string>>,
): Promise<Lexemes> => {
  const vocabularies = new Map([...asked.keys()].map((name) => [name, vocabularyOf(name)]))
  const configurations: string[] = []
  const words: string[] = []
  const unknown: { vocabulary: Map<string, readonly string[]>; word: string }[] = []
  for (const [configuration, found] of asked) {
    const vocabulary = vocabularies.get(configuration)!
    for (const word of found) {
      if (isAsItIs(configuration, word) || vocabulary.has(word)) continue
      unknown.push({ vocabulary, word })
      configurations.push(configuration, configuration)
      words.push(word, withoutAccents(word))
    }
  }
  if (unknown.length > 0) {
    const stems = (await ask([configurations, words])).sort((a, b) => a.n - b.n)
    for (const [i, { vocabulary, word }] of unknown.entries()) {
      const [written, plain] = [stems[2 * i]!.stems, stems[2 * i + 1]!.stems]
      vocabulary.set(word, lexemesOf({ written, plain }))
    }
  }
  return (configuration, word) =>
    isAsItIs(configuration, word)
      ? [withoutAccents(word)]
      : (vocabularies.get(configuration)?.get(word) ?? [])
}
