import { QUERY_LIMITS } from '@lectern/wiki/limits'
import { columns } from '../../db/bulk.ts'
import type { Database } from '../../db/database.ts'
import { statement } from '../../db/statements.ts'
import type { StatementRows } from '../../generated/statement-rows.ts'
import { memoizeLast, once } from '../../shared/memoize.ts'
import { configurationTag, searchConfiguration } from '../configurations.ts'
import { ASCII, searchKey } from '../folding.ts'
import { TYPO_MARK, typoCandidates, WEIGHTS } from '../lexemes.ts'
import { loadStems, stemsFrom } from '../stems.ts'

/**
 * Titles that are read: `titles` that begin with what was typed, if the hot set has too few of them; `withWord` that have it
 * at the beginning of a later word; `similar` for each beginning that differs by a typo; `patterned` for a beginning before a typo. They bound the cost of a suggestion. (D105)
 */
const READS = { titles: 1_000, withWord: 100, similar: 20, patterned: 300 } as const

type TitleRow = StatementRows['suggest_titles']

/** A page whose title, alias, or the title of a redirect to it begins with what somebody typed, perhaps with a typo. */
export interface TitleSuggestion {
  page: Omit<TitleRow, 'name'>
  /** Start and end of what was typed in the title, in UTF-16 code units; empty if the title of a redirect or an alias matches. */
  highlights: [number, number][]
}

const [TITLE_WEIGHT] = WEIGHTS

const titles = statement('suggest_titles')
const titlesWithWord = statement('suggest_titles_with_word')
const similarTitles = statement('suggest_similar_titles')

/** Not batched, because each text has a different cost. The result looks like a loader. (D105) */
export const makeSuggestLoader = (database: Database) => ({
  load: async (values: { q: string; locale: string; first: number }): Promise<TitleSuggestion[]> => {
    const { q, locale, first } = values
    const typed = q.slice(0, QUERY_LIMITS.characters).toWellFormed()
    const key = searchKey(typed)
    if (key === '') return []
    // Several titles can stand for one page: its own, and those of redirects.
    const rows = 2 * first
    const beginning = ENDS_A_WORD.test(typed) ? `${key} ` : key
    const matching = await database.query(titles, [locale, key, beginning, rows, READS.titles])
    const suggestions = new Map<string, TitleSuggestion>()
    addSuggestions(suggestions, matching, key)
    const withWord = async (text: string, similar?: (word: string) => string[]) => {
      const query = await titleWordsQuery(database, key, locale, similar)
      return database.query(titlesWithWord, [locale, text, beginning, query, rows, READS.withWord])
    }
    if (suggestions.size < first) addSuggestions(suggestions, await withWord(beginning), key)
    const words = key.split(' ')
    const lastWord = versionOf(words.at(-1)!)
    if (suggestions.size < Math.min(first, ENOUGH) && lastWord !== key && words.length <= WORDS_MAX) {
      const found = await withWord(lastWord + beginning.slice(key.length))
      const shown = found.filter(({ name }) => wordHighlights(name, key))
      addSuggestions(suggestions, shown, key)
    }
    if (suggestions.size < Math.min(first, ENOUGH)) {
      const variants = typoVariants(beginning)
      if (variants.length > 0) {
        const texts = columns(variants, ['beginning', 'pattern'])
        const values = [locale, ...texts, rows, READS.similar, READS.patterned]
        const [similar, withSimilarWord] = await Promise.all([
          database.query(similarTitles, values),
          withWord('', typoCandidates),
        ])
        const shown = withSimilarWord.filter(({ name }) => titleHighlight(name, key))
        addSuggestions(suggestions, [...similar, ...shown], key)
      }
    }
    return [...suggestions.values()].slice(0, first)
  },
})

/** With so many suggestions, nobody looks at those with the words in another order, or with a typo. */
const ENOUGH = 5
/** More words are not looked for in another order. */
const WORDS_MAX = 8

/**
 * Matches pages that have words with these beginnings in their titles, and some others. The typo candidates of a title include
 * its words, but those of fewer than four letters are only stored as stems. A server that lacks the configuration of a language uses
 * `simple`.
 * @param similar typo candidates that may stand for a word
 */
