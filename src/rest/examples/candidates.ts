import { encodeInQuotes } from './example-values.ts'
import type { ReadOwnApi } from './own-answer.ts'

/** A page that examples could show. */
export interface Candidate {
  path: string
  title: string
  /** Characters of its Markdown. */
  length: number
  summary: string
  /** The id of a section, if possible of one that can be read at a glance. */
  section?: string
  /** Whether that is so, or the section merely is the shortest. */
  isGlance: boolean
  /** Keys. */
  categories: string[]
  /** Languages of its translations. */
  translations: string[]
  /** Paths of pages in the same language. */
  links: string[]
  score: number
}

/** A page as the API answers it with `include`. */
interface ListedPage {
  path: string
  title: string
  locale: string
  summary: string
  categories: { key: string }[]
  translations: { locale: string }[]
  links: { items: { path: string; locale: string; exists: boolean; ns: string }[] }
}

interface PageSection {
  id: string
  start: number
  end: number
}

const INCLUDE = 'include=summary,categories,translations,links'

/** Pages that are read in the order of their paths, and pages that were edited last. */
const LISTED = 50
const EDITED = 8

/** How many of the best pages are asked for their sections, which takes rendering. */
const OUTLINED = 8

/** Pages of the main namespace that examples could show, best first. */
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
  const best = bestFirst(pages, scoreOf).slice(0, OUTLINED)
  const candidates: Candidate[] = []
  for (const page of best) candidates.push(await toCandidate(read, page))
  return bestFirst(candidates, outlineScoreOf)
}

/** Equal ones in the order of their paths. */
const bestFirst = <Page extends { path: string }>(
  pages: readonly Page[],
  score: (page: Page) => number,
): Page[] =>
  pages
    .map((page) => ({ page, score: score(page) }))
    .sort((a, b) => b.score - a.score || (a.page.path < b.page.path ? -1 : 1))
    .map(({ page }) => page)

/** Characters of a section that one reads at a glance. */
const GLANCE = { min: 60, max: 900 }

const toCandidate = async (
  read: ReadOwnApi,
  { path, title, locale, summary, ...page }: ListedPage,
): Promise<Candidate> => {
  const { status, text } = await read(`/pages/${encodeInQuotes(path)}?include=sections`)
  const sections: PageSection[] = status === 200 ? JSON.parse(text).sections : []
  const titled = sections.filter(({ id }) => id !== '')
  const short = titled.find(({ start, end }) => end - start >= GLANCE.min && end - start <= GLANCE.max)
  const smallest = [...titled].sort((a, b) => a.end - a.start - (b.end - b.start))[0]
  return {
    path,
    title,
    length: sections.at(-1)?.end ?? 0,
    summary,
    section: (short ?? smallest)?.id,
    isGlance: short !== undefined,
    categories: page.categories.map(({ key }) => key),
    translations: page.translations.map((one) => one.locale),
    links: page.links.items
      .filter((link) => link.exists && link.locale === locale && link.ns === 'main')
      .map((link) => link.path),
    score: scoreOf({ path, title, locale, summary, ...page }),
  }
}

/** How well a page shows what the API has. A path that reads well in a URL counts most. */
const scoreOf = ({ path, title, summary, ...page }: ListedPage): number =>
  (/^[a-z0-9/_-]+$/i.test(path) ? 5 : /^[\p{L}\p{M}\p{N}/_-]+$/u.test(path) ? 3 : 0) +
  (path.length <= 30 ? 1 : 0) +
  (/^[\p{L}\p{M}\p{N} -]{4,30}$/u.test(title) ? 2 : 0) +
  (summary.length >= 60 ? 2 : 0) +
  (page.categories.length > 0 ? 2 : 0) +
  (page.translations.length > 0 ? 3 : 0) +
  (page.links.items.length > 0 ? 2 : 0)

const outlineScoreOf = ({ score, section, isGlance, length }: Candidate): number =>
  score + (section === undefined ? 0 : 2) + (isGlance ? 3 : 0) + (length >= 500 && length <= 12_000 ? 2 : 0)
