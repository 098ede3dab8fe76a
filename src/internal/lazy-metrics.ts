import { memoize } from '../shared/memoize.ts'
import { type MetricSources, serviceMetrics } from './metrics.ts'
import type { makeMetricsRegistry } from './metrics-registry.ts'

/** When the process begins to measure the lag of the event loop, milliseconds: prom-client takes 50 ms to load. */
const LOAD_AFTER_MS = 1_000

type LazyMetrics = () => Promise<ReturnType<typeof makeMetricsRegistry>>

/** The registry of metrics. It loads on first use, or soon after the start; a failed load is tried again. */
export const lazyMetrics = (sources: MetricSources): LazyMetrics => {
  const metrics = memoize(async () =>
    (await import('./metrics-registry.ts')).makeMetricsRegistry(serviceMetrics(sources)),
  )
  setTimeout(() => metrics().catch(() => {}), LOAD_AFTER_MS).unref()
  return metrics
}

/**
 * Returns the text of `/metrics`.
 * @param ofAll collects the metrics of all processes, if there are several. It gets a function for those of this one
 */
export const metricsText = (
  metrics: LazyMetrics,
  ofAll?: (own: () => Promise<object[]>) => () => Promise<object[][]>,
): (() => Promise<string>) => {
  const collect = ofAll?.(async () => (await metrics()).json())
  return async () => {
    if (!collect) return (await metrics()).text()
    const [{ exposeAll }, all] = await Promise.all([import('./metrics-registry.ts'), collect()])
    return exposeAll(all)
  }
}