const titleWordsQuery = async (
  database: Database,
  key: string,
  locale: string,
  similar: (word: string) => string[] = () => [],
): Promise<string> => {
  const config = searchConfiguration(locale)
  const tags = [...new Set([config, 'simple'].map(configurationTag))]
  const words = (key.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map(versionOf)
  const short = new Set(words.filter((word) => word.length < LETTERS_MIN))
  const lexemes = await loadStems(stemsFrom(database), new Map([[config, short]]))
  const operandsOf = (word: string) => [
    ...tags.flatMap((tag) => [
      ...[TYPO_MARK, TITLE_WEIGHT].map((mark) => `'${mark}${tag}${word}':*`),
      ...similar(word).map((candidate) => `'${TYPO_MARK}${tag}${candidate}'`),
    ]),
    ...lexemes(config, word).map((lexeme) => `'${TITLE_WEIGHT}${tags[0]}${lexeme}'`),
  ]
  return words.map((word) => `(${operandsOf(word).join('|')})`).join('&')
}

/** After such a character, the next letter begins another word. */
const ENDS_A_WORD = /[^\p{L}\p{N}\p{M}+#]$/u

const addSuggestions = (
  suggestions: Map<string, TitleSuggestion>,
  rows: readonly TitleRow[],
  key: string,
): void => {
  for (const { name, ...page } of rows) {
    if (suggestions.has(page.id)) continue
    // A page that is found by a redirect or an alias shows its own title.
    const words = name === page.title ? wordHighlights(name, key) : []
    const highlights = words ?? [titleHighlight(name, key)].filter((one) => one !== undefined)
    suggestions.set(page.id, { page, highlights })
  }
}

/** Fewer letters have too many similar words, as in a search. (D34) */
const LETTERS_MIN = 4
/** Typos after these letters are not looked for. */
const LETTERS_MAX = 24

/**
 * Letters of scripts with few of them, as title keys have them. In a script with thousands of characters, such as Han, each
 * character can be the right one, so that titles are read that begin with the characters before the typo.
 */
const ALPHABETS: readonly [script: RegExp, letters: string][] = [
  [/[0-9]/, '0123456789'],
  [/[a-z]/, 'abcdefghijklmnopqrstuvwxyz'],
  [/\p{Script=Cyrillic}/u, 'абвгдежзийклмнопрстуфхцчшщъыьэюяєіїґ'],
  [/\p{Script=Greek}/u, 'αβγδεζηθικλμνξοπρστυφχψω'],
  [/\p{Script=Arabic}/u, 'ابتثجحخدذرزسشصضطظعغفقكلمنهوىيةءآأؤإئپچژکگی'],
  [/\p{Script=Hebrew}/u, 'אבגדהוזחטיךכלםמןנסעףפץצקרשת'],
]

/** Other letters than those of `ALPHABETS`, white space and signs. */
const OTHER_LETTER =
  /[^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}0-9 +#]/u

/**
 * Beginnings that differ from what was typed by one typo: a letter too many or too few, a wrong letter, or two swapped
 * letters. (D105)
 * @param beginning of a title key
 * @returns texts with which a title key may begin, and a pattern of SQL's `like` that it must match; null: none
 */
const typoVariants = (beginning: string) => {
  const letters = Array.from(beginning)
  if (letters.length < LETTERS_MIN) return []
  const found = new Set<string>()
  const last = Math.min(letters.length, LETTERS_MAX)
  const alphabet = [
    ' ',
    ...ALPHABETS.flatMap(([script, all]) => (script.test(beginning) ? Array.from(all) : [])),
  ]
  for (let i = 0; i < last; i++) {
    const before = letters.slice(0, i).join('')
    const from = letters.slice(i).join('')
    const after = letters.slice(i + 1).join('')
    found.add(before + after)
    if (i + 1 < letters.length)
      found.add(before + letters[i + 1] + letters[i] + letters.slice(i + 2).join(''))
    for (const letter of alphabet) found.add(before + letter + after).add(before + letter + from)
  }
  found.delete(beginning)
  const variants = [...found]
    .filter((one) => one === one.trimStart() && !one.includes('  ') && one !== '')
    // In order, so that neighbours read the same blocks.
    .sort()
    .map((one) => ({ beginning: one, pattern: null as string | null }))
  if (OTHER_LETTER.test(beginning))
    for (let i = 1; i < last; i++) {
      const before = letters.slice(0, i).join('')
      // A title key contains neither of the special characters of `like`.
      for (const rest of [letters.slice(i), letters.slice(i + 1)])
        variants.push({ beginning: before, pattern: `${before}_${rest.join('')}%` })
    }
  return variants
}

/**
 * How many code units at the beginning of a title key stand for what was typed, which has at most one typo.
 * @returns undefined if they differ by more
 */
const matchedLength = (titleKey: string, typed: string): number | undefined => {
  if (titleKey.startsWith(typed)) return typed.length
  let at = 0
  while (titleKey[at] === typed[at]) at++
  const isSwapped =
    titleKey[at] === typed[at + 1] &&
    titleKey[at + 1] === typed[at] &&
    titleKey.startsWith(typed.slice(at + 2), at + 2)
  if (isSwapped || titleKey.startsWith(typed.slice(at + 1), at + 1)) return typed.length
  if (titleKey.startsWith(typed.slice(at), at + 1)) return typed.length + 1
  return titleKey.startsWith(typed.slice(at + 1), at) ? typed.length - 1 : undefined
}

/**
 * The part of a title that was typed: at its beginning or at that of a later word, otherwise the same with a typo. Offsets
 * in UTF-16 code units. @param allowsTypo whether one typo is allowed @returns undefined if no word begins so
 */
const titleHighlight = (title: string, typed: string, allowsTypo = true): [number, number] | undefined => {
  const { starts, keysOf } = wordStarts(title)
  const plain = starts.find((start) => beginsWith(title, start, typed))
  if (plain === starts[0]) return [0, typed.length]
  const keys = keysOf()
  const exact = keys.findIndex((key) => key.startsWith(typed))
  const place =
    exact >= 0 || !allowsTypo ? exact : keys.findIndex((key) => matchedLength(key, typed) !== undefined)
  if (place < 0) return undefined
  const start = starts[place]!
  if (start === plain) return [start, start + typed.length]
  const highlight = highlightedBeginning(title.slice(start), matchedLength(keys[place]!, typed))
  return highlight && [start + highlight[0], start + highlight[1]]
}

/** Where the words of a title begin, and title keys of what follows. All words that were typed are looked for in one title. */
const wordStarts = memoizeLast((title: string) => {
  const starts = [0, ...[...title.matchAll(LATER_WORD)].map(({ index }) => index)]
  return { starts, keysOf: once(() => starts.map((start) => searchKey(title.slice(start)))) }
})

/** What was typed, or else its words, wherever they begin words of a title; undefined if one of them begins none. */
const wordHighlights = (title: string, typed: string): [number, number][] | undefined => {
  const whole = titleHighlight(title, typed, false)
  if (whole) return [whole]
  const highlights: [number, number][] = []
  for (const word of typed.split(' ')) {
    const highlight = titleHighlight(title, word, false) ?? titleHighlight(title, versionOf(word), false)
    if (!highlight) return undefined
    if (!highlights.some(([start, end]) => start < highlight[1] && end > highlight[0]))
      highlights.push(highlight)
  }
  return highlights.sort(([one], [other]) => one - other)
}

/** Without the letter before a version: `22` for `v22`. The index has no other words of it. */
const versionOf = (word: string): string => word.replace(/^v(?=[0-9])/, '')

/** Whether what was typed, in ASCII, stands in a title but for upper case: this takes a fraction of the time of title keys. */
const beginsWith = (title: string, start: number, typed: string): boolean =>
  title.slice(start, start + typed.length).toLowerCase() === typed &&
  ASCII.test(typed) &&
  !WITHIN_CHARACTER.test(title.slice(start + typed.length))

const LATER_WORD = /(?<=[^\p{L}\p{N}\p{M}+#])[\p{L}\p{N}+#]/gu

/** The shortest beginning of a title whose title key is long enough, without signs before it. */
const highlightedBeginning = (title: string, length: number | undefined): [number, number] | undefined => {
  if (length === undefined || length === 0) return undefined
  const start = title.slice(0, shortestBeginning(title, 1)).search(LAST_CHARACTER)
  return [start, shortestBeginning(title, length)]
}

/** Length of the shortest beginning of a title, with whole characters, whose title key has at least a length. */
const shortestBeginning = (title: string, keyLength: number): number => {
  let [low, high] = [1, title.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (searchKey(title.slice(0, middle).toWellFormed()).length >= keyLength) high = middle
    else low = middle + 1
  }
  while (low < title.length && WITHIN_CHARACTER.test(title.slice(low))) low++
  return low
}

/** The second half of a surrogate pair, or a combining mark. */
const WITHIN_CHARACTER = /^[\udc00-\udfff\p{M}]/u
const LAST_CHARACTER = /.\p{M}*$/su
