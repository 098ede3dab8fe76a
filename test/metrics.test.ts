import { expect } from 'chai'
import type { ServingDatabase } from '../src/db/database.ts'
import type { SourceStatus } from '../src/db/followed-sources.ts'
import type { Statement } from '../src/db/statements.ts'
import { makeMetrics } from '../src/internal/metrics.ts'
import { makeRequestMetrics } from '../src/rest/transport/request-metrics.ts'
import { exchange } from './support/raw.ts'
import { withService, withWorld } from './support/service.ts'

/** Values by name and labels, for example `name{route="page",status="200"}`. */
const parseMetrics = (text: string): Map<string, number> =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line): [string, number] => {
        const at = line.lastIndexOf(' ')
        return [line.slice(0, at), Number(line.slice(at + 1))]
      }),
  )

describe('/metrics', () => {
  const test = withService({ rateLimit: 20 })
  withWorld(test, { pages: [{ path: 'tea' }, { path: 'draft-secret', state: 'draft' }] })
  const scrape = async () => {
    const response = await fetch(`${test.service.internalUrl}/metrics`)
    return { answer: response, text: await response.text() }
  }

  it('is in Prometheus format: each metric has its help and type', async () => {
    const { answer: response, text } = await scrape()
    expect(response.status).to.equal(200)
    expect(response.headers.get('content-type')).to.equal('text/plain; version=0.0.4; charset=utf-8')
    expect(parseMetrics(text).get('lectern_pages'), 'without drafts').to.equal(1)
    expect(parseMetrics(text).get('lectern_ready')).to.equal(1)
    const names = [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name, type]) => `${name} ${type}`)
    expect(names).to.include.members([
      'lectern_http_requests_total counter',
      'lectern_http_request_duration_seconds histogram',
      'lectern_http_unknown_parameter_requests_total counter',
      'lectern_http_rate_limited_requests_total counter',
      'lectern_http_connections gauge',
      'lectern_http_streams gauge',
      'lectern_http_slow_reader_disconnects_total counter',
      'lectern_admission_running_requests gauge',
      'lectern_admission_queued_requests gauge',
      'lectern_admission_shed_requests_total counter',
      'lectern_database_up gauge',
      'lectern_render_failures_total counter',
      'lectern_response_cache_hits_total counter',
      'lectern_response_cache_misses_total counter',
      'nodejs_eventloop_lag_p99_seconds gauge',
      'process_resident_memory_bytes gauge',
    ])
    const described = [...text.matchAll(/^# HELP (\S+) \S/gm)].map(([, name]) => name)
    expect(described).to.deep.equal(names.map((name) => name.split(' ')[0]))
  })

  it('counts responses by route and status, and hits and misses of the cache', async () => {
    const before = parseMetrics((await scrape()).text)
    await test.get('/pages/tea')
    const { headers } = await test.get('/pages/tea')
    await test.get('/pages/tea', { headers: { 'if-none-match': headers.etag! } })
    await test.get('/pages/never')
    await test.get('/pages?limit=0')
    await test.get('/search?q=tea')
    await test.get('/pages', { method: 'OPTIONS' })
    await test.call('/nothing')
    await test.call('/api/v1/pages', { method: 'POST' })
    await exchange(test.service.listeningUrl, 'nonsense\r\n\r\n')
    const after = parseMetrics((await scrape()).text)
    const more = Object.fromEntries(
      [...after]
        .filter(([name]) =>
          /^lectern_(http_requests_total|response_cache_(hits|misses)|http_request_duration_seconds_count)/.test(
            name,
          ),
        )
        .map(([name, value]): [string, number] => [name, value - (before.get(name) ?? 0)])
        .filter(([, value]) => value !== 0),
    )
    expect(more).to.deep.equal({
      'lectern_http_requests_total{route="page",status="200"}': 2,
      'lectern_http_requests_total{route="page",status="304"}': 1,
      'lectern_http_requests_total{route="page",status="404"}': 1,
      'lectern_http_requests_total{route="pages",status="400"}': 1,
      'lectern_http_requests_total{route="search",status="200"}': 1,
      'lectern_http_requests_total{route="preflight",status="204"}': 1,
      'lectern_http_requests_total{route="none",status="404"}': 1,
      'lectern_http_requests_total{route="none",status="405"}': 1,
      'lectern_http_requests_total{route="unreadable",status="400"}': 1,
      'lectern_http_request_duration_seconds_count{route="page"}': 4,
      'lectern_http_request_duration_seconds_count{route="pages"}': 1,
      'lectern_http_request_duration_seconds_count{route="search"}': 1,
      'lectern_http_request_duration_seconds_count{route="preflight"}': 1,
      'lectern_http_request_duration_seconds_count{route="none"}': 2,
      'lectern_http_request_duration_seconds_count{route="unreadable"}': 1,
      lectern_response_cache_hits_total: 2,
      lectern_response_cache_misses_total: 3,
    })
  })

  it('counts requests with parameters that their route does not have, also those whose response is cached', async () => {
    const name = 'lectern_http_unknown_parameter_requests_total'
    const counted = async () => {
      const values = parseMetrics((await scrape()).text)
      return ['page', 'search'].map((route) => values.get(`${name}{route="${route}"}`) ?? 0)
    }
    const [page = 0, search = 0] = await counted()
    await test.get('/search?query=needle')
    expect(await counted()).to.deep.equal([page, search + 1])
    await test.get('/search?query=needle')
    await test.get('/search?q=tea')
    await test.get('/pages/tea?lmit=1&x[]=2')
    await test.get('/pages/tea')
    expect(await counted()).to.deep.equal([page + 1, search + 2])
    expect((await scrape()).text).not.to.match(/needle|lmit/)
  })

  it('counts rate-limited requests', async () => {
    let refused = 0
    for (let n = 0; n < 25; n++) if ((await test.get('/pages')).status === 429) refused += 1
    const values = parseMetrics((await scrape()).text)
    expect(refused).to.be.above(0)
    expect(values.get('lectern_http_rate_limited_requests_total')).to.equal(refused)
    expect(values.get('lectern_http_requests_total{route="none",status="429"}')).to.equal(refused)
  })

  it('contains no client, page or host, whatever the requests are', async () => {
    await test.call('/api/v1/pages/draft-secret?q=needle')
    await test.call('/needle', { headers: { Host: 'needle.example', 'X-Request-Id': 'needle' } })
    const { text } = await scrape()
    expect(text).not.to.match(/needle|draft|secret|127\.0\.0\.1|localhost|wiki\.example/)
    const routes = new Set([...text.matchAll(/route="([^"]*)"/g)].map(([, route]) => route))
    for (const route of routes) {
      expect(route).to.be.oneOf(['page', 'pages', 'search', 'none', 'preflight', 'unreadable'])
    }
  })

  it('refuses POST with 405, and is not on the public listener', async () => {
    const { status } = await fetch(`${test.service.internalUrl}/metrics`, { method: 'POST' })
    expect(status).to.equal(405)
    expect((await test.call('/metrics')).status).to.be.oneOf([404, 429])
  })
})

describe('/metrics while the database does not respond', () => {
  const rows: SourceStatus[] = [{ name: 'docs', checkedAgo: 60, failingFor: null, endedAgo: 5 }]
  let [isStuck, isReady] = [false, true]
  const wrap = (database: ServingDatabase): ServingDatabase => ({
    ...database,
    ready: () => (isReady ? database.ready() : Promise.reject(new Error('no right'))),
    query: async <Row>(statement: Statement<Row>, values: readonly unknown[]) => {
      if (statement.name !== 'followed_sources') return database.query(statement, values)
      return isStuck ? new Promise<Row[]>(() => {}) : (rows as Row[])
    },
  })
  const test = withService({}, { wrap })

  it('has all metrics: ages of sources grow from the last known ones', async () => {
    const scrape = async () => parseMetrics(await (await fetch(`${test.service.internalUrl}/metrics`)).text())
    const age = 'lectern_source_checked_age_seconds{source="docs"}'
    const known = (await scrape()).get(age)!
    expect(known).to.be.within(60, 70)
    isStuck = true
    const later = await scrape()
    expect(later.get(age)).to.be.above(known)
    expect(later.get('lectern_source_failing_seconds{source="docs"}')).to.equal(0)
    expect(later.get('lectern_source_ended_seconds{source="docs"}')).to.equal(5)
    expect(later.get('process_resident_memory_bytes')).to.be.above(0)
    expect((await fetch(`${test.service.internalUrl}/ready`)).status).to.equal(200)
    isReady = false
    expect((await scrape()).get('lectern_ready')).to.equal(0)
  })
})

describe('metrics registry', () => {
  const sources = (traffic = makeRequestMetrics()) => ({
    routes: traffic.routes,
    admission: () => [{ requestClass: 'page' as const, running: 2, queued: 1, shed: 3 }],
    responseCache: () => ({ hits: 1, coalesced: 2, misses: 3, entries: 4, bytes: 5 }),
    streams: () => 9,
    connections: () => ({ open: 6, slowReaders: 7, evicted: 8 }),
  })

  it('the histogram is cumulative, in seconds: up to 0.25 ms, 0.5 ms … 5 s, and longer', async () => {
    const traffic = makeRequestMetrics()
    for (const ms of [0.1, 0.25, 0.3, 7, 499, 60_000]) traffic.countResponse('page', 200, ms)
    const values = parseMetrics(await makeMetrics(sources(traffic)).text())
    const upTo = (le: string) =>
      values.get(`lectern_http_request_duration_seconds_bucket{le="${le}",route="page"}`)
    expect(['0.00025', '0.0005', '0.001', '0.01', '0.25', '0.5', '5', '+Inf'].map(upTo)).to.deep.equal([
      2, 3, 3, 4, 4, 5, 5, 6,
    ])
    expect(values.get('lectern_http_request_duration_seconds_count{route="page"}')).to.equal(6)
    expect(values.get('lectern_http_request_duration_seconds_sum{route="page"}')).to.be.closeTo(
      60.50665,
      1e-9,
    )
  })

  it('of several processes: the slowest event loop, the first start, the sum of memory', async () => {
    const ofAll = (own: () => Promise<object[]>) => async () => {
      const metrics = await own()
      return [2, 5, 1].map((value) => metrics.map((one) => ({ ...one, values: [{ value, labels: {} }] })))
    }
    const values = parseMetrics(await makeMetrics({}, ofAll).text())
    for (const what of ['', 'mean_', 'p50_', 'p99_', 'max_'])
      expect(values.get(`nodejs_eventloop_lag_${what}seconds`), what).to.equal(5)
    expect(values.get('nodejs_eventloop_lag_min_seconds')).to.equal(1)
    expect(values.get('process_start_time_seconds')).to.equal(1)
    expect(values.get('process_resident_memory_bytes')).to.equal(8)
  })

  it('has metrics of database servers and rendering if there are sources for them', async () => {
    const errors = { timeout: 5, connection: 6, pool: 7, statement: 8 }
    const text = await makeMetrics({
      ...sources(),
      servers: () => [
        { name: 'primary', health: 'lost', lag: 0, connections: { total: 10, idle: 4, queued: 2 }, errors },
        {
          name: 'replica 1',
          health: 'up',
          lag: 2.5,
          connections: { total: 0, idle: 0, queued: 0 },
          errors,
        },
      ],
      rendering: () => ({
        renders: 9,
        failures: { time: 1, memory: 0 },
        shed: 3,
        unfinished: 4,
        queued: 2,
        running: 1,
      }),
    }).text()
    const values = parseMetrics(text)
    expect(Object.fromEntries([...values].filter(([name]) => /database|render/.test(name)))).to.deep.equal({
      'lectern_database_up{server="primary"}': 0,
      'lectern_database_up{server="replica 1"}': 1,
      'lectern_database_replication_lag_seconds{server="replica 1"}': 2.5,
      'lectern_database_connections{server="primary",state="idle"}': 4,
      'lectern_database_connections{server="primary",state="busy"}': 6,
      'lectern_database_connections{server="replica 1",state="idle"}': 0,
      'lectern_database_connections{server="replica 1",state="busy"}': 0,
      'lectern_database_queued_statements{server="primary"}': 2,
      'lectern_database_queued_statements{server="replica 1"}': 0,
      ...Object.fromEntries(
        ['primary', 'replica 1'].flatMap((server) =>
          Object.entries(errors).map(([reason, value]) => [
            `lectern_database_errors_total{server="${server}",reason="${reason}"}`,
            value,
          ]),
        ),
      ),
      lectern_renders_total: 9,
      'lectern_render_failures_total{reason="time"}': 1,
      'lectern_render_failures_total{reason="memory"}': 0,
      lectern_renders_shed_total: 3,
      lectern_renders_unfinished_total: 4,
      lectern_render_running_jobs: 1,
      lectern_render_queued_jobs: 2,
    })
  })
})
