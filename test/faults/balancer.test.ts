import { expect } from 'chai'
import { until } from '../support/until.ts'
import { type Balancer, load, portOfUrl, startBalancer } from './support/balancer.ts'
import { type Lectern, startLectern } from './support/lectern.ts'
import { type Postgres, startWiki } from './support/postgres.ts'
import { type RedisServer, startRedis } from './support/redis.ts'

describe('two gateways behind deploy/haproxy.cfg', () => {
  let postgres: Postgres
  let redis: RedisServer
  let balancer: Balancer
  let url: string
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
    balancer = await startBalancer(
      gateways.map(({ url, internalUrl }) => ({
        port: portOfUrl(url),
        internalPort: portOfUrl(internalUrl),
      })),
    )
    url = balancer.url
  })
  after(async () => {
    await balancer?.stop()
    await Promise.all(gateways.filter((one) => one.isRunning()).map((one) => one.stop()))
    await redis?.stop()
    await postgres?.remove()
  })

  it('the rate limit uses the client address that the balancer writes last', async () => {
    for (const forged of ['192.0.2.1', '192.0.2.2', '192.0.2.2, 192.0.2.1']) {
      const { status } = await fetch(`${url}/pages`, { headers: { 'X-Forwarded-For': forged } })
      expect(status).to.equal(200)
    }
    expect(await redis.command('EXISTS lectern:rate:192.0.2.1 lectern:rate:192.0.2.2')).to.equal(':0')
    expect(await redis.command('EXISTS lectern:rate:127.0.0.1')).to.equal(':1')
  })

  it('a gateway killed under load: no request is refused or cut off', async () => {
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

  it('a gateway stopped under load: no request is refused or cut off', async () => {
    const running = load(url, 8)
    await until('requests are answered', () => running.made() > 100)
    await gateways[1]!.stop()
    const stoppedAt = running.made()
    await until('many more requests are answered', () => running.made() > stoppedAt + 500)
    const statuses = await running.stop()
    expect(statuses.filter((status) => status !== 200)).to.deep.equal([])
  })

  it('the database lost: the gateways respond, from their caches or with an error of the API', async () => {
    const again = {
      PORT: String(portOfUrl(gateways[1]!.url)),
      INTERNAL_PORT: String(portOfUrl(gateways[1]!.internalUrl)),
    }
    if (!gateways[1]!.isRunning()) gateways[1] = await startGateway(again)
    const cached = async (one: { url: string }) => (await fetch(`${one.url}/pages?limit=7`)).status
    expect(await Promise.all(gateways.map(cached))).to.deep.equal([200, 200])
    const { length } = balancer.printed()
    await postgres.stop()
    await until('no gateway is ready', () =>
      balancer.printed().slice(length).includes("backend 'gateways' has no server available"),
    )
    const response = await fetch(`${url}/suggest?q=senc`)
    expect(response.status).to.equal(503)
    expect((await response.json()).error.code).to.equal('unavailable')
    expect(response.headers.get('access-control-allow-origin')).to.equal('*')
    expect(response.headers.get('retry-after')).to.equal('1')
    expect(await cached(balancer)).to.equal(200)
    await postgres.start()
    await until('they are ready', async () => (await fetch(`${url}/suggest?q=matc`)).status === 200)
  })
})
