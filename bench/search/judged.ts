import type pg from 'pg'
import { sectionsOf } from '../../src/search/index/sections.ts'
import { makeWikiAddresses, pageAt, pageUrl } from '../../src/wiki/links.ts'
import { linkTarget } from '../../src/wiki/references.ts'

/** A query derived from the content of a wiki, and the pages that it should find. */
export interface Judged {
  kind: 'title' | 'heading' | 'link'
  locale: string
  q: string
  /** Ids of the relevant pages. */
  right: ReadonlySet<string>
}

interface StoredPage {
  id: string
  locale: string
  path: string
  title: string
  markdown: string
}

/** A heading or link text with more relevant pages than this is too ambiguous to be a query. */
const RIGHT_AT_MOST = 3

/** An inline link: its text and its target. Images and reference links do not match. */
const LINK = /(?<!!)\[([^[\]\n]{2,80})\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g
const MARKS = /[*_`~]+|&nbsp;/g
/** Link texts that do not describe their target: `here`, numbers, URLs. */
const SILENT = /^(?:https?:.*|www\..*|\W*|#?\d+|here|this|link|more|read more|click here|this page)$/i

/** Collects queries by their text. The same text can have several relevant pages. */
class Questions {
  readonly #byText = new Map<
    string,
    { kind: Judged['kind']; locale: string; q: string; right: Set<string> }
  >()

  add(kind: Judged['kind'], locale: string, text: string, id: string): void {
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

/** All queries derived from the live pages of a wiki, in a stable order. */
export const judgedQueries = async (client: pg.ClientBase): Promise<Judged[]> => {
  const { rows } = await client.query<StoredPage>(
    `select p.id::text, p.locale, p.path, p.title, v.markdown
       from wiki.live_page p
       join wiki.revision_visible v on v.id = p.revision_id
      where p.ns <> 'category'
      order by p.locale, p.path`,
  )
  const addresses = makeWikiAddresses({ byLocale: {}, fallback: 'https://wiki.example' })
  const locales = new Set(rows.map(({ locale }) => locale))
  const ids = new Map(rows.map(({ id, locale, path }) => [pageUrl(addresses, locale, path), id]))
  const questions = new Questions()
  for (const { id, locale, path, title, markdown } of rows) {
    questions.add('title', locale, title, id)
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
