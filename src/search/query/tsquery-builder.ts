import { withoutAccents } from '../folding.ts'
import { TYPO_MARK, typoCandidates, WEIGHTS, type Weight } from '../lexemes.ts'
import type { QueryTerm, QueryUnit, SearchQuery } from './parse.ts'

/** The tsqueries of a search in one configuration, as texts; null where no page can match. */
export interface Tsqueries {
  /** All words in the title. */
  title: string | null
  /** Each word in the title, a heading or the path, or often. */
  prominent: string | null
  /** Each word at least twice, or at the beginning. */
  repeated: string | null
  /** All words, anywhere. */
  all: string | null
  /** What matches must also contain: the words in their order. null: `all` is sufficient. */
  order: string | null
  /** All words in the title, each with at most one typo. */
  typos: string | null
  /** Ranks the best pages. */
  rank: string | null
  /** As the index stores them. Their positions determine the sections to show. */
  lexemes: string[]
}

/** Returns the lexemes of a folded word; none for a stop word. */
type Lexemes = (word: string) => readonly string[]

const TITLE: readonly Weight[] = ['A']
const PROMINENT: readonly Weight[] = ['A', 'B']
const REPEATED: readonly Weight[] = ['A', 'B', 'C']

const quote = (lexeme: string): string => `'${lexeme.replace(/['\\]/g, '$&$&')}'`

const join = (operator: string, parts: (string | null)[]): string | null => {
  const operands = parts.filter((part) => part !== null)
  if (operands.length === 0) return null
  return operands.length === 1 ? operands[0]! : `(${operands.join(` ${operator} `)})`
}
const and = (parts: (string | null)[]) => join('&', parts)
const or = (parts: (string | null)[]) => join('|', parts)

/** Builds tsqueries for one configuration. */
class TsqueryBuilder {
  readonly tag: string
  readonly #lexemes: Lexemes

  constructor(tag: string, lexemes: Lexemes) {
    this.tag = tag
    this.#lexemes = lexemes
  }

  /** Lexemes of a unit, without weight and configuration; none for a stop word. */
  lexemesOf({ text, kind }: QueryUnit): readonly string[] {
    return kind === 'word' ? this.#lexemes(text) : [withoutAccents(text)]
  }

  unit(unit: QueryUnit, levels: readonly Weight[]): string | null {
    const prefix = unit.kind === 'pair' && Array.from(unit.text).length === 1 ? ':*' : ''
    return or(
      this.lexemesOf(unit).flatMap((lexeme) =>
        levels.map((level) => quote(level + this.tag + lexeme) + prefix),
      ),
    )
  }

  code({ code }: QueryTerm, levels: readonly Weight[]): string | null {
    return code === null ? null : or(levels.map((level) => quote(level + this.tag + withoutAccents(code))))
  }

  /** All words of a term, anywhere. For `node.js` only the whole, unless all weights match. */
  term(term: QueryTerm, levels: readonly Weight[]): string | null {
    const code = this.code(term, levels)
    if (code !== null && (term.isSigned || levels !== WEIGHTS)) return code
    return or([code, and(term.units.map((unit) => this.unit(unit, levels)))])
  }

  /** The words of a term in their order. */
  ordered(term: QueryTerm): string | null {
    const code = this.code(term, WEIGHTS)
    if (code !== null && term.isSigned) return code
    let text: string | null = null
    let before = 0
    for (const unit of term.units) {
      const operand = this.unit(unit, WEIGHTS)
      if (operand === null) continue
      text = text === null ? operand : `${text} <${unit.position - before}> ${operand}`
      before = unit.position
    }
    return or([code, text === null ? null : `(${text})`])
  }

  /** A stop word: the index contains only those of titles. */
  stopWord({ text }: QueryUnit): string {
    return quote(`A${this.tag}${withoutAccents(text)}`)
  }

  typo(unit: QueryUnit): string | null {
    const candidates = unit.kind === 'word' ? typoCandidates(withoutAccents(unit.text)) : []
    return or([
      this.unit(unit, TITLE),
      ...candidates.map((candidate) => quote(TYPO_MARK + this.tag + candidate)),
    ])
  }
}

