import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FakeRevision {
  id: number
  parentId?: number
  at?: string
  by?: string
  comment?: string
  text?: string
  model?: string
  /** Parts that guests do not see. */
  hidden?: ('text' | 'user' | 'comment')[]
}

export interface FakePage {
  id: number
  ns?: number
  title: string
  isRedirect?: boolean
  revisions: FakeRevision[]
}

export interface FakeLogEvent {
  type: string
  title?: string
  params?: Record<string, unknown>
  at?: string
}

/** What a response is instead of the one that the API would give. */
type Fault = (response: ServerResponse) => void

const NAMESPACES: Record<string, { id: number; name: string; case: string }> = Object.fromEntries(
  Object.entries({ 0: '', 1: 'Talk', 2: 'User', 6: 'File', 10: 'Template', 12: 'Help', 14: 'Category' }).map(
    ([id, name]) => [id, { id: Number(id), name, case: 'first-letter' }],
  ),
)

/** A small Action API on the loopback interface: what an import asks of it, as MediaWiki 1.39 responds. */
export class FakeMediawiki {
  pages: FakePage[] = []
  log: FakeLogEvent[] = []
  general: Record<string, unknown> = {
    ...{ sitename: 'Tea Wiki', wikiid: 'tea', lang: 'en', generator: 'MediaWiki 1.39.17' },
  }
  /** Revisions with texts of one response, as if longer texts did not fit. */
  textsPerResponse = 50
  /** Responses to the next requests. */
  readonly faults: Fault[] = []
  /** The parameters of all requests so far. */
  readonly requests: URLSearchParams[] = []
  readonly userAgents = new Set<string | undefined>()
  /** HTML by path. */
  readonly html = new Map<string, string>()
  /** Files by name, and the status with which each is served. */
  readonly images = new Map<string, { data: Buffer; status?: number }>()
  apiPath = '/w/api.php'
  /** The clock of the wiki. */
  now = '2024-06-01T00:00:00Z'
  /** Called before each response. */
  onRequest: (parameters: URLSearchParams) => void = () => {}
  readonly #server = createServer((request, response) => this.#respond(request, response))

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Requests of a list or property, such as `allrevisions`. */
  requestsOf(name: string): URLSearchParams[] {
    return this.requests.filter((one) =>
      ['list', 'prop', 'meta'].some((kind) => one.get(kind)?.split('|').includes(name)),
    )
  }

  #respond(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(request.url!, this.url)
    const html = this.html.get(pathname)
    if (html !== undefined) {
      response.setHeader('content-type', 'text/html').end(html)
      return
    }
    const image = this.images.get(/^\/images\/(.+)$/.exec(decodeURI(pathname))?.[1] ?? '')
    if (image) {
      response.writeHead(image.status ?? 200).end(image.data)
      return
    }
    if (pathname !== this.apiPath) {
      response.writeHead(404).end('not found')
      return
    }
    this.userAgents.add(request.headers['user-agent'])
    this.requests.push(searchParams)
    this.onRequest(searchParams)
    const fault = this.faults.shift()
    if (fault) fault(response)
    else
      response.setHeader('content-type', 'application/json').end(JSON.stringify(this.#result(searchParams)))
  }

  #result(parameters: URLSearchParams): object {
    const query: Record<string, unknown> = {}
    let next: Record<string, unknown> | undefined
    if (parameters.get('meta') === 'siteinfo') {
      query.general = { time: this.now, ...this.general }
      query.rightsinfo = { url: 'https://license.example/by-sa', text: '' }
      query.namespaces = NAMESPACES
    }
    for (const list of parameters.get('list')?.split('|') ?? []) {
      const [items, continued] = this.#list(list, parameters)
      query[list] = items
      next = continued
    }
    if (parameters.has('prop')) {
      const [found, continued] = this.#pagesOf(parameters)
      query.pages = found
      const asked = parameters.get('titles')?.split('|') ?? []
      query.normalized = asked
        .filter((title) => title.includes('_'))
        .map((from) => ({ fromencoded: false, from, to: from.replaceAll('_', ' ') }))
      next = continued
    }
    return {
      batchcomplete: true,
      curtimestamp: this.now,
      ...(next ? { continue: { ...next, continue: '-||' } } : {}),
      query,
    }
  }

