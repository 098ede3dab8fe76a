import { AggregatorRegistry, collectDefaultMetrics, type Metric as PromMetric, Registry } from 'prom-client'
import type { Metric } from './metrics.ts'

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

export const makeMetricsRegistry = (metrics: readonly Metric[]): MetricsRegistry => {
  const registry = Registry.merge([processRegistry()])
  for (const metric of metrics) registry.registerMetric(toPromMetric(metric))
  return {
    text: () => registry.metrics(),
    json: () => registry.getMetricsAsJSON(),
  }
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
