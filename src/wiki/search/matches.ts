import { foldWithPlaces, isAscii, withoutAccents } from './folding.ts'
import type { SearchQuery } from './query.ts'
import { eachWord, eachWordBeginning, type Word } from './words.ts'

/** A term of a query by its lexemes, to be found again in a text that is shown. */
export interface Pattern {
  units: { at: number; lexemes: readonly string[]; isPrefix: boolean }[]
  /** Found as a whole, too. */
  code: string | null
  signed: boolean
}

/** A match: code units of the text as it is shown, and which pattern it is of. */
export interface Span {
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
export interface ReadText {
  words: Word[]
  /** From a place in the folded text to one in the text. */
  places: (at: number) => number
}

/** Characters by which a word is known to be worth stemming: two code units, or all of a shorter one. */
const beginningOf = (word: string): string => word.slice(0, 2)

/**
 * @param text in NFC
 * @param everyWord where a word's stem may begin otherwise than the word
 * @param most code units of it, and of what it is folded to, that are read
 */
export const readText = (
  text: string,
  patterns: readonly Pattern[],
  everyWord: boolean,
  most: number,
): ReadText => {
  const { text: folded, places } = foldWithPlaces(text.slice(0, most), most)
  const words: Word[] = []
  const lexemes = patterns.flatMap(({ units, code }) => [
    ...units.flatMap((unit) => unit.lexemes),
    code ?? '',
  ])
  const beginnings = new Set(lexemes.filter((lexeme) => lexeme !== '').map(beginningOf))
  if (!everyWord && patterns.every(isPlain) && isAscii(folded)) {
    eachWordBeginning(folded, [...beginnings], (word, start, end) =>
      words.push({ text: word, at: words.length, start, end, kind: 'word' }),
    )
    return { words: words.sort((a, b) => a.start - b.start), places }
  }
  const single = patterns.some(({ units }) => units.some(({ isPrefix }) => isPrefix))
  eachWord(folded, (word, at, start, end, kind) => {
    if (everyWord || (single && kind === 'pair') || beginnings.has(beginningOf(withoutAccents(word))))
      words.push({ text: word, at, start, end, kind })
  })
  return { words, places }
}

/** Whether a term is one word, so that nothing need be known of what stands around it. */
const isPlain = ({ units, code }: Pattern): boolean => units.length <= 1 && code === null

/**
 * Where patterns match, in order; matches that touch or overlap stay apart. Words that must follow each other
 * are one match; where they never do, each word is one by itself.
 */
export const spansOf = (
  { words, places }: ReadText,
  patterns: readonly Pattern[],
  lexemes: (word: Word) => readonly string[],
): Span[] => {
  const made = words.map((word) => (word.kind === 'word' ? lexemes(word) : [withoutAccents(word.text)]))
  const matches = (i: number, unit: Pattern['units'][number]): boolean =>
    words[i]!.kind !== 'code' &&
    made[i]!.some((lexeme) =>
      unit.isPrefix ? lexeme.startsWith(unit.lexemes[0]!) : unit.lexemes.includes(lexeme),
    )
  const byPlace = new Map<number, number>()
  for (const [i, { at, kind }] of words.entries()) if (kind !== 'code') byPlace.set(at, i)
  const span = (first: Word, last: Word, pattern: number): Span => ({
    start: places(first.start),
    end: places(last.end - 1) + sizeAt(places, last.end),
    pattern,
  })
  return patterns
    .flatMap((pattern, n) => {
      const found: Span[] = []
      for (const [i, word] of words.entries()) {
        if (word.kind === 'code') {
          if (made[i]![0] === pattern.code) found.push(span(word, word, n))
          continue
        }
        const [first] = pattern.units
        if (pattern.signed || !first || !matches(i, first)) continue
        let last = word
        const all = pattern.units.every((unit) => {
          const at = byPlace.get(word.at + unit.at - first.at)
          if (at === undefined || !matches(at, unit)) return false
          if (words[at]!.end > last.end) last = words[at]!
          return true
        })
        if (!all) continue
        found.push(
          first.isPrefix
            ? { start: places(word.start), end: places(word.start + first.lexemes[0]!.length), pattern: n }
            : span(word, last, n),
        )
      }
      if (found.length > 0) return found
      return words.flatMap((word, i) =>
        pattern.units.some((unit) => matches(i, unit)) ? [span(word, word, n)] : [],
      )
    })
    .sort((a, b) => a.start - b.start || b.end - a.end)
}

/** From the last code unit of a word to the end of what it was folded from. */
const sizeAt = (places: (at: number) => number, end: number): number => {
  const last = places(end - 1)
  const after = places(end)
  return after > last ? after - last : 1
}
