import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { packagePath } from '../../src/paths.ts'
import { until } from '../support/until.ts'
import { type Lectern, startLectern } from './support/lectern.ts'
import { type Postgres, startWiki } from './support/postgres.ts'
import { type RedisServer, startRedis } from './support/redis.ts'
import { freePort, ready, type ServerProcess, startServer } from './support/server-process.ts'

/** Statuses of requests that are made without a pause, until told to stop; what failed counts as 0. */
const load = (url: string, connections: number) => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const statuses: number[] = []
  let isOver = false
  const one = () =>
    new Promise<void>((resolve) => {
      const request = get(`${url}/pages?limit=${1 + (statuses.length % 200)}`, { agent }, (response) => {
        response.resume()
        response.once('close', () => {
          statuses.push(response.complete ? response.statusCode! : 0)
          resolve()
        })
      })
      request.once('error', () => {
        statuses.push(0)
        resolve()
      })
    })
  const clients = Array.from({ length: connections }, async () => {
    while (!isOver) await one()
  })
  return {
    made: () => statuses.length,
    stop: async () => {
      isOver = true
      await Promise.all(clients)
      agent.destroy()
      return statuses
    },
  }
}

describe('two gateways behind deploy/haproxy.cfg', () => {
  let postgres: Postgres
  let redis: RedisServer
  let balancer: ServerProcess
  let url: string
  let folder: string
  const gateways: Lectern[] = []
  const startGateway = (environment: Record<string, string> = {}) =>
    startLectern({
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      TRUSTED_PROXIES: '1',
      RATE_LIMIT: '1000000',
      ...environment,
    })

  before(async () => {
    ;[postgres, redis] = await Promise.all([startWiki(), startRedis()])
    gateways.push(...(await Promise.all([startGateway(), startGateway()])))
    const port = await freePort()
    url = `http://127.0.0.1:${port}/api/v1`
    folder = mkdtempSync(join(tmpdir(), 'lectern-balancer-'))
    let config = readFileSync(packagePath('deploy', 'haproxy.cfg'), 'utf8')
      .replace('maxconn 4000', 'maxconn 200')
      .replace('bind :8080', `bind 127.0.0.1:${port}`)
    for (const [i, name] of ['a', 'b'].entries()) {
      const { url, internalUrl } = gateways[i]!
      config = config.replace(
        `server ${name} gateway-${name}:3000`,
        `server ${name} 127.0.0.1:${new URL(url).port} port ${new URL(internalUrl).port}`,
      )
    }
    expect(config).not.to.include('gateway-')
    writeFileSync(join(folder, 'haproxy.cfg'), config)
    balancer = startServer({ command: 'haproxy', args: ['-db', '-f', join(folder, 'haproxy.cfg')] })
    await ready(balancer, async () => {
      if (!(await fetch(`${url}/pages`)).ok) throw new Error('not yet')
    })
  })
  after(async () => {
    await balancer?.stop()
    await Promise.all(gateways.filter((one) => one.isRunning()).map((one) => one.stop()))
    await redis?.stop()
    await postgres?.remove()
    if (folder) rmSync(folder, { recursive: true, force: true })
  })

  it('the address that counts is the client’s, which the balancer writes last', async () => {
    for (const forged of ['192.0.2.1', '192.0.2.2', '192.0.2.2, 192.0.2.1']) {
      const { status } = await fetch(`${url}/pages`, { headers: { 'X-Forwarded-For': forged } })
      expect(status).to.equal(200)
    }
    expect(await redis.command('EXISTS lectern:rate:192.0.2.1 lectern:rate:192.0.2.2')).to.equal(':0')
    expect(await redis.command('EXISTS lectern:rate:127.0.0.1')).to.equal(':1')
  })

  it('a gateway killed under load: nobody is refused, nobody is cut off', async () => {
    const [killed] = gateways
    const running = load(url, 8)
    await until('requests are answered', () => running.made() > 100)
    process.kill(killed!.pid, 'SIGKILL')
    const killedAt = running.made()
    await until('many more requests are answered', () => running.made() > killedAt + 500)
    const statuses = await running.stop()
    expect(statuses.filter((status) => status !== 200)).to.deep.equal([])
    const again = { PORT: new URL(killed!.url).port, INTERNAL_PORT: new URL(killed!.internalUrl).port }
    gateways[0] = await startGateway({ ...again, LOG_LEVEL: 'info' })
    await until('it answers again', async () => {
      expect((await fetch(`${url}/pages`)).status).to.equal(200)
      return gateways[0]!.logged().includes('"request"')
    })
  })

  it('a gateway stopped in order under load: neither', async () => {
    const running = load(url, 8)
    await until('requests are answered', () => running.made() > 100)
    await gateways[1]!.stop()
    const stoppedAt = running.made()
    await until('many more requests are answered', () => running.made() > stoppedAt + 500)
    const statuses = await running.stop()
    expect(statuses.filter((status) => status !== 200)).to.deep.equal([])
  })
})
