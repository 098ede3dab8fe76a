import { AggregatorRegistry, collectDefaultMetrics, type Metric as PromMetric, Registry } from 'prom-client'
import { type Metric, type MetricSources, serviceMetrics } from './metrics.ts'

interface MetricsRegistry {
  /** In the exposition format of Prometheus. */
  text(): Promise<string>
  /** The same as data, which can be sent to another process. @see exposeAll */
  json(): Promise<object[]>
}

/** The metrics of several processes as those of one: counters and histograms added up, gauges as each is best read. */
export const exposeAll = (processes: object[][]): Promise<string> =>
  AggregatorRegistry.aggregate(processes as Parameters<typeof AggregatorRegistry.aggregate>[0]).metrics()

/** Memory, CPU, garbage collection and the event loop's lag: one set a process, since each has timers. */
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

/** All that prom-client asks of a metric is its name and what it holds now, as its own aggregation makes them. */
const toPromMetric = ({ name, help, type, aggregator = 'sum', values }: Metric): PromMetric => {
  const get = async () => ({
    name,
    help,
    type,
    aggregator,
    values: values().map((one) => ({ labels: {}, ...one })),
  })
  return { name, help, type, aggregator, get } as unknown as PromMetric
}
