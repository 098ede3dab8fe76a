import { nfc } from '../../wiki/text.ts'
import { fold, withoutAccents } from '../folding.ts'
import { hasNoDigits, TYPO_MARK, typoCandidates, type Weight } from '../lexemes.ts'
import { eachWord } from '../words.ts'
import type { Section } from './sections.ts'

/** PostgreSQL keeps no more positions of a lexeme, and none beyond. */
const POSITIONS_MAX = 255
export const LAST_POSITION = 16_383
/** Words at the beginning of the text, which mostly say what it is about. */
const LEAD = 50

const WEIGHTS = ['', 'B', 'A'] as const
const TEXT = 0
const HEADING = 1
const TITLE = 2

/** What is known of a word of a page before it is stemmed. */
interface Occurrences {
  level: Weight
  count: number
  /** Times four, and the weight as WEIGHTS has it. Most words stand once in a page. */
  first: number
  more: number[] | null
  stemmed: boolean
}

/** The words of a page, each once, and where its sections begin. */
interface IndexedWords {
  words: Map<string, Occurrences>
  /** Of each section the position of its first word, the heading's; one more for the end. */
  starts: number[]
  /** Words of the title without accents, for slips. */
  titleWords: string[]
}

interface PageText {
  title: string
  path: string
  /** Plain text in NFC. */
  sections: readonly Section[]
}

/** Reads a page once. Titles, paths, headings and bodies stand apart by a place, so that no phrase spans them. */
export const indexWords = ({ title, path, sections }: PageText): IndexedWords => {
  const words = new Map<string, Occurrences>()
  const titleWords: string[] = []
  let next = 1
  let total = 0
  const read = (text: string, weight: number, least: (at: number) => Weight) => {
    const first = next
    next +=
      1 +
      eachWord(fold(text), (word, at, _start, _end, kind) => {
        const position = first + at
        const place = Math.min(position, LAST_POSITION) * 4 + weight
        const found = words.get(word)
        if (weight === TITLE && kind === 'word') titleWords.push(withoutAccents(word))
        if (!found) {
          const stemmed = kind === 'word' && hasNoDigits(word)
          words.set(word, { level: least(at), count: 1, first: place, more: null, stemmed })
          return
        }
        found.count += 1
        if (found.level > 'C') found.level = 'C'
        const level = least(at)
        if (level < found.level) found.level = level
        if (position >= LAST_POSITION || found.count > POSITIONS_MAX) return
        if (found.more) found.more.push(place)
        else found.more = [place]
      })
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
  for (const found of words.values())
    if (found.level > 'B' && found.count >= 3 && found.count * 40 >= total) found.level = 'B'
  return { words, starts, titleWords }
}

/** As a tsvector has them: `1A,7B,9`. */
const positionsOf = ({ first, more }: Occurrences): string => {
  let text = `${first >> 2}${WEIGHTS[first & 3]}`
  if (more) for (const place of more) text += `,${place >> 2}${WEIGHTS[place & 3]}`
  return text
}

const lastSegment = (path: string): string => path.slice(path.lastIndexOf('/') + 1) || path

/**
 * The page's words as a tsvector is written.
 * @param tag how its language is stemmed
 * @param lexemes of a word; none of a stop word, which is found in titles only, as it stands
 */
export const toTsvector = (
  { words, titleWords }: IndexedWords,
  tag: string,
  lexemes: (word: string) => readonly string[],
): string => {
  const parts: string[] = []
  const seen = new Map<string, number>()
  const add = (lexeme: string, found: Occurrences) => {
    const { level } = found
    const positions = positionsOf(found)
    const before = seen.get(lexeme)
    if (before === undefined) {
      seen.set(lexeme, parts.length)
      parts.push(`${level}${tag}${lexeme}:${positions}`)
      return
    }
    // Several words of one stem: the highest level, all positions (PostgreSQL sorts them).
    const other = parts[before]!
    parts[before] = `${other[0]! < level ? other[0] : level}${other.slice(1)},${positions}`
  }
  for (const [word, found] of words) {
    if (!found.stemmed) {
      add(withoutAccents(word), found)
      continue
    }
    const made = lexemes(word)
    if (made.length > 0) for (const lexeme of made) add(lexeme, found)
    else if (found.level === 'A') add(withoutAccents(word), found)
  }
  for (const slip of new Set(titleWords.flatMap(typoCandidates))) parts.push(`${TYPO_MARK}${tag}${slip}`)
  return parts.join(' ')
}
