import { QUERY_LIMITS } from '../../limits.ts'
import { fold, searchKey } from '../folding.ts'
import { type TextWord, type WordKind, wordsOf } from '../words.ts'

/** A word of a term. */
export interface QueryUnit {
  text: string
  kind: WordKind
  /** Position within the term, from 0. The words must have the same distances in a page. */
  position: number
}

/** The text between spaces or between quotation marks. Its words must follow each other. */
export interface QueryTerm {
  isExcluded: boolean
  units: QueryUnit[]
  /** The whole term as typed, if the index stores it as one lexeme: `node.js`, `c++`. */
  code: string | null
  /** Whether only the code matches: `c++` does not match `c`, but `node.js` also matches `node js`. */
  isSigned: boolean
}

export interface SearchQuery {
  /** A page matches if it has all terms of any group. Every group has a term that is not excluded. */
  groups: QueryTerm[][]
  /** The query as a title key; null if it contains operators. */
  key: string | null
}

const QUOTES = /[“”„«»＂]/g
const UNUSABLE = /[\p{Cc}\ufffd]/gu

interface Chunk {
  text: string
  isQuoted: boolean
  isExcluded: boolean
}

/** The part of a text that is read. */
const beginningOf = (text: string): string => text.slice(0, QUERY_LIMITS.characters).toWellFormed()

/**
 * Parses a query into terms: its first 256 characters and 24 words. The limits also hold for the folded query,
 * because folding can make eighteen letters of one. `"a phrase"`, `-without` and `or` are operators, everything else
 * is text. No query is an error.
 */
export const parseSearchQuery = (typed: string): SearchQuery => {
  const typedBeginning = beginningOf(typed).normalize('NFC')
  const text = beginningOf(fold(typedBeginning.replace(UNUSABLE, ' ').replace(QUOTES, '"')))
  const chunks = chunksOf(text)
  const groups: QueryTerm[][] = [[]]
  let remaining: number = QUERY_LIMITS.terms
  let hasOperators = false
  for (const [i, chunk] of chunks.entries()) {
    if (chunk.text === 'or' && !chunk.isQuoted && i > 0 && i < chunks.length - 1) {
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
  return {
    groups: groups.map(withoutDuplicates).filter((terms) => terms.some(({ isExcluded }) => !isExcluded)),
    key: hasOperators ? null : searchKey(text) || null,
  }
}

/** A duplicate term would cost time and change nothing. */
const withoutDuplicates = (terms: QueryTerm[]): QueryTerm[] => [
  ...new Map(terms.map((term) => [JSON.stringify(term), term])).values(),
]

/** All runs of words of a key, which may be titles. Only the first 24 words of a long key count. */
export const keysWithin = (key: string): string[] => {
  const words = key.split(' ', QUERY_LIMITS.terms)
  return words.flatMap((_, from) =>
    words.slice(from).map((_, i) => words.slice(from, from + i + 1).join(' ')),
  )
}

const chunksOf = (text: string): Chunk[] => {
  const chunks: Chunk[] = []
  for (const { groups } of text.matchAll(/(?<dash>-?)"(?<phrase>[^"]*)(?:"|$)|(?<plain>[^\s"]+)/g)) {
    const { dash, phrase, plain } = groups as Record<'dash' | 'phrase' | 'plain', string | undefined>
    if (phrase !== undefined) chunks.push({ text: phrase, isQuoted: true, isExcluded: dash === '-' })
    else {
      const isExcluded = /^-[^-]/.test(plain!)
      chunks.push({ text: isExcluded ? plain!.slice(1) : plain!, isQuoted: false, isExcluded })
    }
  }
  return chunks
}

/** One term, or several if scripts with and without spaces meet: in a page they may be apart. */
const termsOf = ({ text, isQuoted, isExcluded }: Chunk): QueryTerm[] => {
  const words = wordsOf(text)
    .sort((a, b) => a.position - b.position)
    .filter((word, i, all) => !isLastOfRun(word, all[i - 1]))
  const parts: TextWord[][] = []
  for (const word of words) {
    const last = parts.at(-1)
    const beginsTerm =
      !isQuoted && !isExcluded && last && (last[0]!.kind === 'pair') !== (word.kind === 'pair')
    if (!last || beginsTerm) parts.push([word])
    else last.push(word)
  }
  return parts.map((part) => termOf(part, isExcluded))
}

/** The last character of a run is a word only for queries of one character. In a longer run, it adds nothing. */
const isLastOfRun = (word: TextWord, before: TextWord | undefined): boolean =>
  word.kind === 'pair' && before?.kind === 'pair' && before.end === word.end

const termOf = (words: TextWord[], isExcluded: boolean): QueryTerm => {
  const plain = words.filter(({ kind }) => kind !== 'code')
  const codes = words.filter(({ kind }) => kind === 'code')
  const first = plain[0]!
  const last = plain.at(-1)!
  const whole = codes.find(({ start, end }) => start <= first.start && end >= last.end)
  const signs = new Map(codes.filter(isSignedWord(plain)).map((code) => [code.position, code]))
  return {
    isExcluded,
    units: plain.map((word) => {
      const { text, kind, position } = signs.get(word.position) ?? word
      return { text, kind, position: position - first.position }
    }),
    code: whole?.text ?? null,
    isSigned: whole !== undefined && plain.length === 1,
  }
}

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
