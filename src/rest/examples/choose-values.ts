import { type Candidate, readCandidates } from './candidates.ts'
import { type ExampleValues, encodeInQuotes, exampleUrl } from './example-values.ts'
import type { ReadOwnApi } from './own-answer.ts'

/** A request for JSON; undefined if it is refused. */
const readJson = async <Body>(read: ReadOwnApi, url: string | undefined): Promise<Body | undefined> => {
  if (url === undefined) return undefined
  const { status, text } = await read(url)
  return status === 200 ? (JSON.parse(text) as Body) : undefined
}

interface List<Item> {
  items: Item[]
}

/**
 * Chooses what examples name: of this wiki, and such that each request has a telling answer. The same wiki gives the
 * same values. It sends a bounded number of requests, whatever the size of the wiki.
 * @throws PublicError when the service is overloaded
 */
export const chooseValues = async (read: ReadOwnApi): Promise<ExampleValues> => {
  const { locale, locales } = await readLanguages(read)
  const candidates = await readCandidates(read, locale)
  const page = await bestWithHistory(read, candidates)
  const path = page?.path
  const [history, links, categories, recent] = await Promise.all([
    readJson<List<Revision>>(read, exampleUrl`/pages/${path}/history?limit=3`),
    readJson<List<Linked>>(read, exampleUrl`/links?from=${path}&ns=main&limit=10`),
    readJson<List<{ key: string }>>(read, '/categories?limit=1'),
    readJson<List<Revision>>(read, `/recent?locale=${locale}&limit=10`),
  ])
  const revisions = history?.items ?? []
  const linked = links?.items.find((link) => link.exists && link.locale === locale)?.path
  return {
    locale,
    otherLocale: locales.find((one) => one !== locale) ?? locale,
    page: page && { path: page.path, title: page.title },
    section: page?.section,
    pageLocale: page && ((await sharedLocale(read, page)) ?? locale),
    shortPath: shortest(candidates)?.path,
    linkedPath: linked ?? candidates.find(({ links }) => links.length > 0)?.links[0],
    category: page?.categories[0] ?? categories?.items[0]?.key,
    revision: revisions[0]?.id,
    edit: await tellingEdit(read, [...revisions, ...(recent?.items ?? [])]),
    before: revisions.at(-1)?.created_at,
    words: await words(read, page),
    ...(await prefixes(read, page)),
    missingPath: await missingPath(read),
    missingLocale: missingLocale(locales),
  }
}

/**
 * A few values at the cost of two reads, until the others are chosen: a page and its last edit, whatever they show.
 * @throws PublicError when the service is overloaded
 */
export const chooseFirstValues = async (read: ReadOwnApi): Promise<ExampleValues> => {
  const [{ locale, locales }, pages] = await Promise.all([
    readLanguages(read),
    readJson<List<{ path: string; title: string; revision: { id: string } }>>(read, '/pages?limit=1'),
  ])
  const page = pages?.items[0]
  return {
    locale,
    otherLocale: locale,
    page: page && { path: page.path, title: page.title },
    pageLocale: locale,
    shortPath: page?.path,
    linkedPath: page?.path,
    revision: page?.revision.id,
    missingPath: 'no-such-page',
    missingLocale: missingLocale(locales),
  }
}

interface Languages {
  /** The default. */
  locale: string
  locales: string[]
}

/** The languages of the wiki. @throws PublicError when the service is overloaded */
export const readLanguages = async (read: ReadOwnApi): Promise<Languages> => {
  const { locale, locales }: { locale: string; locales: { locale: string }[] } = JSON.parse(
    (await read('/')).text,
  )
  return { locale, locales: locales.map((one) => one.locale) }
}

const missingLocale = (locales: readonly string[]): string =>
  ['tlh', 'qya', 'art-x-none'].find((one) => !locales.includes(one))!

