import { type ArgumentNode, type DocumentNode, Kind, print, visit } from 'graphql'
import type { z } from 'zod'
import { API_PATH } from '../src/api-path.ts'
import type { pageSchema } from '../src/rest/response-schemas.ts'
import type { AnyRoute, Parameters, RequestContext } from '../src/rest/route.ts'
import { routes } from '../src/rest/routes/index.ts'
import type { LoadRequest } from './load.ts'
import { mediawikiPath } from './mediawiki/start.ts'
import type { PeerName } from './peers.ts'
import { BASE_URL, LICENSE, wikiAddress } from './site.ts'
import { LOCALES } from './world/words.ts'

/** A request as a peer takes it, and its body as Lectern would have answered it. */
export interface Translated extends LoadRequest {
  /** Absent: the peer answers the same body. */
  bodyAsRest?: (body: unknown) => unknown
  /** What of Lectern's body the peer is held to; absent: all. */
  compared?: (body: unknown) => unknown
}

const place: RequestContext = {
  wiki: {
    name: '',
    defaultLocale: 'en',
    license: null,
    locales: LOCALES.map(({ locale, name }) => ({ locale, name, url: wikiAddress(locale) })),
  },
  locale: 'en',
  base: BASE_URL,
  license: LICENSE,
  settings: { requestsPerMinute: 0, cacheSeconds: 0 },
  endpoints: {},
}

/** Peers that speak GraphQL get a path's stored query; those that answer the same paths, the path. */
export const translate = (peer: PeerName, request: LoadRequest): Translated => {
  if (peer.startsWith('yoga')) return toYoga(request)
  if (peer.startsWith('sofa')) return toSofa(request)
  if (peer === 'mediawiki') return toMediawiki(request)
  return request
}

interface Call {
  route: AnyRoute
  values: Record<string, unknown>
  variables: Record<string, unknown>
}

const callOf = (url: string): Call => {
  const { pathname, searchParams } = new URL(url, BASE_URL)
  for (const route of routes) {
    const pattern = new RegExp(`^${API_PATH}${route.path.replace(/\{(\w+)\}/g, '(?<$1>.+)')}$`)
    const match = pattern.exec(pathname)
    if (!match) continue
    const parameters = Object.entries(route.parameters as Parameters)
    const values = Object.fromEntries(
      parameters.map(([name, parameter]) => {
        const inPath = match.groups?.[name]
        const raw = inPath === undefined ? searchParams.get(name) : decodeURIComponent(inPath)
        return [name, parameter.read(raw ?? undefined, place)]
      }),
    )
    return { route, values, variables: route.variables(values, place) }
  }
  throw new Error(`${url} is no path of the API`)
}

/** Through JSON, which leaves out what is undefined as an answer does. */
const reshape = ({ route, values }: Call, data: unknown): unknown =>
  JSON.parse(JSON.stringify(route.reshape(data, values, place).body))

/** The same content in a form of its own, with times to the second. */
const toMediawiki = ({ title }: LoadRequest): Translated => ({
  path: mediawikiPath(title!),
  bodyAsRest: (body) => {
    const { title, source, latest, license } = body as MediawikiPage
    return { title, markdown: source, created_at: latest.timestamp, license: license.url }
  },
  compared: (body) => {
    const { title, markdown, revision, license } = body as z.output<typeof pageSchema>
    return { title, markdown, created_at: `${revision.created_at.slice(0, 19)}Z`, license }
  },
})

/** `GET /rest.php/v1/page/{title}`, what of it is compared. */
interface MediawikiPage {
  title: string
  source: string
  latest: { timestamp: string }
  license: { url: string }
}

const toYoga = ({ path }: LoadRequest): Translated => {
  const call = callOf(path)
  return {
    method: 'POST',
    path: '/graphql',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ query: print(call.route.query), variables: call.variables }),
    bodyAsRest: (body) => reshape(call, (body as { data: unknown }).data),
  }
}

/**
 * `/page/page?locale=en&path=…`. What a nested field takes is called by the fields above it:
 * `category_members_first`, and an id stands in the path.
 */
const toSofa = ({ path }: LoadRequest): Translated => {
  const call = callOf(path)
  const { name, query } = call.route
  const given = new URLSearchParams()
  for (const [argument, variable] of argumentsOf(query)) {
    const value = call.variables[variable]
    if (value !== undefined && value !== null) given.set(argument, String(value))
  }
  const id = given.get('id')
  given.delete('id')
  return {
    path: `/${name}/${name}${id === null ? '' : `/${id}`}?${given}`,
    bodyAsRest: (body) => reshape(call, { [name]: withAliases(body) }),
  }
}

/** Fields by the names that stored queries give them, which sofa's own queries do not. */
const ALIASES: Record<string, string> = { createdAt: 'created_at', sortKey: 'sort_key' }

const withAliases = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withAliases)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [ALIASES[name] ?? name, withAliases(inner)]),
  )
}

/** Name that sofa gives an argument, and the variable that it takes. */
const argumentsOf = (document: DocumentNode): [string, string][] => {
  const found: [string, string][] = []
  const fields: string[] = []
  visit(document, {
    Field: {
      enter: ({ name, arguments: given = [] }) => {
        fields.push(name.value)
        for (const one of given) found.push([sofaName(fields, one), variableOf(one)])
      },
      leave: () => {
        fields.pop()
      },
    },
  })
  return found
}

const sofaName = (fields: string[], { name }: ArgumentNode): string =>
  fields.length === 1 ? name.value : [...fields, name.value].join('_')

const variableOf = ({ value }: ArgumentNode): string => {
  if (value.kind !== Kind.VARIABLE) throw new Error('a stored query takes every argument as a variable')
  return value.name.value
}