  #list(name: string, parameters: URLSearchParams): [object[], Record<string, string> | undefined] {
    if (name === 'allrevisions') return this.#allRevisions(parameters)
    if (name === 'logevents') return this.#logEvents(parameters)
    if (name === 'allimages') return this.#allImages(parameters)
    const isOfUser = ({ by }: FakeRevision) => by === parameters.get('ucuser')
    const pages = this.pages.filter(({ revisions }) => revisions.some(isOfUser))
    return [pages.map(({ title }) => ({ title })), undefined]
  }

  #allRevisions(parameters: URLSearchParams): [object[], Record<string, string> | undefined] {
    const namespaces = parameters.get('arvnamespace')?.split('|').map(Number)
    const sign = parameters.get('arvdir') === 'newer' ? 1 : -1
    const key = ({ at, id }: FakeRevision) => `${timeOf(at)}|${String(id).padStart(9, '0')}`
    const all = this.pages
      .filter(({ ns = 0 }) => namespaces?.includes(ns) ?? true)
      .flatMap((page) => page.revisions.map((revision) => ({ page, revision, key: key(revision) })))
      .sort((a, b) => sign * (a.key < b.key ? -1 : 1))
    const from = parameters.get('arvcontinue')
    const rest =
      from === null ? all : all.filter((one) => sign * (one.key < from ? -1 : 1) > 0 || one.key === from)
    const limit = Number(parameters.get('arvlimit'))
    const items = rest.slice(0, limit).map(({ page, revision }) => ({
      ...{ pageid: page.id, ns: page.ns ?? 0, title: page.title },
      revisions: [{ ...fieldsOf(revision), size: Buffer.byteLength(revision.text ?? 'text') }],
    }))
    const following = rest[limit]
    return [items, following && { arvcontinue: following.key }]
  }

  /** One file in each response. */
  #allImages(parameters: URLSearchParams): [object[], Record<string, string> | undefined] {
    const start = Number(parameters.get('aicontinue') ?? 0)
    const items = [...this.images].map(([name, { data }]) => ({
      ...{ name, url: `${this.url}/images/${encodeURI(name)}`, size: data.length, user: 'Ada' },
      ...{ sha1: createHash('sha1').update(data).digest('hex'), timestamp: '2024-05-01T12:00:00Z' },
    }))
    const next = start + 1 < items.length ? { aicontinue: String(start + 1) } : undefined
    return [items.slice(start, start + 1), next]
  }

  #logEvents(parameters: URLSearchParams): [object[], undefined] {
    const start = parameters.get('lestart')
    const type = parameters.get('letype')
    const items = this.log
      .map(({ at, title, params = {}, ...rest }, i) => ({
        ...{ logid: i + 1, ns: 0, timestamp: timeOf(at ?? this.now), params, action: '', ...rest },
        ...(title === undefined ? { actionhidden: true } : { title }),
      }))
      .filter((event) => start === null || event.timestamp >= start.replace('.000Z', 'Z'))
      .filter((event) => type === null || event.type === type)
    return [parameters.get('ledir') === 'newer' ? items : items.reverse(), undefined]
  }

  #pagesOf(parameters: URLSearchParams): [object[], Record<string, string> | undefined] {
    const titles = parameters.get('titles')?.split('|')
    if (titles)
      return [
        titles.map((asked) => {
          const title = asked.replaceAll('_', ' ')
          const page = this.pages.find((one) => one.title === title)
          return page
            ? infoOf(page)
            : { ns: 0, title, missing: true, pagelanguage: 'en', pagelanguagehtmlcode: 'en' }
        }),
        undefined,
      ]
    const ids = parameters.get('revids')?.split('|').map(Number)
    const pageId = Number(parameters.get('pageids'))
    const all = this.pages.flatMap((page) =>
      page.revisions
        .filter(({ id }) => (ids ? ids.includes(id) : page.id === pageId))
        .map((revision) => ({ page, revision })),
    )
    const start = Number(parameters.get('rvcontinue') ?? 0)
    const part = all.slice(start, start + this.textsPerResponse)
    const pages = [...new Set(part.map(({ page }) => page))].map((page) => ({
      ...infoOf(page),
      revisions: part
        .filter((one) => one.page === page)
        .map(({ revision }) => ({ ...fieldsOf(revision), slots: { main: slotOf(revision) } })),
    }))
    const end = start + part.length
    return [pages, end < all.length ? { rvcontinue: String(end) } : undefined]
  }
}

const timeOf = (at = '2024-05-01T12:00:00Z'): string => at

const infoOf = ({ id, ns = 0, title, isRedirect, revisions }: FakePage) => ({
  ...{ pageid: id, ns, title, lastrevid: Math.max(...revisions.map((one) => one.id)) },
  ...(isRedirect ? { redirect: true } : {}),
})

const fieldsOf = ({ id, parentId = 0, at, by = 'Ada', comment = '', hidden = [] }: FakeRevision) => ({
  ...{ revid: id, parentid: parentId, timestamp: timeOf(at) },
  ...(hidden.includes('user') ? { userhidden: true } : { user: by }),
  ...(hidden.includes('comment') ? { commenthidden: true } : { comment }),
  ...(hidden.includes('text') ? { sha1hidden: true } : { sha1: 'x' }),
})

const slotOf = ({ text = 'text', model = 'wikitext', hidden = [] }: FakeRevision) =>
  hidden.includes('text') ? { contentmodel: model, texthidden: true } : { contentmodel: model, content: text }
