import type { LoadRequest } from './load.ts'
import type { PeerName } from './peers.ts'
import type { Sample } from './sample.ts'
import type { PlannedPage } from './world/plan.ts'
import { makeRandom } from './world/random.ts'
import { LOCALES, pickWord } from './world/words.ts'

export interface Workload {
  name: string
  /** Heading of its table. */
  title: string
  /** Whether Lectern's response cache is on (responses stay valid for a minute) or off. */
  isCached: boolean
  /**
   * `concurrent`: requests on many connections; the rate is compared. `sequential`: one request at a time; the median
   * latency is compared.
   */
  kind: 'concurrent' | 'sequential'
  /** Set for slow responses: with more connections, the server would shed load. Default: the option `--connections`. */
  connections?: number
  /** Whether it needs a data set with a search index. */
  needsSearch?: true
  /** Expected status of every response. */
  status: number
  /**
   * The peers of this workload, each with its target: the smallest acceptable ratio of Lectern's rate to the peer's
   * (`sequential`: the largest ratio of the latencies). undefined: no target.
   */
  peers: Partial<Record<PeerName, number | undefined>>
  requests(sample: Sample): LoadRequest[]
}

const BASE = '/api/v1'
const SEARCHES = 500

const url = (path: string, query: Record<string, string> = {}): string => {
  const text = String(new URLSearchParams(query))
  return `${BASE}${path}${text === '' ? '' : `?${text}`}`
}

const pageUrl = (
  { locale, path }: PlannedPage,
  rest = '',
  query: Record<string, string> = {},
): LoadRequest => ({
  path: url(`/pages/${encodeURIComponent(path)}${rest}`, { locale, ...query }),
})

/** The request of the workloads that request one page again and again. */
export const hotPage = ({ hot }: Sample): LoadRequest => pageUrl(hot)

const distinctPages = ({ pages }: Sample): LoadRequest[] => pages.map((page) => pageUrl(page))

const listPages = (limit: number, { pages }: Sample): LoadRequest[] =>
  pages.slice(0, 500).map(({ locale, path }) => ({
    path: url('/pages', { locale, limit: String(limit), after: path }),
  }))

/** Each server has a search of its own, so that only the form of the answers is the same. */
const searchShape = (body: unknown): string[] =>
  Object.keys(body as object).filter((key) => key !== 'did_you_mean')

/** Alternately two words of a page's title, and one common or rare word of a text. */
const searches = ({ pages }: Sample): LoadRequest[] => {
  const random = makeRandom(2)
  return pages.slice(0, SEARCHES).map(({ locale, title }, n) => {
    const wordList = LOCALES.find((candidate) => candidate.locale === locale)!
    const words = title.split(' ').slice(0, 2).join(' ')
    const q = n % 2 ? words : pickWord(wordList, random.of(n))
    return { path: url('/search', { locale, q }), comparableBody: searchShape }
  })
}

/** The daily mix: of ten requests, eight are for pages, one is a search and one a list, chosen by Zipf's law. */
const dailyMix = (sample: Sample): LoadRequest[] => {
  const random = makeRandom(3)
  const [pages, searchRequests, lists] = [distinctPages(sample), searches(sample), listPages(50, sample)]
  // Rank r is requested 1/r as often as the first rank. The sum of these shares grows like a logarithm; this is its inverse.
  const zipf = (count: number, n: number) => Math.floor((count + 1) ** random.of(n, 1)) - 1
  return Array.from({ length: 10_000 }, (_, n) => {
    const position = n % 10
    const requests = position === 4 ? searchRequests : position === 9 ? lists : pages
    return requests[zipf(requests.length, n)]!
  })
}

const uncached = { isCached: false, kind: 'concurrent', status: 200 } as const

