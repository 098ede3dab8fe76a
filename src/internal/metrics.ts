import { AggregatorRegistry, collectDefaultMetrics, type Metric as PromMetric, Registry } from 'prom-client'
import type { ServerState } from '../db/server.ts'
import type { ConnectionTracker } from '../http/connections.ts'
import { LATENCY_BUCKETS_MS } from '../limits/service.ts'
import { packageVersion } from '../paths.ts'
import type { RenderCounts } from '../render/renderer.ts'
import type { AdmissionCounts } from '../rest/admission/admission.ts'
import type { RouteCounts } from '../rest/transport/request-metrics.ts'
import type { CacheCounts } from '../rest/transport/response-cache.ts'
import type { SourceAge } from './listener.ts'

/** A value of a metric. */
interface MetricValue {
  value: number
  labels?: Record<string, string | number>
  metricName?: string
}

/** A metric, as prom-client prints it. */
interface Metric {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  /** How the values of several processes are combined. */
  aggregator: 'sum' | 'max' | 'min' | 'first'
  /** The current values. */
  values(): number | MetricValue[] | Promise<MetricValue[]>
}

/**
 * The numbers behind the metrics. A scrape reads them. Each room counts in plain numbers, because prom-client looks up
 * a counter by its labels each time: 0.4 µs, against 0.02.
 * No label contains a client, a page or a host.
 */
interface MetricSources {
  routes(): Iterable<RouteCounts>
  admission(): Iterable<AdmissionCounts>
  responseCache(): CacheCounts
  /** Open streams of changes. */
  streams(): number
  connections(): Pick<ConnectionTracker, 'open' | 'slowReaders' | 'evicted'>
  /** Responses that clients have not read yet, and connections that were closed for them, by reason. */
  unreadResponses?(): { bytes: number; disconnects: Readonly<Record<string, number>> }
  servers?(): Iterable<ServerState>
  rendering?(): Omit<RenderCounts, 'processes' | 'failures'> & { failures: Readonly<Record<string, number>> }
  /** The sources that processes follow. */
  sources?(): Promise<SourceAge[]>
  log?: LogCounts
}

interface LogCounts {
  /** Log lines that were dropped. */
  dropped(): number
}

const metricOf =
  (type: Metric['type']) =>
  (
    name: string,
    help: string,
    values: Metric['values'],
    aggregator: Metric['aggregator'] = 'sum',
  ): Metric => {
    return { name, help, type, aggregator, values }
  }
const counter = metricOf('counter')
const gauge = metricOf('gauge')
const histogram = metricOf('histogram')

/** One value for each item, with a label that tells them apart. */
const each =
  <Item>(items: () => Iterable<Item>, label: string, labelOf: (item: Item) => string) =>
  (read: (item: Item) => number) =>
  (): MetricValue[] =>
    Array.from(items(), (item) => ({ value: read(item), labels: { [label]: labelOf(item) } }))

/** One value for each reason. */
const byReason = (counts: () => Readonly<Record<string, number>>) => (): MetricValue[] =>
  Object.entries(counts()).map(([reason, value]) => ({ value, labels: { reason } }))

/** The metrics of a process. */
interface ProcessMetrics {
  /** In Prometheus format; those of all processes, if there are several. */
  text(): Promise<string>
  /** Those of this process as data, which can be sent to another process. */
  json(): Promise<object[]>
}

/**
 * The metrics of Lectern and of the process.
 * @param ofAll collects the metrics of all processes, if there are several. It gets a function for those of this one
 */
export const makeMetrics = (
  sources: MetricSources,
  ofAll?: (own: () => Promise<object[]>) => () => Promise<object[][]>,
): ProcessMetrics => {
  const registry = Registry.merge([processRegistry()])
  for (const metric of serviceMetrics(sources)) registry.registerMetric(toPromMetric(metric))
  const json = () => registry.getMetricsAsJSON()
  const collect = ofAll?.(json)
  return { json, text: async () => (collect ? exposeAll(await collect()) : registry.metrics()) }
}

/** The metrics of several processes as those of one, in Prometheus format. Each metric names its aggregator. */
const exposeAll = (processes: object[][]): Promise<string> =>
  AggregatorRegistry.aggregate(processes as Parameters<typeof AggregatorRegistry.aggregate>[0]).metrics()

