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
  const servingCount = async () => JSON.parse((await lectern.ready()).text).workers.serving

  it('a worker that does not respond is replaced within 15 s', async () => {
    const responses: Promise<unknown>[] = []
    await until('both have responded', async () => {
      responses.push(...Array.from({ length: 4 }, () => lectern.get('/pages')))
      await Promise.all(responses)
      return pids().length === 2
    })
    const [frozen] = pids()
    process.kill(frozen!, 'SIGSTOP')
    const ms = await until(
      'the primary ends it',
      () => lectern.logged().includes('It did not respond for 10 s.'),
      20_000,
    )
    expect(ms).to.be.within(5_000, 15_000)
    await until('two workers serve', async () => (await servingCount()) === 2, 20_000)
  })
})
