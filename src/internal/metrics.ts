import { AggregatorRegistry, collectDefaultMetrics, type Metric, Registry } from 'prom-client'
import type { SourceStatus } from '../db/followed-sources.ts'
import type { ServerState } from '../db/server.ts'
import type { ConnectionTracker } from '../http/connections.ts'
import { LATENCY_BUCKETS_MS } from '../limits/service.ts'
import { packageVersion } from '../paths.ts'
import type { RenderCounts } from '../render/renderer.ts'
import type { AdmissionCounts } from '../rest/admission/admission.ts'
import type { RouteCounts } from '../rest/transport/request-metrics.ts'
import type { CacheCounts } from '../rest/transport/response-cache.ts'
import { once } from '../shared/memoize.ts'
import { withTimeout } from '../shared/timers.ts'

interface MetricValue {
  value: number
  labels?: Record<string, string | number>
  metricName?: string
}

/**
 * The numbers behind the metrics. A scrape reads them. Each room counts in plain numbers, because prom-client looks up
 * a counter by its labels each time: 0.4 µs, against 0.02.
 * No label contains a client, a page or a host. The primary of workers has only some of them.
 */
interface MetricSources {
  routes?(): Iterable<RouteCounts>
  admission?(): Iterable<AdmissionCounts>
  responseCache?(): CacheCounts
  streams?(): number
  connections?(): ReturnType<ConnectionTracker['counts']>
  /** Bytes of responses that clients have not read yet, and connections that were closed for them, by reason. */
  unreadResponses?(): { bytes: number; disconnects: Readonly<Record<string, number>> }
  servers?(): Iterable<ServerState>
  rendering?(): Omit<RenderCounts, 'processes' | 'failures'> & { failures: Readonly<Record<string, number>> }
  sources?(): Promise<SourceStatus[]>
  /** Log lines that were dropped. */
  log?: { dropped(): number }
  /** Of all processes of the service, bytes. */
  memory?(): number
  /** Live pages of the main namespace. @throws Unavailable if the database cannot tell */
  pages?(): Promise<number>
  /** @throws Error if the service cannot serve */
  ready?(): Promise<void>
}

const DURATION = 'lectern_http_request_duration_seconds'

const durationHistogram = ({ route, buckets, sumMs }: RouteCounts) => {
  let count = 0
  const values = buckets.map((inBucket, i) => {
    count += inBucket
    const le = i < LATENCY_BUCKETS_MS.length ? LATENCY_BUCKETS_MS[i]! / 1000 : '+Inf'
    return { value: count, labels: { le, route }, metricName: `${DURATION}_bucket` }
  })
  return [
    ...values,
    { value: sumMs / 1000, labels: { route }, metricName: `${DURATION}_sum` },
    { value: count, labels: { route }, metricName: `${DURATION}_count` },
  ]
}

const byReason = (counts: Readonly<Record<string, number>>, labels = {}): MetricValue[] =>
  Object.entries(counts).map(([reason, value]) => ({ value, labels: { ...labels, reason } }))

const byClass = (counts: Iterable<AdmissionCounts>, name: 'running' | 'queued' | 'shed'): MetricValue[] =>
  Array.from(counts, (one) => ({ value: one[name], labels: { class: one.requestClass } }))

type Values = number | MetricValue[]
type Read = (sources: Required<MetricSources>) => Values | Promise<Values>

const byServer =
  (read: (state: ServerState) => number, isKnown = (_: ServerState) => true): Read =>
  ({ servers }) =>
    [...servers()].filter(isKnown).map((state) => ({ value: read(state), labels: { server: state.name } }))

const bySource =
  (read: (age: SourceStatus) => number): Read =>
  async ({ sources }) =>
    (await sources()).map((age) => ({ value: read(age), labels: { source: age.name } }))

/** How long a scrape waits for the number of pages, and whether the service is ready, milliseconds. */
const DATABASE_TIMEOUT_MS = { pages: 500, ready: 5_000 }

