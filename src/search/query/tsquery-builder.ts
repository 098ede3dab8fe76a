import { withoutAccents } from '../folding.ts'
import { TYPO_MARK, typoCandidates, WEIGHTS, type Weight } from '../lexemes.ts'
import type { QueryTerm, QueryUnit, SearchQuery } from './parse.ts'

/** A query as the index of one configuration is asked: texts of tsqueries, null where there is nothing to ask. */
export interface Tsqueries {
  /** All words in the title. */
  title: string | null
  /** Each word in title, heading or path, or often. */
  prominent: string | null
  /** Each at least twice, or at the beginning. */
  repeated: string | null
  all: string | null
  /** What matches must hold besides: words in their order. null: `all` says everything. */
  order: string | null
  /** All words in the title, each with a slip at most. */
  typos: string | null
  /** By what the best are put in order. */
  rank: string | null
  /** As the index holds them, whose places tell the sections to show. */
  lexemes: string[]
}

/** Lexemes of a folded word; none of a stop word. */
type Lexemes = (word: string) => readonly string[]

const TITLE: readonly Weight[] = ['A']
const ABOUT: readonly Weight[] = ['A', 'B']
const NEAR: readonly Weight[] = ['A', 'B', 'C']

const quote = (lexeme: string): string => `'${lexeme.replace(/['\\]/g, '$&$&')}'`

const joined = (operator: string, parts: (string | null)[]): string | null => {
  const there = parts.filter((part) => part !== null)
  if (there.length === 0) return null
  return there.length === 1 ? there[0]! : `(${there.join(` ${operator} `)})`
}
const and = (parts: (string | null)[]) => joined('&', parts)
const or = (parts: (string | null)[]) => joined('|', parts)

/** Writes questions for one configuration. */
class TsqueryBuilder {
  readonly tag: string
  readonly #lexemes: Lexemes

  constructor(tag: string, lexemes: Lexemes) {
    this.tag = tag
    this.#lexemes = lexemes
  }

  /** Bare lexemes of a unit: nothing of a stop word. */
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

  /** All words of a term, wherever they stand; of `node.js` the whole, but where everything is asked for. */
  term(term: QueryTerm, levels: readonly Weight[]): string | null {
    const code = this.code(term, levels)
    if (code !== null && (term.signed || levels !== WEIGHTS)) return code
    return or([code, and(term.units.map((unit) => this.unit(unit, levels)))])
  }

  /** A term's words one after the other. */
  ordered(term: QueryTerm): string | null {
    const code = this.code(term, WEIGHTS)
    if (code !== null && term.signed) return code
    let text: string | null = null
    let before = 0
    for (const unit of term.units) {
      const asked = this.unit(unit, WEIGHTS)
      if (asked === null) continue
      text = text === null ? asked : `${text} <${unit.at - before}> ${asked}`
      before = unit.at
    }
    return or([code, text === null ? null : `(${text})`])
  }

  /** A stop word as titles hold it. */
  stopWord({ text }: QueryUnit): string {
    return quote(`A${this.tag}${withoutAccents(text)}`)
  }

  typo(unit: QueryUnit): string | null {
    const slips = unit.kind === 'word' ? typoCandidates(withoutAccents(unit.text)) : []
    return or([this.unit(unit, TITLE), ...slips.map((slip) => quote(TYPO_MARK + this.tag + slip))])
  }
}

const isLong = ({ units, signed }: QueryTerm): boolean => units.length > 1 && !signed

/** @param tag how the configuration's lexemes are marked */
export const buildTsqueries = (query: SearchQuery, tag: string, lexemes: Lexemes): Tsqueries => {
  const builder = new TsqueryBuilder(tag, lexemes)
  const wanted = query.groups.map((terms) => terms.filter(({ excluded }) => !excluded))
  const at = (levels: readonly Weight[]) =>
    or(
      query.groups.map((terms, i) => {
        const found = and(wanted[i]!.map((term) => builder.term(term, levels)))
        if (found === null) return null
        const not = terms
          .filter((term) => term.excluded && !isLong(term))
          .map((term) => builder.term(term, WEIGHTS))
        return and([found, ...not.map((part) => (part === null ? null : `!${part}`))])
      }),
    )
  const inOrder = () =>
    or(
      query.groups.map((terms) =>
        and(
          terms.map((term) => {
            const asked = builder.ordered(term)
            return asked !== null && term.excluded ? `!${asked}` : asked
          }),
        ),
      ),
    )
  const order = query.groups.flat().some(isLong) ? inOrder() : null
  const units = wanted.flat().flatMap((term) => unitsOf(term))
  const all = at(WEIGHTS)
  return {
    title: all === null ? and(units.map((unit) => builder.stopWord(unit))) : at(TITLE),
    prominent: at(ABOUT),
    // Held to their order, those that fail would be looked at once more.
    repeated: order === null ? at(NEAR) : null,
    all,
    order,
    typos: query.key === null ? null : and(units.map((unit) => builder.typo(unit))),
    rank: all,
    lexemes: lexemesIn(builder, wanted.flat()),
  }
}

/** A word of a query by itself, where not all must match. */
interface TermQuery {
  title: string
  all: string
}

/** The words of a query, of `node.js` the whole too: what is asked when nothing has all of them. */
export const buildTermQueries = (query: SearchQuery, tag: string, lexemes: Lexemes): TermQuery[] => {
  const builder = new TsqueryBuilder(tag, lexemes)
  const parts = new Map<string, TermQuery>()
  for (const term of query.groups.flat().filter(({ excluded }) => !excluded)) {
    const asked = (levels: readonly Weight[]) => [
      builder.code(term, levels),
      ...unitsOf(term).map((unit) => builder.unit(unit, levels)),
    ]
    const titles = asked(TITLE)
    for (const [i, all] of asked(WEIGHTS).entries())
      if (all !== null) parts.set(all, { title: titles[i]!, all })
  }
  return [...parts.values()]
}

/** What pages must not hold that match in part; null: nothing. */
export const buildExclusions = (query: SearchQuery, tag: string, lexemes: Lexemes): string | null => {
  const builder = new TsqueryBuilder(tag, lexemes)
  return or(
    query.groups
      .flat()
      .filter(({ excluded }) => excluded)
      .map((term) => builder.ordered(term)),
  )
}

/** A term's words without their signs, so that `c++` may find `c` when it must. */
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
