import { setTimeout as sleep } from 'node:timers/promises'
import { encodePath } from '@lectern/wiki/links'
import type { PageKey } from '@lectern/wiki/records'
import { decodeSegment } from '@lectern/wiki/references'
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server'
import { oneLine } from './answer.ts'
import { findPage, type PageReference, type ReadWiki, readRoute, withQuery } from './wiki-api.ts'

/** Pages as resources of MCP: their Markdown, at `wiki://{locale}/{path}`. */

const MARKDOWN = 'text/markdown'

export const PAGE_TEMPLATE = {
  uriTemplate: 'wiki://{locale}/{+path}',
  name: 'page',
  title: 'A page of the wiki',
  description: 'The Markdown of the page with this path in this language.',
  mimeType: MARKDOWN,
} as const

const pageUri = ({ locale, path }: PageKey): string => `wiki://${locale}/${encodePath(path)}`

/** @throws ProtocolError if this is no URI of a page */
const addressOf = (uri: string): PageKey => {
  const [, locale, encoded] = /^wiki:\/\/([\w-]+)\/((?:[^?#%]|%[\da-f]{2})+)(?:#.*)?$/i.exec(uri) ?? []
  if (locale !== undefined && encoded !== undefined) return { locale, path: decodeSegment(encoded) }
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'The URI of a page is wiki://{locale}/{path}, such as wiki://en/green-tea, with a percent-encoded path.',
  )
}

/** The pages of the main language by path, part by part. @throws ToolFailure, whose message the SDK sends */
export const listPageResources = async (wiki: ReadWiki, cursor: string | undefined) => {
  const url = withQuery('/pages', { limit: 200, after: cursor })
  const { body } = await readRoute<{ items: PageReference[]; next: string }>(wiki, url)
  return {
    resources: body.items.map((page) => {
      return { uri: pageUri(page), name: page.path, title: oneLine(page.title), mimeType: MARKDOWN }
    }),
    nextCursor: body.next || undefined,
  }
}

/** @throws ProtocolError if there is no page at this URI; ToolFailure, whose message the SDK sends */
export const readPageResource = async (wiki: ReadWiki, uri: string) => {
  const page = await findPage(wiki, addressOf(uri), {}, () => {
    throw new ResourceNotFoundError(uri, 'The wiki has no such page.')
  })
  const { markdown = '', url, license, revision } = page
  return { contents: [{ uri, mimeType: MARKDOWN, text: markdown, _meta: { url, license, revision } }] }
}

/** The pages to which the client of one connection has subscribed. It polls the changes of the wiki while there are any. */
export class PageSubscriptions {
  /** The URI that the wiki lists, by each that the client used. Several spellings of a URI name the same page. */
  readonly #uris = new Map<string, string>()
  readonly #wiki: ReadWiki
  readonly #stop: AbortSignal
  #cursor = 'now'
  #started: Promise<void> | undefined
  /** Called with the URI of a page that changed, or is gone. */
  onChange: (uri: string) => void = () => {}

  /** @param stop ends it */
  constructor(wiki: ReadWiki, stop: AbortSignal) {
    this.#wiki = wiki
    this.#stop = stop
  }

  /** @returns the result of the protocol, when later changes are certain to be told @throws ProtocolError for no URI of a page */
  async add(uri: string): Promise<object> {
    const listed = pageUri(addressOf(uri))
    if (this.#uris.size < SUBSCRIPTIONS_MAX) this.#uris.set(uri, listed)
    this.#started ??= this.#readChanges().then(() => void this.#poll())
    await this.#started
    return {}
  }

  delete(uri: string): object {
    this.#uris.delete(uri)
    return {}
  }

  async #poll(): Promise<void> {
    while (this.#uris.size > 0 && !this.#stop.aborted) {
      await sleep(POLL_MS, undefined, { signal: this.#stop, ref: false }).catch(() => {})
      while ((await this.#readChanges()) === CHANGES_MAX);
    }
    this.#started = undefined
    this.#cursor = 'now'
  }

  /** @returns how many there were; 0 if the wiki did not answer, so that the next call reads them */
  async #readChanges(): Promise<number> {
    const url = withQuery('/changes', { after: this.#cursor, limit: CHANGES_MAX })
    const read = readRoute<{ items: PageKey[]; cursor: string }>(this.#wiki, url)
    const { body } = await read.catch(() => ({ body: { items: [], cursor: this.#cursor } }))
    this.#cursor = body.cursor
    const changed = new Set(body.items.map(pageUri))
    for (const [uri, listed] of this.#uris) if (changed.has(listed)) this.onChange(uri)
    return body.items.length
  }
}

/** Pages to which one client subscribes; changes in one response; milliseconds between two requests for changes. */
const SUBSCRIPTIONS_MAX = 10_000
const CHANGES_MAX = 200
const POLL_MS = 5_000
