import type { PageKey } from '@lectern/wiki/records'
import { decodeSegment, linkedPage } from '@lectern/wiki/references'
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
  /** The edit after which the page had this text, if an agent asks for one. */
  edit?: RevisionReference
  /** The parameters of the request decide which of these there are. */
  markdown?: string
  text?: string
  sections?: { id: string; level: number; title: string; start: number; end: number }[]
  files?: { path: string; url: string; media_type: string; bytes: number }[]
}

/** A revision, in the format of the request. */
export type Revision = RevisionReference & Pick<Page, 'markdown' | 'text'> & { page: PageReference }

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

const messageOf = ({ status, body }: WikiAnswer): string => {
  const message = (body as { error?: { message?: unknown } } | undefined)?.error?.message
  return typeof message === 'string' ? message : `The wiki answered with status ${status}.`
}

const SUGGESTION = /Did you mean (.+)\?$/

/** The message of an error of the API. What it suggests is quoted: authors may have chosen it. */
export const apiMessage = (answer: WikiAnswer): string =>
  messageOf(answer).replace(SUGGESTION, (_, text) => {
    return `Did you mean ${JSON.stringify(text).replaceAll(', ', '", "')}?`
  })

/** The URL that a `Link` header names for a relation. */
export const relatedUrl = ({ link = '' }: WikiAnswer, relation: string): string | undefined =>
  [...link.matchAll(/<([^>]*)>\s*;\s*rel="?([^",;]+)/g)].find(([, , rel]) => rel === relation)?.[1]

/** The URL of a page below `/pages`. A slash in its path is encoded, because `/history` may end a path, too. */
export const pageAddress = (path: string, rest = ''): string => `/pages/${encodeURIComponent(path)}${rest}`

/** The path that the message for a missing page suggests. */
export const suggestedPath = (answer: WikiAnswer): string | undefined =>
  SUGGESTION.exec(messageOf(answer))?.[1]

export type PageAddress = { path: string; locale?: string | undefined }

/**
 * Reads the page at a path or URL, or else the page to which it leads as a link.
 * @param from path of the page that has the link @param notFound gets the last 404 @throws ToolFailure
 */
export const findPage = async (
  wiki: ReadWiki,
  { from, ...given }: PageAddress & { from?: string | undefined },
  query: Query,
  notFound: (found: { address: PageAddress; answer: WikiAnswer }) => string | Promise<string>,
): Promise<Page> => {
  const read = async (address: PageAddress) => {
    const answer = await wiki(withQuery(pageAddress(address.path), { locale: address.locale, ...query }))
    return { address, answer }
  }
  const address = { ...given, ...pageOfUrl(given.path) }
  const linked = from === undefined ? null : await pageOfLink(wiki, given.path, { ...given, path: from })
  let found = await read(linked ?? address)
  if (!linked && found.answer.status === 404) {
    const rooted = await pageOfLink(wiki, `/${address.path.replace(/^\/+/, '')}`, address)
    if (rooted) found = await read(rooted)
    const similar = address.path.startsWith('.') ? suggestedPath(found.answer) : undefined
    if (similar?.endsWith(`/${found.address.path}`)) found = await read({ ...found.address, path: similar })
  }
  const missing = () => notFound(found)
  return (await readRoute<Page>(async () => found.answer, '', missing)).body
}

/** The page to which a link in a page leads; null for the page itself. */
const pageOfLink = async (wiki: ReadWiki, link: string, page: PageAddress): Promise<PageKey | null> => {
  const { status, body } = await wiki('/')
  if (status !== 200) return null
  const { locale, locales } = body as { locale: string; locales: { locale: string }[] }
  const known = new Set(locales.map((one) => one.locale))
  return linkedPage(link, { path: page.path, locale: page.locale ?? locale, locales: known })
}

/** The page of a URL of the API, of the reader, of a resource, or of a website whose paths are those of pages. */
export const pageOfUrl = (target = ''): PageAddress | undefined => {
  if (!/^(?:https?|wiki):/.test(target) || !URL.canParse(target)) return undefined
  const { protocol, host, pathname, searchParams } = new URL(target)
  const [, locale, rest] = /^(?:.*\/v1\/pages|\/wiki\/([\w-]+))?\/(.+)$/.exec(pathname) ?? []
  const named = searchParams.get('locale') ?? (protocol === 'wiki:' ? host : locale)
  return rest === undefined ? undefined : { path: decodeSegment(rest), ...(named && { locale: named }) }
}

/** The message for a category that does not exist, with the first keys of others. */
export const missingCategory =
  ({ locale }: { locale?: string }, wiki: ReadWiki) =>
  async (answer: WikiAnswer): Promise<string> => {
    const url = withQuery('/categories', { locale, limit: 10 })
    const { items } = (await readRoute<ListPart<{ key: string }>>(wiki, url)).body
    const keys = items.map(({ key }) => JSON.stringify(key)).join(', ')
    return `${apiMessage(answer)} ${keys === '' ? 'There are no categories.' : `Keys are: ${keys} …`}`
  }

type Query = Record<string, string | number | boolean | undefined>

/** Adds the parameters that are set to a URL. */
export const withQuery = (url: string, parameters: Query): string => {
  const set = Object.entries(parameters).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(set.map(([name, value]): [string, string] => [name, String(value)]))
  return set.length === 0 ? url : `${url}?${query}`
}
