import { withoutAccents } from '../folding.ts'
import {
  accentlessLexemes,
  FREQUENT_PREFIX,
  STOP_WORD_MARK,
  TYPO_MARK,
  typoCandidates,
  WEIGHTS,
  type Weight,
  writtenForm,
} from '../lexemes.ts'
import { isStemmedKind } from '../words.ts'
import {
  isRequiredPhrase,
  type QueryTerm,
  type QueryUnit,
  requiresPhrases,
  type SearchQuery,
  unitsOf,
} from './parse.ts'

export type Tsqueries = ReturnType<typeof buildTsqueries>

/** A configuration in which a query is searched. */
export interface SearchedConfiguration {
  config: string
  /** Its letter in lexemes. */
  tag: string
  /** Returns the lexemes of a folded word; none for a stop word. */
  lexemes: (word: string) => readonly string[]
}

/** Lexemes as the index stores them, with each letter of a weight. */
export const storedLexemes = (lexemes: readonly string[], tag: string): string[] =>
  [...new Set(lexemes)].flatMap((lexeme) => WEIGHTS.map((weight) => weight + tag + lexeme))

const TITLE: readonly Weight[] = ['A']
export const PROMINENT: readonly Weight[] = ['A', 'B']
const REPEATED: readonly Weight[] = ['A', 'B', 'C']

const quote = (lexeme: string): string => `'${lexeme.replace(/['\\]/g, '$&$&')}'`

const join = (operator: string, parts: (string | null)[]): string | null => {
  const operands = parts.filter((part) => part !== null)
  if (operands.length === 0) return null
  return operands.length === 1 ? operands[0]! : `(${operands.join(` ${operator} `)})`
}
const not = (part: string | null) => (part === null ? null : `!${part}`)
const and = (parts: (string | null)[]) => join('&', parts)
const or = (parts: (string | null)[]) => join('|', parts)

/** Matches pages with one of some lexemes; null if there is none. @param suffix `:*` for all lexemes that begin so */
export const anyOf = (
  lexemes: readonly string[],
  tag: string,
  marks: readonly string[] = WEIGHTS,
  suffix = '',
): string | null => {
  const quoted = lexemes.map((lexeme) => quote(tag + lexeme).slice(1) + suffix)
  return or(quoted.flatMap((one) => marks.map((mark) => `'${mark}${one}`)))
}

/** Lexemes of a unit, without weight and configuration; none for a stop word. @param lexemes returns those of a folded word */
export const unitLexemes = ({ text, kind }: QueryUnit, lexemes: (word: string) => readonly string[]) =>
  isStemmedKind(kind) ? lexemes(text) : [withoutAccents(text)]

export class TsqueryBuilder {
  readonly tag: string
  readonly #lexemes: SearchedConfiguration['lexemes']
  readonly #isForRank: boolean

  /** @param isForRank whether written forms match, too: then pages that have them rank higher */
  constructor({ tag, lexemes }: Omit<SearchedConfiguration, 'config'>, isForRank = false) {
    this.tag = tag
    this.#lexemes = lexemes
    this.#isForRank = isForRank
  }

