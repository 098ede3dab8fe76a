import autocannon from 'autocannon'
import type { Load, LoadResult } from './load.ts'

/** Runs a load with autocannon, for machines without wrk. */
export const runAutocannon = async ({
  origin,
  requests,
  connections,
  seconds,
}: Load): Promise<LoadResult> => {
  const result = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    requests: requests.map(({ method = 'GET', path, headers = {}, body }) => ({
      method: method as 'GET' | 'POST',
      path,
      headers,
      ...(body === undefined ? {} : { body }),
    })),
  })
  return {
    requests: result.requests.total,
    seconds: result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    httpErrors: result['4xx'] + result['5xx'],
    networkErrors: result.errors + result.timeouts,
  }
}
