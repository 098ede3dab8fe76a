import createClient, { type Client } from 'openapi-fetch'
import type { paths } from './api.ts'
import { makeRequester, type Reply, type RequestOptions } from './requests.ts'

/** Options of `createWiki`. */
export interface WikiOptions extends RequestOptions {
  /** URL of the API. It ends with `/api/v1`. */
  base: string | URL
  /** How many requests run at a time; others wait. Default: 4. */
  maxParallel?: number | undefined
}

/** All operations of the API, with the types of their parameters and responses. */
export type Wiki = Client<paths>

/**
 * A client of the API. It sends a request again if the network fails, or after 429 or 5xx, and waits as long as
 * the service says. After `giveUpAfter` seconds (default: 60), you get the error.
 */
export const createWiki = ({ base, ...options }: WikiOptions): Wiki => {
  const request = makeRequester({ ...options, maxParallel: options.maxParallel ?? 4 })
  return createClient<paths>({
    baseUrl: apiUrl(base),
    querySerializer: serializeQuery,
    fetch: async ({ url, headers, signal }) => {
      const both = options.signal ? AbortSignal.any([signal, options.signal]) : signal
      return responseOf(await request({ url, headers, signal: both }, isJson))
    },
  })
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
  const url = new URL(base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TypeError(`The URL of the API must begin with http:// or https://: ${url.href}`)
  return url.href.replace(/\/+$/, '')
}

const isJson = ({ headers, text }: Reply): void => {
  if (headers.get('Content-Type')?.includes('json')) JSON.parse(text)
}

/** Statuses of responses that cannot have a body. */
const WITHOUT_BODY = [204, 205, 304]

const responseOf = ({ status, headers, text }: Reply): Response =>
  new Response(WITHOUT_BODY.includes(status) ? null : text, { status, headers })
