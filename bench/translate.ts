import { type ArgumentNode, type DocumentNode, type FieldNode, valueFromASTUntyped, visit } from 'graphql'
import { API_PATH } from '../src/paths.ts'
import type { AnyRoute, Parameters, RequestContext } from '../src/rest/route.ts'
import { routes } from '../src/rest/routes/index.ts'
import type { LoadRequest } from './load.ts'
import type { PeerName } from './peers.ts'
import { BASE_URL, LICENSE_URL, wikiAddress } from './site.ts'
import { LOCALES } from './world/words.ts'

/** A request in the form that a peer expects, and how to compare its response body with Lectern's. */
export interface TranslatedRequest extends LoadRequest {
  /** Converts the peer's body to Lectern's format. Absent: the peer already sends that format. */
  bodyAsRest?: (body: unknown) => unknown
}

const context: RequestContext = {
  host: '',
  wiki: {
    name: '',
    defaultLocale: 'en',
    license: null,
    locales: LOCALES.map(({ locale, name }) => ({ locale, name, url: wikiAddress(locale) })),
  },
  locale: 'en',
  base: BASE_URL,
  pagesRoot: `${BASE_URL}/wiki/`,
  license: LICENSE_URL,
  isLicenseKnown: true,
  attribution: '',
  settings: { requestsPerMinute: 0, cacheSeconds: 0 },
  endpoints: {},
}

/** sofa gets the request that it derives from the stored query; the other peers have the same paths as Lectern. */
export const translate = (peer: PeerName, request: LoadRequest): TranslatedRequest =>
  peer === 'sofa' ? toSofa(request) : request

interface RouteCall {
  route: AnyRoute
  values: Record<string, unknown>
  variables: Record<string, unknown>
}

const parseCall = (url: string): RouteCall => {
  const { pathname, searchParams } = new URL(url, BASE_URL)
  for (const route of routes) {
    const pattern = new RegExp(`^${API_PATH}${route.path.replace(/\{(\w+)\}/g, '(?<$1>.+)')}$`)
    const match = pattern.exec(pathname)
    if (!match) continue
    const parameters = Object.entries(route.parameters as Parameters)
    const values = Object.fromEntries(
      parameters.map(([name, parameter]) => {
        const fromPath = match.groups?.[name]
        const raw = fromPath === undefined ? searchParams.get(name) : decodeURIComponent(fromPath)
        return [name, parameter.read(raw ?? undefined, context)]
      }),
    )
    return { route, values, variables: route.variables(values, context) }
  }
  throw new Error(`${url} is not a path of the API`)
}

/** Converts the data to JSON and back, which removes undefined members as a response does. */
const reshape = ({ route, values }: RouteCall, data: unknown): unknown =>
  JSON.parse(JSON.stringify(route.reshape(data, values, context)!.body))

/**
 * A request such as `/page/page?locale=en&path=…`. sofa prefixes the argument of a nested field with the names of its
 * parent fields (`category_members_first`), and expects an id in the path.
 */
const toSofa = ({ path }: LoadRequest): TranslatedRequest => {
  const call = parseCall(path)
  const { name, query } = call.route
  const search = new URLSearchParams()
  for (const [argument, value] of argumentsOf(query, call.variables)) {
    if (value !== undefined && value !== null) search.set(argument, String(value))
  }
  const id = search.get('id')
  search.delete('id')
  return {
    path: `/${name}/${name}${id === null ? '' : `/${id}`}?${search}`,
    bodyAsRest: (body) => reshape(call, { [name]: withAliases(body) }),
  }
}

/** Field names and their aliases in stored queries. sofa's own queries have no aliases. */
const ALIASES: Record<string, string> = { createdAt: 'created_at', sortKey: 'sort_key' }

const withAliases = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withAliases)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [ALIASES[name] ?? name, withAliases(inner)]),
  )
}

/** The arguments of the fields that a query selects with these variables: sofa's name of each, and its value. */
const argumentsOf = (document: DocumentNode, variables: RouteCall['variables']): [string, unknown][] => {
  const pairs: [string, unknown][] = []
  const fields: string[] = []
  visit(document, {
    Field: {
      enter: (node) => {
        if (!isIncluded(node, variables)) return false
        const { name, arguments: fieldArguments = [] } = node
        fields.push(name.value)
        for (const argument of fieldArguments)
          pairs.push([sofaName(fields, argument), valueFromASTUntyped(argument.value, variables)])
        return undefined
      },
      leave: () => {
        fields.pop()
      },
    },
  })
  return pairs
}

const isIncluded = ({ directives = [] }: FieldNode, variables: RouteCall['variables']): boolean =>
  directives.every(
    ({ name, arguments: [condition] = [] }) =>
      valueFromASTUntyped(condition!.value, variables) === (name.value === 'include'),
  )

const sofaName = (fields: string[], { name }: ArgumentNode): string =>
  fields.length === 1 ? name.value : [...fields, name.value].join('_')
