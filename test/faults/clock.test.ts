import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { lectern as run } from '../support/cli.ts'
import { testId } from '../support/ids.ts'
import { linesOfFile } from '../support/importing.ts'
import { until } from '../support/until.ts'
import { type PageSpec, recordsOf } from '../support/world.ts'
import { type Lectern, startLectern } from './support/lectern.ts'
import { copyEmbeddedWiki } from './support/postgres.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const JUMPS = [3 * HOUR, -3 * HOUR, MINUTE, -MINUTE]

describe('clock that jumps while the service runs', () => {
  let folder: string
  const lecterns: Lectern[] = []
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'lectern-clock-'))
  })
  after(async () => {
    await Promise.all(lecterns.map((one) => one.stop()))
    rmSync(folder, { recursive: true, force: true })
  })

  /** Moves the time of day of the processes that read the file. */
  const setClock = (file: string, ms: number) => {
    writeFileSync(`${file}.new`, String(ms))
    renameSync(`${file}.new`, file)
  }
  const startShifted = async (name: string, environment: Record<string, string>) => {
    const own = join(folder, name)
    mkdirSync(own)
    const file = join(own, 'clock')
    setClock(file, 0)
    const clock = {
      LECTERN_TEST_CLOCK: file,
      NODE_OPTIONS: `--import ${new URL('./support/shifted-clock.js', import.meta.url)}`,
    }
    const data = { DATA_DIR: await copyEmbeddedWiki(own) }
    const lectern = await startLectern({ ...data, ...clock, ...environment })
    lecterns.push(lectern)
    return { lectern, data, jumpTo: (ms: number) => setClock(file, ms) }
  }
  /** The time of day of the last log line. */
  const loggedTime = (lectern: Lectern): number => {
    const line = lectern.logged().trimEnd().split('\n').at(-1)!
    return Date.parse(JSON.parse(line).time)
  }

  it('a client cannot exceed its limit, and Retry-After is at most a minute', async () => {
    const { lectern, jumpTo } = await startShifted('limit', {
      RATE_LIMIT: '40',
      WORKERS: '2', // whose primary counts as one process does
      LOG_LEVEL: 'info',
      TRUSTED_PROXIES: '1',
    })
    const statuses: number[] = []
    const startedAt = performance.now()
    for (let n = 0; n < 80; n += 1) {
      if (n % 16 === 8) jumpTo(JUMPS[(n - 8) / 16] ?? 0)
      const { status, headers } = await lectern.get('/pages?limit=1')
      statuses.push(status)
      const left = Number(/;t=(\d+)/.exec(headers.get('ratelimit')!)?.[1])
      expect(left).to.be.within(1, 60)
      if (status === 429) expect(Number(headers.get('retry-after'))).to.equal(left)
    }
    // All requests were in one window.
    expect(performance.now() - startedAt).to.be.below(MINUTE)
    expect(statuses.filter((status) => status === 200)).to.have.length(40)
    expect(statuses.filter((status) => status === 429)).to.have.length(40)
    jumpTo(JUMPS[0]!)
    // A request of another client, because the log leaves out most refusals of one client.
    await lectern.get('/pages?limit=1', { 'X-Forwarded-For': '192.0.2.7' })
    await until('the log has the new time', () => loggedTime(lectern) > Date.now() + 2 * HOUR)
  })

  it('responses are cached for as long as they say, an import shows at once, and the service stops with status 0', async () => {
    const { lectern, data, jumpTo } = await startShifted('cache', { CACHE_SECONDS: '3' })
    const hits = async () => {
      const text = await (await fetch(`${lectern.internalUrl}/metrics`)).text()
      return Number(/^lectern_response_cache_hits_total (\d+)/m.exec(text)![1])
    }
    await lectern.get('/pages/sencha')
    for (const [n, jump] of JUMPS.slice(0, 2).entries()) {
      jumpTo(jump)
      await until('the response is not from the cache', async () => {
        const before = await hits()
        await lectern.get('/pages/sencha')
        return (await hits()) === before
      })
      const before = await hits()
      expect((await lectern.get('/pages/sencha')).status, `jump ${n}`).to.equal(200)
      expect(await hits(), `jump ${n}`).to.equal(before + 1)
    }

    const file = join(folder, 'wiki.ndjson')
    for (const [n, jump] of JUMPS.slice(0, 2).entries()) {
      jumpTo(jump)
      const name = `Named ${n}`
      const markdown = '**Sencha** is a green tea.'
      const page: PageSpec = { path: 'sencha', revisions: [{ id: testId(1), markdown }] }
      writeFileSync(file, linesOfFile(...recordsOf({ name, locales: ['en'], pages: [page] })))
      const { status, stderr } = await run(['import', 'ndjson', file], data)
      expect(status, stderr).to.equal(0)
      await until('the new name shows', async () => JSON.parse((await lectern.get('')).text).name === name)
      const { text } = await lectern.get('/pages/sencha?format=html')
      expect(JSON.parse(text).html).to.match(/^<p><strong>Sencha/)
    }
    jumpTo(-3 * HOUR)
    expect((await lectern.stop()).status).to.equal(0)
    lecterns.splice(lecterns.indexOf(lectern), 1)
  })
})