/** Memory, CPU, garbage collection and event loop lag. One registry per process, because each has timers. */
let processMetrics: Registry | undefined

const processRegistry = (): Registry => {
  if (processMetrics === undefined) {
    processMetrics = new Registry()
    collectDefaultMetrics({ register: processMetrics })
  }
  return processMetrics
}

/** prom-client uses only the name of a metric, and `get` for its current values, as its own aggregation does. */
const toPromMetric = ({ values, ...metric }: Metric): PromMetric => {
  const get = async () => {
    const read = await values()
    const all = typeof read === 'number' ? [{ value: read }] : read
    return { ...metric, values: all.map((value) => ({ labels: {}, ...value })) }
  }
  return { ...metric, get } as unknown as PromMetric
}

/** All metrics that Lectern declares. */
export const serviceMetrics = (sources: MetricSources): Metric[] => [
  gauge(
    'lectern_build_info',
    'The running version.',
    () => [{ value: 1, labels: { version: packageVersion() } }],
    'first',
  ),
  ...requestMetrics(sources),
  ...connectionMetrics(sources),
  ...(sources.unreadResponses ? unreadResponseMetrics(sources.unreadResponses) : []),
  ...admissionMetrics(sources),
  ...cacheMetrics(sources),
  ...(sources.servers ? databaseMetrics(sources.servers) : []),
  ...(sources.rendering ? renderMetrics(sources.rendering) : []),
  ...(sources.sources ? sourceMetrics(sources.sources) : []),
  ...(sources.log ? logMetrics(sources.log) : []),
]

const DURATION = 'lectern_http_request_duration_seconds'

const requestMetrics = ({ routes }: MetricSources): Metric[] => [
  counter(
    'lectern_http_requests_total',
    'Responses of the public API, by route and status. Route "unreadable": Node\'s parser refused the request. Route "none": the request was refused before routing.',
    () =>
      [...routes()].flatMap(({ route, statuses }) =>
        [...statuses].map(([status, value]) => ({ value, labels: { route, status } })),
      ),
  ),
  histogram(
    DURATION,
    'Time from the arrival of a request until its response is handed to the connection, by route.',
    () => [...routes()].flatMap(durationHistogram),
  ),
  counter(
    'lectern_http_unknown_parameter_requests_total',
    'Requests with a parameter that their route does not have and that was ignored, by route.',
    each(routes, 'route', ({ route }) => route)(({ unknownParameters }) => unknownParameters),
  ),
  counter('lectern_http_rate_limited_requests_total', 'Responses with status 429.', () =>
    [...routes()].reduce((sum, { statuses }) => sum + (statuses.get(429) ?? 0), 0),
  ),
]

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

const connectionMetrics = ({ connections, streams }: MetricSources): Metric[] => [
  gauge('lectern_http_connections', 'Open connections of the public API.', () => connections().open),
  gauge('lectern_http_streams', 'Open streams of changes.', streams),
  counter(
    'lectern_http_slow_reader_disconnects_total',
    'Connections that were closed because the client read too slowly.',
    () => connections().slowReaders,
  ),
  counter(
    'lectern_http_evicted_connections_total',
    'Idle connections that were closed to make room for new ones.',
    () => connections().evicted,
  ),
]

const unreadResponseMetrics = (unread: NonNullable<MetricSources['unreadResponses']>): Metric[] => [
  gauge(
    'lectern_http_unread_response_bytes',
    'Response bodies of 16 KB or more that clients have not read completely, each counted once.',
    () => unread().bytes,
  ),
  counter(
    'lectern_http_pipeline_disconnects_total',
    'Connections that were closed because too many requests, or bytes of responses, were pending on them.',
    byReason(() => unread().disconnects),
  ),
]

const admissionMetrics = ({ admission }: MetricSources): Metric[] => {
  const byClass = each(admission, 'class', ({ requestClass }) => requestClass)
  return [
    gauge(
      'lectern_admission_running_requests',
      'Requests that admission control has admitted and that are running, by class.',
      byClass(({ running }) => running),
    ),
    gauge(
      'lectern_admission_queued_requests',
      'Requests in the queue of admission control, by class.',
      byClass(({ queued }) => queued),
    ),
    counter(
      'lectern_admission_shed_requests_total',
      'Requests that admission control shed with 503, by class.',
      byClass(({ shed }) => shed),
    ),
  ]
}

