import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { until } from '../support/until.ts'
import { type Lectern, request, startLectern } from './support/lectern.ts'
import { runFaultLoad } from './support/load.ts'
import { newFolder, type Postgres, startWiki } from './support/postgres.ts'

/** Endpoints in turn; `{n}` makes them new each time. */
const ORDINARY = [
  '',
  '/pages?limit=200&after={n}',
  '/pages/sencha',
  '/pages/sencha?format=html&n={n}',
  '/pages/sencha/history',
  '/search?q=tea%20{n}',
  '/search?q=green%20{n}&all=true&offset=3',
  '/recent?limit=200',
  '/categories/green-tea',
  '/openapi.json',
]

let postgres: Postgres
let folder: ReturnType<typeof newFolder>
before(async () => {
  postgres = await startWiki()
  folder = newFolder()
})
after(async () => {
  await postgres?.remove()
  folder?.remove()
})

const launch = { nodeOptions: [] }
/** Both databases, with a process and with workers. */
const services: [name: string, environment: () => Record<string, string>][] = [
  ['embedded, WORKERS=2', () => ({ DATA_DIR: `${folder.path}/wiki`, WORKERS: '2' })],
  ['PostgreSQL', () => ({ DATABASE_URL: postgres.url })],
]

const through = ['sh', '-c', 'ulimit -n 512; exec "$@"', 'sh']
const descriptors = ({ pid }: Lectern) => readdirSync(`/proc/${pid}/fd`).length
/** Seconds of a processor that a process has used. */
const cpuSeconds = ({ pid }: Lectern): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop()!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

describe('a heap of 128 MB, and as few file descriptors as Lectern starts with (512)', () => {
  const heap = { NODE_OPTIONS: '--max-old-space-size=128' }

  for (const [name, environment] of services) {
    it(`ordinary load of all endpoints is answered; beside 700 connections at once, it answers, does not spin, and lets go of them (${name})`, async () => {
      const lectern = await startLectern({ ...environment(), ...heap }, { through, ...launch })
      const { hostname, port } = new URL(lectern.url)
      const sockets: Socket[] = []
      try {
        const { answered, broken } = await runFaultLoad({
          url: lectern.url,
          paths: ORDINARY,
          connections: 8,
          seconds: 2,
        })
        expect(answered.length).to.be.above(0)
        expect(broken).to.equal(0)
        for (const path of ORDINARY)
          await until(
            `${path} is answered`,
            async () => (await lectern.get(path.replace('{n}', '1'))).status === 200,
          )
        const before = descriptors(lectern)
        for (let n = 0; n < 700; n += 1) {
          const socket = connect(Number(port), hostname)
          socket.on('error', () => {})
          sockets.push(socket)
        }
        // Opened, or closed to make room.
        await Promise.all(
          sockets.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])),
        )
        await until(
          'a new client is answered',
          async () => (await lectern.get('/pages/sencha')).status === 200,
        )
        for (let n = 0; n < 20; n += 1) expect((await lectern.get(`/pages?after=${n}`)).status).to.equal(200)
        await until('it is ready', async () => (await lectern.ready()).status === 200)
        expect(descriptors(lectern)).to.be.below(512)
        await until('it uses less than half a second of CPU in a second with nothing to do', async () => {
          const used = cpuSeconds(lectern)
          await new Promise((resolve) => setTimeout(resolve, 1_000))
          return cpuSeconds(lectern) - used < 0.5
        })
        for (const socket of sockets) socket.destroy()
        await until('their descriptors are free again', () => descriptors(lectern) <= before + 20)
        expect((await lectern.get('/pages?limit=1')).status).to.equal(200)
        expect(lectern.logged()).not.to.match(/EMFILE|A worker has ended/)
      } finally {
        for (const socket of sockets) socket.destroy()
        expect((await lectern.stop()).status).to.equal(0)
      }
    })
  }

  it('hostile load: it stays up, or a worker that does not is replaced', async () => {
    const lectern = await startLectern(
      { DATABASE_URL: postgres.url, WORKERS: '2', ...heap, LOG_LEVEL: 'error' },
      launch,
    )
    const letters = encodeURIComponent('\u{FDFA}'.repeat(60))
    try {
      await runFaultLoad({
        url: lectern.url,
        paths: [`/search?q=${letters}{n}`, '/pages?limit=200&after={n}', `/{n}${'x'.repeat(8_000)}`],
        connections: 64,
        seconds: 4,
      })
      await until(
        'both workers serve',
        async () => JSON.parse((await lectern.ready()).text).workers.serving === 2,
      )
      expect((await lectern.get('/pages/sencha')).status).to.equal(200)
      expect(lectern.isRunning()).to.equal(true)
    } finally {
      await lectern.stop()
    }
  })

  it('400 connections that pipeline 700,000 requests: other clients get responses', async () => {
    const lectern = await startLectern({ DATABASE_URL: postgres.url, ...heap }, launch)
    const { hostname, port } = new URL(lectern.url)
    expect((await lectern.get('/')).status).to.equal(200)
    const packet = 'GET /api/v1/ HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1_750)
    const sockets: Socket[] = []
    for (let n = 0; n < 400; n++) {
      const socket = connect({ host: hostname, port: Number(port) }).pause()
      socket.on('error', () => {})
      socket.write(packet)
      sockets.push(socket)
    }
    expect((await lectern.live()).status).to.equal(200)
    expect((await lectern.get('/pages')).status).to.equal(200)
    const metrics = (await request(`${lectern.internalUrl}/metrics`)).text
    expect(
      Number(/^lectern_http_pipeline_disconnects_total\{reason="requests"\} (\d+)$/m.exec(metrics)?.[1]),
    ).to.be.above(0)
    for (const socket of sockets) socket.destroy()
    expect(lectern.isRunning()).to.equal(true)
    expect((await lectern.stop()).status).to.equal(0)
  })
})
