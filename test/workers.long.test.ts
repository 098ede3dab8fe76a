import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { expect } from 'chai'
import type { Database } from '../src/db/database.ts'
import { openDatabase } from '../src/db/open-database.ts'
import { restartBackoff } from '../src/shared/timers.ts'
import { endProcesses, environmentOf, lockedAnswers, type Running, start } from './support/cli.ts'
import { copyTemplate, MIGRATED, type TemporaryDatabase } from './support/database.ts'
import { importText, linesOfFile, withFile } from './support/importing.ts'
import { until } from './support/until.ts'
import { recordsOf } from './support/world.ts'

/** A request on a connection of its own: connections are what workers take turns at. */
const call = (url: string): Promise<{ status: number; headers: IncomingMessage['headers']; body: string }> =>
  new Promise((resolve, reject) => {
    get(url, { agent: new Agent() }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text
      })
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body }))
    }).on('error', reject)
  })

const isListening = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

/** How a connection with one request ends. `hung`: not within a minute. */
type End = 'answered' | 'broken' | 'refused' | 'hung'

const connectOnce = (url: string): Promise<End> =>
  new Promise((resolve) => {
    const { hostname, port, pathname } = new URL(url)
    let answer = ''
    const socket = connect(Number(port), hostname)
    const timer = setTimeout(() => end('hung'), 60_000)
    const end = (how: End): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(how)
    }
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', ({ code }: NodeJS.ErrnoException) =>
      end(code === 'ECONNREFUSED' ? 'refused' : 'broken'),
    )
    socket.on('close', () => end(answer === '' ? 'broken' : 'answered'))
  })

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('workers', () => {
  let made: TemporaryDatabase
  let owner: Database
  let service: Running
  let url: string
  let internal: string

  before(async () => {
    made = await copyTemplate(MIGRATED)
    owner = await openDatabase(made.place, 'owner')
    await importText(owner, linesOfFile(...recordsOf({ pages: [{ path: 'tea' }] })))
  })
  after(async () => {
    await owner?.close()
    await made?.remove()
  })
  afterEach(endProcesses)

  const serveWith = async (environment: Record<string, string>, ...options: string[]): Promise<void> => {
    service = start(['serve', ...options], {
      ...environmentOf(made.place),
      WORKERS: '2',
      PORT: '0',
      HOST: '127.0.0.1',
      INTERNAL_PORT: '0',
      ...environment,
    })
    url = (await service.prints(/Lectern serves (\S+)/))[1]!
    internal = (await service.prints(/only: (\S+)\/graphql/))[1]!
  }

  const records = (): { pid: number; msg: string; pause?: number; worker?: number }[] =>
    service
      .logged()
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => JSON.parse(line))

  /** Processes that have responded. */
  const workers = (): number[] => [
    ...new Set(
      records()
        .filter(({ msg }) => msg === 'request')
        .map(({ pid }) => pid),
    ),
  ]

  /** Sends requests until `count` workers have responded. */
  const callAll = (count: number) =>
    until('each worker has responded', async () => {
      expect((await call(`${url}/pages`)).status).to.equal(200)
      return workers().length >= count
    })

  /** Lists that all workers have answered, as /metrics counts them. */
  const counted = async () =>
    Number(
      /^lectern_http_requests_total\{route="pages",status="200"\} (\d+)$/m.exec(
        (await call(`${internal}/metrics`)).body,
      )![1],
    )

  const fleet = async () => JSON.parse((await call(`${internal}/ready`)).body).workers

  it('share the ports and one rate limit, whichever worker responds; are replaced when they end; others respond meanwhile, and the counts of clients and of /metrics stay', async () => {
    await serveWith({ RATE_LIMIT: '60' })
    const granted: Awaited<ReturnType<typeof call>>[] = []
    // So few at a time that no list has to wait, which on a busy machine could be for too long.
    const callTimes = async (times: number) => {
      const before = granted.length
      for (let i = 0; i < times; i += 10) {
        const responses = await Promise.all(Array.from({ length: 10 }, () => call(`${url}/pages`)))
        for (const response of responses)
          if (response.status === 200) granted.push(response)
          else expect(response.status).to.equal(429)
      }
      return granted.length - before
    }
    const began = performance.now()
    expect(await callTimes(10)).to.equal(10)
    // The log comes after the responses. A starved worker may have got no request, and pages of the site are counted apart.
    const logged = (count: number) =>
      until(`${count} workers have logged`, async () => {
        await call(`${url}/docs`)
        return workers().length >= count
      })
    await logged(2)
    expect(workers()).not.to.include(service.process.pid)
    const [killed] = workers()
    expect(await counted()).to.equal(10)
    process.kill(killed!, 'SIGKILL')
    await until('the loss is logged', () => records().some(({ worker }) => worker === killed))
    expect(await callTimes(10)).to.equal(10)
    await until('two workers serve', async () => (await fleet()).serving === 2)
    expect(await counted()).to.equal(20)
    const last = await callTimes(60)
    if (performance.now() - began < 60_000) {
      expect(last).to.equal(40) // in one window
      const left = granted.map(({ headers }) => /r=(\d+)/.exec(String(headers.ratelimit))![1])
      expect(new Set(left).size).to.equal(60)
    }
    await logged(3)
  })

  it('that are all killed at once, again and again, leave no connection that hangs, and none is refused; they end with their primary, even if it is killed', async () => {
    await serveWith({ RATE_LIMIT: '0' })
    const ends: Record<End, number> = { answered: 0, broken: 0, refused: 0, hung: 0 }
    let isOver = false
    const clients = Array.from({ length: 10 }, async () => {
      while (!isOver) ends[await connectOnce(`${url}/pages`)] += 1
    })
    for (let round = 1; round <= 2; round += 1) {
      const before = ends.answered
      await until('requests are answered', () => ends.answered > before + 40)
      for (const pid of workers().filter(isAlive)) process.kill(pid, 'SIGKILL')
    }
    const before = ends.answered
    await until('requests are answered again', () => ends.answered > before + 40)
    isOver = true
    await Promise.all(clients)
    expect(ends).to.include({ refused: 0, hung: 0 })

    const pids = workers().filter(isAlive)
    service.process.kill('SIGKILL')
    await service.ended
    await until('the workers have ended', () => !pids.some(isAlive))
  })

  it('are counted by /ready and /live, and aggregated by /metrics; end a second service on the same port; finish their requests when the service stops, which ends with status 0 and leaves no process', async () => {
    await serveWith({})
    for (const path of ['/ready', '/live']) {
      const response = JSON.parse((await call(internal + path)).body)
      expect(response.workers).to.deep.equal({ configured: 2, serving: 2 })
    }
    for (let i = 0; i < 12; i += 1) expect((await call(`${url}/pages`)).status).to.equal(200)
    await until('two workers have logged', () => workers().length >= 2)
    const client = await owner.connect()
    await client.query('begin')
    await client.query('lock table wiki.live_follower in access exclusive mode')
    for (let i = 0; i < 3; i += 1) {
      const { body } = await call(`${internal}/metrics`)
      expect(await counted()).to.equal(12)
      // Each process has 20 MB of its own: two workers, their primary, and at least one that renders.
      expect(Number(/^lectern_memory_bytes (\d+)$/m.exec(body)![1])).to.be.within(80e6, 2e9)
    }
    await client.query('commit')

    const { port } = new URL(url)
    const second = await start(['serve'], {
      ...environmentOf(made.place),
      WORKERS: '2',
      PORT: port,
      INTERNAL_PORT: '0',
      HOST: '127.0.0.1',
    }).ended
    expect(second.stderr).to.match(
      /^lectern: PORT \(environment\): another Lectern \(.+\) uses port \d+ of 127\.0\.0\.1, so the service cannot start\. Stop it, or set PORT to another port\.\n$/,
    )
    expect(second.status).to.equal(1)

    await callAll(2)
    const pids = workers()
    await client.query('begin')
    await client.query('lock table wiki.live_page in access exclusive mode')
    const askedAt = performance.now()
    const responses = Promise.all([1, 2, 3, 4].map((limit) => call(`${url}/pages?limit=${limit}`)))
    // Connections are accepted in order: requests before one with a response have been read, too.
    for (let i = 0; i < 6; i += 1) expect((await call(`${url}/nothing`)).status).to.equal(404)
    // A terminal signals every process of it.
    for (const pid of [...pids, service.process.pid!]) process.kill(pid, 'SIGINT')
    await until('no connection is accepted', async () => !(await isListening(url)))
    expect(service.process.exitCode).to.equal(null)
    await client.query('commit')
    client.release()
    const answers = lockedAnswers(performance.now() - askedAt)
    for (const { status } of await responses) expect(answers).to.include(status)
    expect((await service.ended).status).to.equal(0)
    expect(pids.filter(isAlive)).to.deep.equal([])
  })

  it('are replaced one by one on SIGHUP, with the settings of the files as they are then, and no connection is refused or broken', async () => {
    const { databaseUrl } = made.place
    const inFile = `PORT=0\n${databaseUrl === undefined ? '' : `DATABASE_URL=${databaseUrl}\n`}`
    await withFile('lectern.env', `${inFile}RATE_LIMIT=100000\n`, async (file) => {
      const unset = { PORT: '', ...(databaseUrl !== undefined && { DATABASE_URL: '' }) }
      await serveWith(unset, '--env-file', file)
      await callAll(2)
      const first = workers()
      const reload = async (settings: string, msg: string) => {
        const count = () => service.logged().split(`"msg":"${msg}"`).length
        const before = count()
        await writeFile(file, settings)
        service.process.kill('SIGHUP')
        await until(msg, () => count() > before)
        return JSON.stringify(records().findLast((line) => line.msg === msg))
      }
      const refused = 'Nothing was reloaded'
      expect(await reload(`${inFile}RATE_LIMIT=lots\n`, refused)).to.match(
        /RATE_LIMIT \([^)]+, line \d\) must be /,
      )
      expect(await reload(`${inFile}RATE_LIMIT=1\nLOG_FORMAT=pretty\n`, refused)).to.include(
        'To change LOG_FORMAT, restart',
      )
      expect(await reload(`${inFile}PORT=1\n`, refused)).to.include('To change PORT, restart')
      expect(await reload('PORT=0\nDATABASE_URL=postgresql://127.0.0.1:1/x\n', refused)).to.match(
        /DATABASE_URL/,
      )
      expect(first.every(isAlive), 'the workers stay').to.equal(true)
      const ends: Record<End, number> = { answered: 0, broken: 0, refused: 0, hung: 0 }
      let isOver = false
      const client = (async () => {
        while (!isOver) ends[await connectOnce(`${url}/pages`)] += 1
      })()
      const { pid } = service.process
      const children = (): string[] =>
        readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? []
      const before = children()
      const restoring = reload(`${inFile}RATE_LIMIT=150000\n`, refused)
      const successors = () => children().filter((child) => !before.includes(child))
      await until('a second successor starts', () => successors().length === 2)
      process.kill(Number(successors()[1]), 'SIGKILL')
      expect(await restoring).to.include('The worker ended by SIGKILL before it served.')
      for (let i = 0; i < 4; i += 1)
        expect((await call(`${url}/pages`)).headers['ratelimit-policy']).to.include('q=100000')
      expect(await reload(`${inFile}RATE_LIMIT=200000\n`, 'reloaded')).to.include('"settings":["RATE_LIMIT"]')
      expect(first.some(isAlive), 'the old workers').to.equal(false)
      expect(await reload(`${inFile}RATE_LIMIT=200000\n`, 'reloaded')).to.include('"settings":[]')
      expect(records().some(({ msg }) => msg.startsWith('No setting of a file has changed.'))).to.equal(true)
      expect((await call(`${url}/pages`)).headers['ratelimit-policy']).to.include('200000')
      isOver = true
      await client
      expect(ends).to.include({ broken: 0, refused: 0, hung: 0 })
      expect(await counted()).to.be.at.least(ends.answered)
      expect(await fleet()).to.deep.equal({ configured: 2, serving: 2 })
      const [killed] = workers().filter(isAlive)
      process.kill(killed!, 'SIGKILL')
      await until('a new worker is replaced, too', () => records().some(({ worker }) => worker === killed))
      await until('two workers serve', async () => (await fleet()).serving === 2)
    })
  })

  it('are started again after growing delays if they end at their start: 0, 0.1, 0.2, 0.4 … 10 s', () => {
    const nextDelay = restartBackoff()
    const delays = Array.from({ length: 10 }, () => nextDelay(0))
    expect(delays).to.deep.equal([0, 100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000])
    expect([nextDelay(10_000), nextDelay(0), nextDelay(0)]).to.deep.equal([0, 0, 100])
    const served = restartBackoff()
    expect(Array.from({ length: 6 }, () => served(50))).to.deep.equal([0, 100, 200, 400, 500, 500])
  })
})
