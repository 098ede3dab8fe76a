import type { TestService } from './service.ts'

/** What a wiki of random content can name, whether guests see it or not. */
export interface Names {
  /** Paths of pages, of any that ever was, and names in links. */
  paths: readonly string[]
  categories: readonly string[]
  words: readonly string[]
  revisions: readonly string[]
}

const ALL =
  'include=markdown,html,text,summary,sections,properties,categories,translations,links,contributors'
const TEXTS = 'include=markdown,html,text,summary,sections'

const pathsOfPage = (path: string): string[] => {
  const page = encodeURIComponent(path)
  return [
    `/pages/${page}?format=both&include=text,summary,sections,links,contributors`,
    `/pages/${page}/history?limit=200`,
    `/links?from=${page}`,
    `/links?to=${page}`,
  ]
}

const pathsOf = ({ paths, categories, words, revisions }: Names): string[] => [
  '/',
  ...['main', 'template', 'module'].map((ns) => `/pages?ns=${ns}&${ALL}`),
  ...paths.flatMap(pathsOfPage),
  '/categories',
  ...categories.map((key) => `/categories/${key}?${ALL}`),
  `/recent?limit=200&${TEXTS}`,
  '/recent.atom',
  ...revisions.flatMap((id) => [`/revisions/${id}?format=both`, `/revisions/${id}/diff`]),
  ...words.flatMap((word) => [`/search?q=${word}&limit=50&${TEXTS}`, `/suggest?q=${word.slice(0, 3)}`]),
  `/changes?limit=200&${ALL}`,
]

const queryOf = (path: string): string => {
  const address = `locale: "en", path: ${JSON.stringify(path)}`
  const list = '{ path exists title }'
  return `{ movedTo(${address}) { path } page(${address}) { links(first: 50) ${list} backlinks(first: 50) ${list} } }`
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** What two services can answer differently although guests see the same. */
export interface AllowedDifferences {
  /** Revisions of another repository have other ids. */
  ids?: boolean
  /** What became visible first, and where a page was before. */
  past?: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: a body of any shape
type Body = any

/** The pages of one import, and hits of one score, have the order in which the import read and stored them. */
const inAnyOrder = (path: string, body: Body): Body =>
  !body.error && /^\/(changes|search|suggest)/.test(path)
    ? {
        ...body,
        items: body.items.toSorted((a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1)),
      }
    : body

const withoutPast = (path: string, body: Body): Body =>
  !body.error && path.startsWith('/changes')
    ? body.items.filter((item: { type: string }) => item.type === 'upsert')
    : body

/**
 * Every answer of the API about these names, without times of the import, cursors and numbers of the feed of changes.
 * @returns the answers by their requests
 */
export const guestAnswers = async (
  test: TestService,
  names: Names,
  { ids = false, past = false }: AllowedDifferences = {},
): Promise<Map<string, string>> => {
  test.service.invalidate()
  const answers = new Map<string, string>()
  const add = (request: string, answer: unknown) => {
    const text = JSON.stringify(answer, (key, value) =>
      ['changed_at', 'cursor', 'updated'].includes(key) ? undefined : value,
    )
    answers.set(request, ids ? text.replace(UUID, 'ID') : text)
  }
  const read = async (path: string): Promise<void> => {
    const { status, headers, body, text } = await test.get(path)
    // One client asks for much at once.
    if (status === 503) return read(path)
    const ordered = body === undefined ? text : inAnyOrder(path, body)
    const content = past ? withoutPast(path, ordered) : ordered
    const link = path.startsWith('/changes') ? undefined : headers.link
    add(path, [status, link, headers['content-language'], content])
  }
  const ask = async (path: string): Promise<void> => {
    const query = queryOf(path)
    const url = `${test.service.internalUrl}/graphql?query=${encodeURIComponent(query)}`
    add(query, await (await fetch(url)).json())
  }
  const tasks = [
    ...pathsOf(names).map((path) => () => read(path)),
    ...names.paths.map((path) => () => ask(path)),
  ]
  const worker = async (): Promise<void> => {
    for (let task = tasks.pop(); task; task = tasks.pop()) await task()
  }
  await Promise.all(Array.from({ length: 4 }, worker))
  return answers
}
