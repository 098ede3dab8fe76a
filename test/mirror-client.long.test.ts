import { expect } from 'chai'
import {
  ApiError,
  type Batch,
  createWiki,
  type MirrorOptions,
  mirror,
  type Retry,
  UnknownCursor,
  Unreachable,
} from '../clients/javascript/src/index.ts'
import { type ChangesServer, type Disturbance, startChangesServer } from './support/changes-server.ts'
import { failureOf } from './support/failures.ts'

type Options = Partial<MirrorOptions<'markdown'>>

const arrayOf = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

describe('mirror() of the JavaScript client', () => {
  let server: ChangesServer
  beforeEach(async () => {
    server = await startChangesServer()
  })
  afterEach(() => server.close())

  const start = (options: Options = {}) =>
    mirror({ base: server.api, include: ['markdown'], firstPause: 0.001, ...options })

  /** Applies batches to a copy until the mirror ends. @returns the last cursor */
  const copyInto = async (copy: Map<string, string>, options: Options = {}): Promise<string> => {
    let last = ''
    for await (const { items, cursor } of start(options)) {
      for (const item of items) {
        if (item.type === 'gone') copy.delete(`${item.locale} ${item.path}`)
        else copy.set(`${item.locale} ${item.path}`, item.markdown)
      }
      last = cursor
    }
    return last
  }
  const fill = (pages: number) => {
    for (let i = 0; i < pages; i += 1) server.put(`page ${i}`, `Text ${i} 🍵`)
  }
  it('copies everything in parts, and from a cursor only what changed since', async () => {
    fill(25)
    const copy = new Map<string, string>()
    const after = await copyInto(copy, { limit: 10 })
    expect(copy).to.deep.equal(server.pages())
    expect(server.requests.map(({ query }) => query.get('limit'))).to.deep.equal(['10', '10', '10'])
    server.put('page 3', 'new')
    server.remove('page 4')
    const [batch, ...others] = await arrayOf(start({ after }))
    expect(others).to.deep.equal([])
    expect(batch!.items.map(({ type, path }) => [type, path])).to.deep.equal([
      ['upsert', 'page 3'],
      ['gone', 'page 4'],
    ])
  })

  it('says once that nothing changed, with the cursor to store', async () => {
    fill(1)
    const after = await copyInto(new Map())
    expect(await arrayOf(start({ after }))).to.deep.equal([{ items: [], cursor: after, isCurrent: true }])
  })

  it('sends what it is asked for as parameters, and headers', async () => {
    await copyInto(new Map(), {
      locale: 'ru',
      ns: 'template',
      headers: { 'User-Agent': 'tea-mirror' },
    })
    const [{ query, headers }] = server.requests as [ChangesServer['requests'][number]]
    expect(Object.fromEntries(query)).to.deep.equal({
      include: 'markdown',
      locale: 'ru',
      ns: 'template',
      limit: '200',
    })
    expect(headers['user-agent']).to.equal('tea-mirror')
  })

  it('survives refusals, lost and cut connections, half bodies and the pages of proxies', async () => {
    fill(100)
    server.retryAfter = '0'
    const all: Disturbance[] = [
      'busy',
      'limited',
      'defect',
      'reset',
      'half',
      'cut',
      'garbage',
      'portal',
      'silence',
    ]
    for (const one of all) server.disturb(one, 'none')
    const retries: Retry[] = []
    const copy = new Map<string, string>()
    await copyInto(copy, { limit: 10, idleTimeout: 3, onRetry: (retry) => retries.push(retry) })
    expect(copy).to.deep.equal(server.pages())
    expect(retries).to.have.length(all.length)
    expect(retries.map(({ reason }) => reason))
      .to.include('status 503')
      .and.include('nothing came for 3 s')
    expect(server.requests).to.have.length(10 + all.length)
  })

  it('waits as long as Retry-After says after 429 and 503, and as RateLimit says when nothing is left', async () => {
    fill(20)
    const pauseAfter = async (disturb: (server: ChangesServer) => void) => {
      const other = await startChangesServer()
      disturb(other)
      for (let i = 0; i < 20; i += 1) other.put(`page ${i}`, '')
      await arrayOf(mirror({ base: other.api, limit: 10, firstPause: 0.001 }))
      await other.close()
      return other.requests[1]!.at - other.requests[0]!.at
    }
    const pauses = await Promise.all([
      pauseAfter((other) => other.disturb('limited')),
      pauseAfter((other) => other.disturb('busy')),
      pauseAfter((other) => {
        other.rateLimit = '"default";r=0;t=1'
      }),
    ])
    for (const pause of pauses) expect(pause).to.be.at.least(990)
    const pause = await pauseAfter((other) => {
      other.rateLimit = '"default";r=9;t=3600'
    })
    expect(pause).to.be.below(3_600_000)
  })

  it('never has two requests at a time, also when its user is slow', async () => {
    fill(30)
    let running = 0
    let most = 0
    const count: MirrorOptions['fetch'] = async (url, init) => {
      most = Math.max(most, ++running)
      return fetch(url, init).finally(() => running--)
    }
    await copyInto(new Map(), { limit: 5, fetch: count })
    expect(most).to.equal(1)
  })

  it('follows changes with poll, and ends when it is aborted', async () => {
    fill(3)
    const controller = new AbortController()
    const batches: Batch<'markdown'>[] = []
    const error = await failureOf(
      (async () => {
        for await (const batch of start({ poll: 0.005, signal: controller.signal })) {
          batches.push(batch)
          if (batches.length === 1) server.put('page 1', 'new')
          else controller.abort(new Error('enough'))
        }
      })(),
    )
    expect(String(error)).to.equal('Error: enough')
    expect(batches.map(({ items }) => items.length)).to.deep.equal([3, 1])
  })

  it('fails at once where sending the request again does not help', async () => {
    fill(1)
    const unknown = await failureOf(copyInto(new Map(), { after: '99-1' }))
    expect(unknown).to.be.instanceOf(UnknownCursor).and.include({ status: 400, code: 'bad_parameter' })
    const notFound = await failureOf(
      copyInto(new Map(), { fetch: async () => new Response('<h1>None</h1>', { status: 404 }) }),
    )
    expect(notFound).to.be.instanceOf(ApiError).and.include({ status: 404, code: '' })
    expect(await failureOf(copyInto(new Map(), { base: 'ftp://wiki.example' }))).to.be.instanceOf(TypeError)
    expect(server.requests).to.have.length(1)
  })

  it('gives up after giveUpAfter, and says why', async () => {
    server.disturb(...Array<Disturbance>(1000).fill('reset'))
    const lost = await failureOf(copyInto(new Map(), { giveUpAfter: 0.02 }))
    expect(lost).to.be.instanceOf(Unreachable)
    expect(String(lost)).to.include('/changes').and.include('fetch failed')
    server.retryAfter = '3600'
    const busy = await failureOf(
      copyInto(new Map(), { fetch: async () => new Response('', { status: 503 }), giveUpAfter: 0.02 }),
    )
    expect(busy).to.be.instanceOf(ApiError).and.include({ status: 503 })
  })
})

