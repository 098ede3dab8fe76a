import type { ServerResponse } from 'node:http'
import { expect } from 'chai'
import { EventReader } from '../clients/javascript/src/events.ts'
import {
  type FollowedChange,
  type FollowOptions,
  follow,
  type Retry,
  UnknownCursor,
} from '../clients/javascript/src/index.ts'
import { type ChangesServer, startChangesServer } from './support/changes-server.ts'
import { failureOf } from './support/failures.ts'
import { startService, type TestService } from './support/service.ts'
import { until } from './support/until.ts'
import { clearWorld, importRecords, recordsOf } from './support/world.ts'

/** A loop over what is followed, until `end`. */
class Following {
  readonly changes: FollowedChange<'markdown'>[] = []
  readonly retries: Retry[] = []
  failure: unknown
  readonly #controller = new AbortController()
  readonly #ended: Promise<void>

  constructor(options: FollowOptions<'markdown'>) {
    const { signal } = this.#controller
    const onRetry = (retry: Retry) => this.retries.push(retry)
    this.#ended = this.#run({ firstPause: 0.01, include: ['markdown'], signal, onRetry, ...options })
  }

  async #run(options: FollowOptions<'markdown'>) {
    try {
      for await (const change of follow(options)) this.changes.push(change)
    } catch (error) {
      this.failure = error
    }
  }

  get paths(): string[] {
    return this.changes.map(({ item }) => (item.type === 'gone' ? `-${item.path}` : item.path))
  }

  async untilPaths(...paths: string[]): Promise<void> {
    await until(`${paths} came`, () => this.failure !== undefined || this.changes.length >= paths.length)
    expect(this.failure).to.equal(undefined)
    expect(this.paths).to.deep.equal(paths)
  }

  async end(): Promise<void> {
    this.#controller.abort(new Error('enough'))
    await this.#ended
    expect(String(this.failure)).to.equal('Error: enough')
  }
}

