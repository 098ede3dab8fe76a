import { EventEmitter, once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { pipelineDepth, pipelineDisconnects } from '../src/http/pipelining.ts'
import { listen, makeHttpServer, portOf } from '../src/http/server.ts'
import { limitUnreadResponses } from '../src/http/unread-responses.ts'
import { until } from './support/until.ts'

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

describe('limits of pipelining', () => {
  describe('waiting requests', () => {
    let server: Server
    let requests = 0
    const responses: ServerResponse[] = []
    const sockets: Socket[] = []
    beforeEach(async () => {
      requests = 0
      server = makeHttpServer()
      server.on('request', (request, response) => {
        requests += 1
        pipelineDepth(request.socket, response)
        responses.push(response)
      })
      await listen(server, 0, '127.0.0.1', 'PORT')
    })
    afterEach(() => {
      for (const socket of sockets.splice(0)) socket.destroy()
      responses.length = 0
      server.close()
      server.closeAllConnections()
    })
    const send = async (text: string): Promise<Socket> => {
      const socket = connect(portOf(server), '127.0.0.1')
      sockets.push(socket)
      socket.on('error', () => {})
      await once(socket, 'connect')
      socket.write(text)
      return socket
    }

    it('256 can wait on a connection; one more closes it', async () => {
      const allowed = await send(GET.repeat(257))
      await until('all are waiting', () => requests === 257)
      const before = pipelineDisconnects()
      const cut = await send(GET.repeat(1_500))
      cut.resume()
      await once(cut, 'close')
      expect(pipelineDisconnects()).to.equal(before + 1)
      let text = ''
      allowed.setEncoding('latin1').on('data', (chunk: string) => {
        text += chunk
      })
      for (const response of responses.slice(0, 257)) response.end('ok')
      await until('all are answered', () => text.split('HTTP/1.1 200').length === 258)
    })

    for (const method of ['GET', 'HEAD', 'POST']) {
      it(`Expect: 100-continue of a waiting ${method} adds nothing between the head and the body of a response`, async () => {
        const expecting = `${method} / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\r\n`
        const socket = await send(GET + expecting)
        await until('both are there', () => requests === 2)
        const [first, second] = responses
        second!.writeHead(200, { 'Content-Length': '6' }).end(Buffer.from(method === 'HEAD' ? '' : 'second'))
        first!.writeHead(200, { 'Content-Length': '5' }).end(Buffer.from('first'))
        let text = ''
        socket.setEncoding('latin1').on('data', (chunk: string) => {
          text += chunk
        })
        socket.end() // also ends the connection that node:http keeps open
        await once(socket, 'close')
        expect(text.replaceAll(/^[\w-]+: .*\r\n/gm, '')).to.equal(
          `HTTP/1.1 200 OK\r\n\r\nfirstHTTP/1.1 200 OK\r\n\r\n${method === 'HEAD' ? '' : 'second'}`,
        )
      })
    }

    it('Expect: 100-continue of a request that need not wait gets 100, then the response', async () => {
      const socket = await send('GET / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\r\n')
      const [interim] = await once(socket, 'data')
      expect(String(interim)).to.equal('HTTP/1.1 100 Continue\r\n\r\n')
      responses[0]!.end('ok')
      const [final] = await once(socket, 'data')
      expect(String(final)).to.match(/^HTTP\/1\.1 200 OK\r\n/)
    })

    it('10,000 can wait on all connections; more close only the connection with most', async () => {
      const before = pipelineDisconnects()
      const small = await send(GET.repeat(3))
      let isCut = false
      small.once('close', () => {
        isCut = true
      })
      // 39 × 256 are 9,984.
      const deep = await Promise.all(Array.from({ length: 39 }, () => send(GET.repeat(257))))
      await until('they wait', () => requests === 3 + 39 * 257)
      expect(pipelineDisconnects()).to.equal(before)
      const closed = Promise.race(deep.map((socket) => once(socket.resume(), 'close')))
      await send(GET.repeat(20))
      await closed
      expect(pipelineDisconnects()).to.equal(before + 1)
      expect(isCut).to.equal(false)
      expect(small.destroyed).to.equal(false)
    })
  })

  describe('unread response bodies', () => {
    const bounds = { connection: 1_000, process: 3_000, countedFrom: 10 }
    class FakeSocket extends EventEmitter {
      destroyed = false
      destroy() {
        this.destroyed = true
        this.emit('close')
      }
    }
    const newSocket = () => new FakeSocket()
    const make = () => {
      const pending = limitUnreadResponses(bounds)
      const add = (socket: FakeSocket, body: Buffer) => {
        const response = new EventEmitter()
        pending.add(socket as unknown as Socket, response as ServerResponse, body)
        return response
      }
      return { pending, add }
    }

    it('a shared body counts once, until its last reader has read it', () => {
      const { pending, add } = make()
      const body = Buffer.alloc(900)
      const responses = Array.from({ length: 50 }, () => add(newSocket(), body))
      add(newSocket(), Buffer.alloc(9)) // below the counted size
      expect(pending.counts().bytes).to.equal(900)
      for (const response of responses.slice(1)) response.emit('close')
      expect(pending.counts().bytes).to.equal(900)
      responses[0]!.emit('close')
      expect(pending.counts().bytes).to.equal(0)
      expect(pending.counts().disconnects).to.equal(0)
    })

    it('of one connection: one of any size, or several up to the limit; more close the connection', () => {
      const { pending, add } = make()
      const large = newSocket()
      add(large, Buffer.alloc(2_500))
      expect(large.destroyed).to.equal(false)
      large.destroy()
      const socket = newSocket()
      add(socket, Buffer.alloc(600))
      add(socket, Buffer.alloc(400))
      expect(socket.destroyed).to.equal(false)
      add(socket, Buffer.alloc(10))
      expect(socket.destroyed).to.equal(true)
      expect(pending.counts().bytes).to.equal(0)
      expect(pending.counts().disconnects).to.equal(1)
    })

    it('leave nothing on a connection when they are read or the connection closes', () => {
      const { pending, add } = make()
      const socket = newSocket()
      for (let round = 0; round < 20; round += 1) {
        const responses = [add(socket, Buffer.alloc(100)), add(socket, Buffer.alloc(100))]
        expect(socket.listenerCount('close')).to.equal(1)
        for (const response of responses) response.emit('close')
        expect(pending.counts().bytes).to.equal(0)
      }
      add(socket, Buffer.alloc(100))
      add(socket, Buffer.alloc(100))
      socket.destroy()
      expect(pending.counts().bytes).to.equal(0)
    })

    it('of all connections: beyond the limit, the oldest is closed, unless others read the same body', () => {
      const { pending, add } = make()
      const shared = Buffer.alloc(1_000)
      const sockets = Array.from({ length: 5 }, newSocket)
      add(sockets[0]!, shared)
      add(sockets[1]!, shared)
      add(sockets[2]!, Buffer.alloc(1_000))
      add(sockets[3]!, Buffer.alloc(1_000))
      expect(pending.counts().bytes).to.equal(3_000)
      add(sockets[4]!, Buffer.alloc(1_000))
      expect(sockets.map(({ destroyed }) => destroyed)).to.deep.equal([false, false, true, false, false])
      expect(pending.counts().bytes).to.equal(3_000)
    })
  })
})
