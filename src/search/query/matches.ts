import { foldWithOffsets, isAscii, withoutAccents } from '../folding.ts'
import { eachWord, eachWordBeginning, type TextWord } from '../words.ts'
import type { SearchQuery } from './parse.ts'

/** A term of a query as lexemes, to find it in the texts of passages. */
export interface Pattern {
  units: { position: number; lexemes: readonly string[]; isPrefix: boolean }[]
  /** The whole term with its signs, if the index stores it as one lexeme. */
  code: string | null
  /** Whether only the code matches, and not the word without its sign: `c++` does not match `c`. */
  isSigned: boolean
}

/** A match: offsets in the original text, in code units, and the index of the pattern. */
export interface MatchSpan {
  start: number
  end: number
  pattern: number
}

/** @param lexemes returns those of a folded word; none for a stop word */
export const patternsOf = (query: SearchQuery, lexemes: (word: string) => readonly string[]): Pattern[] =>
  query.groups
    .flat()
    .filter(({ isExcluded }) => !isExcluded)
    .map(({ units, code, isSigned }) => ({
      units: units
        .map(({ text, kind, position }) => ({
          position,
          lexemes: kind === 'word' ? lexemes(text) : [withoutAccents(text)],
          isPrefix: kind === 'pair' && Array.from(text).length === 1,
        }))
        .filter((unit) => unit.lexemes.length > 0),
      code: code === null ? null : withoutAccents(code),
      isSigned,
    }))

/** The words of a text that may match. */
export interface TokenizedText {
  words: TextWord[]
  /** Maps an offset in the folded text to an offset in the original text. */
  originalOffset: (offset: number) => number
}

/** The first two code units of a word: only words with the beginning of a lexeme are stemmed. */
const beginningOf = (word: string): string => word.slice(0, 2)

/**
 * @param text in NFC
 * @param everyWord whether to return all words, because stems can begin with other letters than their words
 * @param maxLength code units that are read, of the text and of its folded form
 */
export const tokenizeText = (
  text: string,
  patterns: readonly Pattern[],
  everyWord: boolean,
  maxLength: number,
): TokenizedText => {
  const { text: folded, originalOffset } = foldWithOffsets(text.slice(0, maxLength), maxLength)
  const words: TextWord[] = []
  const lexemes = patterns.flatMap(({ units, code }) => [
    ...units.flatMap((unit) => unit.lexemes),
    code ?? '',
  ])
  const beginnings = new Set(lexemes.filter((lexeme) => lexeme !== '').map(beginningOf))
  if (!everyWord && patterns.every(isPlain) && isAscii(folded)) {
    eachWordBeginning(folded, [...beginnings], (word, start, end) =>
      words.push({ text: word, position: words.length, start, end, kind: 'word' }),
    )
    return { words: words.sort((a, b) => a.start - b.start), originalOffset }
  }
  const hasPrefix = patterns.some(({ units }) => units.some(({ isPrefix }) => isPrefix))
  eachWord(folded, (word, position, start, end, kind) => {
    if (everyWord || (hasPrefix && kind === 'pair') || beginnings.has(beginningOf(withoutAccents(word))))
      words.push({ text: word, position, start, end, kind })
  })
  return { words, originalOffset }
}

/** Whether a term is one word, so that the words around it do not matter. */
const isPlain = ({ units, code }: Pattern): boolean => units.length <= 1 && code === null

/**
 * The matches of all patterns, in order; matches that touch or overlap are not merged. Words that must follow each
 * other are one match. If they never follow each other in the text, each word is a match. Each word is looked up
 * once, however many patterns there are.
 */
export const findMatches = (
  { words, originalOffset }: TokenizedText,
  patterns: readonly Pattern[],
  lexemes: (word: TextWord) => readonly string[],
): MatchSpan[] => {
  const matches = matchUnits(words, patterns, lexemes)
  const byPosition = new Map<number, number>()
  for (const [i, { position, kind }] of words.entries()) if (kind !== 'code') byPosition.set(position, i)
  const span = (first: TextWord, last: TextWord, pattern: number): MatchSpan => ({
    start: originalOffset(first.start),
    end: originalOffset(last.end - 1) + lastLength(originalOffset, last.end),
    pattern,
  })
  /** The match of a whole term that begins with word `i`; none if its other words do not follow. */
  const termAt = (i: number, { units }: Pattern, n: number): MatchSpan[] => {
    const word = words[i]!
    const [first] = units
    let last = word
    for (const unit of units) {
      const next = byPosition.get(word.position + unit.position - first!.position)
      if (next === undefined || !matches.ofWord[next]!.includes(unit)) return []
      if (words[next]!.end > last.end) last = words[next]!
    }
    if (!first!.isPrefix) return [span(word, last, n)]
    const end = originalOffset(word.start + first!.lexemes[0]!.length)
    return [{ start: originalOffset(word.start), end, pattern: n }]
  }
  return patterns
    .flatMap((pattern, n) => {
      const [first] = pattern.units
      const beginnings = pattern.isSigned || !first ? [] : matches.ofUnit.get(first)!
      const whole = [
        ...(matches.ofCode.get(pattern.code ?? '') ?? []).map((i) => span(words[i]!, words[i]!, n)),
        ...beginnings.flatMap((i) => termAt(i, pattern, n)),
      ]
      if (whole.length > 0) return whole
      const single = new Set(pattern.units.flatMap((unit) => matches.ofUnit.get(unit)!))
      return [...single].map((i) => span(words[i]!, words[i]!, n))
    })
    .sort((a, b) => a.start - b.start || b.end - a.end)
}

type PatternUnit = Pattern['units'][number]

/** The units that each word matches, and the indices of the words that match each unit and each code, in order. */
const matchUnits = (
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
  const ofUnit = new Map<PatternUnit, number[]>(units.map((unit) => [unit, []]))
  const ofCode = new Map<string, number[]>(patterns.map(({ code }) => [code ?? '', []]))
  const ofWord = words.map((word, i): readonly PatternUnit[] => {
    const found = word.kind === 'word' ? lexemes(word) : [withoutAccents(word.text)]
    if (word.kind === 'code') {
      ofCode.get(found[0]!)?.push(i)
      return NONE
    }
    const matching =
      found.length === 1 && prefixes.length === 0
        ? (byLexeme.get(found[0]!) ?? NONE)
        : [
            ...new Set([
              ...found.flatMap((lexeme) => byLexeme.get(lexeme) ?? []),
              ...prefixes.filter((unit) => found.some((lexeme) => lexeme.startsWith(unit.lexemes[0]!))),
            ]),
          ]
    for (const unit of matching) ofUnit.get(unit)!.push(i)
    return matching
  })
  return { ofWord, ofUnit, ofCode }
}

const NONE: readonly PatternUnit[] = []

/** Length of the text that was folded to the last code unit of a word. */
const lastLength = (originalOffset: (offset: number) => number, end: number): number => {
  const last = originalOffset(end - 1)
  const after = originalOffset(end)
  return after > last ? after - last : 1
}
