import { nfc } from '../../wiki/text.ts'
import { camelWordsOf } from '../camel-case.ts'
import { fold, withoutAccents } from '../folding.ts'
import { hasNoDigits, type Weight } from '../lexemes.ts'
import { eachWord, isStemmedKind } from '../words.ts'
import type { Section } from './sections.ts'

/** PostgreSQL stores about this many positions of a lexeme, and no position above LAST_POSITION. */
const POSITIONS_MAX = 255
export const LAST_POSITION = 16_383
/** How many words of the text count as its beginning, which mostly says what the page is about. */
const LEAD = 50

/** Weights of positions, from the lowest. `tsvector.ts` names them as PostgreSQL does. */
const TEXT = 0
const HEADING = 1
const TITLE = 2

/** A word of a page before stemming. */
export interface Occurrences {
  level: Weight
  count: number
  /** Its first position times four, plus its weight. Most words occur once in a page. */
  first: number
  /** Further positions, in the same way. */
  more: number[] | null
  isStemmed: boolean
}

/** Whether PostgreSQL stores the positions of all occurrences. */
export const hasEveryPosition = ({ count, first, more }: Occurrences): boolean =>
  count === 1 + (more?.length ?? 0) && first >> 2 < LAST_POSITION

/** The words of a page, each once, and the positions of its sections. */
export interface IndexedWords {
  words: Map<string, Occurrences>
  /** For each section, the position of its first word, which is the first of its heading. Then the position of the end. */
  starts: number[]
  /** Words of the title without accents, for typos. */
  titleWords: string[]
}

interface PageText {
  title: string
  path: string
  /** Plain text in NFC. */
  sections: readonly Section[]
}

/**
 * Collects the words of a page. One position is free between title, path, headings and texts, so that no phrase spans
 * them.
 */
export const indexWords = ({ title, path, sections }: PageText): IndexedWords => {
  const words = new Map<string, Occurrences>()
  const titleWords: string[] = []
  let next = 1
  let total = 0
  const read = (text: string, weight: number, levelAt: (at: number) => Weight) => {
    const first = next
    next +=
      1 +
      eachWord(
        fold(text),
        (word, at, _start, _end, kind) => {
          const position = first + at
          const isPart = kind === 'part'
          const weighted = Math.min(position, LAST_POSITION) * 4 + (isPart ? TEXT : weight)
          const occurrences = words.get(word)
          if (weight === TITLE && kind === 'word') titleWords.push(withoutAccents(word))
          // No page is about a part of one of its words.
          const level = isPart ? 'D' : levelAt(at)
          if (!occurrences) {
            const isStemmed = isStemmedKind(kind) && hasNoDigits(word)
            words.set(word, { level, count: 1, first: weighted, more: null, isStemmed })
            return
          }
          occurrences.count += 1
          if (!isPart && occurrences.level > 'C') occurrences.level = 'C'
          if (level < occurrences.level) occurrences.level = level
          if (position >= LAST_POSITION || occurrences.count > POSITIONS_MAX) return
          if (occurrences.more) occurrences.more.push(weighted)
          else occurrences.more = [weighted]
        },
        camelWordsOf(text),
      )
    total += next - first
  }
  read(nfc(title), TITLE, () => 'A')
  read(nfc(lastSegment(path)), HEADING, () => 'B')
  read(nfc(path.slice(0, -lastSegment(path).length)), TEXT, () => 'C')
  const lead = next + LEAD
  const starts: number[] = []
  for (const { heading, text } of sections) {
    starts.push(next)
    if (heading !== '') read(heading, HEADING, () => 'B')
    const begin = next
    read(text, TEXT, begin < lead ? (at) => (begin + at < lead ? 'C' : 'D') : () => 'D')
  }
  starts.push(next)
  // At least a fortieth of all words: the page is about this word.
  for (const occurrences of words.values())
    if (occurrences.level > 'B' && occurrences.count >= 3 && occurrences.count * 40 >= total)
      occurrences.level = 'B'
  return { words, starts, titleWords }
}

const lastSegment = (path: string): string => path.slice(path.lastIndexOf('/') + 1) || path
