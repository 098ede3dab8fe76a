import { collectDefaultMetrics, type Metric, Registry } from 'prom-client'
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

interface PoolNumbers {
  pool: string
  total: number
  idle: number
  waiting: number
}

interface ReplicaNumbers {
  replica: string
  isUp: boolean
  /** null where it is not known */
  lagSeconds: number | null
}

/**
 * What the service counts, read when it is asked for. Each part counts in plain numbers of its own, since
 * prom-client finds a counter by its labels anew each time: 1 to 2 µs, of the 50 that a kept answer takes.
 * Nothing in it names a client, a page or a host.
 */
export interface MetricSources {
  routes(): Iterable<RouteNumbers>
  making(): Iterable<MakingNumbers>
  answerCache(): { hits: number; joined: number; made: number; entries: number; bytes: number }
  connections(): { open: number; slowReaders: number; evicted: number }
  pools?(): Iterable<PoolNumbers>
  replicas?(): Iterable<ReplicaNumbers>
  /** HTML rendered from Markdown, and what failed, by reason. */
  rendering?(): { rendered: number; failures: Readonly<Record<string, number>>; waiting: number }
}

export interface Metrics {
  /** Content type of the text. */
  readonly contentType: string
  /** In the exposition format of Prometheus. */
  text(): Promise<string>
  /** For `AggregatorRegistry.aggregate` of prom-client, which adds those of several processes up. */
  json(): Promise<object[]>
}

interface Value {
  value: number
  labels?: Record<string, string | number>
  metricName?: string
}

interface Family {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  /** How several processes' values become one. */
  aggregator?: 'sum' | 'max' | 'min' | 'first'
  values(): Value[]
}

/** Memory, CPU, garbage collection and the event loop's lag: one set a process, since each has timers. */
let processMetrics: Registry | undefined

const processRegistry = (): Registry => {
  if (processMetrics === undefined) {
    processMetrics = new Registry()
    collectDefaultMetrics({ register: processMetrics })
  }
  return processMetrics
}

export const makeMetrics = (sources: MetricSources): Metrics => {
  const registry = Registry.merge([processRegistry()])
  for (const family of familiesOf(sources)) registry.registerMetric(metricOf(family))
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    json: () => registry.getMetricsAsJSON(),
  }
}

/** All that prom-client asks of a metric is its name and what it holds now, as its own aggregation makes them. */
const metricOf = ({ name, help, type, aggregator = 'sum', values }: Family): Metric => {
  const get = async () => ({
    name,
    help,
    type,
    aggregator,
    values: values().map((one) => ({ labels: {}, ...one })),
  })
  return { name, help, type, aggregator, get } as unknown as Metric
}

const familiesOf = (sources: MetricSources): Family[] => [
  {
    name: 'lectern_info',
    help: 'The version that runs.',
    type: 'gauge',
    aggregator: 'first',
    values: () => [{ value: 1, labels: { version: packageVersion() } }],
  },
  ...httpFamilies(sources),
  ...makingFamilies(sources),
  ...cacheFamilies(sources),
  ...databaseFamilies(sources),
  ...renderingFamilies(sources),
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

const databaseFamilies = ({ pools, replicas }: MetricSources): Family[] => [
  ...(pools
    ? ([
        {
          name: 'lectern_database_connections',
          help: 'Connections of a pool, by state.',
          type: 'gauge',
          values: () =>
            [...pools()].flatMap(({ pool, total, idle }) => [
              { value: idle, labels: { pool, state: 'idle' } },
              { value: total - idle, labels: { pool, state: 'busy' } },
            ]),
        },
        {
          name: 'lectern_database_waiting',
          help: 'Statements that wait for a connection of a pool.',
          type: 'gauge',
          values: () => [...pools()].map(({ pool, waiting }) => ({ value: waiting, labels: { pool } })),
        },
      ] satisfies Family[])
    : []),
  ...(replicas
    ? ([
        {
          name: 'lectern_database_replica_up',
          help: 'Whether a replica is read from.',
          type: 'gauge',
          aggregator: 'min',
          values: () =>
            [...replicas()].map(({ replica, isUp }) => ({ value: isUp ? 1 : 0, labels: { replica } })),
        },
        {
          name: 'lectern_database_replica_lag_seconds',
          help: 'How far a replica is behind, where that is known.',
          type: 'gauge',
          aggregator: 'max',
          values: () =>
            [...replicas()].flatMap(({ replica, lagSeconds }) =>
              lagSeconds === null ? [] : [{ value: lagSeconds, labels: { replica } }],
            ),
        },
      ] satisfies Family[])
    : []),
]

const renderingFamilies = ({ rendering }: MetricSources): Family[] =>
  rendering
    ? [
        counter('lectern_renders_total', 'Texts rendered to HTML.', () => rendering().rendered),
        {
          name: 'lectern_render_failures_total',
          help: 'Texts that could not be rendered within the bounds, by reason.',
          type: 'counter',
          values: () =>
            Object.entries(rendering().failures).map(([reason, value]) => ({ value, labels: { reason } })),
        },
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