/** A language in which a page has the same path. Translations can have other paths. */
const sharedLocale = async (
  read: ReadOwnApi,
  { path, translations }: Candidate,
): Promise<string | undefined> => {
  for (const one of translations.slice(0, 5)) {
    if ((await read(exampleUrl`/pages/${path}?locale=${one}`!)).status === 200) return one
  }
  return undefined
}

interface Revision {
  id: string
  created_at: string
}

interface Linked {
  path: string
  locale: string
  exists: boolean
}

/** How many candidates are asked for their history. */
const HISTORIES = 5

/** The best page that has two edits, or else the best page. */
const bestWithHistory = async (read: ReadOwnApi, candidates: readonly Candidate[]) => {
  for (const candidate of candidates.slice(0, HISTORIES)) {
    const history = await readJson<List<Revision>>(read, exampleUrl`/pages/${candidate.path}/history?limit=2`)
    if ((history?.items.length ?? 0) > 1) return candidate
  }
  return candidates[0]
}

/** Characters of Markdown below which a text says too little. */
const TOO_SHORT = 40

const shortest = (candidates: readonly Candidate[]): Candidate | undefined => {
  const telling = candidates.filter(({ length }) => length >= TOO_SHORT)
  return (telling.length > 0 ? telling : [...candidates]).sort((a, b) => a.length - b.length)[0]
}

interface Difference {
  added: number
  removed: number
  truncated: boolean
  hunks: { lines: { kind: string; text: string }[] }[]
}

/** Characters of the lines of a difference that one still wants to read. */
const READABLE_DIFFERENCE = 600

/** The first edit that changes few lines, or else the first that adds one. */
const tellingEdit = async (read: ReadOwnApi, revisions: readonly Revision[]): Promise<string | undefined> => {
  let fallback: string | undefined
  for (const { id } of revisions) {
    const difference = await readJson<Difference>(read, `/revisions/${id}/diff`)
    if (!difference || difference.truncated || difference.added === 0) continue
    fallback ??= id
    const lines = difference.hunks.flatMap((hunk) => hunk.lines)
    const length = lines.reduce((sum, { text }) => sum + text.length, 0)
    if (difference.removed > 0 && length <= READABLE_DIFFERENCE) return id
  }
  return fallback
}

interface Found {
  items: { path: string; passages: { highlights: unknown[] }[] }[]
}

/** The title of the page or one of its words, whichever finds it with a highlighted passage. */
const words = async (read: ReadOwnApi, page: Candidate | undefined): Promise<string | undefined> => {
  if (page === undefined) return undefined
  const ofText = [...new Set(page.summary.match(/[\p{L}\p{M}]{5,12}/gu) ?? [])].slice(0, 4)
  for (const q of [page.title, ...ofText]) {
    if (q.length > 60) continue
    const found = await readJson<Found>(read, `/search?q=${encodeInQuotes(q)}&limit=1`)
    if (found?.items[0]?.passages.some(({ highlights }) => highlights.length > 0)) return q
  }
  return undefined
}

/** What the title of the page begins with, also with two of its letters swapped, if that finds a page. */
const prefixes = async (
  read: ReadOwnApi,
  page: Candidate | undefined,
): Promise<{ prefix?: string; typo?: string }> => {
  const letters = [...(/[\p{L}\p{M}\p{N}]+/u.exec(page?.title ?? '')?.[0] ?? '')].slice(0, 5)
  const finds = async (q: string) =>
    ((await readJson<List<unknown>>(read, `/suggest?q=${encodeInQuotes(q)}&limit=1`))?.items.length ?? 0) > 0
  const prefix = letters.slice(0, 4).join('')
  if (prefix === '' || !(await finds(prefix))) return {}
  const [first = '', second = '', third = '', ...rest] = letters
  const typo = [first, third, second, ...rest].join('')
  return letters.length < 4 || !(await finds(typo)) ? { prefix } : { prefix, typo }
}

const missingPath = async (read: ReadOwnApi): Promise<string> => {
  for (const path of ['no-such-page', 'no-such-page-2']) {
    if ((await read(`/pages/${path}`)).status === 404) return path
  }
  return 'no-such-page-3'
}
