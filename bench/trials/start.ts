import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CORES } from '../machine.ts'
import { startScript } from '../servers.ts'
import { siteEnvironment } from '../site.ts'
import { median } from '../statistics.ts'
import type { Figure, Trial } from './trial.ts'

/** Seconds from the start of `lectern serve` to its first response with a page of the wiki. */
const measureStartSeconds = async (environment: Record<string, string>): Promise<number> => {
  const started = performance.now()
  const settings = { INTERNAL_PORT: '0', LOG_LEVEL: 'warn', ...environment }
  const server = await startScript('src/cli.js', ['serve'], settings, { cores: CORES.all })
  try {
    const response = await fetch(`${server.origin}/api/v1/pages?limit=1`)
    if (response.status !== 200) throw new Error(`The first response had status ${response.status}`)
    return (performance.now() - started) / 1000
  } finally {
    await server.stop()
  }
}

const makeFigure = (title: string, times: number[], atMost: number): Figure => ({
  title,
  unit: 's',
  value: median(times),
  details: times.map((time) => time.toFixed(2)).join(', '),
  must: { atMost },
})

export const measureStart: Trial = async ({ databaseUrl }, { rounds }) => {
  const repeat = async (environment: Record<string, string>) => {
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1) times.push(await measureStartSeconds(environment))
    return times
  }
  const onServer = await repeat(siteEnvironment(databaseUrl))
  const folder = await mkdtemp(join(tmpdir(), 'lectern-bench-'))
  try {
    const environment = { DATA_DIR: join(folder, 'data') }
    const first = await measureStartSeconds(environment)
    return [
      makeFigure('start on PostgreSQL', onServer, 1),
      makeFigure('very first start, embedded', [first], 6),
      makeFigure('start with data, embedded', await repeat(environment), 3),
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
