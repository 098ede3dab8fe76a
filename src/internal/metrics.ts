import { packageVersion } from '../paths.ts'
import { type HttpMetricSources, httpMetrics } from './http-metrics.ts'
import { counter, counterByReason, gauge, type Metric, type MetricValue } from './metric.ts'

/** A database server as this process sees it. */
interface ServerMetrics {
  /** `primary`, `replica 1` …, and never its host. */
  name: string
  health: string
  /** Seconds that a replica lags. */
  lag: number
  connections: { total: number; idle: number; queued: number }
}

/** Markdown that was rendered as HTML. */
interface RenderMetrics {
  renders: number
  /** Texts that could not be rendered within the limits, by reason. */
  failures: Readonly<Record<string, number>>
  shed: number
  queued: number
  running: number
}

/** A followed source. */
interface SourceMetrics {
  name: string
  /** Seconds; null if it was never checked. */
  checkedAgo: number | null
  /** Seconds; null if it does not fail. */
  failingFor: number | null
}

interface LogMetrics {
  /** Log lines that were dropped. */
  dropped(): number
}

/**
 * The numbers behind the metrics. A scrape reads them. Each room counts in plain numbers, because prom-client looks up
 * a counter by its labels each time: 0.4 µs, against 0.02. (D42)
 * No label contains a client, a page or a host.
 */
export interface MetricSources extends HttpMetricSources {
  servers?(): Iterable<ServerMetrics>
  rendering?(): RenderMetrics
  /** The sources that processes follow. */
  sources?(): Promise<SourceMetrics[]>
  log?: LogMetrics
}

/** All metrics that Lectern declares. */
export const serviceMetrics = (sources: MetricSources): Metric<MetricValue[] | Promise<MetricValue[]>>[] => [
  {
    name: 'lectern_build_info',
    help: 'The running version.',
    type: 'gauge',
    aggregator: 'first',
    values: () => [{ value: 1, labels: { version: packageVersion() } }],
  },
  ...httpMetrics(sources),
  ...(sources.servers ? databaseMetrics(sources.servers) : []),
  ...(sources.rendering ? renderMetrics(sources.rendering) : []),
  ...(sources.sources ? sourceMetrics(sources.sources) : []),
  ...(sources.log ? logMetrics(sources.log) : []),
]

/** The metrics of the log. A primary of workers has them too, although it serves no request. */
export const logMetrics = (log: LogMetrics): Metric[] => [
  {
    ...counter(
      'lectern_log_lines_dropped_total',
      'Log lines that were dropped because they could not be written.',
      () => log.dropped(),
    ),
    aggregator: 'sum',
  },
]

const sourceMetrics = (sources: () => Promise<SourceMetrics[]>): Metric<Promise<MetricValue[]>>[] => {
  const bySource = (value: (source: SourceMetrics) => number) => async () =>
    (await sources()).map((source) => ({ value: value(source), labels: { source: source.name } }))
  return [
    {
      name: 'lectern_source_checked_age_seconds',
      help: 'Time since a follower last found that the wiki has what its source has. -1: never.',
      type: 'gauge',
      aggregator: 'max',
      values: bySource(({ checkedAgo }) => checkedAgo ?? -1),
    },
    {
      name: 'lectern_source_failing_seconds',
      help: 'Time since a source could not be checked or imported. 0: the last check succeeded.',
      type: 'gauge',
      aggregator: 'max',
      values: bySource(({ failingFor }) => failingFor ?? 0),
    },
  ]
}

const databaseMetrics = (servers: () => Iterable<ServerMetrics>): Metric[] => {
  const byServer = (value: (server: ServerMetrics) => number) => () =>
    [...servers()].map((server) => ({ value: value(server), labels: { server: server.name } }))
  return [
    {
      name: 'lectern_database_up',
      help: 'Whether Lectern reads from a database server.',
      type: 'gauge',
      aggregator: 'min',
      values: byServer(({ health }) => (health === 'up' ? 1 : 0)),
    },
    {
      name: 'lectern_database_replication_lag_seconds',
      help: 'How far a replica lags.',
      type: 'gauge',
      aggregator: 'max',
      values: byServer(({ lag }) => lag),
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
      values: byServer(({ connections }) => connections.queued),
    },
  ]
}

const renderMetrics = (rendering: () => RenderMetrics): Metric[] => [
  counter('lectern_renders_total', 'Texts to render as HTML.', () => rendering().renders),
  counterByReason(
    'lectern_render_failures_total',
    'Texts that could not be rendered within the limits, by reason.',
    () => rendering().failures,
  ),
  counter(
    'lectern_renders_shed_total',
    'Texts that Lectern did not try to render, because too many were queued.',
    () => rendering().shed,
  ),
  gauge('lectern_render_running_jobs', 'Texts that are being rendered.', () => rendering().running),
  gauge('lectern_render_queued_jobs', 'Texts that wait to be rendered.', () => rendering().queued),
]
