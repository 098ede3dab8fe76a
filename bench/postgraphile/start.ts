import { existsSync } from 'node:fs'
import { packagePath } from '../../src/paths.ts'
import type { LoadRequest } from '../load.ts'
import { type Server, startScript } from '../servers.ts'

/** PostGraphile needs Node 22 or newer. BENCH_NODE names a newer Node than the one that runs the benchmark. */
const node = process.env.BENCH_NODE ?? process.execPath
const isNewEnough = process.env.BENCH_NODE !== undefined || Number(process.versions.node.split('.')[0]) >= 22

/** @returns what must be done before the peer can take part; undefined: nothing */
export const postgraphileRemedy = (): string | undefined => {
  if (!existsSync(packagePath('bench', 'postgraphile', 'node_modules', 'postgraphile')))
    return 'run npm ci --prefix bench/postgraphile'
  return isNewEnough ? undefined : 'set BENCH_NODE to the path of a Node 22 or newer'
}

export const startPostgraphile = (databaseUrl: string): Promise<Server> =>
  startScript(packagePath('bench', 'postgraphile', 'server.mjs'), [], { DATABASE_URL: databaseUrl }, { node })

const PAGE = 'path title locale ns revisionId revisionCreatedAt revisionAuthor'

const QUERIES = {
  page: `query ($locale: String!, $path: String!) {
    pageByLocaleAndPath(locale: $locale, path: $path) {
      ${PAGE}
      revisionByRevisionId { markdown }
      categoryMembersByPageId(orderBy: [KEY_ASC]) { nodes { key categoryByLocaleAndKey { name } } }
    }
  }`,
  pages: `query ($locale: String!, $ns: String!, $after: String!, $first: Int!) {
    allPages(first: $first, condition: { locale: $locale, ns: $ns }, filter: { path: { greaterThan: $after } },
             orderBy: [PATH_ASC]) {
      nodes { ${PAGE} }
    }
  }`,
  recent: `query ($before: Datetime!, $first: Int!) {
    allRevisions(first: $first, filter: { createdAt: { lessThan: $before } }, orderBy: [CREATED_AT_DESC, ROW_ID_DESC]) {
      nodes { rowId createdAt author comment size pageByPageId { path title locale ns } }
    }
  }`,
  history: `query ($locale: String!, $path: String!, $first: Int!) {
    pageByLocaleAndPath(locale: $locale, path: $path) {
      revisionsByPageId(first: $first, orderBy: [CREATED_AT_DESC, ROW_ID_DESC]) {
        nodes { rowId createdAt author comment size }
      }
    }
  }`,
  category: `query ($locale: String!, $key: String!, $after: String!, $first: Int!) {
    allCategoryMembers(first: $first, condition: { locale: $locale, key: $key },
                       filter: { sortKey: { greaterThan: $after } }, orderBy: [SORT_KEY_ASC, PATH_ASC]) {
      nodes { sortKey ${PAGE} }
    }
  }`,
} as const

/** PostGraphile has no single request for what a list tells of its end, so one more item is asked for, as Lectern does. */
const ONE_MORE = 1

interface Answer {
  data: Record<string, unknown>
}
type Item = Record<string, unknown>

const nodesOf = (connection: unknown): Item[] => (connection as { nodes: Item[] }).nodes

const time = (text: unknown): string => `${String(text).slice(0, 19)}Z`

const pageItem = (row: Item): Item => ({
  path: row.path,
  title: row.title,
  locale: row.locale,
  revision: {
    id: row.revisionId,
    created_at: time(row.revisionCreatedAt),
    author: { name: row.revisionAuthor },
  },
})

const revisionItem = (row: Item): Item => ({
  id: row.rowId,
  created_at: time(row.createdAt),
  author: { name: row.author },
  comment: row.comment,
  size: row.size,
})

/** What is compared of an item of Lectern's: timestamps to the second, and no URLs. */
const comparableItem = (names: readonly string[], item: Item): Item =>
  Object.fromEntries(
    names.map((name) => {
      const value = item[name] as Item
      if (name === 'created_at') return [name, time(value)]
      return [name, name === 'revision' ? { ...value, created_at: time(value.created_at) } : value]
    }),
  )

const PAGE_NAMES = ['path', 'title', 'locale', 'revision']
const REVISION_NAMES = ['id', 'created_at', 'author', 'comment', 'size']

interface PostgraphileRequest extends LoadRequest {
  bodyAsRest(body: unknown): unknown
  comparableBody(body: unknown): unknown
}

const request = (
  query: string,
  variables: Item,
  bodyAsRest: (data: Answer['data']) => unknown,
  comparableBody: (body: Item) => unknown,
): PostgraphileRequest => ({
  method: 'POST',
  path: '/graphql',
  headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
  body: JSON.stringify({ query, variables }),
  bodyAsRest: (body) => bodyAsRest((body as Answer).data),
  comparableBody: (body) => comparableBody(body as Item),
})

const listRequest = (
  query: string,
  variables: Item,
  limit: number,
  names: readonly string[],
  itemsOf: (data: Answer['data']) => Item[],
): PostgraphileRequest =>
  request(
    query,
    { ...variables, first: limit + ONE_MORE },
    (data) => itemsOf(data).slice(0, limit),
    ({ items }) => (items as Item[]).map((item) => comparableItem(names, item)),
  )

/** A list may begin at a position in microseconds, or at a time. */
const positionOf = (before: unknown): unknown => {
  const { before: time, cursor } = before as { before?: string; cursor?: string }
  return time ?? cursor
}

/**
 * The request for the content of a stored query, in PostGraphile's own schema.
 * @param name of the route: `page`
 * @param values of its parameters
 */
export const postgraphileRequest = (name: string, values: Item): PostgraphileRequest => {
  const { locale, path, ns, key } = values
  const limit = Number(values.limit)
  switch (name) {
    case 'page':
      return request(
        QUERIES.page,
        { locale, path },
        ({ pageByLocaleAndPath: page }) => ({
          ...pageItem(page as Item),
          markdown: ((page as Item).revisionByRevisionId as Item).markdown,
          categories: nodesOf((page as Item).categoryMembersByPageId).map((member) => member.key),
        }),
        (body) => ({
          ...comparableItem([...PAGE_NAMES, 'markdown'], body),
          categories: (body.categories as Item[]).map((category) => category.key),
        }),
      )
    case 'pages':
      return listRequest(
        QUERIES.pages,
        { locale, ns, after: values.after },
        limit,
        PAGE_NAMES,
        ({ allPages }) => nodesOf(allPages).map(pageItem),
      )
    case 'recent':
      return listRequest(
        QUERIES.recent,
        { before: positionOf(values.before) },
        limit,
        REVISION_NAMES,
        ({ allRevisions }) => nodesOf(allRevisions).map(revisionItem),
      )
    case 'history':
      return listRequest(
        QUERIES.history,
        { locale, path },
        limit,
        REVISION_NAMES,
        ({ pageByLocaleAndPath }) =>
          nodesOf((pageByLocaleAndPath as Item).revisionsByPageId).map(revisionItem),
      )
    case 'category':
      return listRequest(
        QUERIES.category,
        { locale, key, after: values.after ?? '' },
        limit,
        PAGE_NAMES,
        ({ allCategoryMembers }) => nodesOf(allCategoryMembers).map(pageItem),
      )
    default:
      throw new Error(`PostGraphile has no request for ${name}`)
  }
}
