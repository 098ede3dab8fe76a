import { Agent, get } from 'node:http'
import type { Load, LoadRequest, LoadResult } from './load.ts'
import { median } from './statistics.ts'

const once = (
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
        if (response.statusCode !== status) reject(new Error(`${path} answered ${response.statusCode}`))
        else resolve(ms)
      })
    }).once('error', reject)
  })

/** One request after the other on one connection: the latency that a server has when nothing waits. */
export const runLone = async ({ origin, requests, seconds }: Load, status = 200): Promise<LoadResult> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  const started = performance.now()
  try {
    while (performance.now() - started < seconds * 1000) {
      times.push(await once(agent, origin, requests[times.length % requests.length]!, status))
    }
  } finally {
    agent.destroy()
  }
  const ordered = [...times].sort((a, b) => a - b)
  return {
    requests: times.length,
    seconds: (performance.now() - started) / 1000,
    p50Ms: median(times),
    p99Ms: ordered[Math.floor(times.length * 0.99)]!,
    refused: 0,
    failed: 0,
  }
}
