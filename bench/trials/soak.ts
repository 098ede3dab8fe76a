import { runLoad } from '../load.ts'
import { residentMb } from '../machine.ts'
import { makeServers } from '../peers.ts'
import { takeSample } from '../sample.ts'
import { summary } from '../statistics.ts'
import { WORKLOADS } from '../workloads.ts'
import type { Trial } from './trial.ts'

/** Minutes after which memory may grow no more; what is measured in the minute up to then is compared. */
const SETTLED_MINUTES = 3
const PIECE_SECONDS = 10

/** The memory of a service under the day's mix for minutes on end. */
export const soak: Trial = async (world, { soakMinutes, say }) => {
  const servers = makeServers(world)
  try {
    const { origin, pids } = await servers.get('lectern')
    const requests = WORKLOADS.find(({ name }) => name === 'mix')!.requests(takeSample(world.plan))
    const memory: number[] = []
    for (let seconds = 0; seconds < soakMinutes * 60; seconds += PIECE_SECONDS) {
      await runLoad({ origin, requests, connections: 32, seconds: PIECE_SECONDS })
      memory.push(residentMb(pids()))
      if (seconds % 60 === 0) say(`  minute ${seconds / 60}: ${memory.at(-1)!.toFixed(0)} MB`)
    }
    const minute = 60 / PIECE_SECONDS
    const settled = summary(memory.slice((SETTLED_MINUTES - 1) * minute, SETTLED_MINUTES * minute))
    const last = summary(memory.slice(-minute))
    const details = memory
      .filter((_, i) => i % minute === minute - 1)
      .map((mb) => mb.toFixed(0))
      .join(', ')
    return [
      {
        title: `most memory in ${soakMinutes} minutes of the day's mix`,
        unit: 'MB',
        value: Math.max(...memory),
        details: `by the minute: ${details}`,
        must: { atMost: 400 },
      },
      {
        title: `memory of the last minute ÷ of the third`,
        unit: '×',
        value: last.median / settled.median,
        details: `${settled.median.toFixed(0)} → ${last.median.toFixed(0)} MB; 5 % are the garbage collector's`,
        must: { atMost: 1.05 },
      },
    ]
  } finally {
    await servers.stop()
  }
}
