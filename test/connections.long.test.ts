import { once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import type { ConnectionTracker } from '../src/http/connections.ts'
import { pipelineDepth } from '../src/http/pipelining.ts'
import { portOf } from '../src/http/server.ts'
import { withTrackedServers } from './support/tracked-servers.ts'
import { until } from './support/until.ts'

/** More bytes than the buffers of the kernel hold on loopback. */
const LARGE = Buffer.alloc(16 * 1024 * 1024, 'x')
const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

describe('connections', () => {
  const { start, open } = withTrackedServers()

  /** Everything that a connection receives until it is closed. */
  const readAll = async (socket: Socket): Promise<string> => {
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.resume()
    await once(socket, 'close')
    return Buffer.concat(chunks).toString('latin1')
  }
  const untilOpen = (connections: ConnectionTracker, wanted: number) =>
    until(`${wanted} connections are open`, () => connections.counts().open === wanted)

  describe('idle connections', () => {
    const slowReader = { graceMs: 10_000, bytesPerSecond: 1, checkMs: 20 }

    it('closes a connection some time after its last response', async () => {
      const { server } = await start((_, response) => response.end('ok'), 10, slowReader, 200)
      const socket = await open(server)
      const askedAt = performance.now()
      socket.write(GET)
      expect(await readAll(socket)).to.match(/ok$/)
      expect(performance.now() - askedAt).to.be.at.least(199)
    })

    it('closes neither a connection that gets requests again and again, nor one that waits for its response', async () => {
      const running: ServerResponse[] = []
      const { server, connections } = await start(
        (request, response) => {
          if (request.url === '/slow') running.push(response)
          else response.end('ok')
        },
        10,
        slowReader,
        3_000, // not reached between two requests of a busy machine
      )
      const slow = await open(server)
      slow.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
      const busy = await open(server)
      // Checks run every 20 ms, so that the idle connection is the younger one.
      await new Promise((resolve) => setTimeout(resolve, 150))
      const idle = await open(server)
      const closed = once(idle.resume(), 'close')
      let isIdleOpen = true
      closed.then(() => {
        isIdleOpen = false
      })
      while (isIdleOpen) {
        busy.write(GET)
        await once(busy, 'data')
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      expect(connections.counts().open).to.equal(2)
      const answered = once(slow, 'data')
      running[0]!.end('late')
      expect(String(await answered)).to.match(/late/)
    })

    it('waits for the rest of a request that has begun to arrive', async () => {
      const { server, connections } = await start((_, response) => response.end('ok'), 10, slowReader, 3_000)
      const [slow, idle] = [await open(server), await open(server)]
      const closed = once(idle.resume(), 'close')
      let isIdleOpen = true
      closed.then(() => {
        isIdleOpen = false
      })
      slow.write('GET / HTTP/1.1\r\n')
      for (let i = 0; isIdleOpen; i += 1) {
        slow.write(`X-${i}: 1\r\n`)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      expect(connections.counts().open).to.equal(1)
      slow.write('Host: x\r\n\r\n')
      expect(String((await once(slow, 'data'))[0])).to.match(/ok$/)
    })
  })

  describe('one connection above the maximum', () => {
    /** Sends a request and reads its response. */
    const exchange = async (socket: Socket): Promise<void> => {
      socket.write(GET)
      await once(socket, 'data')
    }
    const isClosed = ({ destroyed }: Socket) => destroyed
    /** The connection that the server closes first when another one arrives. */
    const evictedOf = async (server: Server, sockets: Socket[]): Promise<number> => {
      const first = Promise.race(sockets.map((socket, i) => once(socket.resume(), 'close').then(() => i)))
      await open(server)
      return first
    }

    it('closes the connection whose last response is oldest, however old the connection is', async () => {
      const { server, connections } = await start((_, response) => response.end('ok'), 3)
      const first = await open(server)
      const second = await open(server)
      const third = await open(server)
      await exchange(third)
      await exchange(first)
      await exchange(second)
      const order = [first, second, third]
      expect(await evictedOf(server, order)).to.equal(2)
      expect(await evictedOf(server, order.slice(0, 2))).to.equal(0)
      expect(await evictedOf(server, [second])).to.equal(0)
      expect(connections.counts().evicted).to.equal(3)
    })

    it('counts a connection as idle from the end of its response, not from its request', async () => {
      const running: ServerResponse[] = []
      const { server } = await start((request, response) => {
        if (request.url === '/slow') running.push(response)
        else response.end('ok')
      }, 2)
      const slow = await open(server)
      slow.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
      await once(server, 'request')
      const quick = await open(server)
      await exchange(quick)
      const answered = once(slow, 'data')
      running[0]!.end('ok')
      await answered
      expect(await evictedOf(server, [slow, quick])).to.equal(1)
    })

    it('closes no busy connection while another is idle', async () => {
      const { server, connections } = await start(() => {}, 3)
      const busy = await open(server)
      busy.write(GET)
      await once(server, 'request')
      const idle = await open(server)
      const younger = await open(server)
      await untilOpen(connections, 3)
      const closed = once(idle.resume(), 'close')
      const newest = await open(server)
      await closed
      expect([busy, younger, newest].map(isClosed)).to.deep.equal([false, false, false])
      expect(connections.counts().evicted).to.equal(1)
    })

    it('closes the newest connection if all others are busy', async () => {
      let requests = 0
      const { server, connections } = await start(() => {
        requests += 1
      }, 2)
      const busy = [await open(server), await open(server)]
      for (const socket of busy) socket.write(GET)
      while (requests < 2) await once(server, 'request')
      const newest = await open(server)
      await readAll(newest)
      expect(busy.map(isClosed)).to.deep.equal([false, false])
      expect(connections.counts().evicted).to.equal(1)
    })
  })

  describe('draining', () => {
    it('responds to a request on an idle connection within the grace period', async () => {
      const { server, connections } = await start((_, response) => response.end('late'))
      const socket = await open(server)
      await untilOpen(connections, 1)
      const drained = connections.drain(2_000)
      const read = readAll(socket)
      socket.write(GET)
      expect(await read)
        .to.match(/Connection: close/)
        .and.match(/late$/)
      await drained
    })

    it('responds to all pipelined requests of a packet', async () => {
      const { server, connections } = await start((request, response) => {
        pipelineDepth(request.socket, response)
        setTimeout(() => response.end(`answer ${request.url}`), 20)
      })
      const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
      const running = await open(server)
      running.write(get('/1') + get('/2'))
      await once(server, 'request')
      const later = await open(server)
      await untilOpen(connections, 2)
      const drained = connections.drain(2_000)
      later.write(get('/3') + get('/4'))
      expect(await readAll(running)).to.match(/answer \/1.*answer \/2$/s)
      expect(await readAll(later)).to.match(/answer \/3.*Connection: close.*answer \/4$/s)
      await drained
    })

    it('finishes a response that the client is still reading', async () => {
      const { server, connections } = await start((_, response) => response.end(LARGE))
      const socket = (await open(server)).pause()
      socket.write(GET)
      await once(server, 'request')
      const drained = connections.drain(0)
      await new Promise((resolve) => setTimeout(resolve, 300))
      const text = await readAll(socket)
      expect(text.length - text.indexOf('\r\n\r\n') - 4).to.equal(LARGE.length)
      await drained
    })

    it('waits neither for an idle connection nor for one that never sent anything', async () => {
      const { server, connections } = await start((_, response) => response.end('ok'))
      const used = await open(server)
      used.write(GET)
      await once(used, 'data')
      await open(server)
      await untilOpen(connections, 2)
      const began = performance.now()
      await connections.drain(0)
      expect(performance.now() - began).to.be.below(8_000) // after which it would cut them
    })

    it('accepts no new connection, and finishes a running request, with Connection: close', async () => {
      let finish = () => {}
      const { server, connections } = await start((_, response) => {
        finish = () => response.end('done')
      })
      const port = portOf(server)
      const socket = await open(server)
      const read = readAll(socket)
      socket.write(GET)
      await once(server, 'request')
      const drained = connections.drain(0)
      const [error] = await once(connect(port, '127.0.0.1'), 'error')
      expect(error.code).to.equal('ECONNREFUSED')
      finish()
      expect(await read)
        .to.match(/Connection: close/)
        .and.match(/done$/)
      await drained
    })
  })
})