export const WORKLOADS: readonly Workload[] = [
  {
    ...uncached,
    name: 'hot',
    title: 'one hot page, cached',
    isCached: true,
    peers: { bare: 0.85, handwritten: undefined, tuned: undefined },
    requests: (sample) => [hotPage(sample)],
  },
  {
    ...uncached,
    name: 'pages',
    title: 'different pages, uncached',
    peers: { handwritten: 2.2, tuned: 1.5, sofa: 8 },
    requests: distinctPages,
  },
  {
    ...uncached,
    name: 'list50',
    title: 'lists of 50, uncached',
    peers: { handwritten: 1.5, tuned: 1, sofa: undefined },
    requests: (sample) => listPages(50, sample),
  },
  {
    ...uncached,
    name: 'list200',
    title: 'lists of 200, uncached',
    peers: { handwritten: 1.5, tuned: 1, sofa: undefined },
    requests: (sample) => listPages(200, sample),
  },
  {
    ...uncached,
    name: 'history',
    title: 'history, uncached',
    peers: { handwritten: 1.5, tuned: 1, sofa: undefined },
    requests: ({ pages }) => pages.map((page) => pageUrl(page, '/history')),
  },
  {
    ...uncached,
    name: 'recent',
    title: 'recent, uncached',
    peers: { handwritten: 1.5, tuned: 1, sofa: undefined },
    requests: ({ timestamps }) => timestamps.map((before) => ({ path: url('/recent', { before }) })),
  },
  {
    ...uncached,
    name: 'revision',
    title: 'revision, uncached',
    peers: { handwritten: undefined, tuned: undefined, sofa: undefined },
    requests: ({ revisions }) => revisions.map((id) => ({ path: url(`/revisions/${id}`) })),
  },
  {
    ...uncached,
    name: 'category',
    title: 'category, uncached',
    peers: { handwritten: 1.5, tuned: 1, sofa: undefined },
    requests: ({ pages }) =>
      pages
        .flatMap(({ locale, categories }) => categories.map((category) => ({ locale, ...category })))
        .slice(0, 1000)
        .map(({ locale, key, sort_key: after }, n) => ({
          path: url(`/categories/${encodeURIComponent(key)}`, { locale, ...(n % 2 ? { after } : {}) }),
        })),
  },
  {
    ...uncached,
    name: 'search',
    needsSearch: true,
    title: 'search, uncached, 8 connections',
    connections: 8,
    peers: { handwritten: 1.2, tuned: undefined },
    requests: searches,
  },
  {
    ...uncached,
    name: 'html',
    title: 'pages as HTML, responses uncached',
    peers: { handwritten: 3, tuned: undefined },
    requests: ({ pages }) => pages.slice(0, 1000).map((page) => pageUrl(page, '', { format: 'html' })),
  },
  {
    ...uncached,
    name: 'coldhtml',
    title: 'more pages as HTML than are in memory, responses uncached',
    peers: { handwritten: 2, tuned: undefined },
    requests: ({ pages }) => pages.map((page) => pageUrl(page, '', { format: 'html' })),
  },
  {
    ...uncached,
    name: 'mix',
    needsSearch: true,
    title: 'the daily mix, cached',
    isCached: true,
    peers: { handwritten: undefined, tuned: undefined },
    requests: dailyMix,
  },
  {
    ...uncached,
    name: 'notmodified',
    title: '304 of one hot page, cached',
    isCached: true,
    status: 304,
    peers: { bare: 0.9, handwritten: undefined, tuned: undefined },
    requests: (sample) => [hotPage(sample)],
  },
  {
    ...uncached,
    name: 'notfound',
    title: '404s, uncached',
    status: 404,
    peers: { handwritten: undefined, tuned: undefined },
    requests: ({ pages }) =>
      pages.map(({ locale, path }) => ({
        path: url(`/pages/${encodeURIComponent(path)}-missing`, { locale }),
      })),
  },
  {
    ...uncached,
    name: 'lone',
    title: 'a single request at a time, uncached: p50',
    kind: 'sequential',
    peers: { handwritten: 1.1, tuned: undefined },
    requests: distinctPages,
  },
]
