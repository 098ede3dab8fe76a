import { LATENCY_BUCKETS_MS } from '../limits.ts'
import { counter, counterByReason, gauge, type Metric } from './metric.ts'

/** The responses of one route. @see RouteCounts of rest/request-metrics.ts */
interface RouteMetrics {
  route: string
  statuses: ReadonlyMap<number, number>
  buckets: readonly number[]
  sumMs: number
  unknownParameters: number
}

/** The requests of one class in admission control. */
interface AdmissionMetrics {
  requestClass: string
  running: number
  queued: number
  shed: number
}

/** What the public listener counts. */
export interface HttpMetricSources {
  routes(): Iterable<RouteMetrics>
  admission(): Iterable<AdmissionMetrics>
  responseCache(): { hits: number; coalesced: number; misses: number; entries: number; bytes: number }
  connections(): { open: number; slowReaders: number; evicted: number }
  /** Responses that clients have not read yet, and connections that were closed for them, by reason. */
  unreadResponses?(): { bytes: number; disconnects: Readonly<Record<string, number>> }
}

export const httpMetrics = (sources: HttpMetricSources): Metric[] => [
  ...requestMetrics(sources),
  ...connectionMetrics(sources),
  ...unreadResponseMetrics(sources),
  ...admissionMetrics(sources),
  ...cacheMetrics(sources),
]

const DURATION = 'lectern_http_request_duration_seconds'

const requestMetrics = ({ routes }: HttpMetricSources): Metric[] => [
  {
    name: 'lectern_http_requests_total',
    help: 'Responses of the public API, by route and status. Route "unreadable": Node\'s parser refused the request. Route "none": the request was refused before routing.',
    type: 'counter',
    values: () =>
      [...routes()].flatMap(({ route, statuses }) =>
        [...statuses].map(([status, value]) => ({ value, labels: { route, status } })),
      ),
  },
  {
    name: DURATION,
    help: 'Time from the arrival of a request until its response is handed to the connection, by route.',
    type: 'histogram',
    values: () => [...routes()].flatMap(durationHistogram),
  },
  {
    name: 'lectern_http_unknown_parameter_requests_total',
    help: 'Requests with a parameter that their route does not have and that was ignored, by route.',
    type: 'counter',
    values: () =>
      [...routes()].map(({ route, unknownParameters }) => ({ value: unknownParameters, labels: { route } })),
  },
  counter('lectern_http_rate_limited_requests_total', 'Responses with status 429.', () =>
    [...routes()].reduce((sum, { statuses }) => sum + (statuses.get(429) ?? 0), 0),
  ),
]

const durationHistogram = ({ route, buckets, sumMs }: RouteMetrics) => {
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

const connectionMetrics = ({ connections }: HttpMetricSources): Metric[] => [
  gauge('lectern_http_connections', 'Open connections of the public API.', () => connections().open),
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

const unreadResponseMetrics = ({ unreadResponses }: HttpMetricSources): Metric[] =>
  unreadResponses
    ? [
        gauge(
          'lectern_http_unread_response_bytes',
          'Response bodies of 16 KB or more that clients have not read completely, each counted once.',
          () => unreadResponses().bytes,
        ),
        counterByReason(
          'lectern_http_pipeline_disconnects_total',
          'Connections that were closed because too many requests, or bytes of responses, were pending on them.',
          () => unreadResponses().disconnects,
        ),
      ]
    : []

const admissionMetrics = ({ admission }: HttpMetricSources): Metric[] => {
  const byClass = (key: 'running' | 'queued' | 'shed') => () =>
    [...admission()].map((counts) => ({ value: counts[key], labels: { class: counts.requestClass } }))
  return [
    {
      name: 'lectern_admission_running_requests',
      help: 'Requests that admission control has admitted and that are running, by class.',
      type: 'gauge',
      values: byClass('running'),
    },
    {
      name: 'lectern_admission_queued_requests',
      help: 'Requests in the queue of admission control, by class.',
      type: 'gauge',
      values: byClass('queued'),
    },
    {
      name: 'lectern_admission_shed_requests_total',
      help: 'Requests that admission control shed with 503, by class.',
      type: 'counter',
      values: byClass('shed'),
    },
  ]
}

const cacheMetrics = ({ responseCache }: HttpMetricSources): Metric[] => [
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
