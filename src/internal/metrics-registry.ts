import { AggregatorRegistry, collectDefaultMetrics, type Metric as PromMetric, Registry } from 'prom-client'
import type { Metric, MetricValue } from './metric.ts'
import { type MetricSources, serviceMetrics } from './metrics.ts'

interface MetricsRegistry {
  /** In Prometheus format. */
  text(): Promise<string>
  /** The same as data, which can be sent to another process. @see exposeAll */
  json(): Promise<object[]>
}

/** The metrics of several processes as those of one, in Prometheus format. Each metric names its aggregator. */
export const exposeAll = (processes: object[][]): Promise<string> =>
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

export const makeMetricsRegistry = (sources: MetricSources): MetricsRegistry => {
  const registry = Registry.merge([processRegistry()])
  for (const metric of serviceMetrics(sources)) registry.registerMetric(toPromMetric(metric))
  return {
    text: () => registry.metrics(),
    json: () => registry.getMetricsAsJSON(),
  }
}

/** prom-client uses only the name of a metric, and `get` for its current values, as its own aggregation does. */
const toPromMetric = ({
  name,
  help,
  type,
  aggregator = 'sum',
  values,
}: Metric<MetricValue[] | Promise<MetricValue[]>>): PromMetric => {
  const get = async () => ({
    name,
    help,
    type,
    aggregator,
    values: (await values()).map((value) => ({ labels: {}, ...value })),
  })
  return { name, help, type, aggregator, get } as unknown as PromMetric
}