describe('follow() of the JavaScript client', () => {
  const open: Following[] = []
  const start = (options: FollowOptions<'markdown'>) => {
    const following = new Following(options)
    open.push(following)
    return following
  }
  afterEach(async () => {
    for (const following of open.splice(0)) if (following.failure === undefined) await following.end()
  })

  describe('with a service', () => {
    let test: TestService
    let requests: string[] = []
    const noteRequests: FollowOptions['fetch'] = (url, init) => {
      requests.push(init.headers.get('Accept') ?? 'the list')
      return fetch(url, init)
    }
    beforeEach(async () => {
      await clearWorld()
      requests = []
      test = await startService({ cacheSeconds: 0 })
    })
    afterEach(() => test.service.close())
    const base = () => `${test.service.listeningUrl}/api/v1`
    const importPage = (path: string, more = {}) => importRecords(recordsOf({ pages: [{ path, ...more }] }))

    it('yields what there is, then what happens, through one stream; each cursor goes on after its item', async () => {
      await importPage('tea')
      const following = start({ base: base(), fetch: noteRequests })
      await following.untilPaths('tea')
      await importPage('mate')
      await following.untilPaths('tea', 'mate')
      await importPage('tea', { state: 'deleted' })
      await following.untilPaths('tea', 'mate', '-tea')
      // While an import keeps it busy, the service may refuse a stream.
      expect(requests).to.have.length(1 + 2 * following.retries.length)
      const { item, cursor } = following.changes[1]!
      expect(item).to.include({ type: 'upsert', markdown: 'Text of mate.' })
      await start({ base: base(), after: cursor }).untilPaths('-tea')
    })

    it('yields only what happens from `now` on', async () => {
      await importPage('tea')
      const following = start({ base: base(), after: 'now', fetch: noteRequests })
      await until('it waits at the stream', () => requests.length === 2)
      await importPage('mate')
      await following.untilPaths('mate')
      expect(requests.slice(0, 2)).to.deep.equal(['the list', 'text/event-stream'])
    })

    it('ends when its loop does, and closes the stream', async () => {
      await importPage('tea')
      for await (const { item } of follow({ base: base() })) {
        expect(item.path).to.equal('tea')
        break
      }
      await until('no stream is open', async () => {
        const metrics = await fetch(`${test.service.internalUrl}/metrics`)
        return /^lectern_http_streams 0$/m.test(await metrics.text())
      })
    })

    it('goes on when the service was stopped and started, and misses nothing', async () => {
      const port = Number(new URL(test.service.listeningUrl).port)
      await importPage('tea')
      const following = start({ base: base() })
      await following.untilPaths('tea')
      await test.service.close()
      await importPage('mate')
      await until('it has noticed', () => following.retries.length > 0)
      test = await startService({ cacheSeconds: 0, port })
      await following.untilPaths('tea', 'mate')
      await importPage('cocoa')
      await following.untilPaths('tea', 'mate', 'cocoa')
    })

    it('fails if the service does not know the cursor, or it is of a list of other pages', async () => {
      const { body } = await test.get('/changes?ns=template')
      for (const after of ['x', body.cursor]) {
        const error = await failureOf(follow({ base: base(), ns: 'main', after }).next())
        expect(error).to.be.instanceOf(UnknownCursor)
      }
    })
  })

  describe('with a stand-in', () => {
    let server: ChangesServer
    beforeEach(async () => {
      server = await startChangesServer()
    })
    afterEach(() => server.close())
    const timesOfStreams = () =>
      server.requests.filter(({ headers }) => headers.accept === 'text/event-stream').map(({ at }) => at)
    const expectLists = async () => {
      server.put('tea', 'a')
      server.put('mate', 'b')
      const following = start({ base: server.api, limit: 1, poll: 0.01, idleTimeout: 0.5 })
      await following.untilPaths('tea', 'mate')
      expect(following.changes.map(({ cursor }) => cursor)).to.deep.equal(['1-1', '1-2'])
      server.remove('tea')
      server.put('cocoa', 'c')
      await following.untilPaths('tea', 'mate', '-tea', 'cocoa')
      expect(timesOfStreams()).to.have.length(1)
    }

    it('looks at the list where there are no streams', () => expectLists())

    it('looks at the list where a proxy collects the stream', async () => {
      server.onStream = (response) =>
        response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders()
      await expectLists()
    })

    it('looks at the list where nothing comes at all', async () => {
      server.onStream = () => {}
      await expectLists()
    })

    it('a cursor within a part of the list is the one before the part', async () => {
      for (const path of ['tea', 'mate', 'cocoa']) server.put(path, '')
      const following = start({ base: server.api, limit: 2 })
      await following.untilPaths('tea', 'mate', 'cocoa')
      expect(following.changes.map(({ cursor }) => cursor)).to.deep.equal(['', '1-2', '1-3'])
    })

    for (const [what, answer] of Object.entries({
      'Retry-After of a 503': (response: ServerResponse) =>
        response.writeHead(503, { 'Retry-After': '1' }).end(),
      'retry of a stream that ended': (response: ServerResponse) =>
        response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end('retry: 1000\n\n'),
    }))
      it(`waits as long as ${what} says`, async () => {
        server.onStream = answer
        start({ base: server.api })
        await until('a second stream was asked for', () => timesOfStreams().length === 2)
        expect(server.requests).to.have.length(3)
        expect(server.requests[1]!.at - server.requests[0]!.at).to.be.at.least(990)
      })

    it('looks seldomer for a stream that is refused again and again', async () => {
      server.onStream = (response) => response.writeHead(503).end()
      const following = start({ base: server.api })
      await until('it was refused 6 times', () => following.retries.length >= 6)
      for (const [i, { pause }] of following.retries.entries()) expect(pause).to.be.at.least(0.005 * 2 ** i)
    })
  })

  it('reads events however their bytes are cut, with every line break and with comments', () => {
    const text =
      '\n:\n\nretry: 1500\n\nevent: upsert\nid: 1\ndata: {"a":"чай 🍵"}\n\ndata:b\rdata: c\r\n\r\nid: 3\n\ndata\n\ndata: d\n\nlost'
    const bytes = new TextEncoder().encode(text)
    for (let size = 1; size < bytes.length; size += 1) {
      const reader = new EventReader()
      const events = []
      for (let at = 0; at < bytes.length; at += size)
        events.push(...reader.read(bytes.subarray(at, at + size)))
      expect(events, `${size} bytes at a time`).to.deep.equal([
        { id: '1', data: '{"a":"чай 🍵"}' },
        { id: '1', data: 'b\nc' },
        { id: '3', data: 'd' },
      ])
      expect(reader.retry).to.equal(1500)
    }
  })
})