describe('createWiki() of the JavaScript client', () => {
  const statuses = async (answers: number[], giveUpAfter = 600) => {
    let running = 0
    let most = 0
    const wiki = createWiki({
      base: 'http://wiki.example/api/v1/',
      firstPause: 0.001,
      giveUpAfter,
      maxParallel: 2,
      fetch: async () => {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setTimeout(resolve, 1))
        running -= 1
        const status = answers.shift() ?? 200
        return Response.json(status === 200 ? { items: [], next: '' } : { error: { code: 'x' } }, { status })
      },
    })
    const results = await Promise.all([1, 2, 3, 4].map(() => wiki.GET('/pages')))
    return { most, statuses: results.map(({ response }) => response.status), results }
  }

  it('sends several values as one text with commas, and each path as a parameter', async () => {
    const urls: string[] = []
    const wiki = createWiki({
      base: 'http://wiki.example/api/v1/',
      fetch: async (url) => {
        urls.push(url)
        return Response.json({ items: [], next: '' })
      },
    })
    const query = { path: ['a', 'b/ц&d'], include: ['markdown' as const, 'html' as const], limit: 2 }
    await wiki.GET('/pages', { params: { query } })
    expect(urls).to.deep.equal([
      'http://wiki.example/api/v1/pages?path=a&path=b%2F%D1%86%26d&include=markdown,html&limit=2',
    ])
  })

  it('sends requests again that failed for a time, two at a time if it may', async () => {
    const { most, statuses: found } = await statuses([503, 429, 500])
    expect(found).to.deep.equal([200, 200, 200, 200])
    expect(most).to.equal(2)
  })

  it('returns errors that stay', async () => {
    const { results } = await statuses([404])
    expect(results.map(({ error }) => error?.error.code).filter((code) => code !== undefined)).to.deep.equal([
      'x',
    ])
    const { statuses: found } = await statuses(Array<number>(10_000).fill(503), 0.05)
    expect(found).to.deep.equal([503, 503, 503, 503])
  })
})