  lexemesOf(unit: QueryUnit): readonly string[] {
    return unitLexemes(unit, this.#lexemes)
  }

  unit(unit: QueryUnit, levels: readonly Weight[]): string | null {
    const lexemes = this.lexemesOf(unit)
    return this.lexemes(this.#isForRank ? lexemes : accentlessLexemes(lexemes), unit, levels)
  }

  lexemes(lexemes: readonly string[], { isPrefix }: QueryUnit, levels: readonly Weight[]): string | null {
    return anyOf(lexemes, this.tag, levels, isPrefix ? ':*' : '')
  }

  /** The lexemes of a whole term, such as `node.js` or `c++`; for `wi-fi` those of `wifi`. */
  whole({ code, joined }: QueryTerm, levels: readonly Weight[]): string | null {
    return or([
      code === null ? null : or(levels.map((level) => quote(level + this.tag + withoutAccents(code)))),
      joined === null ? null : this.unit(joined, levels),
    ])
  }

  /** All words of a term, anywhere. For `node.js` only the whole, unless all weights match. */
  term(term: QueryTerm, levels: readonly Weight[]): string | null {
    const whole = this.whole(term, levels)
    if (term.code !== null && (term.isSigned || levels !== WEIGHTS)) return whole
    const words = and(term.units.map((unit) => this.unit(unit, levels)))
    const isStopWords = words === null && term.isQuoted && levels === WEIGHTS
    return or([whole, isStopWords ? and(term.units.map((unit) => this.stopWord(unit))) : words])
  }

  /**
   * The words of a term in their order, stop words included. Where a stop word occurs too often for its positions to be
   * stored, stop words can be anywhere.
   */
  ordered(term: QueryTerm): string | null {
    const whole = this.whole(term, WEIGHTS)
    if (term.code !== null && term.isSigned) return whole
    const operands = term.units.map((unit) => ({ unit, words: this.unit(unit, WEIGHTS) }))
    const stopWords = operands.filter(({ words }) => words === null).map(({ unit }) => unit)
    const words = sequence(operands.map(({ unit, words }) => [unit, words]))
    if (stopWords.length === 0 || operands.length === 1) return or([whole, words])
    const every = sequence(operands.map(({ unit, words }) => [unit, words ?? this.stopWord(unit)]))
    const frequent = or(stopWords.map((unit) => this.stopWord(unit, STOP_WORD_MARK, FREQUENT_PREFIX)))
    return or([whole, every, and([frequent, words, ...stopWords.map((unit) => this.stopWord(unit))])])
  }

  stopWord({ text }: QueryUnit, mark = STOP_WORD_MARK, prefix = ''): string {
    return quote(mark + this.tag + prefix + withoutAccents(text))
  }

  typo(unit: QueryUnit): string | null {
    const candidates = unit.kind === 'word' ? typoCandidates(withoutAccents(unit.text)) : []
    return or([this.unit(unit, TITLE), anyOf(candidates, this.tag, [TYPO_MARK])])
  }
}

/** Words in their order; those that are null can be any. */
const sequence = (operands: readonly (readonly [QueryUnit, string | null])[]): string | null => {
  let text: string | null = null
  let before = 0
  for (const [{ position }, operand] of operands) {
    if (operand === null) continue
    text = text === null ? operand : `${text} <${position - before}> ${operand}`
    before = position
  }
  return text === null ? null : `(${text})`
}

const isPhrase = ({ units, isSigned }: QueryTerm): boolean => units.length > 1 && !isSigned

/**
 * A rank that counts how near all words are takes time by the square of their number: in pages of 2,000 characters that
 * contain 23 pairs of characters, a millisecond each. With more words, only how often each occurs counts. (D112)
 */
const NEAR_WORDS_MAX = 8

/** A page that contains each of a few words twice probably has them in their order, too. It does not say so of more words. */
const REPEATED_FIRST = 4

/** The tsqueries of a search in one configuration, as texts; null where no page can match. */
export const buildTsqueries = (query: SearchQuery, configuration: Omit<SearchedConfiguration, 'config'>) => {
  const builder = new TsqueryBuilder(configuration)
  const included = query.groups.map((terms) => terms.filter(({ isExcluded }) => !isExcluded))
  const at = (levels: readonly Weight[], builder: TsqueryBuilder) =>
    or(
      query.groups.map((terms, i) => {
        const matched = and(included[i]!.map((term) => builder.term(term, levels)))
        if (matched === null) return null
        const excluded = terms
          .filter((term) => term.isExcluded && !isPhrase(term))
          .map((term) => builder.term(term, WEIGHTS))
        return and([matched, ...excluded.map(not)])
      }),
    )
  const inOrder = () =>
    or(
      query.groups.map((terms) =>
        and(terms.map((term) => (term.isExcluded ? not(builder.ordered(term)) : builder.ordered(term)))),
      ),
    )
  const order = query.groups.flat().some(isPhrase) ? inOrder() : null
  const units = included.flat().flatMap((term) => unitsOf(term))
  const all = at(WEIGHTS, builder)
  const repeated = at(REPEATED, builder)
  const isLong = units.length > REPEATED_FIRST
  const hasWrittenForm = units.some((unit) => writtenForm(builder.lexemesOf(unit)) !== undefined)
  const ranking = hasWrittenForm ? new TsqueryBuilder(configuration, true) : builder
  const prominent = at(PROMINENT, builder)
  const beginnings = query.beginning === null || all === null ? [] : [query.beginning]
  const areTyposTolerated = query.key !== null && !query.groups.flat().some(isRequiredPhrase)
  return {
    title: at(TITLE, builder) ?? and(units.map((unit) => builder.stopWord(unit, 'A'))),
    /** Each word in the title, a heading or the path, or often. */
    prominent,
    /**
     * Each word at least twice, or at the beginning. Pages of a tier that fail the test of the order need not be tested
     * again in the next tier.
     */
    repeated: order === null ? repeated : isLong ? null : and([repeated, not(prominent)]),
    all: order === null ? all : and([all, not(isLong ? prominent : repeated)]),
    /** What matches must also contain: the words in their order. null: `all` is sufficient. */
    order,
    /** All words in the title, each with at most one typo. */
    typos: areTyposTolerated ? and(units.map((unit) => builder.typo(unit))) : null,
    /** Words that begin with the only word of the query, and what they begin with, as the index stores them. */
    unfinished: anyOf(beginnings, builder.tag, WEIGHTS, ':*'),
    beginnings: storedLexemes(beginnings, builder.tag),
    /** Ranks the best pages. */
    rank:
      units.length > NEAR_WORDS_MAX
        ? or(units.map((unit) => ranking.unit(unit, WEIGHTS)))
        : ranking === builder
          ? all
          : at(WEIGHTS, ranking),
    /** As the index stores them. Their positions determine the sections to show. */
    lexemes: lexemesIn(builder, included.flat()),
  }
}

/** What pages with some of the words must not contain, or must contain as a phrase, as a query that none of them matches; null: nothing. */
export const buildExclusions = (query: SearchQuery, configuration: SearchedConfiguration): string | null => {
  const builder = new TsqueryBuilder(configuration)
  const excluded = query.groups.flat().filter(({ isExcluded }) => isExcluded)
  const phrases = query.groups.map((terms) => terms.filter(isRequiredPhrase))
  const required =
    requiresPhrases(query) && phrases.every((terms) => terms.length > 0)
      ? or(phrases.map((terms) => and(terms.map((term) => builder.ordered(term)))))
      : null
  return or([...excluded.map((term) => builder.ordered(term)), not(required)])
}

const lexemesIn = (builder: TsqueryBuilder, terms: readonly QueryTerm[]): string[] => {
  const bare = terms.flatMap((term) => [
    ...term.units.flatMap((unit) => builder.lexemesOf(unit)),
    ...(term.code === null ? [] : [withoutAccents(term.code)]),
    ...(term.joined === null ? [] : builder.lexemesOf(term.joined)),
  ])
  return storedLexemes(bare, builder.tag)
}
