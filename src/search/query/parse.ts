import { QUERY_LIMITS } from '../../limits.ts'
import { fold, searchKey } from '../folding.ts'
import { type TextWord, type WordKind, wordsOf } from '../words.ts'

/** A word of a term. Words of one place follow each other as their places say. */
export interface QueryUnit {
  text: string
  kind: WordKind
  /** Place within the term, from 0. */
  at: number
}

/** What stood between spaces or between quotation marks: its words must follow each other. */
export interface QueryTerm {
  excluded: boolean
  units: QueryUnit[]
  /** The whole as it is written, where the index holds it as one: `node.js`, `c++`. */
  code: string | null
  /** Whether a code has nothing but itself to be found by: `c++` is not `c`, though `node.js` is `node js`. */
  signed: boolean
}

export interface SearchQuery {
  /** Any of the groups; all terms of a group. Every group has a term that is not excluded. */
  groups: QueryTerm[][]
  /** What was typed as a title would be compared; null where it holds operators. */
  key: string | null
}

const QUOTES = /[“”„«»＂]/g
const UNFIT = /[\p{Cc}\ufffd]/gu

interface Chunk {
  text: string
  quoted: boolean
  excluded: boolean
}

/** As much of a text as is looked at. */
const beginningOf = (text: string): string => text.slice(0, QUERY_LIMITS.characters).toWellFormed()

/**
 * What was typed, as terms: the first 256 characters and 24 words of it, and of what it is folded to, since one
 * letter can be folded to eighteen. `"a phrase"`, `-without` and `or` are understood, everything else is text;
 * nothing typed is an error.
 */
export const parseSearchQuery = (typed: string): SearchQuery => {
  const cut = beginningOf(typed).normalize('NFC')
  const text = beginningOf(fold(cut.replace(UNFIT, ' ').replace(QUOTES, '"')))
  const chunks = chunksOf(text)
  const groups: QueryTerm[][] = [[]]
  let room: number = QUERY_LIMITS.terms
  let operators = false
  for (const [i, chunk] of chunks.entries()) {
    if (chunk.text === 'or' && !chunk.quoted && i > 0 && i < chunks.length - 1) {
      operators = true
      groups.push([])
      continue
    }
    operators ||= chunk.excluded
    for (const term of termsOf(chunk)) {
      if (room <= 0) break
      const units = term.units.slice(0, room)
      room -= units.length
      groups.at(-1)!.push({ ...term, units })
    }
  }
  return {
    groups: groups.map(withoutRepeated).filter((terms) => terms.some(({ excluded }) => !excluded)),
    key: operators ? null : searchKey(text) || null,
  }
}

/** What is typed twice asks nothing new, and costs as much again. */
const withoutRepeated = (terms: QueryTerm[]): QueryTerm[] => [
  ...new Map(terms.map((term) => [JSON.stringify(term), term])).values(),
]

/** Every run of words of a key: titles that may stand in it. Of a long key those of its first 24 words. */
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
    if (phrase !== undefined) chunks.push({ text: phrase, quoted: true, excluded: dash === '-' })
    else {
      const excluded = /^-[^-]/.test(plain!)
      chunks.push({ text: excluded ? plain!.slice(1) : plain!, quoted: false, excluded })
    }
  }
  return chunks
}

/** One term, or several where scripts with and without spaces meet, as they may stand apart in a text. */
const termsOf = ({ text, quoted, excluded }: Chunk): QueryTerm[] => {
  const words = wordsOf(text)
    .sort((a, b) => a.at - b.at)
    .filter((word, i, all) => !isLastOfRun(word, all[i - 1]))
  const parts: TextWord[][] = []
  for (const word of words) {
    const last = parts.at(-1)
    const apart = !quoted && !excluded && last && (last[0]!.kind === 'pair') !== (word.kind === 'pair')
    if (!last || apart) parts.push([word])
    else last.push(word)
  }
  return parts.map((part) => termOf(part, excluded))
}

/** A run's last character stands in texts for those who ask for it alone; in a longer run it adds nothing. */
const isLastOfRun = (word: TextWord, before: TextWord | undefined): boolean =>
  word.kind === 'pair' && before?.kind === 'pair' && before.end === word.end

const termOf = (words: TextWord[], excluded: boolean): QueryTerm => {
  const plain = words.filter(({ kind }) => kind !== 'code')
  const codes = words.filter(({ kind }) => kind === 'code')
  const first = plain[0]!
  const last = plain.at(-1)!
  const whole = codes.find(({ start, end }) => start <= first.start && end >= last.end)
  const signs = new Map(codes.filter(isSigned(plain)).map((code) => [code.at, code]))
  return {
    excluded,
    units: plain.map((word) => {
      const { text, kind, at } = signs.get(word.at) ?? word
      return { text, kind, at: at - first.at }
    }),
    code: whole?.text ?? null,
    signed: whole !== undefined && plain.length === 1,
  }
}

/** A code of one word and a sign, rather than of several words. */
const isSigned =
  (plain: TextWord[]) =>
  ({ at, start, end }: TextWord): boolean => {
    const word = plain.find((one) => one.at === at)!
    return (start < word.start || end > word.end) && !plain.some((one) => one.at > at && one.end <= end)
  }
