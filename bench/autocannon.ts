import autocannon from 'autocannon'
import type { Load, LoadResult } from './load.ts'

/**
 * Runs a load with autocannon, for machines without wrk. Each of its connections has a list of its own, which begins
 * at another place: if all began at the same, they would ask for the same at the same time, and a server that merges
 * equal reads would read once for all of them.
 */
export const runAutocannon = async ({
  origin,
  requests,
  connections,
  seconds,
}: Load): Promise<LoadResult> => {
  const list = requests.map(({ method = 'GET', path, headers = {}, body }) => ({
    method: method as 'GET' | 'POST',
    path,
    headers,
    ...(body === undefined ? {} : { body }),
  }))
  let clients = 0
  const result = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    requests: list.slice(0, 1),
    setupClient: (client) => {
      const start = Math.floor((clients++ * list.length) / connections) % list.length
      client.setRequests([...list.slice(start), ...list.slice(0, start)])
    },
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
