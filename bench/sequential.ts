import { Agent, get } from 'node:http'
import type { Load, LoadRequest, LoadResult } from './load.ts'
import { median, quantile } from './statistics.ts'

const timeRequest = (
  agent: Agent,
  origin: string,
  { path, headers }: LoadRequest,
  status: number,
): Promise<number> =>
  new Promise((resolve, reject) => {
    const started = performance.now()
    get(origin + path, { agent, headers, timeout: 10_000 }, (response) => {
      response.resume().once('end', () => {
        const ms = performance.now() - started
        if (response.statusCode !== status)
          reject(new Error(`${path} returned status ${response.statusCode}`))
        else resolve(ms)
      })
    }).once('error', reject)
  })

/** Sends one request at a time on one connection: the latency of an idle server. */
export const runSequential = async (
  { origin, requests, seconds }: Load,
  status = 200,
): Promise<LoadResult> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  const started = performance.now()
  try {
    while (performance.now() - started < seconds * 1000) {
      times.push(await timeRequest(agent, origin, requests[times.length % requests.length]!, status))
    }
  } finally {
    agent.destroy()
  }
  return {
    requests: times.length,
    seconds: (performance.now() - started) / 1000,
    p50Ms: median(times),
    p99Ms: quantile(times, 0.99),
    httpErrors: 0,
    networkErrors: 0,
  }
}
