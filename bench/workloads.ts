import type { LoadRequest } from './load.ts'
import type { PeerName } from './peers.ts'
import type { Sample } from './sample.ts'
import type { PlannedPage } from './world/plan.ts'
import { makeRandom } from './world/random.ts'
import { drawWord, LOCALES } from './world/words.ts'

export interface Workload {
  name: string
  /** As the table calls it. */
  title: string
  /** Whether Lectern's answers are kept for their minute, or each is computed. */
  cached: boolean
  /** `load`: as many as the connections carry. `lone`: one request at a time, whose median latency counts. */
  kind: 'load' | 'lone'
  /** Fewer than for the others, where answers take long: what cannot be made in time is refused. */
  connections?: number
  /** Needs a world whose search is filled. */
  searches?: true
  /** What every answer's status must be. */
  status: number
  /** Servers that Lectern is measured beside, and how many times their rate it must reach (for `lone`: at most how many times their latency). */
  peers: Partial<Record<PeerName, number | undefined>>
  requests(sample: Sample): LoadRequest[]
}

const BASE = '/api/v1'
const PHRASES = 500

const url = (path: string, query: Record<string, string> = {}): string => {
  const text = String(new URLSearchParams(query))
  return `${BASE}${path}${text === '' ? '' : `?${text}`}`
}

const pageUrl = (
  { locale, path, title }: PlannedPage,
  rest = '',
  query: Record<string, string> = {},
): LoadRequest => ({
  title,
  path: url(`/pages/${encodeURIComponent(path)}${rest}`, { locale, ...query }),
})

const hotPage = ({ hot }: Sample): LoadRequest => pageUrl(hot)

const different = ({ pages }: Sample): LoadRequest[] => pages.map((page) => pageUrl(page))

const listsOf = (limit: number, { pages }: Sample): LoadRequest[] =>
  pages.slice(0, 500).map(({ locale, path }) => ({
    path: url('/pages', { locale, limit: String(limit), after: path }),
  }))

/** By turns the words of a page's title, and a word of a text, common or rare. */
const searches = ({ pages }: Sample): LoadRequest[] => {
  const random = makeRandom(2)
  return pages.slice(0, PHRASES).map(({ locale, title }, n) => {
    const spoken = LOCALES.find((one) => one.locale === locale)!
    const words = title.split(' ').slice(0, 2).join(' ')
    return { path: url('/search', { locale, q: n % 2 ? words : drawWord(spoken, random.of(n)) }) }
  })
}

/** A day's mix: eight of ten requests a page, by Zipf's law; one a search, one a list. */
const mix = (sample: Sample): LoadRequest[] => {
  const random = makeRandom(3)
  const [pages, found, lists] = [different(sample), searches(sample), listsOf(50, sample)]
  // The inverse of the law's sum, which grows as a logarithm: rank r comes 1/r as often as the first.
  const zipf = (count: number, n: number) => Math.floor((count + 1) ** random.of(n, 1)) - 1
  return Array.from({ length: 10_000 }, (_, n) => {
    const turn = n % 10
    const from = turn === 4 ? found : turn === 9 ? lists : pages
    return from[zipf(from.length, n)]!
  })
}

/** GraphQL peers: with loaders a request as usual, and with Lectern's own shared ones. */
const overGraphql = {
  sofa: undefined,
  'sofa-shared': undefined,
  yoga: undefined,
  'yoga-shared': undefined,
} as const

const uncached = { cached: false, kind: 'load', status: 200 } as const

export const WORKLOADS: readonly Workload[] = [
  {
    ...uncached,
    name: 'hot',
    title: 'one hot page, cached',
    cached: true,
    peers: { bare: 0.85, handwritten: undefined, tuned: undefined, mediawiki: undefined },
    requests: (sample) => [hotPage(sample)],
  },
  {
    ...uncached,
    name: 'pages',
    title: 'different pages, uncached',
    peers: { handwritten: 2.4, tuned: 1.2, ...overGraphql, sofa: 8, yoga: 12, mediawiki: 30 },
    requests: different,
  },
  {
    ...uncached,
    name: 'list50',
    title: 'lists of 50, uncached',
    peers: { handwritten: 1.3, tuned: 1, ...overGraphql },
    requests: (sample) => listsOf(50, sample),
  },
  {
    ...uncached,
    name: 'list200',
    title: 'lists of 200, uncached',
    peers: { handwritten: undefined, tuned: undefined, ...overGraphql },
    requests: (sample) => listsOf(200, sample),
  },
  {
    ...uncached,
    name: 'history',
    title: 'history, uncached',
    peers: { handwritten: 1.3, tuned: 1, ...overGraphql },
    requests: ({ pages }) => pages.map((page) => pageUrl(page, '/history')),
  },
  {
    ...uncached,
    name: 'recent',
    title: 'recent, uncached',
    peers: { handwritten: 1.3, tuned: 1, ...overGraphql },
    requests: ({ moments }) => moments.map((before) => ({ path: url('/recent', { before }) })),
  },
  {
    ...uncached,
    name: 'revision',
    title: 'revision, uncached',
    peers: { handwritten: undefined, tuned: undefined, ...overGraphql },
    requests: ({ revisions }) => revisions.map((id) => ({ path: url(`/revisions/${id}`) })),
  },
  {
    ...uncached,
    name: 'category',
    title: 'category, uncached',
    peers: { handwritten: 1.3, tuned: 1, ...overGraphql },
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
    searches: true,
    title: 'search, uncached, 8 connections',
    connections: 8,
    peers: { handwritten: undefined, tuned: undefined },
    requests: searches,
  },
  {
    ...uncached,
    name: 'html',
    title: 'pages as HTML, answers uncached',
    peers: { handwritten: undefined, tuned: undefined },
    requests: ({ pages }) => pages.slice(0, 1000).map((page) => pageUrl(page, '', { format: 'html' })),
  },
  {
    ...uncached,
    name: 'mix',
    searches: true,
    title: "a day's mix, cached",
    cached: true,
    peers: { handwritten: undefined, tuned: undefined },
    requests: mix,
  },
  {
    ...uncached,
    name: 'notmodified',
    title: '304 of one hot page, cached',
    cached: true,
    status: 304,
    peers: { bare: undefined, handwritten: undefined, tuned: undefined },
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
    title: 'one lone request at a time, uncached: p50',
    kind: 'lone',
    peers: { handwritten: 1.1, tuned: undefined },
    requests: different,
  },
]
