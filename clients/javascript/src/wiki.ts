import createClient, { type Client, type FetchResponse, type MaybeOptionalInit } from 'openapi-fetch'
import { type ListsWithoutParameter, type paths, type TextQueries, textTypes } from './api.ts'
import { UnexpectedResponse } from './errors.ts'
import { makeRequester, type Reply, type RequestOptions } from './requests.ts'

/** Options of `createWiki`. */
export interface WikiOptions extends RequestOptions {
  /** URL of the API. It ends with `/api/v1`. */
  base: string | URL
  /** How many requests run at a time; others wait. Default: 4. */
  maxParallel?: number | undefined
}

/** A request whose response is a text instead of JSON, because its query says so. */
type GetText = <
  Path extends keyof TextQueries,
  Init extends MaybeOptionalInit<paths[Path], 'get'> & {
    params: { query: TextQueries[Path] }
    parseAs?: never
  },
>(
  path: Path,
  init: Init,
) => Promise<FetchResponse<paths[Path]['get'], { parseAs: 'text' }, `${string}/${string}`>>

/** Parameters of a list without the one that adds further items. */
export type InitWithoutParameter<Path extends keyof ListsWithoutParameter> = NonNullable<
  MaybeOptionalInit<paths[Path], 'get'>
> & {
  params?: { query?: ListsWithoutParameter[Path]['query'] }
}

/** A request for a list without the parameter that adds further items. */
type GetListWithoutParameter = <
  Path extends keyof ListsWithoutParameter,
  Init extends InitWithoutParameter<Path>,
>(
  path: Path,
  init?: Init,
) => Promise<FetchResponse<OperationWithoutParameter<Path>, Init, `${string}/${string}`>>

interface OperationWithoutParameter<Path extends keyof ListsWithoutParameter> {
  responses: Omit<paths[Path]['get']['responses'], 200> & {
    200: { content: { 'application/json': ListsWithoutParameter[Path]['list'] } }
  }
}

/** The fields with the text of a page or revision, by the format that a request asks for. */
interface FieldsOfFormat {
  markdown: 'markdown'
  html: 'html'
  both: 'markdown' | 'html'
  text: 'text'
}

/** Operations whose response has its text in the format that the request asks for. */
type PathWithFormat = '/pages/{path}' | '/revisions/{id}'

/** A request for a page or revision, which has a text in the format that it asks for. */
type GetInFormat = <Path extends PathWithFormat, Init extends MaybeOptionalInit<paths[Path], 'get'>>(
  path: Path,
  init: Init,
) => Promise<FetchResponse<OperationInFormat<Path, FormatOf<Init>>, Init, `${string}/${string}`>>

/** All formats, if the type of a request leaves open whether it has one. */
type FormatOf<Init> = Init extends { params: { query?: infer Query } }
  ? Query extends { format?: infer Format }
    ? unknown extends Format
      ? 'markdown'
      : Format extends keyof FieldsOfFormat
        ? Format
        : keyof FieldsOfFormat
    : 'markdown'
  : 'markdown'

interface OperationInFormat<Path extends PathWithFormat, Format extends keyof FieldsOfFormat> {
  responses: Omit<paths[Path]['get']['responses'], 200> & {
    200: { content: { 'application/json': WithText<JsonOf<Path>, Format> } }
  }
}

type JsonOf<Path extends PathWithFormat> = paths[Path]['get']['responses'][200]['content']['application/json']

/** For each format that a request can have, with the fields of this format. */
type WithText<Data, Format> = Format extends keyof FieldsOfFormat
  ? Data & Required<Pick<Data, FieldsOfFormat[Format] & keyof Data>>
  : never

/** All operations of the API, with the types of their parameters and responses. */
export type Wiki = Omit<Client<paths>, 'GET'> & {
  GET: GetText & GetListWithoutParameter & GetInFormat & Client<paths>['GET']
}

/**
 * A client of the API. It sends a request again if the network fails, or after 429 or 5xx, and waits as long as
 * the service says. After `giveUpAfter` seconds (default: 60), you get the error. `GET` rejects with Unreachable if there
 * is no response, and with UnexpectedResponse if it is not what was asked for.
 */
export const createWiki = ({ base, ...options }: WikiOptions): Wiki => {
  const request = makeRequester({ ...options, maxParallel: options.maxParallel ?? 4 })
  const client = createClient<paths>({
    baseUrl: apiUrl(base),
    querySerializer: serializeQuery,
    fetch: async ({ url, headers, signal }) => {
      const both = options.signal ? AbortSignal.any([signal, options.signal]) : signal
      return responseOf(url, await request({ url, headers, signal: both }, () => {}))
    },
  })
  return { ...client, GET: withTexts(client.GET as unknown as Get) as Wiki['GET'] }
}

type Get = (path: keyof paths, init?: object) => Promise<{ data?: unknown; response: Response }>

/** A GET that reads each response as what it is: JSON, or a text. With `parseAs`, it leaves that to the caller. */
const withTexts =
  (get: Get): Get =>
  async (path, init = {}) => {
    if ('parseAs' in init) return get(path, init)
    const result = await get(path, { ...init, parseAs: 'text' })
    if (!result.response.ok) return result
    return { ...result, data: dataOf(path, result.response, String(result.data ?? '')) }
  }

/** @throws UnexpectedResponse if it is neither an object in JSON nor a text that the path can return */
const dataOf = (path: keyof paths, response: Response, text: string): unknown => {
  const type = response.headers.get('Content-Type')?.split(';')[0] ?? ''
  const texts: Partial<Record<keyof paths, readonly string[]>> = textTypes
  if (texts[path]?.includes(type)) return text
  try {
    const data = JSON.parse(text)
    if (typeof data === 'object' && data !== null) return data
  } catch {
    // It is no JSON.
  }
  throw new UnexpectedResponse(response, text)
}

/** Several values are one text with commas. `path` alone is sent once for each. */
const serializeQuery = (query: Record<string, unknown>): string =>
  Object.entries(query)
    .filter(([, value]) => value != null)
    .flatMap(([name, value]) => {
      const values = [value].flat().map((one) => encodeURIComponent(String(one)))
      return name === 'path' ? values.map((one) => `path=${one}`) : `${name}=${values.join(',')}`
    })
    .join('&')

/** @returns the URL of the API without a slash at its end @throws TypeError if it is none */
export const apiUrl = (base: string | URL): string => {
  if (!URL.canParse(String(base))) throw new TypeError(`base: must be the URL of the API: ${base}`)
  const url = new URL(base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TypeError(`base: must begin with http:// or https://: ${url.href}`)
  return url.href.replace(/\/+$/, '')
}

/** Statuses of responses that cannot have a body. */
const WITHOUT_BODY = [204, 205, 304]

/** A response that a program made has no URL by itself. */
const responseOf = (url: string, { status, headers, text }: Reply): Response => {
  const response = new Response(WITHOUT_BODY.includes(status) ? null : text, { status, headers })
  return Object.defineProperty(response, 'url', { value: url })
}
