import { runLoad } from '../load.ts'
import { residentMb } from '../machine.ts'
import { makeServers } from '../peers.ts'
import { takeSample } from '../sample.ts'
import { summarize } from '../statistics.ts'
import { WORKLOADS } from '../workloads.ts'
import type { Trial } from './trial.ts'

/** After these minutes memory should stop growing. The last of them is the baseline. */
const WARM_UP_MINUTES = 3
const LOAD_SECONDS = 10

/** Measures the memory of the service under the daily mix, for several minutes. */
export const measureSoak: Trial = async (world, { soakMinutes, say }) => {
  const servers = makeServers(world)
  try {
    const { origin, pids } = await servers.get('lectern')
    const requests = WORKLOADS.find(({ name }) => name === 'mix')!.requests(takeSample(world.plan))
    const memory: number[] = []
    for (let seconds = 0; seconds < soakMinutes * 60; seconds += LOAD_SECONDS) {
      await runLoad({ origin, requests, connections: 32, seconds: LOAD_SECONDS })
      memory.push(residentMb(pids()))
      if (seconds % 60 === 0) say(`  minute ${seconds / 60}: ${memory.at(-1)!.toFixed(0)} MB`)
    }
    const minute = 60 / LOAD_SECONDS
    const baseline = summarize(memory.slice((WARM_UP_MINUTES - 1) * minute, WARM_UP_MINUTES * minute))
    const last = summarize(memory.slice(-minute))
    const details = memory
      .filter((_, i) => i % minute === minute - 1)
      .map((mb) => mb.toFixed(0))
      .join(', ')
    return [
      {
        title: `maximum memory in ${soakMinutes} minutes of the daily mix`,
        unit: 'MB',
        value: Math.max(...memory),
        details: `at the end of each minute: ${details}`,
        must: { atMost: 400 },
      },
      {
        title: `memory in minute ${soakMinutes} ÷ memory in minute ${WARM_UP_MINUTES}`,
        unit: '×',
        value: last.median / baseline.median,
        details: `${baseline.median.toFixed(0)} → ${last.median.toFixed(0)} MB; the garbage collector accounts for 5 %`,
        must: { atMost: 1.05 },
      },
    ]
  } finally {
    await servers.stop()
  }
}
