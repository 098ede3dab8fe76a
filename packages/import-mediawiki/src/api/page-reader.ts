import { ImportError } from '@lectern/wiki/errors'
import { z } from 'zod'
import type { PageItem, RevisionItem } from '../items.ts'
import { type ApiParameters, apiFlag, apiRevision, type MediawikiApi, requestBatches } from './client.ts'
import { MEDIAWIKI_API, MEDIAWIKI_FOLLOWING } from './http.ts'
import type { ListedRevision } from './listing.ts'

const slot = z.object({
  content: z.string().optional(),
  contentmodel: z.string().default('wikitext'),
  texthidden: apiFlag,
})

const pageRevision = apiRevision.extend({
  texthidden: apiFlag,
  slots: z.object({ main: slot.optional() }).optional(),
  // MediaWiki up to 1.31 has no slots.
  content: z.string().optional(),
  contentmodel: z.string().optional(),
})

const apiPage = z.object({
  pageid: z.int().optional(),
  ns: z.int().default(0),
  title: z.string().default(''),
  missing: apiFlag,
  invalid: apiFlag,
  redirect: apiFlag,
  lastrevid: z.int().default(0),
  revisions: z.array(pageRevision).default([]),
})

const pagesResponse = z.object({
  query: z
    .object({
      normalized: z.array(z.object({ from: z.string(), to: z.string() })).default([]),
      pages: z.array(apiPage).default([]),
    })
    .default({ normalized: [], pages: [] }),
})

/** A page of the wiki, with some of its revisions. */
export interface WikiPage {
  id: number
  title: string
  namespace: number
  isRedirect: boolean
  /** Id of its newest revision. */
  newestId: number
  revisions: RevisionItem[]
}

const REVISION_PARAMETERS = {
  prop: 'info|revisions',
  rvprop: 'ids|timestamp|user|comment|sha1|contentmodel|content',
  rvslots: 'main',
}

/**
 * Reads revisions with their texts. The pages are in the order of the first revision of each. A page whose revisions
 * take several responses comes several times, one after the other.
 * @param ids at most 50. Those that the wiki no longer has are left out
 */
export async function* readRevisions(api: MediawikiApi, ids: readonly number[]): AsyncGenerator<WikiPage> {
  const order = new Map(ids.map((id, i) => [id, i]))
  const place = ({ revisions }: WikiPage): number => order.get(revisions[0]!.id) ?? 0
  const pages = new Map<number, WikiPage>()
  for await (const { data } of api.list(pagesResponse, { ...REVISION_PARAMETERS, revids: ids.join('|') })) {
    for (const page of data.query.pages.flatMap(toWikiPage)) {
      const known = pages.get(page.id)
      if (known) known.revisions.push(...page.revisions)
      else pages.set(page.id, page)
    }
  }
  const found = [...pages.values()].filter(({ revisions }) => revisions.length > 0)
  for (const { revisions } of found) revisions.sort((a, b) => a.id - b.id)
  yield* found.sort((a, b) => place(a) - place(b))
}

/** Reads a page with all of its revisions, part by part. Nothing if the wiki no longer has it. */
export async function* readWholePage(api: MediawikiApi, pageId: number): AsyncGenerator<WikiPage> {
  const parameters: ApiParameters = {
    ...REVISION_PARAMETERS,
    pageids: pageId,
    rvlimit: MEDIAWIKI_API.revisions,
    rvdir: 'newer',
  }
  for await (const { data } of api.list(pagesResponse, parameters))
    yield* data.query.pages.flatMap(toWikiPage)
}

/** What the wiki says of a title. */
interface TitleState {
  /** As it was asked for. */
  asked: string
  /** As the wiki writes it. */
  title: string
  namespace: number
  /** Null: there is no such page. */
  page: WikiPage | null
}

/** Which of these titles are pages, at most 50 per request. */
export async function* lookUpTitles(
  api: MediawikiApi,
  titles: readonly string[],
): AsyncGenerator<TitleState> {
  const max = { items: MEDIAWIKI_API.titles, size: MEDIAWIKI_API.titlesLength }
  for (const batch of requestBatches(titles, max, (title) => encodeURIComponent(title).length + 1)) {
    const { data } = await api.query(pagesResponse, { prop: 'info', titles: batch.join('|') })
    const { normalized, pages } = data.query
    const normal = new Map(normalized.map(({ from, to }) => [from, to]))
    const byTitle = new Map(pages.map((page) => [page.title, page]))
    for (const asked of batch) {
      const page = byTitle.get(normal.get(asked) ?? asked.replaceAll('_', ' '))
      if (page !== undefined)
        yield { asked, title: page.title, namespace: page.ns, page: toWikiPage(page)[0] ?? null }
    }
  }
}

