import { QUERY_LIMITS } from '@lectern/wiki/limits'
import { afterSyllable } from '../characters.ts'
import { fold, searchKey, withoutAccents } from '../folding.ts'
import { isStemmedKind, SIGNS, type TextWord, takesPosition, type WordKind, wordsOf } from '../words.ts'

export interface QueryUnit {
  text: string
  kind: WordKind
  /** Position within the term, from 0. The words must have the same distances in a page. */
  position: number
  /** A single character or syllable of a script without spaces: pairs that begin with it match. */
  isPrefix: boolean
}

export type QueryTerm = ReturnType<typeof termOf>

export type SearchQuery = ReturnType<typeof parseSearchQuery>

const QUOTES = /[“”„«»＂]/g
const UNUSABLE = /[\p{Cc}\ufffd]/gu

type Chunk = ReturnType<typeof chunksOf>[number]

/** In Hebrew, a quotation mark within a word marks an abbreviation. */
const GERSHAYIM = /(?<=[\u05d0-\u05ea])["\u201c\u201d](?=[\u05d0-\u05ea])/g

const beginningOf = (text: string): string => text.slice(0, QUERY_LIMITS.characters).toWellFormed()

/**
 * Parses a query into terms: its first 512 characters and 64 words. The limits also hold for the folded query, because
 * folding can make eighteen letters of one. `"a phrase"`, `-without` and `or` are operators, all else is text: no query fails.
 */
export const parseSearchQuery = (typed: string) => {
  const typedBeginning = beginningOf(typed).normalize('NFC')
  const text = beginningOf(fold(readable(typedBeginning)))
  const chunks = chunksOf(text)
  const isShort = chunks.length <= OPERATOR_CHUNKS
  const groups: QueryTerm[][] = [[]]
  let remaining: number = QUERY_LIMITS.terms
  let hasOperators = false
  for (const [i, chunk] of chunks.entries()) {
    if (chunk.text === 'or' && !chunk.isQuoted && i > 0 && i < chunks.length - 1 && isShort) {
      hasOperators = true
      groups.push([])
      continue
    }
    hasOperators ||= chunk.isExcluded
    for (const term of termsOf(chunk)) {
      if (remaining <= 0) break
      const units = term.units.slice(0, remaining)
      remaining -= units.length
      groups.at(-1)!.push({ ...term, units })
    }
  }
  const isWithoutKey = hasOperators || groups.flat().every(hasLostSign)
  return {
    /** A page matches if it has all terms of any group. Every group has a term that is not excluded. */
    groups: groups.map(withoutDuplicates).filter((terms) => terms.some(({ isExcluded }) => !isExcluded)),
    /** The query as a title key; null if it contains operators. */
    key: isWithoutKey ? null : searchKey(text) || null,
    /** A query of one word, without accents: it can be the beginning of a longer one. Null for all others. */
    beginning: chunks.length === 1 && isBeginning(chunks[0]!) ? withoutAccents(chunks[0]!.text) : null,
  }
}

const isBeginning = ({ text, isQuoted, isExcluded }: Chunk): boolean =>
  !isQuoted && !isExcluded && /^[\p{L}\p{M}]{3,}$/u.test(text) && wordsOf(text)[0]?.kind === 'word'

const readable = (typed: string): string =>
  typed.replace(UNUSABLE, ' ').replace(GERSHAYIM, '\u05f4').replace(QUOTES, '"')

/** Whether a term has a sign that a title key lacks: the title "Help" is not what `--help` means. */
const hasLostSign = ({ isSigned, code }: QueryTerm): boolean => isSigned && searchKey(code!) !== code

/** The words of a query in all forms of which pages have stems. */
export const wordsToStem = ({ groups }: SearchQuery): Set<string> => {
  const units = groups.flat().flatMap((term) => [...unitsOf(term), ...term.units, term.joined])
  return new Set(units.flatMap((unit) => (unit === null || !isStemmedKind(unit.kind) ? [] : [unit.text])))
}

export const includedTerms = ({ groups }: SearchQuery): QueryTerm[] =>
  groups.flat().filter(({ isExcluded }) => !isExcluded)

/** Whether it is a phrase in quotation marks: pages without it do not match. */
export const isRequiredPhrase = ({ isQuoted, isExcluded }: QueryTerm): boolean => isQuoted && !isExcluded

/** In a longer query, `or` is a word of a sentence: words and phrases, `or` among them. */
const OPERATOR_CHUNKS = 6

/** With as many words outside its phrases, a query is a question rather than a search for its phrases. */
const QUESTION_WORDS = 3

/** Whether pages without the phrases of a query are not even listed among those with some of its words. (D112) */
export const requiresPhrases = (query: SearchQuery): boolean =>
  includedTerms(query)
    .filter(({ isQuoted }) => !isQuoted)
    .flatMap(unitsOf).length < QUESTION_WORDS

/** The words of a term without their signs: pages with some words of a query with `c++` include those with `c`. */
export const unitsOf = ({ units }: QueryTerm): QueryUnit[] =>
  units.map((unit) =>
    unit.kind === 'code' ? { ...unit, kind: 'word', text: unit.text.replace(SIGNS, '') } : unit,
  )

/** A duplicate term would cost time, and matches the same pages. */
const withoutDuplicates = (terms: QueryTerm[]): QueryTerm[] => {
  const unique = new Map<string, QueryTerm>()
  for (const term of terms) {
    const key = JSON.stringify(term)
    unique.set(key, { ...term, times: (unique.get(key)?.times ?? 0) + 1 })
  }
  return [...unique.values()]
}

const chunksOf = (text: string) =>
  Array.from(text.matchAll(/(-?)"([^"]*)(?:"|$)|([^\s"]+)/g), ([, dash, phrase, plain = '']) => {
    if (phrase !== undefined) return { text: phrase, isQuoted: true, isExcluded: dash === '-' }
    const isExcluded = /^-(?![a-z0-9]$)[^-]/.test(plain)
    return { text: isExcluded ? plain.slice(1) : plain, isQuoted: false, isExcluded }
  })

