import { LATENCY_BUCKETS_MS } from '../limits.ts'
import { packageVersion } from '../paths.ts'

/** Answers to the requests of one route. @see RouteCounts of rest/traffic.ts */
interface RouteNumbers {
  route: string
  statuses: ReadonlyMap<number, number>
  buckets: readonly number[]
  sumMs: number
}

/** Answers that are being made, of one kind. */
interface MakingNumbers {
  kind: string
  running: number
  waiting: number
  refused: number
}

/** A database server as this process sees it. */
interface ServerNumbers {
  /** `primary`, `replica 1` …, never its address */
  name: string
  health: string
  /** Seconds that a replica lags. */
  lag: number
  connections: { total: number; idle: number; waiting: number }
}

/** HTML that was made of Markdown. */
interface RenderNumbers {
  renders: number
  /** Texts that could not be rendered within the bounds, by reason. */
  failures: Readonly<Record<string, number>>
  refused: number
  waiting: number
  running: number
}

/** What became of the log. */
interface LogNumbers {
  /** Lines that could not be written. */
  dropped(): number
}

/**
 * What the service counts, read when it is asked for. Each part counts in plain numbers of its own, since
 * prom-client finds a counter by its labels anew each time: 0.4 µs, against 0.02. (D42)
 * Nothing in it names a client, a page or a host.
 */
export interface MetricSources {
  routes(): Iterable<RouteNumbers>
  making(): Iterable<MakingNumbers>
  answerCache(): { hits: number; joined: number; made: number; entries: number; bytes: number }
  connections(): { open: number; slowReaders: number; evicted: number }
  /** Answers that clients have not read yet, and connections that were cut for them, by what was too much. */
  pending?(): { bytes: number; cut: Readonly<Record<string, number>> }
  servers?(): Iterable<ServerNumbers>
  rendering?(): RenderNumbers
  log?: LogNumbers
}

interface Value {
  value: number
  labels?: Record<string, string | number>
  metricName?: string
}

/** A metric as prom-client prints it, and what it holds now. */
export interface Family {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  /** How several processes' values become one. */
  aggregator?: 'sum' | 'max' | 'min' | 'first'
  values(): Value[]
}

/** Every metric of the service's own. */
export const familiesOf = (sources: MetricSources): Family[] => [
  {
    name: 'lectern_info',
    help: 'The version that runs.',
    type: 'gauge',
    aggregator: 'first',
    values: () => [{ value: 1, labels: { version: packageVersion() } }],
  },
  ...httpFamilies(sources),
  ...pendingFamilies(sources),
  ...makingFamilies(sources),
  ...cacheFamilies(sources),
  ...databaseFamilies(sources),
  ...renderingFamilies(sources),
  ...(sources.log ? familiesOfLog(sources.log) : []),
]

/** Those of the log, which a process has that answers no request, too. */
export const familiesOfLog = (log: LogNumbers): Family[] => [
  {
    ...counter(
      'lectern_log_lines_dropped_total',
      'Lines that were not logged because they could not be written.',
      () => log.dropped(),
    ),
    aggregator: 'sum',
  },
]

const httpFamilies = ({ routes, connections }: MetricSources): Family[] => [
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
    name: 'lectern_rate_limited_total',
    help: 'Requests that were answered 429.',
    type: 'counter',
    values: () => [{ value: [...routes()].reduce((sum, { statuses }) => sum + (statuses.get(429) ?? 0), 0) }],
  },
  gauge('lectern_http_connections', 'Open connections of the public API.', () => connections().open),
  counter(
    'lectern_http_slow_readers_total',
    'Connections that were cut because they read too slowly.',
    () => connections().slowReaders,
  ),
  counter(
    'lectern_http_evicted_total',
    'Idle connections that were closed to make room for new ones.',
    () => connections().evicted,
  ),
]

const pendingFamilies = ({ pending }: MetricSources): Family[] =>
  pending
    ? [
        gauge(
          'lectern_http_pending_bytes',
          'Larger bodies of answers that clients have not read to their end, each counted once.',
          () => pending().bytes,
        ),
        {
          name: 'lectern_http_cut_total',
          help: 'Connections that were cut because too many requests, or bytes of answers, waited on them.',
          type: 'counter',
          values: () =>
            Object.entries(pending().cut).map(([reason, value]) => ({ value, labels: { reason } })),
        },
      ]
    : []

const histogram =
  (name: string) =>
  ({ route, buckets, sumMs }: RouteNumbers): Value[] => {
    let count = 0
    const values: Value[] = buckets.map((more, i) => {
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

const makingFamilies = ({ making }: MetricSources): Family[] => {
  const by = (key: 'running' | 'waiting' | 'refused') => () =>
    [...making()].map((one) => ({ value: one[key], labels: { kind: one.kind } }))
  return [
    {
      name: 'lectern_answers_running',
      help: 'Answers that are being made.',
      type: 'gauge',
      values: by('running'),
    },
    {
      name: 'lectern_answers_waiting',
      help: 'Answers that wait to be made.',
      type: 'gauge',
      values: by('waiting'),
    },
    {
      name: 'lectern_answers_refused_total',
      help: 'Requests refused with 503 because too many answers were being made.',
      type: 'counter',
      values: by('refused'),
    },
  ]
}

const cacheFamilies = ({ answerCache }: MetricSources): Family[] => [
  counter('lectern_answer_cache_hits_total', 'Requests whose answer was kept.', () => answerCache().hits),
  counter(
    'lectern_answer_cache_joined_total',
    'Requests whose answer was being made for another.',
    () => answerCache().joined,
  ),
  counter(
    'lectern_answer_cache_misses_total',
    'Requests whose answer had to be made.',
    () => answerCache().made,
  ),
  gauge('lectern_answer_cache_entries', 'Answers that are kept.', () => answerCache().entries),
  gauge('lectern_answer_cache_bytes', 'What the kept answers count as, bytes.', () => answerCache().bytes),
]

const databaseFamilies = ({ servers }: MetricSources): Family[] => {
  if (!servers) return []
  const each = (value: (server: ServerNumbers) => number) => () =>
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
      name: 'lectern_database_lag_seconds',
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
      name: 'lectern_database_waiting',
      help: 'Statements that wait for a connection to a database server.',
      type: 'gauge',
      values: each(({ connections }) => connections.waiting),
    },
  ]
}

const renderingFamilies = ({ rendering }: MetricSources): Family[] =>
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
          'lectern_renders_refused_total',
          'Texts that were not tried: too many waited.',
          () => rendering().refused,
        ),
        gauge('lectern_renders_running', 'Texts that are being rendered.', () => rendering().running),
        gauge('lectern_renders_waiting', 'Texts that wait to be rendered.', () => rendering().waiting),
      ]
    : []

const counter = (name: string, help: string, value: () => number): Family => ({
  name,
  help,
  type: 'counter',
  values: () => [{ value: value() }],
})

const gauge = (name: string, help: string, value: () => number): Family => ({
  ...counter(name, help, value),
  type: 'gauge',
})
