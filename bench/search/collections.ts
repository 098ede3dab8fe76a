import { keywordTerms, type Terms } from './terms.ts'

/** A page of a collection of judged queries. Its path is unique within its language. */
export interface CollectedPage {
  locale: string
  path: string
  title: string
  markdown: string
}

/** A query that somebody judged: the pages that answer it. */
export interface JudgedQuery {
  kind: string
  locale: string
  q: string
  /** Paths of the relevant pages. */
  relevant: string[]
}

export interface Collection {
  pages: CollectedPage[]
  queries: JudgedQuery[]
}

interface SquadArticle {
  title?: string
  paragraphs: { context: string; qas: { question: string; is_impossible?: boolean }[] }[]
}

/**
 * Questions in the format of SQuAD. Each paragraph becomes a page with the title of its article.
 * @param name names the collection in the paths
 */
export const squadCollection = (name: string, locale: string, json: string): Collection => {
  const { data } = JSON.parse(json) as { data: SquadArticle[] }
  const pages: CollectedPage[] = []
  const queries: JudgedQuery[] = []
  for (const [n, { title, paragraphs }] of data.entries())
    for (const [i, { context, qas }] of paragraphs.entries()) {
      const path = `${name}/${n}-${i}`
      pages.push({
        locale,
        path,
        title: (title || path).replaceAll('_', ' '),
        // JSQuAD repeats the title of the article before each paragraph.
        markdown: context.replace(/^\uFEFF|^.{1,80} \[SEP\] /g, '').trim(),
      })
      for (const { question, is_impossible } of qas)
        if (!is_impossible) queries.push({ kind: 'question', locale, q: question.trim(), relevant: [path] })
    }
  return { pages, queries }
}

/**
 * Pages about commands, in the format of tldr. The description of one example is taken out of its page and becomes a
 * query: it describes a command in words that the page does not have to contain.
 */
export const commandCollection = (
  locale: string,
  files: readonly { path: string; text: string }[],
): Collection => {
  const pages: CollectedPage[] = []
  const held: JudgedQuery[] = []
  const descriptions = new Map<string, number>()
  for (const [n, { path, text }] of files.entries()) {
    const [head = '', ...examples] = text.split(/^(?=- )/m)
    const title = /^# (.+)$/m.exec(head)?.[1]?.trim() ?? path
    const description = examples.map((example) =>
      /^- (.+?)[::។]?\s*$/m.exec(example)![1]!.replace(/[[\]{}`]/g, ''),
    )
    for (const one of description) descriptions.set(one, (descriptions.get(one) ?? 0) + 1)
    const out = examples.length < 3 ? -1 : n % examples.length
    if (out >= 0) held.push({ kind: 'description', locale, q: description[out]!, relevant: [path] })
    pages.push({
      locale,
      path,
      title,
      markdown: head + examples.filter((_, i) => i !== out).join(''),
    })
  }
  // A description that several pages have (`Display help`) does not say which page it means.
  const queries = held.filter(
    ({ q, locale: language }) => descriptions.get(q) === 1 && keywordTerms(language)(q).length >= 3,
  )
  return { pages, queries }
}

/** CACM: abstracts of the Communications of the ACM with 52 judged questions. @param files as the collection has them */
export const cacmCollection = (files: { all: string; queries: string; qrels: string }): Collection => {
  const records = (text: string) =>
    text
      .replaceAll('\r', '')
      .split(/^\.I (?=\d)/m)
      .slice(1)
      .map((record) => {
        const [id = '', ...fields] = record.split(/^\.(?=[A-Z]\s*$)/m)
        const field = (name: string) =>
          fields
            .filter((text) => text.startsWith(name))
            .map((text) => text.slice(1).trim())
            .join('\n')
        return { id: id.trim(), field }
      })
  const pages = records(files.all).map(({ id, field }) => ({
    locale: 'en',
    path: `cacm/${Number.parseInt(id, 10)}`,
    title: field('T').replace(/\s+/g, ' ') || `CACM ${Number.parseInt(id, 10)}`,
    markdown: [field('W'), field('K'), field('A')].filter(Boolean).join('\n\n'),
  }))
  const relevant = new Map<number, string[]>()
  for (const line of files.qrels.split('\n')) {
    const [query, page] = line.trim().split(/\s+/).map(Number)
    if (query && page) relevant.set(query, [...(relevant.get(query) ?? []), `cacm/${page}`])
  }
  const queries = records(files.queries)
    .map(({ id, field }) => ({
      kind: 'cacm',
      locale: 'en',
      q: field('W').replace(/\s+/g, ' '),
      relevant: relevant.get(Number.parseInt(id, 10)) ?? [],
    }))
    .filter((query) => query.relevant.length > 0)
  return { pages, queries }
}

/** Words at the beginning of a text of which some become a keyword query. */
const FIRST_WORDS = 15

/**
 * Texts without judgments, a page each line, for languages that have no judged queries: a query has rare words of the
 * beginning of a text, which other texts have, too. The page has no other title than its number.
 */
export const textCollection = (name: string, locale: string, text: string): Collection => {
  const terms = keywordTerms(locale)
  const pages = text
    .trim()
    .split('\n')
    .map((markdown, n) => ({ locale, path: `${name}/${n}`, title: `${name} ${n}`, markdown }))
  const counts = countWords(
    pages.map(({ markdown }) => markdown),
    terms,
  )
  const queries = pages.flatMap(({ path, markdown }) => {
    const words = [...new Set(terms(markdown).slice(0, FIRST_WORDS))].filter((word) => counts.get(word)! > 1)
    const rarest = [...words].sort((a, b) => counts.get(a)! - counts.get(b)!).slice(0, KEYWORDS)
    const q = words.filter((word) => rarest.includes(word)).join(' ')
    return rarest.length < KEYWORDS ? [] : [{ kind: 'keywords', locale, q, relevant: [path] }]
  })
  return { pages, queries }
}

/** A keyword query has the rarest words of a question, in the order in which they were asked. */
const KEYWORDS = 3
/** A word in a larger share of the questions is one that asks (`what`, `which`), or a function word. */
const ASKING_SHARE = 0.02

const countWords = (texts: readonly string[], terms: Terms): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const text of texts)
    for (const word of new Set(terms(text))) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** Adds keyword queries: what somebody types who does not write a whole question. */
export const withKeywords = ({ pages, queries }: Collection): Collection => {
  const keywords: JudgedQuery[] = []
  for (const locale of new Set(pages.map((page) => page.locale))) {
    const words = keywordTerms(locale)
    const asked = queries.filter((query) => query.locale === locale && query.kind === 'question')
    const inPages = countWords(
      pages.filter((page) => page.locale === locale).map(({ title, markdown }) => `${title}\n${markdown}`),
      words,
    )
    const inQuestions = countWords(
      asked.map(({ q }) => q),
      words,
    )
    const asks = (word: string) => inQuestions.get(word)! > Math.max(1, asked.length * ASKING_SHARE)
    for (const query of asked) {
      const candidates = [...new Set(words(query.q))].filter((word) => !asks(word))
      const rarest = new Set(
        [...candidates]
          .sort((a, b) => (inPages.get(a) ?? 0) - (inPages.get(b) ?? 0) || b.length - a.length)
          .slice(0, KEYWORDS),
      )
      const q = candidates.filter((word) => rarest.has(word)).join(' ')
      if (rarest.size > 1) keywords.push({ ...query, kind: 'keywords', q })
    }
  }
  return { pages, queries: [...queries, ...keywords] }
}
