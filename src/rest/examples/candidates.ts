import { encodeInQuotes } from './example-values.ts'
import type { ReadOwnApi } from './own-api.ts'

/** A page that examples could show. */
export interface Candidate {
  path: string
  title: string
  /** Characters of its Markdown. */
  length: number
  summary: string
  /** The id of a section that one can read at a glance, if there is one. */
  section?: string
  /** Keys. */
  categories: string[]
  /** Languages of its translations. */
  translations: string[]
  /** Paths of pages in the same language. */
  links: string[]
}

/** A page as the API answers it with `include`. */
interface ListedPage {
  path: string
  title: string
  locale: string
  summary: string
  sections: { id: string; level: number; title: string; start: number; end: number }[]
  categories: { key: string }[]
  translations: { locale: string }[]
  links: { items: { path: string; locale: string; exists: boolean; ns: string }[] }
}

const INCLUDE = 'include=summary,sections,categories,translations,links'

/** Pages that are read in the order of their paths, and pages that were edited last. */
const LISTED = 40
const EDITED = 8

/** Pages of the main namespace that examples could show, best first. A redirect is none. */
export const readCandidates = async (read: ReadOwnApi, locale: string): Promise<Candidate[]> => {
  const [listed, edited] = await Promise.all([
    read(`/pages?limit=${LISTED}&${INCLUDE}`).then(({ text }) => JSON.parse(text)),
    read(`/recent?locale=${encodeInQuotes(locale)}&limit=50`).then(({ text }) => JSON.parse(text)),
  ])
  const pages: ListedPage[] = listed.items ?? []
  const known = new Set(pages.map(({ path }) => path))
  const recent = (edited.items ?? []) as { page: { path: string; ns: string } }[]
  const others = [...new Set(recent.filter(({ page }) => page.ns === 'main').map(({ page }) => page.path))]
  for (const path of others.filter((one) => !known.has(one)).slice(0, EDITED)) {
    const { status, text } = await read(`/pages/${encodeInQuotes(path)}?${INCLUDE}`)
    if (status === 200) pages.push(JSON.parse(text))
  }
  return pages
    .map(toCandidate)
    .map((page) => ({ page, score: scoreOf(page) }))
    .sort((a, b) => b.score - a.score || (a.page.path < b.page.path ? -1 : 1))
    .map(({ page }) => page)
}

/** Characters of a section that one reads at a glance. */
const GLANCE = { min: 60, max: 900 }

const toCandidate = ({ path, title, locale, summary, sections, ...page }: ListedPage): Candidate => {
  const titled = sections.filter(({ id }) => id !== '')
  const short = titled.filter(({ start, end }) => end - start >= GLANCE.min && end - start <= GLANCE.max)
  const smallest = [...titled].sort((a, b) => a.end - a.start - (b.end - b.start))[0]
  return {
    path,
    title,
    length: sections.at(-1)?.end ?? 0,
    summary,
    section: (short[0] ?? smallest)?.id,
    categories: page.categories.map(({ key }) => key),
    translations: page.translations.map((one) => one.locale),
    links: page.links.items
      .filter((link) => link.exists && link.locale === locale && link.ns === 'main')
      .map((link) => link.path),
  }
}

/** How well a page shows what the API has. A path that reads well in a URL counts most. */
const scoreOf = ({ path, title, length, summary, section, ...page }: Candidate): number =>
  (/^[a-z0-9/_-]+$/i.test(path) ? 5 : /^[\p{L}\p{M}\p{N}/_-]+$/u.test(path) ? 3 : 0) +
  (path.length <= 30 ? 1 : 0) +
  (/^[\p{L}\p{M}\p{N} -]{4,30}$/u.test(title) ? 2 : 0) +
  (summary.length >= 60 ? 2 : 0) +
  (section === undefined ? 0 : 3) +
  (page.categories.length > 0 ? 2 : 0) +
  (page.translations.length > 0 ? 3 : 0) +
  (page.links.length > 0 ? 2 : 0) +
  (length >= 500 && length <= 12_000 ? 2 : 0)