/** How the values of each metric are read, by the source without which the metric is left out. */
const READ = {
  routes: {
    lectern_build_info: () => [{ value: 1, labels: { version: packageVersion() } }],
    lectern_http_requests_total: ({ routes }) =>
      [...routes()].flatMap(({ route, statuses }) =>
        [...statuses].map(([status, value]) => ({ value, labels: { route, status } })),
      ),
    [DURATION]: ({ routes }) => [...routes()].flatMap(durationHistogram),
    lectern_http_unknown_parameter_requests_total: ({ routes }) =>
      [...routes()].map((one) => ({ value: one.unknownParameters, labels: { route: one.route } })),
    lectern_http_rate_limited_requests_total: ({ routes }) =>
      [...routes()].reduce((sum, { statuses }) => sum + (statuses.get(429) ?? 0), 0),
  },
  connections: {
    lectern_http_connections: ({ connections }) => connections().open,
    lectern_http_streams: ({ streams }) => streams(),
    lectern_http_slow_reader_disconnects_total: ({ connections }) => connections().slowReaders,
    lectern_http_evicted_connections_total: ({ connections }) => connections().evicted,
  },
  unreadResponses: {
    lectern_http_unread_response_bytes: ({ unreadResponses }) => unreadResponses().bytes,
    lectern_http_pipeline_disconnects_total: ({ unreadResponses }) => byReason(unreadResponses().disconnects),
  },
  admission: {
    lectern_admission_running_requests: ({ admission }) => byClass(admission(), 'running'),
    lectern_admission_queued_requests: ({ admission }) => byClass(admission(), 'queued'),
    lectern_admission_shed_requests_total: ({ admission }) => byClass(admission(), 'shed'),
  },
  responseCache: {
    lectern_response_cache_hits_total: ({ responseCache }) => responseCache().hits,
    lectern_response_cache_coalesced_total: ({ responseCache }) => responseCache().coalesced,
    lectern_response_cache_misses_total: ({ responseCache }) => responseCache().misses,
    lectern_response_cache_entries: ({ responseCache }) => responseCache().entries,
    lectern_response_cache_bytes: ({ responseCache }) => responseCache().bytes,
  },
  servers: {
    lectern_database_up: byServer(({ health }) => (health === 'up' ? 1 : 0)),
    lectern_database_replication_lag_seconds: byServer(
      ({ lag }) => lag,
      ({ health }) => health !== 'lost',
    ),
    lectern_database_connections: ({ servers }) =>
      [...servers()].flatMap(({ name, connections: { total, idle } }) => [
        { value: idle, labels: { server: name, state: 'idle' } },
        { value: total - idle, labels: { server: name, state: 'busy' } },
      ]),
    lectern_database_queued_statements: byServer(({ connections }) => connections.queued),
    lectern_database_errors_total: ({ servers }) =>
      [...servers()].flatMap(({ name, errors }) => byReason(errors, { server: name })),
  },
  rendering: {
    lectern_renders_total: ({ rendering }) => rendering().renders,
    lectern_render_failures_total: ({ rendering }) => byReason(rendering().failures),
    lectern_renders_shed_total: ({ rendering }) => rendering().shed,
    lectern_renders_unfinished_total: ({ rendering }) => rendering().unfinished,
    lectern_render_running_jobs: ({ rendering }) => rendering().running,
    lectern_render_queued_jobs: ({ rendering }) => rendering().queued,
  },
  sources: {
    lectern_source_checked_age_seconds: bySource(({ checkedAgo }) => checkedAgo ?? -1),
    lectern_source_failing_seconds: bySource(({ failingFor }) => failingFor ?? 0),
    lectern_source_ended_seconds: bySource(({ endedAgo }) => endedAgo ?? 0),
  },
  log: { lectern_log_lines_dropped_total: ({ log }) => log.dropped() },
  memory: { lectern_memory_bytes: ({ memory }) => memory() },
  pages: { lectern_pages: ({ pages }) => withTimeout(pages(), DATABASE_TIMEOUT_MS.pages).catch(() => []) },
  ready: {
    lectern_ready: ({ ready }) =>
      withTimeout(ready(), DATABASE_TIMEOUT_MS.ready).then(
        () => 1,
        () => 0,
      ),
  },
} satisfies Partial<Record<keyof MetricSources, Record<string, Read>>>

type MetricName = { [Source in keyof typeof READ]: keyof (typeof READ)[Source] }[keyof typeof READ]

