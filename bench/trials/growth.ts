import { makeServers } from '../peers.ts'
import { takeSample } from '../sample.ts'
import { runSequential } from '../sequential.ts'
import { median, ratios } from '../statistics.ts'
import { WORKLOADS } from '../workloads.ts'
import { makeBenchWorld } from '../world/world.ts'
import type { Figure, Trial } from './trial.ts'

/** Every endpoint except search, whose time depends on the words of the query. */
const ENDPOINTS = ['pages', 'list50', 'history', 'recent', 'revision', 'category', 'html', 'notfound']

/** Compares the median latency of single requests in a large and in a small data set, round by round. */
export const measureGrowth: Trial = async (small, { server, rounds, seconds, growTo, say }) => {
  const large = await makeBenchWorld({ server, pages: growTo, seed: small.plan.seed, search: false, say })
  const worlds = [small, large].map((world) => ({ servers: makeServers(world), world }))
  const figures: Figure[] = []
  try {
    for (const name of ENDPOINTS) {
      const workload = workloadNamed(name)
      const p50s: number[][] = [[], []]
      // The first round is the warm-up.
      for (let round = 0; round <= rounds; round += 1) {
        for (const [i, { servers, world }] of worlds.entries()) {
          const { origin } = await servers.get('lectern uncached')
          const load = {
            origin,
            requests: workload.requests(takeSample(world.plan)),
            connections: 1,
            seconds,
          }
          const { p50Ms } = await runSequential(load, workload.status)
          if (round > 0) p50s[i]!.push(p50Ms)
        }
      }
      const { median: ratio, min, max } = ratios(p50s[1]!, p50s[0]!)
      figures.push({
        title: `p50 of ${name}: ${growTo} pages ÷ ${small.plan.pages} pages`,
        unit: '×',
        value: ratio,
        details: `${median(p50s[0]!).toFixed(2)} → ${median(p50s[1]!).toFixed(2)} ms; ${min.toFixed(2)}–${max.toFixed(2)}`,
        must: { atMost: 1.2 },
      })
    }
    return figures
  } finally {
    await Promise.all(worlds.map(({ servers }) => servers.stop()))
  }
}

const workloadNamed = (name: string) => WORKLOADS.find((workload) => workload.name === name)!
