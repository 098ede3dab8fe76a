import { expect } from 'chai'
import type { ServingDatabase } from '../../src/db/database.ts'
import { EventStream } from '../support/event-stream.ts'
import { withService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { clearWorld, importRecords, type PageSpec, recordsOf } from '../support/world.ts'

/** Names of the statements that ran, in order. */
let statementsRun: string[] = []

const counting = (database: ServingDatabase): ServingDatabase => ({
  ...database,
  query: (statement, values) => {
    statementsRun.push(statement.name)
    return database.query(statement, values)
  },
})

describe('GET /changes with Accept: text/event-stream', () => {
  const test = withService({ cacheSeconds: 60, trustedProxies: 1 }, { wrap: counting })
  const open: { close(): void }[] = []

  beforeEach(async () => {
    await clearWorld()
    test.service.invalidate()
  })
  afterEach(async () => {
    for (const stream of open.splice(0)) stream.close()
    await until('all streams are closed', async () => (await openStreams()) === 0)
  })

  const importPages = (pages: PageSpec[]) => importRecords(recordsOf({ pages }))
  const urlOf = (query = '') => `${test.service.listeningUrl}/api/v1/changes${query}`
  const stream = (query = '', headers: Record<string, string> = {}) => {
    const opened = new EventStream(urlOf(query), headers)
    open.push(opened)
    return opened
  }
  /** The list, when it has what an import wrote. */
  const list = async (query = '') => {
    test.service.invalidate()
    return (await test.get(`/changes?limit=200${query}`)).body
  }
  const openStreams = async () => {
    const response = await fetch(`${test.service.internalUrl}/metrics`)
    return Number(/^lectern_http_streams (\d+)$/m.exec(await response.text())![1])
  }

  describe('the response', () => {
    it('is a stream that nobody stores, collects or compresses', async () => {
      const { headers, status, text } = await stream('?lmit=1', { 'Accept-Encoding': 'gzip' }).untilOpen()
      expect(status).to.equal(200)
      expect(headers).to.include({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        'access-control-allow-origin': '*',
        vary: 'Accept, Prefer',
        'lectern-ignored-parameters': 'lmit;known=limit',
      })
      expect(headers).to.not.have.any.keys('etag', 'content-encoding', 'content-length')
      expect(text).to.match(/^retry: 3000\nid: [\w-]{19}\n\n$/)
    })

    it('HEAD gets the headers alone, and fetch reads the stream', async () => {
      await importPages([{ path: 'tea' }])
      const headers = { Accept: 'text/event-stream' }
      const head = await test.get('/changes', { method: 'HEAD', headers })
      expect([head.status, head.headers['content-type'], head.text]).to.deep.equal([
        ...[200, 'text/event-stream; charset=utf-8', ''],
      ])
      const abort = new AbortController()
      const { body } = await fetch(urlOf(), { headers, signal: abort.signal })
      let text = ''
      for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
        text += chunk
        if (text.includes('"path":"tea"')) break
      }
      abort.abort()
      expect(text).to.match(/\n\nevent: upsert\nid: [\w-]{19}\ndata: \{"type":"upsert","path":"tea",/)
    })

    it('is JSON unless the client prefers events', async () => {
      for (const accept of ['*/*', 'text/*, application/json', 'text/event-stream;q=0.5, application/json']) {
        const { headers } = await test.get('/changes', { headers: { Accept: accept } })
        expect(headers['content-type'], accept).to.equal('application/json; charset=utf-8')
        expect(headers.vary).to.equal('Accept, Accept-Encoding')
      }
      const preferring = 'application/json;q=0.5, text/event-stream'
      expect((await stream('', { Accept: preferring }).untilOpen()).headers['content-type']).to.match(/event/)
    })

    it('an error has its status and its JSON body', async () => {
      const headers = { Accept: 'text/event-stream' }
      for (const [query, name] of [
        ...[['?after=AAAAAAAAAAAAAAAAAAA', 'after'] as const, ['?after=x', 'after'] as const],
        ...[['?locale=xx', 'locale'] as const, ['?ns=none', 'ns'] as const],
        ...[['?include=all', 'include'] as const, ['?limit=201', 'limit'] as const],
      ]) {
        const { status, body } = await test.get(`/changes${query}`, { headers })
        expect(status, query).to.equal(400)
        expect(body.error.message).to.match(new RegExp(`^${name}: `))
      }
      const last = { ...headers, 'Last-Event-ID': 'invented' }
      expect((await test.get('/changes?after=now', { headers: last })).body.error.message).to.equal(
        'Last-Event-ID: must be the `cursor` of an earlier response',
      )
      expect((await test.get('/changes?ns=x', { headers: last })).body.error.message).to.match(/^ns: /)
    })
  })

  describe('from a cursor', () => {
    it('without one, sends the list from its beginning, each item with the cursor after it', async () => {
      await importPages([1, 2, 3, 4, 5].map((n) => ({ path: `page-${n}` })))
      const { items } = await list()
      const events = await stream('?limit=2').untilEvents(5)
      expect(events.map(({ item }) => item)).to.deep.equal(items)
      expect(events.map(({ event }) => event)).to.deep.equal(Array(5).fill('upsert'))
      for (const [n, { id }] of events.entries())
        expect((await list(`&after=${id}`)).items).to.deep.equal(items.slice(n + 1))
    })

    it('continues after `after`, and rather after `Last-Event-ID`', async () => {
      for (const path of ['tea', 'mate', 'coffee']) await importPages([{ path }])
      const [first, second] = await stream().untilEvents(3)
      const after = stream(`?after=${first!.id}`)
      const last = stream(`?after=${first!.id}`, { 'Last-Event-ID': second!.id })
      await after.untilEvents(2)
      await last.untilEvents(1)
      await importPages([{ path: 'cocoa' }])
      await Promise.all([after.untilEvents(3), last.untilEvents(2)])
      expect(after.paths).to.deep.equal(['mate', 'coffee', 'cocoa'])
      expect(last.paths).to.deep.equal(['coffee', 'cocoa'])
    })

    it('from `now` on, begins with a cursor, which goes on if nothing has come', async () => {
      await importPages([{ path: 'tea' }])
      const { text } = await stream('?after=now').untilOpen()
      const [, id] = /^retry: 3000\nid: ([\w-]{19})\n\n$/.exec(text)!
      await importPages([{ path: 'mate' }])
      const later = stream('?after=now', { 'Last-Event-ID': id! })
      await later.untilEvents(1)
      expect(later.paths).to.deep.equal(['mate'])
    })

    it('has only the language and namespace of the request, and what `include` names', async () => {
      await importPages([{ path: 'tea' }, { path: 'чай', locale: 'ru' }, { path: 'template:cup' }])
      const russian = stream('?locale=ru&include=markdown,categories')
      const templates = stream('?ns=template')
      await Promise.all([russian.untilEvents(1), templates.untilEvents(1)])
      await importPages([{ path: 'мате', locale: 'ru' }, { path: 'mate' }, { path: 'template:pot' }])
      await Promise.all([russian.untilEvents(2), templates.untilEvents(2)])
      expect(templates.paths).to.deep.equal(['template:cup', 'template:pot'])
      const { items } = await list('&locale=ru&include=markdown,categories')
      expect(items.map(({ markdown }: { markdown: string }) => markdown)).to.have.members([
        ...['Text of чай.', 'Text of мате.'],
      ])
      expect(russian.events.map(({ item }) => item)).to.deep.equal(items)
      const last = { Accept: 'text/event-stream', 'Last-Event-ID': russian.events[0]!.id }
      const { status, body } = await test.get('/changes?ns=main', { headers: last })
      expect([status, body.error?.message]).to.deep.equal([
        ...[400, 'Last-Event-ID: is the cursor of a list with locale=ru: send that, too'],
      ])
      const later = stream('?locale=ru', last)
      await later.untilEvents(1)
      expect(later.paths).to.deep.equal([russian.paths[1]])
    })
  })

  describe('what happens', () => {
    it('an edit is at all clients, and costs one statement beside the one of the wiki', async () => {
      await importPages([{ path: 'tea' }])
      const streams = [1, 2, 3, 4, 5].map(() => stream())
      await Promise.all(streams.map((one) => one.untilEvents(1)))
      const rounds: string[][] = []
      for (const n of [1, 2, 3]) {
        statementsRun = []
        await importPages([
          { path: 'tea', revisions: [{ title: `Tea ${n}`, created_at: `202${n + 4}-01-01T00:00:00Z` }] },
        ])
        await Promise.all(streams.map((one) => one.untilEvents(n + 1)))
        rounds.push(statementsRun)
      }
      // A heartbeat, every 15 s, makes all streams read once more.
      const fewest = rounds.reduce((few, round) => (round.length < few.length ? round : few))
      expect(fewest, JSON.stringify(rounds)).to.have.members(['wiki', 'changes'])
      for (const { events } of streams)
        expect(events.map(({ item }) => item.title)).to.deep.equal(['tea', 'Tea 1', 'Tea 2', 'Tea 3'])
    })

    it('a page that vanishes is gone', async () => {
      await importPages([{ path: 'tea' }, { path: 'mate' }])
      const { cursor } = await list()
      const opened = await stream(`?after=${cursor}`).untilOpen()
      await importPages([{ path: 'tea', state: 'deleted' }])
      const { event, item } = (await opened.untilEvents(1))[0]!
      expect(event).to.equal('gone')
      expect(item).to.deep.equal((await list(`&after=${cursor}`)).items[0])
      expect(item).to.include({ type: 'gone', path: 'tea', locale: 'en', ns: 'main' })
    })
  })

  describe('limits', () => {
    it('429: one client has at most 10, and another one gets its own', async () => {
      const streams = Array.from({ length: 10 }, () => stream('', { 'X-Forwarded-For': '192.0.2.1' }))
      await Promise.all(streams.map((one) => one.untilOpen()))
      expect(await openStreams()).to.equal(10)
      const refused = await stream('', { 'X-Forwarded-For': '192.0.2.1' }).untilOpen()
      expect([refused.status, refused.headers['retry-after']]).to.deep.equal([429, '10'])
      expect(refused.text).to.include(
        '"rate_limited","message":"One network address can have 10 streams open.',
      )
      expect((await stream('', { 'X-Forwarded-For': '192.0.2.2' }).untilOpen()).status).to.equal(200)
      streams[0]!.close()
      await until('one stream is closed', async () => (await openStreams()) === 10)
      expect((await stream('', { 'X-Forwarded-For': '192.0.2.1' }).untilOpen()).status).to.equal(200)
    })
  })
})

describe('streams of a service that stops', () => {
  const test = withService()

  it('end at once, and tell their clients to come back', async () => {
    const stream = await new EventStream(`${test.service.listeningUrl}/api/v1/changes`).untilOpen()
    await test.service.close(60_000)
    expect(stream.text).to.match(/\n\nretry: 1000\n\n$/)
    await stream.untilClosed()
  })
})
