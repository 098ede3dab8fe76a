import type { ApiResponse } from '../rest/responses.ts'

/** What the API of a wiki answers. */
export interface WikiAnswer {
  status: number
  /** The parsed JSON. */
  body: unknown
  link?: string
  /** Seconds. */
  retryAfter?: string
}

/**
 * Reads the API of a wiki, within this process or over HTTP.
 * @param url path and query, relative to the base URL of the API
 * @throws ToolFailure if the wiki cannot be reached
 */
export type ReadWiki = (url: string) => Promise<WikiAnswer>

/** The answer in a response of this process. */
export const toWikiAnswer = ({ status, headers, body }: ApiResponse): WikiAnswer => ({
  status,
  body: JSON.parse(body.toString('utf8')),
  link: headers.Link,
  retryAfter: headers['Retry-After'],
})

/** The URL that a `Link` header names for a relation. */
export const relatedUrl = ({ link = '' }: WikiAnswer, relation: string): string | undefined =>
  [...link.matchAll(/<([^>]*)>\s*;\s*rel="?([^",;]+)/g)].find(([, , rel]) => rel === relation)?.[1]

/** The URL of a page below `/pages`. A slash in its path is encoded, because `/history` may end a path, too. */
export const pageAddress = (path: string, rest = ''): string => `/pages/${encodeURIComponent(path)}${rest}`

/** Adds the parameters that are set to a URL. */
export const withQuery = (
  url: string,
  parameters: Record<string, string | number | boolean | undefined>,
): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) query.set(name, String(value))
  return query.size === 0 ? url : `${url}?${query}`
}
