import { expect } from 'chai'
import { until } from '../support/until.ts'
import { type Lectern, startLectern } from './support/lectern.ts'
import { type Postgres, startWiki } from './support/postgres.ts'

describe('workers', () => {
  let postgres: Postgres
  let lectern: Lectern

  before(async () => {
    postgres = await startWiki()
    lectern = await startLectern({ DATABASE_URL: postgres.url, WORKERS: '2', LOG_LEVEL: 'info' })
  })
  after(async () => {
    await lectern?.stop()
    await postgres?.remove()
  })

  const pids = () => [
    ...new Set(
      lectern
        .logged()
        .split('\n')
        .filter((line) => line.endsWith('"request"}'))
        .map((line): number => JSON.parse(line).pid),
    ),
  ]
  const serving = async () => JSON.parse((await lectern.ready()).text).workers.serving

  it('one that stands still is ended within 15 s, and another takes its place', async () => {
    const calls: Promise<unknown>[] = []
    await until('both have answered', async () => {
      calls.push(...Array.from({ length: 4 }, () => lectern.get('/pages')))
      await Promise.all(calls)
      return pids().length === 2
    })
    const [still] = pids()
    process.kill(still!, 'SIGSTOP')
    const took = await until(
      'it is ended',
      () => lectern.logged().includes('It did not respond for 10 s.'),
      20_000,
    )
    expect(took).to.be.within(5_000, 15_000)
    await until('two serve', async () => (await serving()) === 2, 20_000)
  })
})