type ApiPage = z.output<typeof apiPage>

/** @returns nothing if the page is missing */
const toWikiPage = (page: ApiPage): WikiPage[] => {
  const { pageid, ns, title, missing, invalid, redirect, lastrevid, revisions } = page
  if (missing || invalid || pageid === undefined || pageid === 0) return []
  return [
    {
      id: pageid,
      title,
      namespace: ns,
      isRedirect: redirect,
      newestId: lastrevid,
      revisions: revisions.map((revision) => toItem(title, revision)),
    },
  ]
}

const toItem = (title: string, revision: z.output<typeof pageRevision>): RevisionItem => {
  const { revid, parentid, timestamp, user, userhidden, comment, commenthidden, slots } = revision
  const main = slots?.main
  const content = main?.content ?? revision.content
  const isHidden = revision.sha1hidden || revision.texthidden || main?.texthidden === true
  if (content !== undefined && !content.isWellFormed())
    throw new ImportError(`Page ${title}, revision ${revid}: the text is not well-formed`)
  return {
    type: 'revision',
    id: revid,
    parentId: parentid > 0 ? parentid : undefined,
    timestamp,
    contributor: userhidden ? undefined : user,
    comment: commenthidden ? undefined : comment,
    model: main?.contentmodel ?? revision.contentmodel ?? 'wikitext',
    // XML has these line ends only, and so have the texts of dumps.
    text: (content ?? '').replace(/\r\n?/g, '\n'),
    textState: isHidden ? 'hidden' : content === undefined ? 'missing' : 'present',
    location: `Page ${title}, revision ${revid}`,
  }
}

/** The page as an item, without its revisions. */
export const toPageItem = ({ title, namespace, isRedirect }: WikiPage, formerPaths?: string[]): PageItem => ({
  type: 'page',
  title,
  namespace,
  isRedirect,
  location: `Page ${title}`,
  ...(formerPaths === undefined ? {} : { formerPaths }),
})

/** Numbers of a typed array, before it grows. */
const FIRST_CAPACITY = 1 << 16

/** The revisions of a wiki as numbers, because there may be millions: 16 bytes each. */
export class RevisionIndex {
  #ids = new Uint32Array(FIRST_CAPACITY)
  #pageIds = new Uint32Array(FIRST_CAPACITY)
  #sizes = new Uint32Array(FIRST_CAPACITY)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** @throws ImportError if there are too many */
  add({ id, pageId, size }: ListedRevision): void {
    if (this.#length === MEDIAWIKI_FOLLOWING.wholeRevisions)
      throw new ImportError(
        `The wiki has more than ${MEDIAWIKI_FOLLOWING.wholeRevisions} revisions. Import a dump of it instead.`,
      )
    if (id >= 2 ** 32 || pageId >= 2 ** 32)
      throw new ImportError(`The revision ${id} has a number that is too large.`)
    if (this.#length === this.#ids.length) {
      this.#ids = grown(this.#ids)
      this.#pageIds = grown(this.#pageIds)
      this.#sizes = grown(this.#sizes)
    }
    this.#ids[this.#length] = id
    this.#pageIds[this.#length] = pageId
    this.#sizes[this.#length] = Math.min(size, 2 ** 32 - 1)
    this.#length += 1
  }

  /** Ids of revisions whose texts one request reads: page by page, in the order of their ids. */
  *batches(): Generator<number[]> {
    const order = Uint32Array.from({ length: this.#length }, (_, i) => i)
    order.sort((a, b) => this.#pageIds[a]! - this.#pageIds[b]! || this.#ids[a]! - this.#ids[b]!)
    const max = { items: MEDIAWIKI_API.revisions, size: MEDIAWIKI_API.textBytes }
    for (const batch of requestBatches(order, max, (i) => this.#sizes[i]!))
      yield batch.map((i) => this.#ids[i]!)
  }
}

const grown = (array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> => {
  const larger = new Uint32Array(array.length * 2)
  larger.set(array)
  return larger
}
