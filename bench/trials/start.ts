import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CORES } from '../machine.ts'
import { startPeer } from '../servers.ts'
import { siteEnvironment } from '../site.ts'
import { median } from '../statistics.ts'
import type { Figure, Trial } from './trial.ts'

/** Seconds from the start of `lectern serve` to its first answer: a page of the wiki's. */
const startSeconds = async (environment: Record<string, string>): Promise<number> => {
  const started = performance.now()
  const settings = { INTERNAL_PORT: '0', LOG_LEVEL: 'warn', ...environment }
  const server = await startPeer('src/cli.js', ['serve'], settings, CORES.all)
  try {
    const answer = await fetch(`${server.origin}/api/v1/pages?limit=1`)
    if (answer.status !== 200) throw new Error(`the first answer was ${answer.status}`)
    return (performance.now() - started) / 1000
  } finally {
    await server.stop()
  }
}

const figure = (title: string, times: number[], atMost: number): Figure => ({
  title,
  unit: 's',
  value: median(times),
  details: times.map((time) => time.toFixed(2)).join(', '),
  must: { atMost },
})

export const measureStart: Trial = async ({ databaseUrl }, { rounds }) => {
  const repeat = async (environment: Record<string, string>) => {
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1) times.push(await startSeconds(environment))
    return times
  }
  const onServer = await repeat(siteEnvironment(databaseUrl))
  const folder = await mkdtemp(join(tmpdir(), 'lectern-bench-'))
  try {
    const environment = { DATA_DIR: join(folder, 'data') }
    const first = await startSeconds(environment)
    return [
      figure('start on PostgreSQL', onServer, 1),
      figure('first ever start, embedded', [first], 6),
      figure('start with data, embedded', await repeat(environment), 3),
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
