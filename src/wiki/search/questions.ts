import { withoutAccents } from './folding.ts'
import { LEVELS, type Level, SLIP, slipsOf } from './lexemes.ts'
import type { SearchQuery, Term, Unit } from './query.ts'

/** A query as the index of one configuration is asked: texts of tsqueries, null where there is nothing to ask. */
export interface Questions {
  /** All words in the title. */
  title: string | null
  /** Each word in title, heading or path, or often. */
  about: string | null
  /** Each at least twice, or at the beginning. */
  near: string | null
  all: string | null
  /** What matches must hold besides: words in their order. null: `all` says everything. */
  order: string | null
  /** All words in the title, each with a slip at most. */
  slips: string | null
  /** By what the best are put in order. */
  rank: string | null
  /** As the index holds them, whose places tell the sections to show. */
  lexemes: string[]
}

/** Lexemes of a folded word; none of a stop word. */
type Lexemes = (word: string) => readonly string[]

const TITLE: readonly Level[] = ['A']
const ABOUT: readonly Level[] = ['A', 'B']
const NEAR: readonly Level[] = ['A', 'B', 'C']

const quote = (lexeme: string): string => `'${lexeme.replace(/['\\]/g, '$&$&')}'`

const joined = (operator: string, parts: (string | null)[]): string | null => {
  const there = parts.filter((part) => part !== null)
  if (there.length === 0) return null
  return there.length === 1 ? there[0]! : `(${there.join(` ${operator} `)})`
}
const and = (parts: (string | null)[]) => joined('&', parts)
const or = (parts: (string | null)[]) => joined('|', parts)

/** Writes questions for one configuration. */
class Asker {
  readonly tag: string
  readonly #lexemes: Lexemes

  constructor(tag: string, lexemes: Lexemes) {
    this.tag = tag
    this.#lexemes = lexemes
  }

  /** Bare lexemes of a unit: nothing of a stop word. */
  lexemesOf({ text, kind }: Unit): readonly string[] {
    return kind === 'word' ? this.#lexemes(text) : [withoutAccents(text)]
  }

  unit(unit: Unit, levels: readonly Level[]): string | null {
    const prefix = unit.kind === 'pair' && Array.from(unit.text).length === 1 ? ':*' : ''
    return or(
      this.lexemesOf(unit).flatMap((lexeme) =>
        levels.map((level) => quote(level + this.tag + lexeme) + prefix),
      ),
    )
  }

  code({ code }: Term, levels: readonly Level[]): string | null {
    return code === null ? null : or(levels.map((level) => quote(level + this.tag + withoutAccents(code))))
  }

  /** All words of a term, wherever they stand; of `node.js` the whole, but where everything is asked for. */
  term(term: Term, levels: readonly Level[]): string | null {
    const code = this.code(term, levels)
    if (code !== null && (term.signed || levels !== LEVELS)) return code
    return or([code, and(term.units.map((unit) => this.unit(unit, levels)))])
  }

  /** A term's words one after the other. */
  ordered(term: Term): string | null {
    const code = this.code(term, LEVELS)
    if (code !== null && term.signed) return code
    let text: string | null = null
    let before = 0
    for (const unit of term.units) {
      const asked = this.unit(unit, LEVELS)
      if (asked === null) continue
      text = text === null ? asked : `${text} <${unit.at - before}> ${asked}`
      before = unit.at
    }
    return or([code, text === null ? null : `(${text})`])
  }

  /** A stop word as titles hold it. */
  stopWord({ text }: Unit): string {
    return quote(`A${this.tag}${withoutAccents(text)}`)
  }

  slip(unit: Unit): string | null {
    const slips = unit.kind === 'word' ? slipsOf(withoutAccents(unit.text)) : []
    return or([this.unit(unit, TITLE), ...slips.map((slip) => quote(SLIP + this.tag + slip))])
  }
}

const isLong = ({ units, signed }: Term): boolean => units.length > 1 && !signed

/** @param tag how the configuration's lexemes are marked */
export const questionsOf = (query: SearchQuery, tag: string, lexemes: Lexemes): Questions => {
  const asker = new Asker(tag, lexemes)
  const wanted = query.groups.map((terms) => terms.filter(({ excluded }) => !excluded))
  const at = (levels: readonly Level[]) =>
    or(
      query.groups.map((terms, i) => {
        const found = and(wanted[i]!.map((term) => asker.term(term, levels)))
        if (found === null) return null
        const not = terms
          .filter((term) => term.excluded && !isLong(term))
          .map((term) => asker.term(term, LEVELS))
        return and([found, ...not.map((part) => (part === null ? null : `!${part}`))])
      }),
    )
  const inOrder = () =>
    or(
      query.groups.map((terms) =>
        and(
          terms.map((term) => {
            const asked = asker.ordered(term)
            return asked !== null && term.excluded ? `!${asked}` : asked
          }),
        ),
      ),
    )
  const order = query.groups.flat().some(isLong) ? inOrder() : null
  const units = wanted.flat().flatMap((term) => unitsOf(term))
  const all = at(LEVELS)
  return {
    title: all === null ? and(units.map((unit) => asker.stopWord(unit))) : at(TITLE),
    about: at(ABOUT),
    // Held to their order, those that fail would be looked at once more.
    near: order === null ? at(NEAR) : null,
    all,
    order,
    slips: query.key === null ? null : and(units.map((unit) => asker.slip(unit))),
    rank: all,
    lexemes: lexemesIn(asker, wanted.flat()),
  }
}

/** A word of a query by itself, where not all must match. */
export interface Part {
  title: string
  all: string
}

/** The words of a query, of `node.js` the whole too: what is asked when nothing has all of them. */
export const partsOf = (query: SearchQuery, tag: string, lexemes: Lexemes): Part[] => {
  const asker = new Asker(tag, lexemes)
  const parts = new Map<string, Part>()
  for (const term of query.groups.flat().filter(({ excluded }) => !excluded)) {
    const asked = (levels: readonly Level[]) => [
      asker.code(term, levels),
      ...unitsOf(term).map((unit) => asker.unit(unit, levels)),
    ]
    const titles = asked(TITLE)
    for (const [i, all] of asked(LEVELS).entries())
      if (all !== null) parts.set(all, { title: titles[i]!, all })
  }
  return [...parts.values()]
}

/** What pages must not hold that match in part; null: nothing. */
export const exclusionsOf = (query: SearchQuery, tag: string, lexemes: Lexemes): string | null => {
  const asker = new Asker(tag, lexemes)
  return or(
    query.groups
      .flat()
      .filter(({ excluded }) => excluded)
      .map((term) => asker.ordered(term)),
  )
}

/** A term's words without their signs, so that `c++` may find `c` when it must. */
export const unitsOf = ({ units }: Term): Unit[] =>
  units.map((unit) =>
    unit.kind === 'code' ? { ...unit, kind: 'word', text: unit.text.replace(/^[-@$.]+|[+#]+$/g, '') } : unit,
  )

const lexemesIn = (asker: Asker, terms: readonly Term[]): string[] => {
  const bare = terms.flatMap((term) => [
    ...term.units.flatMap((unit) => asker.lexemesOf(unit)),
    ...(term.code === null ? [] : [withoutAccents(term.code)]),
  ])
  return [...new Set(bare)].flatMap((lexeme) => LEVELS.map((level) => level + asker.tag + lexeme))
}
