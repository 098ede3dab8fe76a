export interface MetricValue {
  value: number
  labels?: Record<string, string | number>
  metricName?: string
}

/**
 * A metric with its current values, as prom-client prints it. @template Values a promise if they must be asked for
 */
export interface Metric<Values = MetricValue[]> {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  /** How the values of several processes are combined. Default: `sum`. */
  aggregator?: 'sum' | 'max' | 'min' | 'first'
  values(): Values
}

/** A counter with one value. */
export const counter = (name: string, help: string, value: () => number): Metric => ({
  name,
  help,
  type: 'counter',
  values: () => [{ value: value() }],
})

/** A gauge with one value. */
export const gauge = (name: string, help: string, value: () => number): Metric => ({
  ...counter(name, help, value),
  type: 'gauge',
})

/** A counter with one value for each reason. */
export const counterByReason = (
  name: string,
  help: string,
  counts: () => Readonly<Record<string, number>>,
): Metric => ({
  name,
  help,
  type: 'counter',
  values: () => Object.entries(counts()).map(([reason, value]) => ({ value, labels: { reason } })),
})