const cacheMetrics = ({ responseCache }: MetricSources): Metric[] => [
  counter(
    'lectern_response_cache_hits_total',
    'Requests whose response was in the response cache.',
    () => responseCache().hits,
  ),
  counter(
    'lectern_response_cache_coalesced_total',
    'Requests that waited for the same response of another request.',
    () => responseCache().coalesced,
  ),
  counter(
    'lectern_response_cache_misses_total',
    'Requests whose response had to be computed.',
    () => responseCache().misses,
  ),
  gauge('lectern_response_cache_entries', 'Responses in the response cache.', () => responseCache().entries),
  gauge(
    'lectern_response_cache_bytes',
    'Estimated size of the response cache, bytes.',
    () => responseCache().bytes,
  ),
]

const databaseMetrics = (servers: () => Iterable<ServerState>): Metric[] => {
  const byServer = each(servers, 'server', ({ name }) => name)
  return [
    gauge(
      'lectern_database_up',
      'Whether Lectern reads from a database server.',
      byServer(({ health }) => (health === 'up' ? 1 : 0)),
      'min',
    ),
    gauge(
      'lectern_database_replication_lag_seconds',
      'How far a replica lags.',
      byServer(({ lag }) => lag),
      'max',
    ),
    gauge('lectern_database_connections', 'Connections to a database server, by state.', () =>
      [...servers()].flatMap(({ name, connections: { total, idle } }) => [
        { value: idle, labels: { server: name, state: 'idle' } },
        { value: total - idle, labels: { server: name, state: 'busy' } },
      ]),
    ),
    gauge(
      'lectern_database_queued_statements',
      'Statements that wait for a connection to a database server.',
      byServer(({ connections }) => connections.queued),
    ),
  ]
}

const renderMetrics = (rendering: NonNullable<MetricSources['rendering']>): Metric[] => [
  counter('lectern_renders_total', 'Texts to render as HTML.', () => rendering().renders),
  counter(
    'lectern_render_failures_total',
    'Texts that could not be rendered within the limits, by reason.',
    byReason(() => rendering().failures),
  ),
  counter(
    'lectern_renders_shed_total',
    'Texts that Lectern did not try to render, because too many were queued.',
    () => rendering().shed,
  ),
  counter(
    'lectern_renders_unfinished_total',
    'Texts whose rendering did not finish: too little processor time, or a lost process.',
    () => rendering().unfinished,
  ),
  gauge('lectern_render_running_jobs', 'Texts that are being rendered.', () => rendering().running),
  gauge('lectern_render_queued_jobs', 'Texts that wait to be rendered.', () => rendering().queued),
]

const sourceMetrics = (sources: () => Promise<SourceAge[]>): Metric[] => {
  const bySource = (read: (source: SourceAge) => number) => async () =>
    (await sources()).map((source) => ({ value: read(source), labels: { source: source.name } }))
  return [
    gauge(
      'lectern_source_checked_age_seconds',
      'Time since a follower last found that the wiki has what its source has. -1: never.',
      bySource(({ checkedAgo }) => checkedAgo ?? -1),
      'max',
    ),
    gauge(
      'lectern_source_failing_seconds',
      'Time since a source could not be checked or imported. 0: the last check succeeded.',
      bySource(({ failingFor }) => failingFor ?? 0),
      'max',
    ),
  ]
}

/** The metrics of the log. A primary of workers has them too, although it serves no request. */
const logMetrics = (log: LogCounts): Metric[] => [
  counter(
    'lectern_log_lines_dropped_total',
    'Log lines that were dropped because they could not be written.',
    () => log.dropped(),
  ),
]

/** The metrics of the primary of the workers, as data. It serves no requests, so it has only those of the log. */
export const primaryMetrics = (log: LogCounts): object[] =>
  logMetrics(log).map((metric) => ({ ...metric, values: [{ value: log.dropped(), labels: {} }] }))
