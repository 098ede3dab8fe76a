import { mean } from './measures.ts'

/** What a query reached: a measure from 0 to 1 for each way to search. */
export interface Outcome {
  kind: string
  locale: string
  q: string
  /** BM25 over words, or over pairs of characters in scripts without spaces. */
  plain: number
  /** BM25 over stems, or over the words that a dictionary finds. */
  language: number
  lectern: number
}

export const grouped = <Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> => {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    groups.set(key, groups.get(key) ?? [])
    groups.get(key)!.push(item)
  }
  return groups
}

/** A language with fewer queries of a kind is left out of the table. */
const QUERIES_AT_LEAST = 20

interface Figures {
  queries: number
  plain: number
  language: number
  lectern: number
  /** Of the queries that another build answered, too: its mean, and how much higher or lower Lectern's mean is now. */
  before: { lectern: number; change: number } | undefined
}

const keyOf = ({ kind, locale }: Outcome): string => `${kind}\n${locale}`

/** Measures of another build by query. */
const byQuery = (outcomes: readonly Outcome[]): Map<string, number> =>
  new Map(outcomes.map((outcome) => [`${keyOf(outcome)}\n${outcome.q}`, outcome.lectern]))

/** The queries that both builds answered. */
const compared = (outcomes: readonly Outcome[], earlier: ReadonlyMap<string, number>) =>
  outcomes.flatMap((outcome) => {
    const was = earlier.get(`${keyOf(outcome)}\n${outcome.q}`)
    return was === undefined ? [] : [{ ...outcome, was }]
  })

const figuresOf = (outcomes: readonly Outcome[], earlier: ReadonlyMap<string, number>): Figures => {
  const both = compared(outcomes, earlier)
  const was = mean(both.map((outcome) => outcome.was))
  return {
    queries: outcomes.length,
    plain: mean(outcomes.map(({ plain }) => plain)),
    language: mean(outcomes.map(({ language }) => language)),
    lectern: mean(outcomes.map(({ lectern }) => lectern)),
    before:
      both.length > 0 ? { lectern: was, change: mean(both.map(({ lectern }) => lectern)) - was } : undefined,
  }
}

/** The mean of the languages, each with the same weight. */
const meanOf = (figures: readonly Figures[]): Figures => {
  const of = (field: 'plain' | 'language' | 'lectern') => mean(figures.map((one) => one[field]))
  const before = figures.flatMap((one) => one.before ?? [])
  return {
    queries: figures.reduce((sum, { queries }) => sum + queries, 0),
    plain: of('plain'),
    language: of('language'),
    lectern: of('lectern'),
    before:
      before.length > 0
        ? {
            lectern: mean(before.map(({ lectern }) => lectern)),
            change: mean(before.map(({ change }) => change)),
          }
        : undefined,
  }
}

const ratio = (lectern: number, other: number): string => (other === 0 ? '' : (lectern / other).toFixed(3))

const row = (kind: string, locale: string, figures: Figures, compares: boolean): string => {
  const { queries, plain, language, lectern, before } = figures
  const cells = [
    kind,
    locale,
    queries,
    plain.toFixed(3),
    language.toFixed(3),
    lectern.toFixed(3),
    ratio(lectern, plain),
    ratio(lectern, language),
    ...(compares ? [before?.lectern.toFixed(3) ?? '', before?.change.toFixed(3) ?? ''] : []),
  ]
  return `| ${cells.join(' | ')} |`
}

/** A table in Markdown. @param before outcomes of another build */
export const qualityTable = (outcomes: readonly Outcome[], before?: readonly Outcome[]): string[] => {
  const compares = before !== undefined
  const earlier = byQuery(before ?? [])
  const lines = [
    `| queries | language | number | BM25 | BM25 with stems | Lectern | ratio to BM25 | ratio to stems |${compares ? ' before | change |' : ''}`,
    `|---|---|---:|---:|---:|---:|---:|---:|${compares ? '---:|---:|' : ''}`,
  ]
  for (const [kind, ofKind] of grouped(outcomes, (outcome) => outcome.kind)) {
    const languages = [...grouped(ofKind, ({ locale }) => locale)]
      .filter(([, group]) => group.length >= QUERIES_AT_LEAST)
      .map(([locale, group]) => ({ locale, figures: figuresOf(group, earlier) }))
    for (const { locale, figures } of languages) lines.push(row(kind, locale, figures, compares))
    if (languages.length > 1)
      lines.push(row(kind, 'mean', meanOf(languages.map(({ figures }) => figures)), compares))
  }
  return lines
}

/** How many queries rose and fell against another build, and those that fell most. */
export const comparedWith = (
  outcomes: readonly Outcome[],
  before: readonly Outcome[],
  worst: number,
): string[] => {
  const changes = compared(outcomes, byQuery(before))
  const fell = changes.filter(({ lectern, was }) => lectern < was)
  const rose = changes.filter(({ lectern, was }) => lectern > was)
  return [
    `Of ${changes.length} queries that both builds answered, ${rose.length} rose and ${fell.length} fell.`,
    ...fell
      .sort((a, b) => a.lectern - a.was - (b.lectern - b.was))
      .slice(0, worst)
      .map(
        ({ kind, locale, q, lectern, was }) =>
          `fell ${kind} ${locale} ${was.toFixed(2)} to ${lectern.toFixed(2)}: ${q}`,
      ),
  ]
}
