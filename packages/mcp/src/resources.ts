import { setTimeout as sleep } from 'node:timers/promises'
import { encodePath } from '@lectern/wiki/links'
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server'
import { oneLine } from './answer.ts'
import {
  decodedPath,
  type ListPart,
  type Page,
  type PageReference,
  pageAddress,
  type ReadWiki,
  readRoute,
  ToolFailure,
  withQuery,
} from './wiki-api.ts'

/** Pages as resources of MCP: their Markdown, at `wiki://{locale}/{path}`. */

const MARKDOWN = 'text/markdown'

export const PAGE_TEMPLATE = {
  uriTemplate: 'wiki://{locale}/{+path}',
  name: 'page',
  title: 'A page of the wiki',
  description: 'The Markdown of the page with this path in this language.',
  mimeType: MARKDOWN,
} as const

type PageAddress = Pick<PageReference, 'locale' | 'path'>

const pageUri = ({ locale, path }: PageAddress): string => `wiki://${locale}/${encodePath(path)}`

/** @throws ProtocolError if this is no URI of a page */
const addressOf = (uri: string): PageAddress => {
  const [, locale, encoded] = /^wiki:\/\/([\w-]+)\/([^?#]+)$/.exec(uri) ?? []
  const path = decodedPath(encoded)
  if (locale !== undefined && path !== undefined) return { locale, path }
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'The URI of a page is wiki://{locale}/{path}, such as wiki://en/green-tea, with a percent-encoded path.',
  )
}

/** The pages of the main language by path, part by part. */
export const listPageResources = async (wiki: ReadWiki, cursor: string | undefined) => {
  const { body } = await read<ListPart<PageReference>>(
    wiki,
    withQuery('/pages', { limit: 200, after: cursor }),
  )
  return {
    resources: body.items.map((page) => ({
      ...{ uri: pageUri(page), name: page.path, title: oneLine(page.title), mimeType: MARKDOWN },
    })),
    ...(body.next === '' ? {} : { nextCursor: body.next }),
  }
}

export const readPageResource = async (wiki: ReadWiki, uri: string) => {
  const { locale, path } = addressOf(uri)
  const { body } = await read<Page>(wiki, withQuery(pageAddress(path), { locale }), () => {
    throw new ResourceNotFoundError(uri, 'The wiki has no such page.')
  })
  const { markdown = '', url, license, revision } = body
  return { contents: [{ uri, mimeType: MARKDOWN, text: markdown, _meta: { url, license, revision } }] }
}

/** @throws ProtocolError, and what `notFound` throws */
const read = async <Body>(wiki: ReadWiki, url: string, notFound?: () => never): Promise<{ body: Body }> => {
  try {
    return await readRoute<Body>(wiki, url, notFound)
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error
    throw new ProtocolError(ProtocolErrorCode.InternalError, error.message)
  }
}

interface Changes {
  items: PageAddress[]
  cursor: string
}

/** The pages to which the client of one connection has subscribed. It polls the changes of the wiki while there are any. */
export class PageSubscriptions {
  /** The URI that the wiki lists, by each that the client used. Several spellings of a URI name the same page. */
  readonly #uris = new Map<string, string>()
  readonly #wiki: ReadWiki
  readonly #stop: AbortSignal
  readonly #pollMs: number
  #cursor = 'now'
  #started: Promise<void> | undefined
  /** Called with the URI of a page that changed, or is gone. */
  onChange: (uri: string) => void = () => {}

  /** @param stop ends it @param pollMs milliseconds between two requests */
  constructor(wiki: ReadWiki, stop: AbortSignal, pollMs: number) {
    this.#wiki = wiki
    this.#stop = stop
    this.#pollMs = pollMs
  }

  /** @returns resolves when later changes are certain to be told @throws ProtocolError if this is no URI of a page */
  async add(uri: string): Promise<void> {
    const listed = pageUri(addressOf(uri))
    if (this.#uris.size < SUBSCRIPTIONS_MAX) this.#uris.set(uri, listed)
    this.#started ??= this.#readChanges().then(() => void this.#poll())
    await this.#started
  }

  delete(uri: string): void {
    this.#uris.delete(uri)
  }

  async #poll(): Promise<void> {
    while (this.#uris.size > 0 && !this.#stop.aborted) {
      await sleep(this.#pollMs, undefined, { signal: this.#stop, ref: false }).catch(() => {})
      while ((await this.#readChanges()) === CHANGES_MAX);
    }
    this.#started = undefined
    this.#cursor = 'now'
  }

  /** @returns how many there were; 0 if the wiki did not answer, so that the next call reads them */
  async #readChanges(): Promise<number> {
    const url = withQuery('/changes', { after: this.#cursor, limit: CHANGES_MAX })
    const answer = await this.#wiki(url).catch(() => undefined)
    if (answer?.status !== 200) return 0
    const { items, cursor } = answer.body as Changes
    this.#cursor = cursor
    const changed = new Set(items.map(pageUri))
    for (const [uri, listed] of this.#uris) if (changed.has(listed)) this.onChange(uri)
    return items.length
  }
}

/** Pages to which one client subscribes, and changes in one response. */
const SUBSCRIPTIONS_MAX = 10_000
const CHANGES_MAX = 200