const isPhrase = ({ units, isSigned }: QueryTerm): boolean => units.length > 1 && !isSigned

/** @param tag the letter of the configuration */
export const buildTsqueries = (query: SearchQuery, tag: string, lexemes: Lexemes): Tsqueries => {
  const builder = new TsqueryBuilder(tag, lexemes)
  const included = query.groups.map((terms) => terms.filter(({ isExcluded }) => !isExcluded))
  const at = (levels: readonly Weight[]) =>
    or(
      query.groups.map((terms, i) => {
        const matched = and(included[i]!.map((term) => builder.term(term, levels)))
        if (matched === null) return null
        const excluded = terms
          .filter((term) => term.isExcluded && !isPhrase(term))
          .map((term) => builder.term(term, WEIGHTS))
        return and([matched, ...excluded.map((part) => (part === null ? null : `!${part}`))])
      }),
    )
  const inOrder = () =>
    or(
      query.groups.map((terms) =>
        and(
          terms.map((term) => {
            const ordered = builder.ordered(term)
            return ordered !== null && term.isExcluded ? `!${ordered}` : ordered
          }),
        ),
      ),
    )
  const order = query.groups.flat().some(isPhrase) ? inOrder() : null
  const units = included.flat().flatMap((term) => unitsOf(term))
  const all = at(WEIGHTS)
  return {
    title: all === null ? and(units.map((unit) => builder.stopWord(unit))) : at(TITLE),
    prominent: at(PROMINENT),
    // Pages of this tier that fail the test of the order would be tested again in the next tier.
    repeated: order === null ? at(REPEATED) : null,
    all,
    order,
    typos: query.key === null ? null : and(units.map((unit) => builder.typo(unit))),
    rank: all,
    lexemes: lexemesIn(builder, included.flat()),
  }
}

/** One word of a query, for partial matches. */
interface TermQuery {
  title: string
  all: string
}

/** The words of a query, and codes such as `node.js`: they are searched one by one if no page has all of them. */
export const buildTermQueries = (query: SearchQuery, tag: string, lexemes: Lexemes): TermQuery[] => {
  const builder = new TsqueryBuilder(tag, lexemes)
  const parts = new Map<string, TermQuery>()
  for (const term of query.groups.flat().filter(({ isExcluded }) => !isExcluded)) {
    const operands = (levels: readonly Weight[]) => [
      builder.code(term, levels),
      ...unitsOf(term).map((unit) => builder.unit(unit, levels)),
    ]
    const titles = operands(TITLE)
    for (const [i, all] of operands(WEIGHTS).entries())
      if (all !== null) parts.set(all, { title: titles[i]!, all })
  }
  return [...parts.values()]
}

/** What partial matches must not contain; null: nothing. */
export const buildExclusions = (query: SearchQuery, tag: string, lexemes: Lexemes): string | null => {
  const builder = new TsqueryBuilder(tag, lexemes)
  return or(
    query.groups
      .flat()
      .filter(({ isExcluded }) => isExcluded)
      .map((term) => builder.ordered(term)),
  )
}

/** The words of a term without their signs: partial matches of `c++` include `c`. */
export const unitsOf = ({ units }: QueryTerm): QueryUnit[] =>
  units.map((unit) =>
    unit.kind === 'code' ? { ...unit, kind: 'word', text: unit.text.replace(/^[-@$.]+|[+#]+$/g, '') } : unit,
  )

const lexemesIn = (builder: TsqueryBuilder, terms: readonly QueryTerm[]): string[] => {
  const bare = terms.flatMap((term) => [
    ...term.units.flatMap((unit) => builder.lexemesOf(unit)),
    ...(term.code === null ? [] : [withoutAccents(term.code)]),
  ])
  return [...new Set(bare)].flatMap((lexeme) => WEIGHTS.map((level) => level + builder.tag + lexeme))
}
