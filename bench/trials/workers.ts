import { runLoad } from '../load.ts'
import { CORES, cpuSeconds } from '../machine.ts'
import { startLecternServer } from '../peers.ts'
import { takeSample } from '../sample.ts'
import type { Server } from '../servers.ts'
import { median } from '../statistics.ts'
import { WORKLOADS } from '../workloads.ts'
import type { Figure, Trial } from './trial.ts'

/** Two workers and one, and how many seconds of CPU time each takes for a response. */
interface Round {
  rates: [one: number, two: number]
  cpu: [one: number, two: number]
}

const CONNECTIONS = 64
const WARM_UP_SECONDS = 2
const TARGET = 1.7

/**
 * What a second worker is worth. On a machine with two cores, the load generator and PostgreSQL take their part of the
 * second core, so the rate cannot double. The CPU time does not depend on that: as long as two workers take no more
 * of it for a response than one does, they answer twice as many requests when the load comes from elsewhere. A process
 * with little to do takes more CPU time for a response, so this is a lower bound.
 */
export const measureWorkers: Trial = async ({ databaseUrl, plan }, { rounds, seconds, say }) => {
  const sample = takeSample(plan)
  const figures: Figure[] = []
  for (const name of ['hot', 'pages']) {
    const { isCached, title, requests } = WORKLOADS.find((workload) => workload.name === name)!
    say(title)
    const cacheSeconds = isCached ? 60 : 0
    const one = await startLecternServer(databaseUrl, cacheSeconds)
    const two = await startLecternServer(databaseUrl, cacheSeconds, 2, CORES.all)
    try {
      const load = async ({ origin, pids }: Server, duration: number): Promise<[number, number]> => {
        const before = cpuSeconds(pids())
        const result = await runLoad({
          origin,
          requests: requests(sample),
          connections: CONNECTIONS,
          seconds: duration,
        })
        const answered = result.requests - result.httpErrors
        return [answered / result.seconds, (cpuSeconds(pids()) - before) / answered]
      }
      for (const server of [one, two]) await load(server, WARM_UP_SECONDS)
      const all: Round[] = []
      for (let round = 0; round < rounds; round += 1) {
        const [rateOfOne, cpuOfOne] = await load(one, seconds)
        const [rateOfTwo, cpuOfTwo] = await load(two, seconds)
        all.push({ rates: [rateOfOne, rateOfTwo], cpu: [cpuOfOne, cpuOfTwo] })
      }
      figures.push(...figuresOf(title, all))
    } finally {
      await Promise.all([one.stop(), two.stop()])
    }
  }
  return figures
}

const figuresOf = (title: string, rounds: Round[]): Figure[] => {
  const ofRates = rounds.map(({ rates: [one, two] }) => two / one)
  const ofCpu = rounds.map(({ cpu: [one, two] }) => (2 * one) / two)
  const figure = (what: string, values: number[]): Figure => ({
    title: `WORKERS=2, ${title}: ${what}`,
    unit: '×',
    value: median(values),
    details: values.map((value) => value.toFixed(2)).join(', '),
    must: { atLeast: TARGET },
  })
  return [
    figure('the rate of one worker, load generator and PostgreSQL on the same cores', ofRates),
    figure('estimated by the CPU time of the service, if the load came from elsewhere', ofCpu),
  ]
}
