import { z } from 'zod'

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

/** A call that failed. The message says what the agent can do. */
export class ToolFailure extends Error {
  override name = 'ToolFailure'
}

export interface ListPart<Item> {
  items: Item[]
  /** Cursor of the next part; empty at the end. */
  next: string
}

export interface RevisionReference {
  id: string
  created_at: string
  author: { name: string }
}

/** Fields of a page in a structured answer. */
export const pageFields = {
  path: z.string(),
  title: z.string(),
  locale: z.string(),
  ns: z.string(),
  url: z.string(),
}
export type PageReference = z.output<z.ZodObject<typeof pageFields>>

export interface Page extends PageReference {
  license: string
  revision: RevisionReference
  /** The parameters of the request decide which of these there are. */
  markdown?: string
  text?: string
  sections?: { id: string; level: number; title: string; start: number; end: number }[]
  files?: { path: string; url: string; media_type: string; bytes: number }[]
}

/** The message for a 404. */
export type NotFoundMessage = (answer: WikiAnswer) => string | Promise<string>

/**
 * Reads a route whose response has a JSON body.
 * @returns the body, and the URL of the license of the content
 * @throws ToolFailure for every other status than 200
 */
export const readRoute = async <Body>(
  wiki: ReadWiki,
  url: string,
  notFound: NotFoundMessage = apiMessage,
): Promise<{ body: Body; license: string }> => {
  const answer = await wiki(url)
  if (answer.status === 200)
    return { body: answer.body as Body, license: relatedUrl(answer, 'license') ?? 'unknown' }
  throw new ToolFailure(answer.status === 404 ? await notFound(answer) : failureMessage(answer))
}

const failureMessage = (answer: WikiAnswer): string => {
  const { status, retryAfter } = answer
  const wait = retryAfter === undefined ? 'a few seconds' : `${retryAfter} s`
  if (status === 429) return `Too many requests. Wait ${wait}, then repeat the call, and call more slowly.`
  if (status === 503) return `The wiki is temporarily unavailable. Wait ${wait}, then repeat the call.`
  if (status >= 500) return 'The wiki could not answer because of an internal error. Repeat the call once.'
  return apiMessage(answer)
}

/** The message of an error of the API. */
export const apiMessage = ({ status, body }: WikiAnswer): string => {
  const message = (body as { error?: { message?: unknown } } | undefined)?.error?.message
  return typeof message === 'string' ? message : `The wiki answered with status ${status}.`
}

/** The URL that a `Link` header names for a relation. */
export const relatedUrl = ({ link = '' }: WikiAnswer, relation: string): string | undefined =>
  [...link.matchAll(/<([^>]*)>\s*;\s*rel="?([^",;]+)/g)].find(([, , rel]) => rel === relation)?.[1]

/** The URL of a page below `/pages`. A slash in its path is encoded, because `/history` may end a path, too. */
export const pageAddress = (path: string, rest = ''): string => `/pages/${encodeURIComponent(path)}${rest}`

export const categoryUrl = (category: string, query: Parameters<typeof withQuery>[1]): string =>
  withQuery(`/categories/${encodeURIComponent(category)}`, query)

/** The message for a category that does not exist: names those with this name, and others. */
export const missingCategory =
  ({ category = '', locale }: { category?: string; locale?: string }, wiki: ReadWiki) =>
  async (): Promise<string> => {
    const url = withQuery('/categories', { locale, limit: 200 })
    const { items } = (await readRoute<ListPart<{ key: string; name: string }>>(wiki, url)).body
    const named = items.filter(({ name }) => name.toLowerCase() === category.toLowerCase())
    const keys = new Set([...named, ...items].slice(0, 10).map(({ key }) => JSON.stringify(key)))
    return `There is no category with the key ${JSON.stringify(category)}. Keys are: ${[...keys].join(', ')} …`
  }

/** A percent-encoded path as text; undefined if there is none, or a percent sign encodes nothing. */
export const decodedPath = (encoded: string | undefined): string | undefined => {
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}

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
