import { foldWithOffsets, isAscii, withoutAccents } from '../folding.ts'
import { eachWord, eachWordBeginning, type TextWord } from '../words.ts'
import type { SearchQuery } from './parse.ts'

/** A term of a query by its lexemes, to be found again in a text that is shown. */
export interface Pattern {
  units: { at: number; lexemes: readonly string[]; isPrefix: boolean }[]
  /** Found as a whole, too. */
  code: string | null
  signed: boolean
}

/** A match: code units of the text as it is shown, and which pattern it is of. */
export interface MatchSpan {
  start: number
  end: number
  pattern: number
}

/** @param lexemes of a folded word; none of a stop word */
export const patternsOf = (query: SearchQuery, lexemes: (word: string) => readonly string[]): Pattern[] =>
  query.groups
    .flat()
    .filter(({ excluded }) => !excluded)
    .map(({ units, code, signed }) => ({
      units: units
        .map(({ text, kind, at }) => ({
          at,
          lexemes: kind === 'word' ? lexemes(text) : [withoutAccents(text)],
          isPrefix: kind === 'pair' && Array.from(text).length === 1,
        }))
        .filter((unit) => unit.lexemes.length > 0),
      code: code === null ? null : withoutAccents(code),
      signed,
    }))

/** A text whose words can be asked for: those that begin as what is looked for does. */
export interface TokenizedText {
  words: TextWord[]
  /** From a place in the folded text to one in the text. */
  offsets: (at: number) => number
}

/** Characters by which a word is known to be worth stemming: two code units, or all of a shorter one. */
const beginningOf = (word: string): string => word.slice(0, 2)

/**
 * @param text in NFC
 * @param everyWord where a word's stem may begin otherwise than the word
 * @param most code units of it, and of what it is folded to, that are read
 */
export const tokenizeText = (
  text: string,
  patterns: readonly Pattern[],
  everyWord: boolean,
  most: number,
): TokenizedText => {
  const { text: folded, offsets } = foldWithOffsets(text.slice(0, most), most)
  const words: TextWord[] = []
  const lexemes = patterns.flatMap(({ units, code }) => [
    ...units.flatMap((unit) => unit.lexemes),
    code ?? '',
  ])
  const beginnings = new Set(lexemes.filter((lexeme) => lexeme !== '').map(beginningOf))
  if (!everyWord && patterns.every(isPlain) && isAscii(folded)) {
    eachWordBeginning(folded, [...beginnings], (word, start, end) =>
      words.push({ text: word, at: words.length, start, end, kind: 'word' }),
    )
    return { words: words.sort((a, b) => a.start - b.start), offsets }
  }
  const single = patterns.some(({ units }) => units.some(({ isPrefix }) => isPrefix))
  eachWord(folded, (word, at, start, end, kind) => {
    if (everyWord || (single && kind === 'pair') || beginnings.has(beginningOf(withoutAccents(word))))
      words.push({ text: word, at, start, end, kind })
  })
  return { words, offsets }
}

/** Whether a term is one word, so that nothing need be known of what stands around it. */
const isPlain = ({ units, code }: Pattern): boolean => units.length <= 1 && code === null

/**
 * Where patterns match, in order; matches that touch or overlap stay apart. Words that must follow each other
 * are one match; where they never do, each word is one by itself. A word is looked up once, however many patterns
 * there are.
 */
export const findMatches = (
  { words, offsets }: TokenizedText,
  patterns: readonly Pattern[],
  lexemes: (word: TextWord) => readonly string[],
): MatchSpan[] => {
  const found = findUnits(words, patterns, lexemes)
  const byPlace = new Map<number, number>()
  for (const [i, { at, kind }] of words.entries()) if (kind !== 'code') byPlace.set(at, i)
  const span = (first: TextWord, last: TextWord, pattern: number): MatchSpan => ({
    start: offsets(first.start),
    end: offsets(last.end - 1) + sizeAt(offsets, last.end),
    pattern,
  })
  /** A whole term that begins with a word; none where its other words do not follow. */
  const termAt = (i: number, { units }: Pattern, n: number): MatchSpan[] => {
    const word = words[i]!
    const [first] = units
    let last = word
    for (const unit of units) {
      const at = byPlace.get(word.at + unit.at - first!.at)
      if (at === undefined || !found.ofWord[at]!.includes(unit)) return []
      if (words[at]!.end > last.end) last = words[at]!
    }
    if (!first!.isPrefix) return [span(word, last, n)]
    const end = offsets(word.start + first!.lexemes[0]!.length)
    return [{ start: offsets(word.start), end, pattern: n }]
  }
  return patterns
    .flatMap((pattern, n) => {
      const [first] = pattern.units
      const terms = pattern.signed || !first ? [] : found.places.get(first)!
      const whole = [
        ...(found.codes.get(pattern.code ?? '') ?? []).map((i) => span(words[i]!, words[i]!, n)),
        ...terms.flatMap((i) => termAt(i, pattern, n)),
      ]
      if (whole.length > 0) return whole
      const single = new Set(pattern.units.flatMap((unit) => found.places.get(unit)!))
      return [...single].map((i) => span(words[i]!, words[i]!, n))
    })
    .sort((a, b) => a.start - b.start || b.end - a.end)
}

type PatternUnit = Pattern['units'][number]

/** Which units each word is, where each unit stands, and where each code does: words by their numbers, in order. */
const findUnits = (
  words: readonly TextWord[],
  patterns: readonly Pattern[],
  lexemes: (word: TextWord) => readonly string[],
) => {
  const units = patterns.flatMap((pattern) => pattern.units)
  const prefixes = units.filter(({ isPrefix }) => isPrefix)
  const byLexeme = new Map<string, PatternUnit[]>()
  for (const unit of units)
    for (const lexeme of unit.isPrefix ? [] : unit.lexemes) {
      const same = byLexeme.get(lexeme)
      if (same) same.push(unit)
      else byLexeme.set(lexeme, [unit])
    }
  const places = new Map<PatternUnit, number[]>(units.map((unit) => [unit, []]))
  const codes = new Map<string, number[]>(patterns.map(({ code }) => [code ?? '', []]))
  const ofWord = words.map((word, i): readonly PatternUnit[] => {
    const made = word.kind === 'word' ? lexemes(word) : [withoutAccents(word.text)]
    if (word.kind === 'code') {
      codes.get(made[0]!)?.push(i)
      return NONE
    }
    const found =
      made.length === 1 && prefixes.length === 0
        ? (byLexeme.get(made[0]!) ?? NONE)
        : [
            ...new Set([
              ...made.flatMap((lexeme) => byLexeme.get(lexeme) ?? []),
              ...prefixes.filter((unit) => made.some((lexeme) => lexeme.startsWith(unit.lexemes[0]!))),
            ]),
          ]
    for (const unit of found) places.get(unit)!.push(i)
    return found
  })
  return { ofWord, places, codes }
}

const NONE: readonly PatternUnit[] = []

/** From the last code unit of a word to the end of what it was folded from. */
const sizeAt = (places: (at: number) => number, end: number): number => {
  const last = places(end - 1)
  const after = places(end)
  return after > last ? after - last : 1
}
