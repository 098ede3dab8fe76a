import { withoutAccents } from '../folding.ts'
import { accentlessLexemes, WEIGHTS, type Weight } from '../lexemes.ts'
import { type SearchQuery, unitsOf } from './parse.ts'
import { type LexemesOfWord, PROMINENT, TsqueryBuilder } from './tsquery-builder.ts'

/** A word of a query in one configuration, or a code such as `node.js`. */
export interface QueryWord {
  /** Without the letters of weight and configuration. */
  lexemes: readonly string[]
  /** Matches pages that contain it. */
  anywhere: string
  /** Matches pages that contain it in the title, a heading or the path, or often. */
  prominent: string
  /** The part of its weight that counts. */
  share: number
  /** Whether it is the form without accents of another word: pages with that one are enough. */
  isAlternative: boolean
  /** Its place among the words of the query, with stop words; null for a code, which its words represent. */
  place: number | null
  isPair: boolean
  /** How often the query contains it. */
  times: number
}

/** The words and codes of a query that are not excluded, each once. Stop words have no entry. */
export const queryWords = (query: SearchQuery, tag: string, lexemes: LexemesOfWord): QueryWord[] => {
  const builder = new TsqueryBuilder(tag, lexemes)
  const words = new Map<string, QueryWord>()
  const add = (word: Omit<QueryWord, 'anywhere' | 'prominent'>, operand: TsqueryOperand) => {
    const anywhere = operand(WEIGHTS)
    if (anywhere === null) return
    const known = words.get(anywhere)
    if (known) known.times += word.times
    else words.set(anywhere, { ...word, anywhere, prominent: operand(PROMINENT)! })
  }
  let place = 0
  for (const term of query.groups.flat().filter(({ isExcluded }) => !isExcluded)) {
    const { code, joined, times } = term
    const ofWhole = joined === null ? [] : builder.lexemesOf(joined)
    if (code !== null || joined !== null)
      add(
        {
          lexemes: code === null ? ofWhole : [withoutAccents(code), ...ofWhole],
          ...{ share: 1, isAlternative: false, place: null, isPair: false, times },
        },
        (weights) => builder.whole(term, weights),
      )
    const share = term.isDictionaryWord ? term.units.length ** -DICTIONARY_WORD : 1
    for (const unit of unitsOf(term)) {
      const all = builder.lexemesOf(unit)
      const accentless = accentlessLexemes(all)
      const written = all.filter((lexeme) => !accentless.includes(lexeme))
      const word = { place: place++, isPair: unit.kind === 'pair', times }
      const isAlternative = written.length > 0
      if (isAlternative)
        add({ ...word, lexemes: written, share, isAlternative: false }, (weights) =>
          builder.lexemes(written, unit, weights),
        )
      add(
        { ...word, lexemes: accentless, share: isAlternative ? ACCENTLESS_SHARE : share, isAlternative },
        (weights) => builder.lexemes(accentless, unit, weights),
      )
    }
  }
  return [...words.values()]
}

/** If a language has no stems, a word without its accents says less than as it is typed. (D119) */
const ACCENTLESS_SHARE = 0.1
/** A word of n pairs of characters counts as n ^ 0.25 pairs, beside other words of the query. (D119) */
const DICTIONARY_WORD = 0.75

type TsqueryOperand = (weights: readonly Weight[]) => string | null
