import { execFileSync } from 'node:child_process'
import { closeSync, constants, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { expect } from 'chai'
import { type LaunchOptions, start as startUnseen } from '../support/cli.ts'
import { until } from '../support/until.ts'
import { type Lectern, request, startLectern } from './support/lectern.ts'
import { takesAtMost } from './support/measured.ts'
import { newFolder, type Postgres, startWiki } from './support/postgres.ts'
import { freePort } from './support/server-process.ts'

const { O_RDONLY, O_RDWR, O_WRONLY, O_NONBLOCK } = constants

describe('a log that cannot be written', () => {
  let postgres: Postgres
  const folder = newFolder()
  const open: number[] = []
  before(async () => {
    postgres = await startWiki()
  })
  afterEach(() => {
    for (const fd of open.splice(0)) closeSync(fd)
  })
  after(async () => {
    await postgres?.remove()
    folder.remove()
  })

  const opened = (path: string, flags: number): number => {
    const fd = openSync(path, flags)
    open.push(fd)
    return fd
  }
  const newFifo = (name: string): string => {
    const path = join(folder.path, name)
    execFileSync('mkfifo', [path])
    return path
  }
  const start = (environment: Record<string, string>, redirection: LaunchOptions): Promise<Lectern> =>
    startLectern({ DATABASE_URL: postgres.url, LOG_LEVEL: 'info', ...environment }, redirection)

  /** Statuses of `requests` requests with long URLs, 16 at a time on persistent connections. */
  const sendMany = async (url: string, requests: number): Promise<Map<number | string, number>> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 16 })
    const statuses = new Map<number | string, number>()
    let sent = 0
    const sendOne = (n: number) =>
      new Promise<number | string>((resolve) => {
        get(
          `${url}/pages?limit=${(n % 20) + 1}&pad=${'x'.repeat(900)}`,
          { agent, timeout: 120_000 },
          (response) => {
            response.resume().once('close', () => resolve(response.statusCode!))
          },
        )
          .on('timeout', () => resolve('timeout'))
          .on('error', ({ message }) => resolve(message))
      })
    const client = async () => {
      while (sent < requests) {
        sent += 1
        const status = await sendOne(sent)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (typeof status === 'string') return
      }
    }
    await Promise.all(Array.from({ length: 16 }, client))
    agent.destroy()
    return statuses
  }
  const dropped = async ({ internalUrl }: Lectern): Promise<number> =>
    Number(
      /^lectern_log_lines_dropped_total (\d+)$/m.exec((await request(`${internalUrl}/metrics`)).text)?.[1],
    )

  /** Memory of a process, bytes. */
  const memoryOf = (pid: number): number =>
    Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024

  const childOf = (pid: number): number =>
    Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0])

  const stopInTime = async (lectern: Lectern, what: string): Promise<void> => {
    const began = performance.now()
    const { status, signal } = await lectern.stop()
    expect([status, signal]).to.deep.equal([0, null])
    takesAtMost(5_000, `the end after SIGTERM, log: ${what}`, performance.now() - began)
  }

  const broken: { what: string; redirection(): LaunchOptions; loses: boolean; then?(): void }[] = [
    {
      what: 'a pipe whose reader has gone',
      redirection: () => {
        const path = newFifo('gone')
        const reader = openSync(path, O_RDONLY | O_NONBLOCK)
        const stdout = opened(path, O_WRONLY)
        closeSync(reader)
        return { stdout }
      },
      loses: true,
    },
    {
      what: 'a file that may not grow',
      redirection: () => ({ shell: { before: 'ulimit -f 64', after: `>>${join(folder.path, 'bounded')}` } }),
      loses: true,
    },
    { what: 'a closed descriptor', redirection: () => ({ shell: { after: '>&-' } }), loses: false },
  ]
  for (const { what, redirection, loses } of broken) {
    it(`${what}: every request gets its response, memory is bounded, dropped lines are counted, SIGTERM ends the process`, async () => {
      const lectern = await start({}, redirection())
      await sendMany(lectern.url, 200)
      const before = memoryOf(lectern.pid)
      expect([...(await sendMany(lectern.url, 2_000))]).to.deep.equal([[200, 2_000]])
      expect((await lectern.live()).status).to.equal(200)
      if (loses) expect(await dropped(lectern)).to.be.within(500, 2_200)
      else expect(await dropped(lectern)).to.equal(0)
      expect(memoryOf(lectern.pid) - before).to.be.below(100_000_000)
      await stopInTime(lectern, what)
    })
  }

  it('with two workers and a socket that nobody reads, as from systemd: the same, also after a worker has ended', async () => {
    const lectern = await start({ WORKERS: '2' }, {})
    lectern.pauseLog()
    await sendMany(lectern.url, 2_000)
    const worker = childOf(lectern.pid)
    process.kill(worker, 'SIGTERM')
    await until('the worker has ended', () => !existsSync(`/proc/${worker}`))
    await until(
      'another one serves in its place',
      async () => JSON.parse((await lectern.live()).text).workers.serving === 2,
    )
    expect([...(await sendMany(lectern.url, 2_000))]).to.deep.equal([[200, 2_000]])
    expect(await dropped(lectern)).to.be.within(1_000, 4_000)
    await stopInTime(lectern, 'a socket that nobody reads, two workers')
  })

  it('a full disk under standard error and output: start and end work as usual', async () => {
    const path = newFifo('both')
    const fd = opened(path, O_RDWR)
    const full = opened('/dev/full', O_WRONLY)
    for (const [stdout, stderr] of [
      [full, full],
      [fd, fd],
    ] as const) {
      // The earlier content leaves no space, not even for the greeting.
      if (stdout === fd)
        execFileSync('sh', [
          '-c',
          `dd if=/dev/zero of=${path} bs=1 count=65536 oflag=nonblock 2>/dev/null || :`,
        ])
      const port = String(await freePort())
      const lectern = startUnseen(
        ['serve'],
        { DATABASE_URL: postgres.url, HOST: '127.0.0.1', PORT: port, INTERNAL_PORT: '0', RATE_LIMIT: '0' },
        { stdout, stderr },
      )
      await until('it serves', async () => (await request(`http://127.0.0.1:${port}/api/v1/`)).status === 200)
      expect([...(await sendMany(`http://127.0.0.1:${port}/api/v1`, 500))]).to.deep.equal([[200, 500]])
      const began = performance.now()
      lectern.process.kill('SIGTERM')
      expect((await lectern.ended).status).to.equal(0)
      takesAtMost(5_000, 'the end after SIGTERM, nothing can be written', performance.now() - began)
    }
  })

  it('a pipe that nobody reads: memory is bounded; a reader that continues gets whole lines, and a line with the number of dropped ones', async () => {
    const path = newFifo('resumed')
    const fd = opened(path, O_RDONLY | O_NONBLOCK)
    const lectern = await start({}, { stdout: opened(path, O_WRONLY) })
    await sendMany(lectern.url, 200)
    const before = memoryOf(lectern.pid)
    expect([...(await sendMany(lectern.url, 2_000))]).to.deep.equal([[200, 2_000]])
    expect(memoryOf(lectern.pid) - before).to.be.below(100_000_000)
    const lost = await dropped(lectern)
    expect(lost).to.be.within(500, 2_200)
    const chunks: Buffer[] = []
    const read = () => {
      const chunk = Buffer.alloc(65_536)
      try {
        for (;;) chunks.push(Buffer.from(chunk.subarray(0, readSync(fd, chunk))))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      }
      return Buffer.concat(chunks).toString()
    }
    await until('the loss is told', () => /"lost":\d+/.test(read()))
    expect((await lectern.get('/pages?after=last')).status).to.equal(200)
    await until('a new request is logged', () => read().includes('/pages?after=last'))
    const lines = read()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.findLast((line) => 'lost' in line).lost).to.equal(lost)
    expect(lines.filter(({ msg }) => msg === 'request')).to.have.length(2_200 - lost + 1)
    expect(await dropped(lectern)).to.equal(lost)
    await stopInTime(lectern, 'a pipe that is read again')
  })

  it('a slow reader gets every line up to the last, also when the service ends', async () => {
    const path = newFifo('slow')
    const fd = opened(path, O_RDONLY | O_NONBLOCK)
    const lectern = await start({}, { stdout: opened(path, O_WRONLY) })
    let text = ''
    const chunk = Buffer.alloc(8_192)
    const reading = setInterval(() => {
      try {
        text += chunk.toString('utf8', 0, readSync(fd, chunk))
      } catch {
        // no data at present
      }
    }, 5)
    try {
      expect([...(await sendMany(lectern.url, 400))]).to.deep.equal([[200, 400]])
      // The end of the process waits for its reader for 0.2 s only.
      await until('most is read', () => text.length > 300 * 900)
      await stopInTime(lectern, 'a slow reader')
      await until('all is read', () => text.includes('"stopping"'))
    } finally {
      clearInterval(reading)
    }
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.filter(({ msg }) => msg === 'request')).to.have.length(400)
    expect(lines.at(-1).msg).to.equal('stopping')
  })
})
