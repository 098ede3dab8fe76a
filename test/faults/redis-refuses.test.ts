import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { expect } from 'chai'
import { until } from '../support/until.ts'
import { type Lectern, startLectern } from './support/lectern.ts'
import { takesAtMost } from './support/measured.ts'
import { type Postgres, startWiki } from './support/postgres.ts'
import { callAs, granted, type RateResponse, SOON_MS } from './support/rate-client.ts'
import { type RedisServer, startRedis } from './support/redis.ts'

describe('a Redis that refuses to count', () => {
  let postgres: Postgres
  let redis: RedisServer
  const gateways: Lectern[] = []
  let clients = 0
  const newClient = () => `198.51.100.${++clients}`

  before(async () => {
    ;[postgres, redis] = await Promise.all([startWiki(), startRedis()])
  })
  after(async () => {
    await Promise.all(gateways.map((gateway) => gateway.stop()))
    await redis?.stop()
    await postgres?.remove()
  })

  const startGateway = async (redisUrl = redis.url) => {
    const gateway = await startLectern({
      DATABASE_URL: postgres.url,
      REDIS_URL: redisUrl,
      RATE_LIMIT: '40',
      TRUSTED_PROXIES: '1',
      LOG_LEVEL: 'info',
    })
    gateways.push(gateway)
    return gateway
  }
  /** Requests of one client, one after another. */
  const callOften = async (client: string, gateway: Lectern, times = 60) => {
    const responses: RateResponse[] = []
    for (let n = 0; n < times; n += 1) responses.push(await callAs(client, gateway))
    for (const { status, secondsLeft, retryAfter } of responses) {
      expect(secondsLeft).to.be.within(1, 60)
      expect(retryAfter).to.equal(status === 429 ? secondsLeft : null)
    }
    return responses
  }
  const isShared = (gateway: Lectern) => {
    const lines = gateway.logged()
    return lines.lastIndexOf('Redis counts the requests') > lines.lastIndexOf('counts by itself')
  }
  const joins = async (gateway: Lectern) => {
    await until('Redis counts again', () => isShared(gateway))
    // On a busy machine, Redis can be late. That is not the fault that this file tests.
    await until('Redis counts the requests of a client', async () => {
      const client = newClient()
      await callAs(client, gateway)
      return (await redis.command(`EXISTS lectern:rate:${client}`)) === ':1'
    })
  }

  /** The client gets exactly the documented limit, in time. */
  const countsByItself = async (gateway: Lectern) => {
    const client = newClient()
    const responses = await callOften(client, gateway)
    expect(responses.map(({ status }) => status)).to.deep.equal([
      ...Array<number>(40).fill(200),
      ...Array<number>(20).fill(429),
    ])
    // Later requests do not wait, so another program on the machine does not change the median.
    const times = responses.map(({ ms }) => ms).sort((a, b) => a - b)
    takesAtMost(SOON_MS, 'a request while Redis refuses to count, median', times[30]!)
    expect(gateway.isRunning()).to.equal(true)
  }

  it('wrong password: each gateway counts by itself, and joins when the password is right', async () => {
    await redis.command('CONFIG SET requirepass right')
    const gateway = await startGateway(`redis://:wrong@127.0.0.1:${redis.port}`)
    await countsByItself(gateway)
    expect(gateway.logged()).to.match(/WRONGPASS/)
    expect(gateway.logged()).not.to.include(':wrong@')
    await redis.command('CONFIG SET requirepass wrong', 'right')
    await until('Redis counts', () => isShared(gateway))
    await redis.command('CONFIG SET requirepass ""', 'wrong')
    await gateways.pop()!.stop()
  })

  const faults: { what: string; begin: () => Promise<unknown>; end: () => Promise<unknown>; says: RegExp }[] =
    [
      {
        what: 'Redis gets a new password and closes its connections',
        begin: async () => {
          await redis.command('CONFIG SET requirepass new')
          await redis.command('CLIENT KILL TYPE normal', 'new')
        },
        end: () => redis.command('CONFIG SET requirepass ""', 'new'),
        says: /NOAUTH|closed|ECONNRESET|EPIPE|writeable/,
      },
      {
        what: 'Redis becomes a read-only replica',
        begin: () => redis.command('REPLICAOF 127.0.0.1 1'),
        end: () => redis.command('REPLICAOF NO ONE'),
        says: /READONLY/,
      },
      {
        what: 'Redis has 1 MB of memory and evicts nothing',
        begin: async () => {
          await redis.command('CONFIG SET maxmemory-policy noeviction')
          await redis.command('CONFIG SET maxmemory 1mb')
          await redis.command(`SETRANGE filler 2000000 x`)
        },
        end: () => redis.command('CONFIG SET maxmemory 0'),
        says: /OOM/,
      },
      {
        what: 'a script keeps Redis busy',
        begin: async () => {
          await redis.command('CONFIG SET busy-reply-threshold 50')
          redis.send('EVAL "while true do end" 0')
          await until('it is busy', async () => (await redis.command('GET x')).startsWith('-BUSY'))
        },
        end: () => redis.command('SCRIPT KILL'),
        says: /BUSY|no reply|timed out/i,
      },
    ]
  for (const { what, begin, end, says } of faults) {
    it(`${what}: each gateway counts by itself, and they share again afterwards`, async () => {
      const [gateway] = gateways.length > 0 ? gateways : [await startGateway()]
      await joins(gateway!)
      await begin()
      try {
        // The request that meets the fault gets a response, too.
        expect((await callAs(newClient(), gateway!)).status).to.equal(200)
        await until('the gateway counts by itself', () => !isShared(gateway!))
        await countsByItself(gateway!)
        await until('the log names the cause', () => says.test(gateway!.logged()))
      } finally {
        await end()
      }
      await joins(gateway!)
    })
  }

  describe('a server that is not a usable Redis', () => {
    let server: Server
    const sockets = new Set<Socket>()
    const listen = async () => {
      server = createServer((socket) => {
        sockets.add(socket)
        socket.on('error', () => {}).on('close', () => sockets.delete(socket))
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      return (server.address() as { port: number }).port
    }
    afterEach(async () => {
      await gateways.pop()!.stop()
      for (const socket of sockets) socket.destroy()
      server?.close()
    })

    const ways: [what: string, url: () => Promise<string>][] = [
      [
        'a port that accepts connections and never replies',
        async () => `redis://127.0.0.1:${await listen()}`,
      ],
      ['a Redis without TLS, for a rediss:// URL', async () => `rediss://127.0.0.1:${redis.port}`],
    ]
    for (const [what, url] of ways) {
      it(`${what}: the gateway starts, warns once, and counts by itself`, async () => {
        const gateway = await startGateway(await url())
        await countsByItself(gateway)
        expect(gateway.logged().split('each instance counts by itself')).to.have.length(2)
        expect(sockets.size).to.be.at.most(2)
      })
    }
  })

  describe('a clock that jumps', () => {
    let first: Lectern
    let second: Lectern
    before(async () => {
      ;[first, second] = await Promise.all([startGateway(), startGateway()])
      await Promise.all([joins(first), joins(second)])
    })

    // Redis stores the end of a key as a time of day. So a jump of its clock leaves these windows.
    const windows: [what: string, command: (key: string) => string][] = [
      ['back by an hour', (key) => `PEXPIRE ${key} 3640000`],
      ['and a window loses its end', (key) => `PERSIST ${key}`],
    ]
    for (const [what, command] of windows) {
      it(`${what}: a client gets the limit, and waits for a minute at most`, async () => {
        const client = newClient()
        expect(granted(await callOften(client, first, 30))).to.equal(30)
        expect(await redis.command(command(`lectern:rate:${client}`))).to.equal(':1')
        expect(granted(await callOften(client, second, 30))).to.equal(10)
        const msLeft = Number((await redis.command(`PTTL lectern:rate:${client}`)).slice(1))
        expect(msLeft).to.be.within(1, 60_000)
        // The gateway that knew the window before the jump.
        expect(granted(await callOften(client, first, 10))).to.equal(0)
      })
    }

    it('ahead by an hour: a client gets the limit of a new window, as after its end', async () => {
      const client = newClient()
      expect(granted(await callOften(client, first))).to.equal(40)
      expect(await redis.command(`DEL lectern:rate:${client}`)).to.equal(':1')
      expect(granted(await callOften(client, second))).to.equal(40)
      expect(granted(await callOften(client, first, 10))).to.equal(0)
    })
  })
})
