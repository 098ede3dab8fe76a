import { LATENCY_BUCKETS_MS } from '../limits.ts'
import { packageVersion } from '../paths.ts'

/** Answers to the requests of one route. @see RouteCounts of rest/traffic.ts */
interface RouteMetrics {
  route: string
  statuses: ReadonlyMap<number, number>
  buckets: readonly number[]
  sumMs: number
}

/** Answers that are being made, of one kind. */
interface AdmissionMetrics {
  requestClass: string
  running: number
  queued: number
  shed: number
}

/** A database server as this process sees it. */
interface ServerMetrics {
  /** `primary`, `replica 1` …, never its address */
  name: string
  health: string
  /** Seconds that a replica lags. */
  lag: number
  connections: { total: number; idle: number; queued: number }
}

/** HTML that was made of Markdown. */
interface RenderMetrics {
  renders: number
  /** Texts that could not be rendered within the bounds, by reason. */
  failures: Readonly<Record<string, number>>
  shed: number
  queued: number
  running: number
}

/** What became of the log. */
interface LogMetrics {
  /** Lines that could not be written. */
  dropped(): number
}

/**
 * What the service counts, read when it is asked for. Each part counts in plain numbers of its own, since
 * prom-client finds a counter by its labels anew each time: 0.4 µs, against 0.02. (D42)
 * Nothing in it names a client, a page or a host.
 */
export interface MetricSources {
  routes(): Iterable<RouteMetrics>
  admission(): Iterable<AdmissionMetrics>
  responseCache(): { hits: number; coalesced: number; misses: number; entries: number; bytes: number }
  connections(): { open: number; slowReaders: number; evicted: number }
  /** Answers that clients have not read yet, and connections that were cut for them, by what was too much. */
  unreadResponses?(): { bytes: number; cut: Readonly<Record<string, number>> }
  servers?(): Iterable<ServerMetrics>
  rendering?(): RenderMetrics
  log?: LogMetrics
}

interface MetricValue {
  value: number
  labels?: Record<string, string | number>
  metricName?: string
}

/** A metric as prom-client prints it, and what it holds now. */
export interface Metric {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  /** How several processes' values become one. */
  aggregator?: 'sum' | 'max' | 'min' | 'first'
  values(): MetricValue[]
}

/** Every metric of the service's own. */
export const serviceMetrics = (sources: MetricSources): Metric[] => [
  {
    name: 'lectern_build_info',
    help: 'The version that runs.',
    type: 'gauge',
    aggregator: 'first',
    values: () => [{ value: 1, labels: { version: packageVersion() } }],
  },
  ...httpMetrics(sources),
  ...unreadResponseMetrics(sources),
  ...admissionMetrics(sources),
  ...cacheMetrics(sources),
  ...databaseMetrics(sources),
  ...renderMetrics(sources),
  ...(sources.log ? logMetrics(sources.log) : []),
]

/** Those of the log, which a process has that answers no request, too. */
export const logMetrics = (log: LogMetrics): Metric[] => [
  {
    ...counter(
      'lectern_log_lines_dropped_total',
      'Lines that were not logged because they could not be written.',
      () => log.dropped(),
    ),
    aggregator: 'sum',
  },
]

const httpMetrics = ({ routes, connections }: MetricSources): Metric[] => [
  {
    name: 'lectern_http_requests_total',
    help: 'Answers of the public API, by route and status. Route "unreadable" is what is no HTTP, "none" what no route was looked for.',
    type: 'counter',
    values: () =>
      [...routes()].flatMap(({ route, statuses }) =>
        [...statuses].map(([status, value]) => ({ value, labels: { route, status } })),
      ),
  },
  {
    name: 'lectern_http_request_duration_seconds',
    help: "Time from a request's arrival until its answer was handed to the connection, by route.",
    type: 'histogram',
    values: () => [...routes()].flatMap(histogram('lectern_http_request_duration_seconds')),
  },
  {
    name: 'lectern_http_rate_limited_requests_total',
    help: 'Requests that were answered 429.',
    type: 'counter',
    values: () => [{ value: [...routes()].reduce((sum, { statuses }) => sum + (statuses.get(429) ?? 0), 0) }],
  },
  gauge('lectern_http_connections', 'Open connections of the public API.', () => connections().open),
  counter(
    'lectern_http_slow_reader_disconnects_total',
    'Connections that were cut because they read too slowly.',
    () => connections().slowReaders,
  ),
  counter(
    'lectern_http_evicted_connections_total',
    'Idle connections that were closed to make room for new ones.',
    () => connections().evicted,
  ),
]

