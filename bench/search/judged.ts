import { makeWikiAddresses, pageAt, pageUrl } from '@lectern/wiki/links'
import { sectionsOf } from '@lectern/wiki/plain-text/sections'
import { linkTarget } from '@lectern/wiki/references'
import type pg from 'pg'

/** A query, and the pages that it should find. */
export interface Judged {
  kind: string
  locale: string
  q: string
  /** Ids of the relevant pages. */
  right: ReadonlySet<string>
}

/** A live page of an imported wiki. */
export interface JudgedPage {
  id: string
  locale: string
  path: string
  title: string
  markdown: string
}

/** A heading, link text or prefix with more relevant pages than this is too ambiguous to be a query. */
const RIGHT_AT_MOST = 3

/** An inline link: its text and its target. Images and reference links do not match. */
const LINK = /(?<!!)\[([^[\]\n]{2,80})\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g
const MARKS = /[*_`~]+|&nbsp;/g
/** Link texts that do not describe their target: `here`, numbers, URLs. */
const SILENT = /^(?:https?:.*|www\..*|\W*|#?\d+|here|this|link|more|read more|click here|this page)$/i

/** Letters of a title that somebody typed so far. */
const PREFIX = 6

/** Collects queries by their text. The same text can have several relevant pages. */
class Questions {
  readonly #byText = new Map<string, { kind: string; locale: string; q: string; right: Set<string> }>()

  add(kind: string, locale: string, text: string, id: string): void {
    const q = text.replace(/\s+/g, ' ').trim()
    if (q === '' || SILENT.test(q)) return
    const key = `${kind} ${locale} ${q.normalize('NFKC').toLowerCase()}`
    const known = this.#byText.get(key)
    if (known) known.right.add(id)
    else this.#byText.set(key, { kind, locale, q, right: new Set([id]) })
  }

  all(): Judged[] {
    return [...this.#byText.values()].filter(
      ({ kind, right }) => kind === 'title' || right.size <= RIGHT_AT_MOST,
    )
  }
}

/** The live pages of a wiki, in a stable order. */
export const livePages = async (client: pg.ClientBase): Promise<JudgedPage[]> => {
  const { rows } = await client.query<JudgedPage>(
    `select p.id::text, p.locale, p.path, p.title, v.markdown
       from wiki.live_page p
       join wiki.revision_visible v on v.id = p.revision_id
      where p.ns <> 'category'
      order by p.locale collate "C", p.path collate "C"`,
  )
  return rows
}

/**
 * A title with one typo in its longest word: two neighbouring letters swapped, or one letter missing.
 * @returns undefined if no word has four letters with an alphabet
 */
export const misspell = (title: string): string | undefined => {
  const [longest] = [...title.matchAll(/[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}]{4,}/gu)].sort(
    (a, b) => b[0].length - a[0].length,
  )
  if (!longest) return undefined
  const middle = longest.index + Math.floor(longest[0].length / 2)
  const [a, b] = [title[middle - 1]!, title[middle]!]
  const isSwapped = a !== b && title.length % 2 === 0
  return title.slice(0, middle - 1) + (isSwapped ? b + a : b) + title.slice(middle + 1)
}

/** All queries derived from the titles, headings and links of a wiki, in a stable order. */
export const derivedQueries = (pages: readonly JudgedPage[]): Judged[] => {
  const addresses = makeWikiAddresses({ byLocale: {}, fallback: 'https://wiki.example' })
  const locales = new Set(pages.map(({ locale }) => locale))
  const ids = new Map(pages.map(({ id, locale, path }) => [pageUrl(addresses, locale, path), id]))
  const questions = new Questions()
  for (const { id, locale, path, title, markdown } of pages) {
    questions.add('title', locale, title, id)
    const misspelled = misspell(title)
    if (misspelled) questions.add('misspelled title', locale, misspelled, id)
    const letters = [...title]
    if (letters.length > PREFIX) questions.add('prefix', locale, letters.slice(0, PREFIX).join(''), id)
    for (const heading of new Set(sectionsOf(markdown).map((section) => section.heading)))
      if (heading !== title) questions.add('heading', locale, heading, id)
    for (const [, text, reference] of markdown.matchAll(LINK)) {
      const href = linkTarget(reference!, { addresses, locale, path, locales })?.href
      const target = href && pageAt(addresses, new URL(href), locales)
      const right = target && ids.get(pageUrl(addresses, target.locale, target.path))
      if (right && right !== id && target.locale === locale)
        questions.add('link', locale, text!.replace(MARKS, ''), right)
    }
  }
  return questions.all()
}