const HELP: Readonly<Record<MetricName, string>> = {
  lectern_build_info: 'The running version.',
  lectern_http_requests_total:
    'Responses of the public API, by route and status. Route "unreadable": Node\'s parser refused the request. Route "none": the request was refused before routing.',
  [DURATION]: 'Time from the arrival of a request until its response is handed to the connection, by route.',
  lectern_http_unknown_parameter_requests_total: 'Requests with a parameter that was ignored, by route.',
  lectern_http_rate_limited_requests_total: 'Responses with status 429.',
  lectern_http_connections: 'Open connections of the public API.',
  lectern_http_streams: 'Open streams of changes.',
  lectern_http_slow_reader_disconnects_total: 'Connections closed because the client read too slowly.',
  lectern_http_evicted_connections_total: 'Idle connections that were closed to make room for new ones.',
  lectern_http_unread_response_bytes: 'Response bodies of 16 KB or more that clients have not read.',
  lectern_http_pipeline_disconnects_total: 'Connections closed for too many pending requests or bytes.',
  lectern_admission_running_requests: 'Admitted requests that are running, by class.',
  lectern_admission_queued_requests: 'Requests in the queue of admission control, by class.',
  lectern_admission_shed_requests_total: 'Requests that admission control shed with 503, by class.',
  lectern_response_cache_hits_total: 'Requests whose response was in the response cache.',
  lectern_response_cache_coalesced_total: 'Requests that waited for the same response of another request.',
  lectern_response_cache_misses_total: 'Requests whose response had to be computed.',
  lectern_response_cache_entries: 'Responses in the response cache.',
  lectern_response_cache_bytes: 'Estimated size of the response cache, bytes.',
  lectern_database_up: 'Whether Lectern reads from a database server.',
  lectern_database_replication_lag_seconds: 'How far a replica lags.',
  lectern_database_connections: 'Connections to a database server, by state.',
  lectern_database_queued_statements: 'Statements that wait for a connection to a database server.',
  lectern_database_errors_total: 'Statements that failed, by reason.',
  lectern_renders_total: 'Texts to render as HTML.',
  lectern_render_failures_total: 'Texts that could not be rendered within the limits, by reason.',
  lectern_renders_shed_total: 'Texts that Lectern did not try to render, because too many were queued.',
  lectern_renders_unfinished_total: 'Texts whose rendering did not finish.',
  lectern_render_running_jobs: 'Texts that are being rendered.',
  lectern_render_queued_jobs: 'Texts that wait to be rendered.',
  lectern_source_checked_age_seconds: 'Time since a follower found the wiki up to date. -1: never.',
  lectern_source_failing_seconds: 'Time for which a source could not be imported. 0: it can.',
  lectern_source_ended_seconds: 'Time since the follower of a source ended. 0: it runs.',
  lectern_log_lines_dropped_total: 'Log lines that were dropped because they could not be written.',
  lectern_memory_bytes: 'Memory of all processes of the service, without what they share. 0: not known.',
  lectern_pages: 'Live pages of the main namespace.',
  lectern_ready: 'Whether the service can serve, as /ready.',
}

/** How the values of several processes are combined, if not to their sum. */
const AGGREGATORS: Partial<Record<MetricName, 'max' | 'min' | 'first'>> = {
  lectern_build_info: 'first',
  lectern_database_up: 'min',
  lectern_database_replication_lag_seconds: 'max',
  lectern_source_checked_age_seconds: 'max',
  lectern_source_failing_seconds: 'max',
  lectern_source_ended_seconds: 'max',
  lectern_pages: 'max',
  lectern_ready: 'min',
}

/** All metrics that Lectern declares. `get` returns a metric with its current values. */
export const serviceMetrics = (sources: MetricSources) =>
  Object.entries(READ)
    .filter(([source]) => sources[source as keyof MetricSources])
    .flatMap(([, metrics]) => Object.entries(metrics) as [MetricName, Read][])
    .map(([name, read]) => {
      const type = name === DURATION ? 'histogram' : name.endsWith('_total') ? 'counter' : 'gauge'
      const definition = { name, help: HELP[name], type, aggregator: AGGREGATORS[name] ?? 'sum' }
      const get = async () => {
        const now = await read(sources as Required<MetricSources>)
        return { ...definition, values: typeof now === 'number' ? [{ value: now, labels: {} }] : now }
      }
      return { ...definition, get }
    })

/**
 * The metrics of Lectern and of the process.
 * @param ofAll collects the metrics of all processes, if there are several. It gets a function for those of this one
 */
export const makeMetrics = (
  sources: MetricSources,
  ofAll?: (own: () => Promise<object[]>) => () => Promise<object[][]>,
) => {
  const registry = Registry.merge([processRegistry()])
  // prom-client uses only the name of a metric, and `get` for its current values, as its own aggregation does.
  for (const metric of serviceMetrics(sources)) registry.registerMetric(metric as unknown as Metric)
  const json = () => registry.getMetricsAsJSON()
  const collect = ofAll?.(json)
  return {
    /** Those of this process as data, which can be sent to another process. */
    json,
    /** In Prometheus format; those of all processes, if there are several. */
    text: async (): Promise<string> => (collect ? aggregate(await collect()) : registry).metrics(),
  }
}

/** The metrics of several processes as those of one. Each metric names its aggregator. */
const aggregate = (processes: object[][]): Registry =>
  AggregatorRegistry.aggregate(processes as Parameters<typeof AggregatorRegistry.aggregate>[0])

/** The sums of the counters and histograms of two processes. Their other metrics are left out. */
export const addCounters = async (one: object[], other: object[]): Promise<object[]> =>
  (await aggregate([one, other]).getMetricsAsJSON()).filter(({ type }) => String(type) !== 'gauge')

/**
 * Memory, CPU, garbage collection and event loop lag. One registry per process, because each has timers. Of several
 * processes, the slowest event loop counts, which a mean would hide.
 */
const processRegistry = once(() => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const metric of registry.getMetricsAsArray()) {
    if (/eventloop_lag_(?!min)/.test(metric.name)) metric.aggregator = 'max'
    if (metric.name === 'process_start_time_seconds') metric.aggregator = 'min'
  }
  return registry
})