const unreadResponseMetrics = ({ unreadResponses }: MetricSources): Metric[] =>
  unreadResponses
    ? [
        gauge(
          'lectern_http_unread_response_bytes',
          'Larger bodies of answers that clients have not read to their end, each counted once.',
          () => unreadResponses().bytes,
        ),
        {
          name: 'lectern_http_pipeline_disconnects_total',
          help: 'Connections that were cut because too many requests, or bytes of answers, waited on them.',
          type: 'counter',
          values: () =>
            Object.entries(unreadResponses().cut).map(([reason, value]) => ({ value, labels: { reason } })),
        },
      ]
    : []

const histogram =
  (name: string) =>
  ({ route, buckets, sumMs }: RouteMetrics): MetricValue[] => {
    let count = 0
    const values: MetricValue[] = buckets.map((more, i) => {
      count += more
      const le = i < LATENCY_BUCKETS_MS.length ? LATENCY_BUCKETS_MS[i]! / 1000 : '+Inf'
      return { value: count, labels: { le, route }, metricName: `${name}_bucket` }
    })
    return [
      ...values,
      { value: sumMs / 1000, labels: { route }, metricName: `${name}_sum` },
      { value: count, labels: { route }, metricName: `${name}_count` },
    ]
  }

const admissionMetrics = ({ admission }: MetricSources): Metric[] => {
  const by = (key: 'running' | 'queued' | 'shed') => () =>
    [...admission()].map((one) => ({ value: one[key], labels: { class: one.requestClass } }))
  return [
    {
      name: 'lectern_admission_running_requests',
      help: 'Answers that are being made.',
      type: 'gauge',
      values: by('running'),
    },
    {
      name: 'lectern_admission_queued_requests',
      help: 'Answers that wait to be made.',
      type: 'gauge',
      values: by('queued'),
    },
    {
      name: 'lectern_admission_shed_requests_total',
      help: 'Requests refused with 503 because too many answers were being made.',
      type: 'counter',
      values: by('shed'),
    },
  ]
}

const cacheMetrics = ({ responseCache }: MetricSources): Metric[] => [
  counter('lectern_response_cache_hits_total', 'Requests whose answer was kept.', () => responseCache().hits),
  counter(
    'lectern_response_cache_coalesced_total',
    'Requests whose answer was being made for another.',
    () => responseCache().coalesced,
  ),
  counter(
    'lectern_response_cache_misses_total',
    'Requests whose answer had to be made.',
    () => responseCache().misses,
  ),
  gauge('lectern_response_cache_entries', 'Answers that are kept.', () => responseCache().entries),
  gauge(
    'lectern_response_cache_bytes',
    'What the kept answers count as, bytes.',
    () => responseCache().bytes,
  ),
]

const databaseMetrics = ({ servers }: MetricSources): Metric[] => {
  if (!servers) return []
  const each = (value: (server: ServerMetrics) => number) => () =>
    [...servers()].map((server) => ({ value: value(server), labels: { server: server.name } }))
  return [
    {
      name: 'lectern_database_up',
      help: 'Whether a database server is read from.',
      type: 'gauge',
      aggregator: 'min',
      values: each(({ health }) => (health === 'up' ? 1 : 0)),
    },
    {
      name: 'lectern_database_replication_lag_seconds',
      help: 'How far a replica lags.',
      type: 'gauge',
      aggregator: 'max',
      values: each(({ lag }) => lag),
    },
    {
      name: 'lectern_database_connections',
      help: 'Connections to a database server, by state.',
      type: 'gauge',
      values: () =>
        [...servers()].flatMap(({ name, connections: { total, idle } }) => [
          { value: idle, labels: { server: name, state: 'idle' } },
          { value: total - idle, labels: { server: name, state: 'busy' } },
        ]),
    },
    {
      name: 'lectern_database_queued_statements',
      help: 'Statements that wait for a connection to a database server.',
      type: 'gauge',
      values: each(({ connections }) => connections.queued),
    },
  ]
}

const renderMetrics = ({ rendering }: MetricSources): Metric[] =>
  rendering
    ? [
        counter('lectern_renders_total', 'Texts that were to become HTML.', () => rendering().renders),
        {
          name: 'lectern_render_failures_total',
          help: 'Texts that could not be rendered within the bounds, by reason.',
          type: 'counter',
          values: () =>
            Object.entries(rendering().failures).map(([reason, value]) => ({ value, labels: { reason } })),
        },
        counter(
          'lectern_renders_shed_total',
          'Texts that were not tried: too many waited.',
          () => rendering().shed,
        ),
        gauge('lectern_render_running_jobs', 'Texts that are being rendered.', () => rendering().running),
        gauge('lectern_render_queued_jobs', 'Texts that wait to be rendered.', () => rendering().queued),
      ]
    : []

const counter = (name: string, help: string, value: () => number): Metric => ({
  name,
  help,
  type: 'counter',
  values: () => [{ value: value() }],
})

const gauge = (name: string, help: string, value: () => number): Metric => ({
  ...counter(name, help, value),
  type: 'gauge',
})