/** One term, or several if scripts with and without spaces meet: in a page they may be apart. */
const termsOf = (chunk: Chunk): QueryTerm[] => {
  const words = wordsOf(chunk.text)
    .sort((a, b) => a.position - b.position)
    .filter((word, i, all) => !isLastOfRun(word, all[i - 1]))
  const parts: TextWord[][] = []
  for (const word of words) {
    const last = parts.at(-1)
    const beginsTerm =
      !chunk.isQuoted && !chunk.isExcluded && last && (last[0]!.kind === 'pair') !== (word.kind === 'pair')
    if (!last || beginsTerm) parts.push([word])
    else last.push(word)
  }
  return parts.map((part) => termOf(part, chunk))
}

/** The last character of a run is a word only for queries of one character. In a longer run, it adds nothing. */
const isLastOfRun = (word: TextWord, before: TextWord | undefined): boolean =>
  word.kind === 'pair' && before?.kind === 'pair' && before.end === word.end

/** The text between spaces or between quotation marks. Its words must follow each other. */
const termOf = (words: TextWord[], { text, isExcluded, isQuoted }: Chunk) => {
  const plain = words.filter(({ kind }) => takesPosition(kind))
  const codes = words.filter(({ kind }) => kind === 'code')
  const [first, last] = [plain[0]!, plain.at(-1)!]
  const isWhole = ({ start, end }: TextWord) => start <= first.start && end >= last.end
  // `@scope/package` contains `@scope`, and is found after it.
  const whole = codes.findLast(isWhole)
  const joined = words.find((word) => word.kind === 'joined' && isWhole(word))
  const signs = new Map(codes.filter(isSignedWord(plain)).map((code) => [code.position, code]))
  const unitOf = ({ text, kind, position, start, end }: TextWord): QueryUnit => ({
    text,
    kind,
    position: position - first.position,
    isPrefix: kind === 'pair' && afterSyllable(text, 0, text.length) === end - start,
  })
  return {
    isExcluded,
    /** Whether it consists of several words in quotation marks: then a page must contain it. */
    isQuoted: isQuoted && plain.length > 1,
    times: 1,
    units: plain.map((word) => unitOf(signs.get(word.position) ?? word)),
    /** The whole term as typed, if the index stores it as one lexeme: `node.js`, `c++`. */
    code: whole?.text ?? null,
    /** The whole term without its hyphens: `wifi` for `wi-fi`. It matches, too. */
    joined: joined === undefined ? null : unitOf(joined),
    /** Whether it is one word of a dictionary, in a script without spaces. */
    isDictionaryWord:
      plain.length > 1 && first.kind === 'pair' && isOneWord(text.slice(first.start, last.end)),
    /** Whether only the code matches: `c++` does not match `c`, but `node.js` also matches `node js`. */
    isSigned: whole !== undefined && plain.length === 1,
  }
}

const dictionary = new Intl.Segmenter('und', { granularity: 'word' })
/** No dictionary has longer words. */
const DICTIONARY_WORD_MAX = 24

const isOneWord = (text: string): boolean =>
  text.length <= DICTIONARY_WORD_MAX && [...dictionary.segment(text)].length === 1

/** Whether a code consists of one word and a sign, rather than of several words. */
const isSignedWord =
  (plain: TextWord[]) =>
  ({ position, start, end }: TextWord): boolean => {
    const word = plain.find((one) => one.position === position)!
    return (
      (start < word.start || end > word.end) &&
      !plain.some((one) => one.position > position && one.end <= end)
    )
  }
